// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * NVSHMEM's device perftests, with the names of their programs, and what those do not measure. A program may have
 * several tables, and then is several of these.
 */
public enum DevicePerftest {
    /** PE 0 puts into PE 1's memory from many blocks, or with {@code --bidir} each into the other one's. */
    PUT_BW("shmem_put_bw", Kind.BANDWIDTH),
    GET_BW("shmem_get_bw", Kind.BANDWIDTH),
    /** The same with stores to the other PE's memory, and element by element. */
    ST_BW("shmem_st_bw", Kind.BANDWIDTH),
    P_BW("shmem_p_bw", Kind.BANDWIDTH),
    G_BW("shmem_g_bw", Kind.BANDWIDTH),
    ATOMIC_BW("shmem_atomic_bw", Kind.BANDWIDTH),
    /** One after the other, each complete at the other PE before the next begins. */
    PUT_LATENCY("shmem_put_latency", Kind.LATENCY),
    GET_LATENCY("shmem_get_latency", Kind.LATENCY),
    P_LATENCY("shmem_p_latency", Kind.LATENCY),
    G_LATENCY("shmem_g_latency", Kind.LATENCY),
    ATOMIC_LATENCY("shmem_atomic_latency", Kind.LATENCY),
    /** PEs 0 and 1 in turn, each waiting for the other; a full round trip. */
    P_PING_PONG("shmem_p_ping_pong_latency", "shmem_ping_pong_lat", Kind.PING_PONG),
    PUT_PING_PONG("shmem_put_ping_pong_latency", "shmem_put_ping_lat", Kind.PING_PONG),
    PUT_SIGNAL_PING_PONG("shmem_put_signal_ping_pong_latency", "shmem_put_ping_lat", Kind.PING_PONG),
    PUT_ATOMIC_PING_PONG("shmem_put_atomic_ping_pong_latency", "shmem_at_ping_lat", Kind.PING_PONG),
    SIGNAL_PING_PONG("shmem_signal_ping_pong_latency", "shmem_sig_ping_lat", Kind.PING_PONG),
    ATOMIC_PING_PONG("shmem_atomic_ping_pong_latency", Kind.PING_PONG),
    /**
     * With loads and stores that have no order, of a flag in the other PE's memory: the least that there can be. Not
     * among NVSHMEM's.
     */
    FLAG_PING_PONG("flag_ping_pong_latency", Kind.PING_PONG),
    BARRIER("barrier_latency", "barrier_device", Kind.SYNCHRONIZATION),
    BARRIER_ALL("barrier_latency", "barrier_all_device", Kind.SYNCHRONIZATION),
    SYNC("sync_latency", "sync_device", Kind.SYNCHRONIZATION),
    SYNC_ALL("sync_latency", "sync_all_device", Kind.SYNCHRONIZATION),
    BROADCAST("bcast_latency", "bcast_device", Operation.BROADCAST),
    FCOLLECT("fcollect_latency", "fcollect_device", Operation.ALL_GATHER),
    ALL_TO_ALL("alltoall_latency", "alltoall_device", Operation.ALL_TO_ALL),
    REDUCTION("reduction_latency", "device_reduction", Operation.ALL_REDUCE),
    REDUCE_SCATTER("reducescatter_latency", "device_reducescatter", Operation.REDUCE_SCATTER),
    /** From the compiler to the end of the first launch in this process. Not among NVSHMEM's, as the following. */
    FIRST_CALL("first_call", Kind.HOST),
    /** The same without making the PE, which every program does once. */
    FIRST_KERNEL("first_kernel", Kind.HOST),
    /**
     * Of it finding its code and loading it, and what makes the launch ready and puts it into the stream; the rest is
     * waiting for its end.
     */
    FIRST_COMPILE("first_kernel", "first_compile", Kind.HOST),
    FIRST_LAUNCH("first_kernel", "first_launch", Kind.HOST),
    /** Making NVSHMEM's device code, which is done once on a machine. */
    UNIT("unit", Kind.HOST),
    /** Compiling a communicating kernel when that is there. */
    COMPILE("compile", Kind.HOST),
    /** The same of one that is in the cache on disk. */
    COMPILE_CACHED("compile_cached", Kind.HOST),
    /** Putting a communicating kernel into a stream, with nothing waited for. */
    LAUNCH("launch", Kind.HOST),
    /** The driver's call alone, for the same kernel, in turns with the one before. */
    BARE_LAUNCH("launch", "bare_launch", Kind.HOST);

