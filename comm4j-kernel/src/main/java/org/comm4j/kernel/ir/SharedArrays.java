// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Arrays of a constant size that a program has in a block's shared memory. The assembler takes 48 KiB of them; if there
 * are more, all become the beginning of the dynamic shared memory, and what the launch asks for follows.
 */
public final class SharedArrays {
    /** The most that arrays of a constant size may take, in the assembler's words 0xc000 bytes. */
    private static final long MOST_STATIC = 48 << 10;

    /** The most shared memory that a block has on any GPU, in bytes: 227 KiB. */
    public static final int MOST = 227 << 10;

    private static final long ALIGNMENT = 16;

    /** Where each begins, by its name. */
    private final Map<String, Long> places = new LinkedHashMap<>();

    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private long bytes;

    private SharedArrays() {}

    /** Looks through all that the kernel calls: an array that nothing uses takes no memory. */
    public static SharedArrays of(Program program) {
        SharedArrays arrays = new SharedArrays();
        arrays.look(program.kernel(), new HashSet<>());
        return arrays;
    }

    private void look(Function function, Set<String> seen) {
        if (!seen.add(function.name())) {
            return;
        }
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Call call) {
                    look(call.callee(), seen);
                } else if (instruction instanceof Instruction.Convert convert
                        && convert.value() instanceof Value.AddressOf address
                        && address.global().space() == Type.Space.SHARED) {
                    add(address.global());
                }
            }
        }
    }

    private void add(Global global) {
        long size = global.type().bytes();
        if (size > 0 && !places.containsKey(global.name())) {
            places.put(global.name(), bytes);
            sizes.put(global.name(), size);
            bytes += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
    }

    /** Returns what all of them take, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns the bytes of them that each launch has to ask for: all or none. */
    public int dynamicBytes() {
        return bytes > MOST_STATIC ? Math.toIntExact(bytes) : 0;
    }

    /** Returns where an array begins, or for dynamic memory where what the launch asks for does. */
    public long place(Global global) {
        return places.getOrDefault(global.name(), bytes);
    }

    /** Returns how much memory they take, in words: {@code 300000 bytes (200000 + 100000)}. */
    @Override
    public String toString() {
        Collection<Long> each = sizes.values();
        return bytes + " bytes"
                + (each.size() < 2
                        ? ""
                        : each.stream().map(String::valueOf).collect(Collectors.joining(" + ", " (", ")")));
    }

    /** Returns the most shared memory of a block, in bytes; {@code arch} is 90 for sm_90. */
    public static int most(int arch) {
        return switch (arch) {
            case 70, 72 -> 96 << 10;
            case 75 -> 64 << 10;
            case 80, 87 -> 163 << 10;
            case 86, 89, 120, 121 -> 99 << 10;
            default -> MOST;
        };
    }
}
