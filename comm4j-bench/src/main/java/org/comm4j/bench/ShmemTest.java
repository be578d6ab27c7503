// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tests of {@code comm4j bench shmem}: those of OSU's micro-benchmarks for OpenSHMEM, with their names. */
public enum ShmemTest implements Measured {
    /** PE 0 puts to PE 1, and is quiet after each. */
    PUT(Kind.LATENCY),
    /** The same without waiting until the source may be used again. */
    PUT_NB(Kind.LATENCY),
    /** PE 0 gets from PE 1. */
    GET(Kind.LATENCY),
    /** The same without waiting for the data, quiet after each. */
    GET_NB(Kind.LATENCY),
    /** Each PE of the first half puts to one of the second half, to another place each time, and is quiet after all. */
    PUT_MR(Kind.RATE),
    PUT_MR_NB(Kind.RATE),
    GET_MR_NB(Kind.RATE),
    /** Each PE of the first half does it on one of the second half. */
    ATOMIC_SET(Kind.ATOMIC),
    ATOMIC_INC(Kind.ATOMIC),
    ATOMIC_ADD(Kind.ATOMIC),
    ATOMIC_FETCH(Kind.ATOMIC),
    ATOMIC_FETCH_INC(Kind.ATOMIC),
    ATOMIC_FETCH_ADD(Kind.ATOMIC),
    ATOMIC_SWAP(Kind.ATOMIC),
    ATOMIC_COMPARE_SWAP(Kind.ATOMIC),
    BARRIER(Kind.BARRIER),
    /** Root is PE 0. Collectives are timed one by one, with a barrier between that is not. */
    BROADCAST(Kind.COLLECTIVE, Operation.BROADCAST),
    COLLECT(Kind.COLLECTIVE, Operation.ALL_GATHER),
    FCOLLECT(Kind.COLLECTIVE, Operation.ALL_GATHER),
    ALLTOALL(Kind.COLLECTIVE, Operation.ALL_TO_ALL),
    REDUCE(Kind.COLLECTIVE, Operation.ALL_REDUCE);

    enum Kind {
        LATENCY,
        RATE,
        ATOMIC,
        BARRIER,
        COLLECTIVE
    }

    private static final String ATOMICS = "atomics";

    private final Kind kind;
    private final @Nullable Operation operation;

    ShmemTest(Kind kind) {
        this.kind = kind;
        this.operation = null;
    }

    ShmemTest(Kind kind, Operation operation) {
        this.kind = kind;
        this.operation = operation;
    }

    /**
     * The tests that users call so; "atomics" is every atomic, "all" is every one.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static List<ShmemTest> named(String name) {
        List<ShmemTest> found = Arrays.stream(values())
                .filter(test -> test.toString().equals(name)
                        || name.equals("all")
                        || name.equals(ATOMICS) && test.kind == Kind.ATOMIC)
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("there is no test '" + name + "'; there are "
                    + Stream.of(values()).map(ShmemTest::toString).collect(Collectors.joining(", ")) + ", " + ATOMICS
                    + " and all");
        }
        return found;
    }

    Kind kind() {
        return kind;
    }

    /** Whether data goes from a PE to another one of its own, so that there have to be two. */
    public boolean isOneSided() {
        return kind == Kind.LATENCY || kind == Kind.RATE || kind == Kind.ATOMIC;
    }

    boolean reduces() {
        return this == REDUCE;
    }

    @Override
    public boolean hasSizes() {
        return kind == Kind.LATENCY || kind == Kind.RATE || kind == Kind.COLLECTIVE;
    }

    @Override
    public boolean hasInPlaceForm() {
        return false;
    }

    @Override
    public double algorithmPart(int ranks) {
        return 1;
    }

    @Override
    public double busFactor(int ranks) {
        return operation == null ? 1 : operation.busFactor(ranks);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
