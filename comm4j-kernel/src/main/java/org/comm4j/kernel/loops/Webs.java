// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Terminator;

/**
 * Which writes of a function's variables may be what which reads see. Writes that some read may see have one number:
 * they are one variable, and others are another one, though they are in the same place.
 */
final class Webs {
    /** Writes by their numbers, and the variables that they write. */
    private final Map<Integer, Integer> numbers = new HashMap<>();

    private final Map<Integer, BitSet> ofVariable = new HashMap<>();
    private final Set<Integer> whole = new HashSet<>();
    private final Map<Integer, Integer> webOfRead = new HashMap<>();
    private int[] parents = {};

    Webs(Function function) {
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Store store
                        && store.pointer() instanceof Instruction.Alloca alloca) {
                    int number = numbers.size();
                    numbers.put(store.id(), number);
                    ofVariable.computeIfAbsent(alloca.id(), _ -> new BitSet()).set(number);
                    whole.add(alloca.id());
                }
            }
        }
        // Of what is also written in parts, all is one.
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Offset offset
                        && offset.pointer() instanceof Instruction.Alloca alloca) {
                    whole.remove(alloca.id());
                }
            }
        }
        parents = new int[numbers.size()];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = i;
        }
        Map<Block, BitSet> before = reaching(function);
        for (Block block : function.blocks()) {
            BitSet now = (BitSet) before.getOrDefault(block, new BitSet()).clone();
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Load load
                        && load.pointer() instanceof Instruction.Alloca alloca
                        && whole.contains(alloca.id())) {
                    read(load, alloca, now);
                }
                pass(instruction, now);
            }
        }
    }

    private void read(Instruction.Load load, Instruction.Alloca alloca, BitSet now) {
        BitSet seen = (BitSet) now.clone();
        seen.and(Objects.requireNonNull(ofVariable.get(alloca.id())));
        int first = seen.nextSetBit(0);
        seen.stream().forEach(other -> parents[root(other)] = root(first));
        webOfRead.put(load.id(), first);
    }

    private void pass(Instruction instruction, BitSet now) {
        if (instruction instanceof Instruction.Store store
                && store.pointer() instanceof Instruction.Alloca alloca
                && whole.contains(alloca.id())) {
            now.andNot(Objects.requireNonNull(ofVariable.get(alloca.id())));
            now.set(Objects.requireNonNull(numbers.get(store.id())));
        }
    }

    private Map<Block, BitSet> reaching(Function function) {
        Map<Block, BitSet> before = new HashMap<>();
        function.blocks().forEach(block -> before.put(block, new BitSet()));
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Block block : function.blocks()) {
                BitSet now = (BitSet) Objects.requireNonNull(before.get(block)).clone();
                block.instructions().forEach(instruction -> pass(instruction, now));
                for (Block next : successors(block.end())) {
                    BitSet there = Objects.requireNonNull(before.get(next));
                    int count = there.cardinality();
                    there.or(now);
                    changed |= there.cardinality() != count;
                }
            }
        }
        return before;
    }

    private static List<Block> successors(Terminator end) {
        return switch (end) {
            case Terminator.Jump jump -> List.of(jump.target());
            case Terminator.Branch branch -> List.of(branch.ifTrue(), branch.ifFalse());
            case Terminator.Switch choice -> {
                List<Block> all = new java.util.ArrayList<>(choice.cases().values());
                all.add(choice.otherwise());
                yield all;
            }
            case Terminator.Return _, Terminator.Fail _ -> List.of();
        };
    }

    private int root(int write) {
        int root = write;
        while (parents[root] != root) {
            root = parents[root];
        }
        return root;
    }

    /** Returns whether writes and reads of the variable are told apart: none is of a part of it. */
    boolean isApart(Instruction.Alloca alloca) {
        return whole.contains(alloca.id());
    }

    /** Returns the number of what a read or write of a variable is of; −1 if nothing is written there. */
    int of(Instruction access) {
        Integer number = access instanceof Instruction.Store ? numbers.get(access.id()) : webOfRead.get(access.id());
        return number == null || number < 0 ? -1 : root(number);
    }

    /** How many writes have this number. */
    int writes(int web) {
        int count = 0;
        for (int write : numbers.values()) {
            count += root(write) == web ? 1 : 0;
        }
        return count;
    }
}
