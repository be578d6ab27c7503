// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** What can be measured, with the names, counts and bandwidth formulas of nccl-tests. */
public enum Operation implements Measured {
    /** Rank 0 stores into rank 1's memory; the other ranks are idle. */
    PUT("put", 0),
    /** Rank 0 loads from rank 1's memory; the other ranks are idle. */
    GET("get", 0),
    /**
     * Ranks 0 and 1 store 8 bytes into each other's memory in turn; half of a round trip. With engines that cannot they
     * send them.
     */
    LATENCY("latency", 0),
    BARRIER("barrier", 0),
    ALL_REDUCE("all_reduce", Operation.REDUCES | Operation.IN_PLACE),
    REDUCE("reduce", Operation.REDUCES | Operation.ROOTED | Operation.IN_PLACE),
    BROADCAST("broadcast", Operation.ROOTED | Operation.IN_PLACE),
    ALL_GATHER("all_gather", Operation.IN_PLACE),
    REDUCE_SCATTER("reduce_scatter", Operation.REDUCES | Operation.IN_PLACE),
    ALL_TO_ALL("alltoall", 0),
    /**
     * Every rank sends the more to a rank the farther that is behind it in the ring: n − 1 times as much to the last as
     * to the next.
     */
    ALL_TO_ALL_V("alltoallv", 0),
    GATHER("gather", Operation.ROOTED | Operation.IN_PLACE),
    SCATTER("scatter", Operation.ROOTED | Operation.IN_PLACE),
    /** Every rank sends to the next one and receives from the previous one. */
    SEND_RECV("sendrecv", 0),
    /** An all-gather by messages: in step k ranks whose numbers differ in bit k exchange all that they have. */
    HYPERCUBE("hypercube", Operation.IN_PLACE);

    private static final int REDUCES = 1;
    private static final int ROOTED = 2;
    private static final int IN_PLACE = 4;

    /** Parts of a buffer start at multiples of this many bytes. */
    private static final int PART_ALIGNMENT = 16;

    /**
     * How many elements a rank's buffers have.
     *
     * @param send elements of the send buffer
     * @param recv elements of the receive buffer
     * @param count what the call is about: elements of the smaller of both
     */
    public record Shape(long send, long recv, long count) {
        long largest() {
            return Math.max(send, recv);
        }
    }

    private final String text;
    private final int traits;

    Operation(String text, int traits) {
        this.text = text;
        this.traits = traits;
    }

    /** The operation that users call so; case, hyphens and underscores do not matter. */
    public static Operation named(String name) {
        for (Operation operation : values()) {
            if (plain(operation.text).equals(plain(name))) {
                return operation;
            }
        }
        throw new IllegalArgumentException("there is no operation '" + name + "' to measure; there are " + names()
                + ", and all for every one of them");
    }

    /** The names of all operations, for messages. */
    public static String names() {
        return Arrays.stream(values()).map(Operation::toString).collect(Collectors.joining(", "));
    }

    private static String plain(String name) {
        return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }

    public boolean reduces() {
        return (traits & REDUCES) != 0;
    }

    public boolean hasRoot() {
        return (traits & ROOTED) != 0;
    }

    @Override
    public boolean hasInPlaceForm() {
        return (traits & IN_PLACE) != 0;
    }

    /** Whether the symmetric heap is measured, not the communicator. */
    public boolean isOneSided() {
        return this == PUT || this == GET || this == LATENCY;
    }

    /** Why this cannot be measured on so many ranks, as the rest of a sentence; null if it can. */
    public @Nullable String obstacle(int ranks) {
        if (this == HYPERCUBE && Integer.bitCount(ranks) != 1) {
            return "needs a power of two of ranks, not " + ranks;
        }
        return this == LATENCY && ranks < 2 ? "needs 2 ranks" : null;
    }

    @Override
    public boolean hasSizes() {
        return this != LATENCY && this != BARRIER;
    }

    /** Whether this is measured for elements of each type asked for. */
    public boolean hasTypes() {
        return hasSizes();
    }

    /** The sizes in bytes at which this is measured when {@code sizes} are asked for. */
    public List<Long> sizes(List<Long> sizes) {
        return switch (this) {
            case LATENCY -> List.of((long) DataType.INT64.bytes());
            case BARRIER -> List.of(0L);
            default -> sizes;
        };
    }

    /**
     * The buffers of a measurement at {@code bytes}, which the larger one has at most: where one holds a part for every
     * rank, parts are rounded down to whole multiples of 16 bytes.
     */
    public Shape shape(long bytes, DataType type, int ranks) {
        long count = bytes / type.bytes();
        long align = Math.max(PART_ALIGNMENT / type.bytes(), 1);
        long part = count / ranks / align * align;
        return switch (this) {
            case BARRIER -> new Shape(0, 0, 0);
            case ALL_GATHER, GATHER, HYPERCUBE -> new Shape(part, part * ranks, part);
            case REDUCE_SCATTER, SCATTER -> new Shape(part * ranks, part, part);
            case ALL_TO_ALL -> new Shape(part * ranks, part * ranks, part);
            case ALL_TO_ALL_V -> {
                long all = 0;
                for (int distance = 0; distance < ranks; distance++) {
                    all += partAt(distance, part, type, ranks);
                }
                yield new Shape(all, all, part);
            }
            default -> new Shape(count, count, count);
        };
    }

    /** Elements that {@link #ALL_TO_ALL_V} sends to the rank so far behind, where it is {@code mean} on the average. */
    static long partAt(int distance, long mean, DataType type, int ranks) {
        long align = Math.max(PART_ALIGNMENT / type.bytes(), 1);
        // The distances' sum is n (n - 1) / 2.
        return ranks == 1 ? mean / align * align : 2L * distance * mean / (ranks - 1) / align * align;
    }

    /** Bytes a second, in GB/s of 10⁹, at which the larger buffer was worked through: "algorithm bandwidth". */
    public static double algorithmBandwidth(long bytes, double seconds) {
        return seconds == 0 ? 0 : bytes / 1e9 / seconds;
    }

    @Override
    public double algorithmPart(int ranks) {
        return this == HYPERCUBE ? (ranks - 1.0) / ranks : 1;
    }

    @Override
    public double busFactor(int ranks) {
        double others = (ranks - 1.0) / ranks;
        return switch (this) {
            case ALL_REDUCE -> 2 * others;
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, ALL_TO_ALL_V, GATHER, SCATTER -> others;
            default -> 1;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
