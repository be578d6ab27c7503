// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Which of a kernel's parameters it may write memory through. For every value it is known from which parameters and
 * which variables its address may come, for every variable what may have been stored in it; neither order nor fields
 * count, so that some are said to be written that are not. What PTX and foreign functions get, they may write, unless
 * they only compute.
 */
public final class Writes {
    private final Program program;
    /**
     * What a value may be an address in, or may have been computed from: parameters of the kernel, local variables,
     * globals.
     */
    private final IdentityHashMap<Object, Set<Object>> origins = new IdentityHashMap<>();
    /** The same of what is stored in a variable or global, and of a function's result. */
    private final IdentityHashMap<Object, Set<Object>> contents = new IdentityHashMap<>();

    private final Set<Integer> written = new HashSet<>();
    private boolean changed;

    private Writes(Program program) {
        this.program = program;
    }

    /** By their index. */
    public static Set<Integer> of(Program program) {
        Writes writes = new Writes(program);
        do {
            writes.changed = false;
            program.functions().forEach(writes::look);
            writes.look(program.kernel());
        } while (writes.changed);
        return writes.written;
    }

    private void look(Function function) {
        for (Block block : function.blocks()) {
            block.instructions().forEach(instruction -> look(function, instruction));
            if (block.end() instanceof Terminator.Return back && back.value() != null) {
                grow(contents, function, of(function, back.value()));
            }
        }
    }

    /** The one that the function has, which other instances stand for. */
    private static Object key(Function function, Value value) {
        return value instanceof Value.Parameter parameter
                ? function.parameters().get(parameter.index())
                : value instanceof Value.AddressOf address ? address.global() : value;
    }

    private Set<Object> of(Function function, Value value) {
        Object key = key(function, value);
        boolean isOrigin = value instanceof Value.Parameter && function == program.kernel()
                || value instanceof Instruction.Alloca
                || value instanceof Value.AddressOf;
        if (isOrigin && !origins.containsKey(key)) {
            grow(origins, key, Set.of(key));
        }
        return origins.getOrDefault(key, Set.of());
    }

    private void grow(IdentityHashMap<Object, Set<Object>> map, Object key, Set<Object> more) {
        if (!more.isEmpty()
                && map.computeIfAbsent(key, _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                        .addAll(more)) {
            changed = true;
        }
    }

    private void look(Function function, Instruction instruction) {
        switch (instruction) {
            case Instruction.Alloca alloca -> of(function, alloca);
            case Instruction.Load load -> {
                for (Object origin : List.copyOf(of(function, load.pointer()))) {
                    grow(origins, load, contents.getOrDefault(origin, Set.of()));
                }
            }
            case Instruction.Store store -> {
                for (Object origin : List.copyOf(of(function, store.pointer()))) {
                    if (!write(origin)) {
                        grow(contents, origin, of(function, store.value()));
                    }
                }
            }
            case Instruction.Call call -> {
                for (int i = 0; i < call.arguments().size(); i++) {
                    grow(
                            origins,
                            call.callee().parameters().get(i),
                            of(function, call.arguments().get(i)));
                }
                grow(origins, call, contents.getOrDefault(call.callee(), Set.of()));
            }
            case Instruction.CallExternal call ->
                foreign(function, call, call.arguments(), !call.callee().pure());
            case Instruction.Ptx ptx -> foreign(function, ptx, ptx.operands(), ptx.effects());
            case Instruction.Binary binary -> from(function, binary, binary.left(), binary.right());
            case Instruction.Negate negate -> from(function, negate, negate.value());
            case Instruction.Convert convert -> from(function, convert, convert.value());
            case Instruction.Select select -> from(function, select, select.ifTrue(), select.ifFalse());
            case Instruction.Offset offset -> from(function, offset, offset.pointer());
            case Instruction.Compose compose ->
                from(function, compose, compose.fields().toArray(Value[]::new));
            case Instruction.Extract extract -> from(function, extract, extract.struct());
            case Instruction.Compare compare -> {}
            case Instruction.Order order -> {}
        }
    }

    private void from(Function function, Instruction made, Value... operands) {
        for (Value operand : operands) {
            grow(origins, made, of(function, operand));
        }
    }

    private void foreign(Function function, Instruction made, List<Value> operands, boolean effects) {
        for (Value operand : operands) {
            for (Object origin : List.copyOf(of(function, operand))) {
                if (effects && !write(origin)) {
                    List.copyOf(contents.getOrDefault(origin, Set.of())).forEach(this::write);
                }
            }
            grow(origins, made, of(function, operand));
        }
    }

    /** Whether it is a parameter of the kernel. */
    private boolean write(Object origin) {
        if (origin instanceof Value.Parameter parameter) {
            written.add(parameter.index());
            return true;
        }
        return false;
    }
}