    enum Kind {
        BANDWIDTH,
        LATENCY,
        PING_PONG,
        SYNCHRONIZATION,
        COLLECTIVE,
        HOST
    }

    private final String program;
    private final String title;
    private final Kind kind;
    private final @Nullable Operation operation;

    DevicePerftest(String program, Kind kind) {
        this(program, program, kind);
    }

    DevicePerftest(String program, String title, Kind kind) {
        this.program = program;
        this.title = title;
        this.kind = kind;
        this.operation = null;
    }

    DevicePerftest(String program, String title, Operation operation) {
        this.program = program;
        this.title = title;
        this.kind = Kind.COLLECTIVE;
        this.operation = operation;
    }

    /**
     * The tests of the program that users call so; "all" is every one.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static List<DevicePerftest> named(String name) {
        List<DevicePerftest> some = Arrays.stream(values())
                .filter(test -> name.equals("all") || test.program.equals(name))
                .toList();
        if (some.isEmpty()) {
            throw new IllegalArgumentException("there is no test '" + name + "'; there are " + names() + ", and all");
        }
        return some;
    }

    /** The names of all, for messages. */
    public static String names() {
        return Arrays.stream(values()).map(DevicePerftest::program).distinct().collect(Collectors.joining(", "));
    }

    String program() {
        return program;
    }

    String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    /** Whether it is of two PEs, exactly. */
    public boolean isOfPairs() {
        return kind == Kind.BANDWIDTH || kind == Kind.LATENCY || kind == Kind.PING_PONG;
    }

    /** What a communicator calls it, for data and bandwidths; null if it is no collective. */
    @Nullable
    Operation operation() {
        return operation;
    }

    boolean hasParts() {
        return this == FCOLLECT || this == ALL_TO_ALL || this == REDUCE_SCATTER;
    }

    boolean reduces() {
        return operation != null && operation.reduces();
    }

    boolean isAtomic() {
        return this == ATOMIC_BW || this == ATOMIC_LATENCY || this == ATOMIC_PING_PONG;
    }

    /** Whether its program has a table for each of thread, warp and block. */
    boolean hasGroups() {
        return this == PUT_LATENCY || this == GET_LATENCY || kind == Kind.SYNCHRONIZATION || kind == Kind.COLLECTIVE;
    }

    /** Whether it is measured for a group at all; {@link #PUT_BW} is for the one that {@code -s} says. */
    boolean isOfGroups() {
        return hasGroups() || this == PUT_BW;
    }

    /** Whether rows are of several sizes. */
    boolean hasSizes() {
        return switch (this) {
            case ATOMIC_LATENCY, ATOMIC_PING_PONG, SIGNAL_PING_PONG, FLAG_PING_PONG -> false;
            default -> isOfPairs() || kind == Kind.COLLECTIVE;
        };
    }

    /** Whether elements are of the types of 32 and of 64 bits, in turn. */
    boolean isOfWidths() {
        return kind == Kind.COLLECTIVE || this == ATOMIC_LATENCY || this == ATOMIC_PING_PONG;
    }

    boolean isBandwidth() {
        return kind == Kind.BANDWIDTH;
    }

    @Override
    public String toString() {
        return this == BARRIER_ALL ? "barrier_all_latency" : this == SYNC_ALL ? "sync_all_latency" : program;
    }
}
