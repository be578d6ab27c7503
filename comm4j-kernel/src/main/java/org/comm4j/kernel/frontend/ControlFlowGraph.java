// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.comm4j.kernel.capture.ParameterNames;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * The control flow of a method: its instructions in nodes, in an order in which a node comes after those that lead to
 * it, loops apart.
 */
final class ControlFlowGraph {
    /** Instructions {@code start} to {@code end − 1}, that run one after the other. */
    static final class Node {
        final int start;
        final int end;
        final Set<Node> successors = new LinkedHashSet<>();
        final Set<Node> predecessors = new LinkedHashSet<>();
        /** In reverse post-order; −1 if nothing leads here. */
        int order = -1;

        /** The locals and the stack it begins with, when something leads here. */
        @Nullable
        Frame frame;

        /** Where its code begins, when something leads here. */
        @Nullable
        Block block;

        /** Of each operand on the stack the constant that it is on every way here, or null. */
        final List<@Nullable Value> constants = new ArrayList<>();

        boolean translated;

        Node(int start, int end) {
            this.start = start;
            this.end = end;
        }
    }

    /** A loop by the node that it begins with. */
    record Loop(Node header, Set<Node> nodes) {}

    private record Name(int slot, int from, int to, String name) {}

    final List<Instruction> code = new ArrayList<>();
    /** Whether exceptions are caught; what {@code finally} does after one is not done, as one ends the kernel. */
    final boolean handlers;

    private final List<Integer> lines = new ArrayList<>();
    private final Map<Label, Integer> labels = new HashMap<>();
    private final List<Name> names = new ArrayList<>();
    private final Map<Integer, String> parameters;
    private final TreeMap<Integer, Node> nodes = new TreeMap<>();
    private final Map<Integer, BitSet> live = new HashMap<>();
    private final List<Loop> loops = new ArrayList<>();
    private final int[] stores;
    private final int[] references;

    ControlFlowGraph(MethodModel model, CodeAttribute method) {
        parameters = ParameterNames.bySlot(model);
        int line = 0;
        List<LocalVariable> variables = new ArrayList<>();
        for (CodeElement element : method.elementList()) {
            switch (element) {
                case LabelTarget target -> labels.put(target.label(), code.size());
                case LineNumber number -> line = number.line();
                case LocalVariable variable -> variables.add(variable);
                case Instruction instruction -> {
                    code.add(instruction);
                    lines.add(line);
                }
                default -> {}
            }
        }
        for (LocalVariable variable : variables) {
            names.add(new Name(
                    variable.slot(),
                    index(variable.startScope()),
                    index(variable.endScope()),
                    variable.name().stringValue()));
        }
        handlers = !method.exceptionHandlers().stream()
                .allMatch(handler -> handler.catchType().isEmpty() || Patterns.isOfPattern(handler, code, this::index));
        stores = new int[method.maxLocals() + 1];
        references = new int[method.maxLocals() + 1];
        for (Instruction instruction : code) {
            if (instruction instanceof StoreInstruction store) {
                stores[store.slot()]++;
                references[store.slot()] += store.typeKind() == TypeKind.REFERENCE ? 1 : 0;
            } else if (instruction instanceof IncrementInstruction increment) {
                stores[increment.slot()]++;
            }
        }
        for (var attribute : method.attributes()) {
            if (attribute instanceof StackMapTableAttribute table) {
                table.entries().forEach(this::frame);
            }
        }
        nodes(method.exceptionHandlers());
        order();
        findLoops();
    }

    private void frame(StackMapFrameInfo frame) {
        BitSet slots = new BitSet();
        int slot = 0;
        for (VerificationTypeInfo type : frame.locals()) {
            if (type != SimpleVerificationTypeInfo.TOP) {
                slots.set(slot);
            }
            slot += type == SimpleVerificationTypeInfo.LONG || type == SimpleVerificationTypeInfo.DOUBLE ? 2 : 1;
        }
        live.put(index(frame.target()), slots);
    }

    private int index(Label label) {
        Integer index = labels.get(label);
        return index == null ? code.size() : index;
    }

    private void nodes(List<ExceptionCatch> handlers) {
        Set<Integer> starts = new HashSet<>(Set.of(0));
        for (int i = 0; i < code.size(); i++) {
            List<Label> targets = targets(code.get(i));
            targets.forEach(target -> starts.add(index(target)));
            if (!targets.isEmpty() || isEnd(code.get(i))) {
                starts.add(i + 1);
            }
        }
        handlers.forEach(handler -> starts.add(index(handler.handler())));
        List<Integer> sorted =
                starts.stream().filter(i -> i < code.size()).sorted().toList();
        for (int i = 0; i < sorted.size(); i++) {
            int end = i + 1 < sorted.size() ? sorted.get(i + 1) : code.size();
            nodes.put(sorted.get(i), new Node(sorted.get(i), end));
        }
        for (Node node : nodes.values()) {
            Instruction last = code.get(node.end - 1);
            for (Label target : targets(last)) {
                connect(node, at(target));
            }
            if (!isEnd(last) && node.end < code.size()) {
                connect(node, at(node.end));
            }
        }
    }

