// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of every reducing collective: combines the elements of several ranks, element by element.
 *
 * <p>Operands are taken in the order of their ranks, one after the other, for each element by itself. A result depends
 * on the operands alone, never on where an element lies or how a message was cut, so it is bit-identical run after run.
 *
 * <p>The work goes through a {@link Tile} of Java arrays that stays in the first-level cache. Loops over arrays are
 * compiled to vector instructions, loops over several memory segments are not, because nothing tells the compiler that
 * the segments are disjoint; and bulk copies between memory and a tile are faster than what they save.
 *
 * <p>An instance owns its tiles, is not thread-safe, and allocates a tile when a pair of type and operation is first
 * used, nothing after that. The shortest messages of the commonest types go without a tile, see {@link FewElements}.
 */
public final class Reduction {
    /**
     * From this size on results probably go to memory rather than to a cache. Then, unless in place, the turns are
     * short, so that reads from all sources and writes to all destinations are under way at the same time.
     */
    private static final long STREAM_FROM = 1 << 20;

    private static final int STREAM_BYTES = 512;

    /**
     * The loops run over whole multiples of this many bytes; what they compute behind the last element is never stored.
     * Tails would be slow, and a compiler that has only seen loops of one turn does not use vectors when longer ones
     * come.
     */
    private static final int PADDING = 128;

    private static final int OPERATIONS = ReduceOp.values().length;

    private final @Nullable Tile[] tiles = new Tile[DataType.values().length * OPERATIONS];

    public Reduction() {}

    /**
     * Computes {@code result[i] = sources[0][i] op sources[1][i] op …} for {@code count} elements and stores the result
     * to every destination. Offsets are in bytes. A destination may be one of the sources at the same offset (in
     * place); any other overlap of a destination with a source is undefined. Sources and destinations need no
     * alignment.
     *
     * @param ranks the divisor of {@link ReduceOp#AVG}; not used by other operations
     * @param sourceCount how many of {@code sources} to combine, at least 1
     * @param destinationCount how many of {@code destinations} to store to, at least 1
     * @throws IllegalArgumentException if {@code op} is not defined for {@code type}, or a number is too small, or
     *     larger than its arrays are long
     * @throws IndexOutOfBoundsException if the elements leave a segment; some elements may have been stored by then
     */
    public void reduce(
            DataType type,
            ReduceOp op,
            int ranks,
            MemorySegment[] sources,
            long[] sourceOffsets,
            int sourceCount,
            MemorySegment[] destinations,
            long[] destinationOffsets,
            int destinationCount,
            long count) {
        if (!op.supports(type)) {
            throw new IllegalArgumentException(op + " is not defined for elements of " + type);
        }
        if (ranks < 1
                || count < 0
                || sourceCount < 1
                || sourceCount > Math.min(sources.length, sourceOffsets.length)
                || destinationCount < 1
                || destinationCount > Math.min(destinations.length, destinationOffsets.length)) {
            throw new IllegalArgumentException("reduce of " + count + " x " + type + " of " + ranks + " ranks from "
                    + sourceCount + " of " + sources.length + " sources at " + sourceOffsets.length + " offsets to "
                    + destinationCount + " of " + destinations.length + " destinations at "
                    + destinationOffsets.length + " offsets");
        }
        long end = count * type.bytes();
        if (end <= FewElements.MOST_BYTES
                && FewElements.reduce(
                        type,
                        op,
                        ranks,
                        sources,
                        sourceOffsets,
                        sourceCount,
                        destinations,
                        destinationOffsets,
                        destinationCount,
                        end)) {
            return;
        }
        Tile tile = tile(type, op);
        int step = end < STREAM_FROM || inPlace(sources, sourceOffsets, sourceCount, destinations, destinationOffsets)
                ? Tile.BYTES
                : STREAM_BYTES;
        for (long at = 0; at < end; at += step) {
            int bytes = (int) Math.min(step, end - at);
            MemorySegment.copy(sources[0], sourceOffsets[0] + at, tile.first, 0, bytes);
            int padded = bytes + PADDING - 1 & -PADDING;
            tile.begin(padded);
            for (int r = 1; r < sourceCount; r++) {
                MemorySegment.copy(sources[r], sourceOffsets[r] + at, tile.next, 0, bytes);
                tile.combine(padded);
            }
            tile.finish(ranks, padded);
            for (int d = 0; d < destinationCount; d++) {
                MemorySegment.copy(tile.first, 0, destinations[d], destinationOffsets[d] + at, bytes);
            }
        }
    }

    /** Whether the first destination is one of the sources: its lines are in the cache when results are stored. */
    private static boolean inPlace(
            MemorySegment[] sources,
            long[] sourceOffsets,
            int sourceCount,
            MemorySegment[] destinations,
            long[] destinationOffsets) {
        long address = destinations[0].address() + destinationOffsets[0];
        for (int r = 0; r < sourceCount; r++) {
            if (sources[r].address() + sourceOffsets[r] == address) {
                return true;
            }
        }
        return false;
    }

    private Tile tile(DataType type, ReduceOp op) {
        int index = type.ordinal() * OPERATIONS + op.ordinal();
        Tile tile = tiles[index];
        if (tile == null) {
            tile = Tile.of(type, op);
            tiles[index] = tile;
        }
        return tile;
    }
}
