// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A kernel of {@link PeerKernels} with its constants.
 *
 * @param parts whether each PE gets another part of the source
 * @param sums whether what comes from all PEs is reduced; of {@link Kind#PUSH}: whether all get the sums
 * @param wide whether 16 bytes are moved at once
 * @param unroll of {@link Kind#DIRECT}: how often a thread reads before it writes; 1, 2 or 4
 */
record PeerVariant(Kind kind, PeerType type, PeerOp op, boolean parts, boolean sums, boolean wide, int unroll) {
    /** The kernels. */
    enum Kind {
        WORDS,
        PUSH,
        DIRECT
    }

    private static final List<Method> METHODS =
            Arrays.stream(Kind.values()).map(PeerVariant::kernel).toList();
    private static final Kind[] KINDS = Kind.values();
    private static final PeerType[] TYPES = PeerType.values();
    private static final PeerOp[] OPS = PeerOp.values();

    /** Numbers of variants are below this. */
    static final int COUNT = 8 * 3 * KINDS.length * TYPES.length * OPS.length;

    /** Its number, without making one. */
    static int number(Kind kind, PeerType type, PeerOp op, boolean parts, boolean sums, boolean wide, int unroll) {
        int of = (kind.ordinal() * TYPES.length + type.ordinal()) * OPS.length + op.ordinal();
        return (of * 3 + unroll / 2) * 8 + (parts ? 4 : 0) + (sums ? 2 : 0) + (wide ? 1 : 0);
    }

    static PeerVariant of(int number) {
        int of = number / 24;
        return new PeerVariant(
                KINDS[of / OPS.length / TYPES.length],
                TYPES[of / OPS.length % TYPES.length],
                OPS[of % OPS.length],
                (number & 4) != 0,
                (number & 2) != 0,
                (number & 1) != 0,
                1 << number / 8 % 3);
    }

    private static Method kernel(Kind kind) {
        return Arrays.stream(PeerKernels.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(kind.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow();
    }

    Method method() {
        return METHODS.get(kind.ordinal());
    }

    Object[] constants(int me, int pes) {
        return switch (kind) {
            case WORDS -> new Object[] {me, pes, type, op, parts, sums};
            case PUSH -> new Object[] {me, pes, type, op, parts, sums, wide};
            case DIRECT -> new Object[] {me, pes, type, op, parts, sums, wide, unroll};
        };
    }
}
