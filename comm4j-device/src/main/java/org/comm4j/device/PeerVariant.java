// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A kernel of {@link PeerKernels} with its constants.
 *
 * @param direct {@link PeerKernels#direct}; else {@link PeerKernels#oneShot}
 * @param parts whether each PE gets another part of the source
 * @param sums whether what comes from all PEs is reduced
 * @param wide whether a direct one moves 16 bytes at once
 */
record PeerVariant(boolean direct, PeerType type, PeerOp op, boolean parts, boolean sums, boolean wide) {
    private static final Method ONE_SHOT = kernel("oneShot");
    private static final Method DIRECT = kernel("direct");

    /** Numbers of variants are below this. */
    static final int COUNT = 16 * PeerType.values().length * PeerOp.values().length;

    private static Method kernel(String name) {
        return Arrays.stream(PeerKernels.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Its number, without making one. */
    static int number(boolean direct, PeerType type, PeerOp op, boolean parts, boolean sums, boolean wide) {
        int flags = (direct ? 8 : 0) + (parts ? 4 : 0) + (sums ? 2 : 0) + (wide ? 1 : 0);
        return (type.ordinal() * PeerOp.values().length + op.ordinal()) * 16 + flags;
    }

    static PeerVariant of(int number) {
        int rest = number / 16;
        int ops = PeerOp.values().length;
        return new PeerVariant(
                (number & 8) != 0,
                PeerType.values()[rest / ops],
                PeerOp.values()[rest % ops],
                (number & 4) != 0,
                (number & 2) != 0,
                (number & 1) != 0);
    }

    Method method() {
        return direct ? DIRECT : ONE_SHOT;
    }

    Object[] constants(int me, int pes) {
        return direct
                ? new Object[] {me, pes, type, op, parts, sums, wide}
                : new Object[] {me, pes, type, op, parts, sums};
    }
}
