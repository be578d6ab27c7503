// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** NVSHMEM's host perftests, with the names of their programs and tables, and what those do not measure. */
public enum Perftest {
    /** PE 0 puts into PE 1's memory, or gets from there, without waiting for each. */
    BW("bw", "Bandwidth", Kind.ONE_SIDED),
    /** The same one after the other. */
    LATENCY("latency", "Latency", Kind.ONE_SIDED),
    /** The same, each after or before a small kernel, on a stream and from the host. */
    STREAM_LATENCY("stream_latency", "Stream_Latency", Kind.ONE_SIDED),
    /** PE 0 puts into PE 1's memory, with a signal. Not among NVSHMEM's. */
    PUT_SIGNAL("put_signal_on_stream", Kind.ONE_SIDED),
    /** PEs 0 and 1 do so in turn, each waiting for the other's signal; a full round trip. Not among NVSHMEM's. */
    PUT_SIGNAL_PING_PONG("put_signal_ping_pong_on_stream", Kind.ONE_SIDED),
    ALL_TO_ALL("alltoall_on_stream", Operation.ALL_TO_ALL),
    BROADCAST("broadcast_on_stream", Operation.BROADCAST),
    FCOLLECT("fcollect_on_stream", Operation.ALL_GATHER),
    REDUCE_SCATTER("reducescatter_on_stream", Operation.REDUCE_SCATTER),
    REDUCTION("reduction_on_stream", Operation.ALL_REDUCE),
    BARRIER("barrier_on_stream", Kind.SYNCHRONIZATION),
    BARRIER_ALL("barrier_all_on_stream", Kind.SYNCHRONIZATION),
    SYNC("sync_on_stream", Kind.SYNCHRONIZATION),
    SYNC_ALL("sync_all_on_stream", Kind.SYNCHRONIZATION),
    /** Allocations that double from 1 GiB on, up to 0.4 of the memory of a GPU; each is collective. */
    MALLOC("malloc", Kind.MANAGEMENT),
    /** The first initialisation of the process, with its bootstrap. Not among NVSHMEM's. */
    INIT("init", Kind.MANAGEMENT);

    enum Kind {
        ONE_SIDED,
        COLLECTIVE,
        SYNCHRONIZATION,
        MANAGEMENT
    }

    private final String text;
    private final String title;
    private final Kind kind;
    private final @Nullable Operation operation;

    Perftest(String text, Kind kind) {
        this(text, text, kind);
    }

    Perftest(String text, String title, Kind kind) {
        this.text = text;
        this.title = title;
        this.kind = kind;
        this.operation = null;
    }

    Perftest(String text, Operation operation) {
        this.text = text;
        this.title = text;
        this.kind = Kind.COLLECTIVE;
        this.operation = operation;
    }

    /**
     * The tests that users call so; "all" is every one.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static List<Perftest> named(String name) {
        if (name.equals("all")) {
            return List.of(values());
        }
        for (Perftest test : values()) {
            if (test.text.equals(name)) {
                return List.of(test);
            }
        }
        throw new IllegalArgumentException("there is no test '" + name + "'; there are " + names() + ", and all");
    }

    /** The test whose table has this title; null if none has. */
    static @Nullable Perftest titled(String title) {
        return Arrays.stream(values())
                .filter(test -> test.title.equals(title))
                .findFirst()
                .orElse(null);
    }

    /** The names of all, for messages. */
    public static String names() {
        return Arrays.stream(values()).map(Perftest::toString).collect(Collectors.joining(", "));
    }

    /** The title of its table. */
    String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    /** Whether two PEs do it, while the others wait. */
    public boolean isOneSided() {
        return kind == Kind.ONE_SIDED;
    }

    /** What it is called, and how it is checked, where a communicator does it; null if it is no such collective. */
    @Nullable
    Operation operation() {
        return operation;
    }

    /** Whether a buffer has a part for each PE, which is what counts are about. */
    boolean hasParts() {
        return this == ALL_TO_ALL || this == FCOLLECT || this == REDUCE_SCATTER;
    }

    /** Whether data goes one way or the other. */
    boolean hasDirection() {
        return this == BW || this == LATENCY || this == STREAM_LATENCY;
    }

    /** Whether there is a form without a stream. */
    boolean hasHostForm() {
        return hasDirection();
    }

    boolean reduces() {
        return operation != null && operation.reduces();
    }

    @Override
    public String toString() {
        return text;
    }
}
