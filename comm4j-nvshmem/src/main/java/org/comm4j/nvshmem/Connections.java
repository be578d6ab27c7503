// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.jspecify.annotations.Nullable;

/**
 * The collective calls for which the members of a team are connected. NVSHMEM passes collectives on to NCCL, which
 * connects the members when a call goes a way that none went before: on the host, for as long as it takes the last of
 * them to come. Which way a call goes depends on the operation, the type and the size, so a call that is like an
 * earlier one in all of these does not block, and any other one may.
 *
 * <p>A set of numbers without objects, since it is asked before each call. To be used with the session's lock.
 */
final class Connections {
    /** The collectives of a team. */
    enum Kind {
        REDUCE("reduce"),
        /** Of three members or more: {@link InPlaceReduction}. */
        REDUCE_IN_PLACE("reduce"),
        REDUCE_SCATTER("reduceScatter"),
        BROADCAST("broadcast"),
        FCOLLECT("fcollect"),
        ALL_TO_ALL("allToAll");

        /** As its method is called. */
        final String operation;

        Kind(String operation) {
            this.operation = operation;
        }
    }

    /** A program with more different calls than that is asked to begin anew. */
    private static final int MOST = 1 << 16;

    /** Open addressing, at most half full; 0 is a free place. */
    private long[] calls = new long[64];

    private int size;

    /** A call as a number, which is not 0: {@code elements} is at least 1, and less than 2^48, as all memory is. */
    static long call(Kind kind, NvshmemType type, @Nullable ReduceOp op, long elements) {
        return elements << 16 | type.ordinal() << 8 | (op == null ? 0 : op.ordinal()) << 4 | kind.ordinal();
    }

    /** Whether there was such a call before. */
    boolean have(long call) {
        return calls[place(call)] == call;
    }

    /** There was such a call. */
    void add(long call) {
        if (2 * size == calls.length) {
            long[] before = calls;
            size = 0;
            calls = new long[before.length < 2 * MOST ? 2 * before.length : 64];
            if (calls.length > before.length) {
                for (long each : before) {
                    put(each);
                }
            }
        }
        put(call);
    }

    private void put(long call) {
        int place = place(call);
        if (calls[place] != call) {
            calls[place] = call;
            size++;
        }
    }

    /** Where the call is, or else would be. */
    private int place(long call) {
        int last = calls.length - 1;
        int place = (int) (call * 0x9e3779b97f4a7c15L >>> 40) & last;
        while (calls[place] != call && calls[place] != 0) {
            place = place + 1 & last;
        }
        return place;
    }
}