    private static void connect(Node from, Node to) {
        from.successors.add(to);
        to.predecessors.add(from);
    }

    private static List<Label> targets(Instruction instruction) {
        return switch (instruction) {
            case BranchInstruction branch -> List.of(branch.target());
            case TableSwitchInstruction choice -> targets(choice.defaultTarget(), choice.cases());
            case LookupSwitchInstruction choice -> targets(choice.defaultTarget(), choice.cases());
            default -> List.of();
        };
    }

    private static List<Label> targets(Label otherwise, List<SwitchCase> cases) {
        List<Label> targets = new ArrayList<>(List.of(otherwise));
        cases.forEach(each -> targets.add(each.target()));
        return targets;
    }

    /** Whether nothing goes on with the next instruction. */
    private static boolean isEnd(Instruction instruction) {
        return switch (instruction) {
            case BranchInstruction branch -> branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
            case TableSwitchInstruction choice -> true;
            case LookupSwitchInstruction choice -> true;
            case ReturnInstruction back -> true;
            case ThrowInstruction failure -> true;
            default -> false;
        };
    }

    private void order() {
        List<Node> post = new ArrayList<>();
        Set<Node> seen = new HashSet<>();
        Deque<Node> path = new ArrayDeque<>();
        Map<Node, Deque<Node>> rest = new HashMap<>();
        Node first = at(0);
        path.push(first);
        seen.add(first);
        while (!path.isEmpty()) {
            Node node = path.element();
            // The later target first, so that the code stays in the order of the source.
            Deque<Node> next = rest.computeIfAbsent(
                    node,
                    n -> new ArrayDeque<>(n.successors.stream()
                            .sorted(Comparator.comparingInt((Node s) -> s.start).reversed())
                            .toList()));
            Node child = next.poll();
            if (child == null) {
                post.add(path.pop());
            } else if (seen.add(child)) {
                path.push(child);
            }
        }
        for (int i = 0; i < post.size(); i++) {
            post.get(i).order = post.size() - 1 - i;
        }
    }

    private void findLoops() {
        Map<Node, Set<Node>> found = new HashMap<>();
        for (Node node : nodes.values()) {
            for (Node next : node.successors) {
                if (node.order >= 0 && next.order <= node.order) {
                    Set<Node> body = found.computeIfAbsent(next, n -> new HashSet<>(Set.of(n)));
                    Deque<Node> open = new ArrayDeque<>(List.of(node));
                    while (!open.isEmpty()) {
                        Node inside = open.pop();
                        if (inside.order >= 0 && body.add(inside)) {
                            open.addAll(inside.predecessors);
                        }
                    }
                }
            }
        }
        found.forEach((header, body) -> loops.add(new Loop(header, body)));
        loops.sort(Comparator.comparingInt(loop -> loop.nodes.size()));
    }

    Node at(int index) {
        Node node = nodes.get(index);
        if (node == null) {
            throw new IllegalStateException("nothing begins at instruction " + index);
        }
        return node;
    }

    /** The node that begins with an instruction, if one does. */
    @Nullable
    Node starting(int index) {
        return nodes.get(index);
    }

    Node at(Label label) {
        return at(index(label));
    }

    int line(int index) {
        return index < lines.size() ? lines.get(index) : 0;
    }

    /** How often a local variable is set; parameters are set once more, by the caller. */
    int stores(int slot) {
        return stores[slot];
    }

    /** How often a local variable is set to something that is no number; numbers may be there at other times. */
    int references(int slot) {
        return references[slot];
    }

    /** Whether the slot holds something at the start of a node; false only if it is known that it does not. */
    boolean isLive(Node node, int slot) {
        BitSet slots = live.get(node.start);
        return slots == null || slots.get(slot);
    }

    /** The name of the variable that the instruction sets or reads. */
    String name(int slot, int index) {
        for (Name name : names) {
            if (name.slot == slot && name.from <= index + 1 && index < name.to) {
                return name.name;
            }
        }
        return parameters.getOrDefault(slot, "v" + slot);
    }

    /** The name of the parameter in a slot, if the class file has it. */
    @Nullable
    String parameter(int slot) {
        return parameters.get(slot);
    }

    /** The innermost loop around a node. */
    @Nullable
    Loop loop(Node node) {
        return loops.stream()
                .filter(loop -> loop.nodes.contains(node))
                .findFirst()
                .orElse(null);
    }
}
