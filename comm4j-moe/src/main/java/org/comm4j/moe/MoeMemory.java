// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Locale;
import org.comm4j.core.DataType;

/**
 * Bytes of symmetric memory that an {@link ExpertParallel} takes on each PE, by purpose; those of dispatches are of all
 * that can be in flight.
 *
 * @param rows tokens as they come to their experts, with their scales and payloads
 * @param results answers of the experts
 * @param routes where each choice of a token is, and what is told of rows
 * @param protocol counts and flags that PEs write to each other
 */
public record MoeMemory(long rows, long results, long routes, long protocol) {
    /** Alignment of everything. */
    static final long LINE = 256;

    /** Returns the sum. */
    public long total() {
        return rows + results + routes + protocol;
    }

    /**
     * Returns what an {@link ExpertParallel} of this shape takes on each PE, without making one.
     *
     * @throws IllegalArgumentException if there can be none
     */
    static MoeMemory of(MoeShape shape, MoeOptions options, int pes) {
        nonNull(shape, "memory", "shape");
        nonNull(options, "memory", "options");
        if (pes < 1) {
            throw new IllegalArgumentException("memory: there are no " + pes + " PEs");
        }
        return new Plan(shape, options, pes).memory();
    }

    /** Where everything lies, of a slot from its beginning on. */
    record Plan(MoeShape shape, MoeOptions options, int pes) {
        Plan {
            if (pes % options.group() != 0) {
                throw new IllegalArgumentException("MoeOptions: " + pes + " PEs are no groups of " + options.group());
            }
            if (options.quantize() != Quantization.NONE) {
                if (SumType.of(shape.input()) == null || shape.scales() > 0 || shape.hidden() % 16 != 0) {
                    throw new IllegalArgumentException("MoeOptions: " + options.quantize()
                            + " is for BFLOAT16, FLOAT16 and FLOAT32 without scales, multiples of 16 elements, not for "
                            + shape);
                }
            }
            int _ = shape.inputBytes();
            if (options.results(shape) == DataType.FLOAT8_E4M3 && shape.hidden() % ScaledAnswers.UNIT != 0) {
                throw new IllegalArgumentException("MoeOptions: answers of FLOAT8_E4M3 are multiples of "
                        + ScaledAnswers.UNIT + " elements, not those of " + shape);
            }
            ExpertPlacement given = options.placement();
            if (given != null) {
                check(given, shape, options.localExperts(), pes);
            }
        }

        int groups() {
            return pes / options.group();
        }

        DataType rowType() {
            return options.quantize() == Quantization.NONE ? shape.input() : DataType.FLOAT8_E4M3;
        }

        int rowBytes() {
            return shape.hidden() * rowType().bytes();
        }

        int scales() {
            return options.quantize() == Quantization.NONE
                    ? shape.scales()
                    : options.quantize().scales(shape.hidden());
        }

        DataType scaleType() {
            return options.quantize() == Quantization.NONE
                    ? shape.scaleType()
                    : options.quantize().scaleType();
        }

        /** Rows of which each scale is a column; 0 if it is none. */
        int scalePeriod() {
            return !options.scaleColumns() ? 0 : maxRows() > 0 ? maxRows() : capacity();
        }

        static void check(ExpertPlacement placement, MoeShape shape, int localExperts, int pes) {
            if (placement.experts() != shape.experts() || placement.pes() != pes) {
                throw new IllegalArgumentException(
                        placement + " does not fit " + shape.experts() + " experts and " + pes + " PEs");
            }
            if (localExperts > 0 && placement.mostLocal() > localExperts) {
                throw new IllegalArgumentException(placement + " has " + placement.mostLocal()
                        + " experts on a PE, which has room for " + localExperts
                        + ": there is MoeOptions.localExperts");
            }
        }

        /** That at first. */
        ExpertPlacement placement() {
            ExpertPlacement given = options.placement();
            return given != null ? given : ExpertPlacement.even(shape.experts(), pes);
        }

        /** The most experts of a PE. */
        int local() {
            return options.localExperts() > 0
                    ? options.localExperts()
                    : placement().mostLocal();
        }

        /** The most experts of all PEs, replicas counted. */
        int slots() {
            return options.localExperts() > 0
                    ? pes * options.localExperts()
                    : placement().slots();
        }

        long load() {
            return MoeSpace.LOAD;
        }

        long table() {
            return line(load() + 8L * shape.experts());
        }

        /** Which PEs take part. */
        long peers() {
            return line(table() + 4L * ExpertPlacement.tableSize(shape.experts(), slots(), pes));
        }

        long meets() {
            return line(peers() + 4L * (pes + groups() + 1));
        }

        long firstSlot() {
            return line(meets() + 4L * pes);
        }

        boolean byRank() {
            return options.layout() == ExpertLayout.BY_RANK;
        }

        /** Local experts, or where a token goes to a PE once, sources. */
        int areas() {
            return byRank() ? groups() : local();
        }

        /** Rows of an expert's area, or of all sources'; 0 if areas follow each other. */
        int maxRows() {
            return options.layout() != ExpertLayout.RAGGED ? Math.multiplyExact(shape.tokens(), groups()) : 0;
        }

        /** Rows of a PE. */
        int capacity() {
            if (byRank()) {
                return maxRows();
            }
            if (options.layout() == ExpertLayout.PADDED) {
                return fits((long) local() * maxRows());
            }
            if (options.capacity() > 0) {
                return options.capacity();
            }
            // All choices that can be of different experts here; the same expert may come in each of them.
            long routes = (long) shape.tokens() * groups() * shape.perToken();
            return fits(routes + (long) local() * (options.padding() - 1));
        }

        private int fits(long rows) {
            if (rows > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("MoeShape: " + rows + " rows on a PE are more than "
                        + Integer.MAX_VALUE + ": fewer tokens, or RAGGED with a capacity");
            }
            return (int) rows;
        }

        long flags() {
            return MoeSpace.HEAD;
        }

        long answers() {
            return line(flags() + 4L * pes);
        }

        long pending() {
            return line(answers() + 4L * pes);
        }

        long words() {
            return line(pending() + 8L * groups());
        }

        long came() {
            return line(words() + 8L * pes * Math.max(slots(), pes));
        }

        long counts() {
            return line(came() + 8L * groups() * Math.max(local(), 1));
        }

        long starts() {
            return line(counts() + 4L * areas());
        }

        long rowExperts() {
            return line(starts() + 4L * (areas() + 1));
        }

        long rowChoices() {
            return line(rowExperts() + (maxRows() == 0 ? 4L * capacity() : 0));
        }

        long rowWeights() {
            return line(rowChoices() + (byRank() ? 4L * capacity() * shape.perToken() : 0));
        }

        long places() {
            return line(rowWeights() + (byRank() ? 4L * capacity() * shape.perToken() : 0));
        }

        long rows() {
            return line(places() + 8L * shape.tokens() * shape.perToken());
        }

        long rowScales() {
            return line(rows() + (long) capacity() * rowBytes());
        }

        /** The place of a payload; behind the last one for their number. */
        long payload(int number) {
            long at = line(
                    rowScales() + (long) capacity() * scales() * scaleType().bytes());
            for (int i = 0; i < number; i++) {
                at = line(at + (long) capacity() * shape.payloads().get(i));
            }
            return at;
        }

        long results() {
            return payload(shape.payloads().size());
        }

        /** Scales of an answer. */
        int answerScales() {
            return options.results(shape) == DataType.FLOAT8_E4M3 ? ScaledAnswers.scales(shape.hidden()) : 0;
        }

        long resultScales() {
            return line(results()
                    + (long) capacity()
                            * shape.hidden()
                            * options.results(shape).bytes());
        }

        long slot() {
            return line(resultScales() + 4L * capacity() * answerScales());
        }

        long total() {
            return firstSlot() + options.inFlight() * slot();
        }

        MoeMemory memory() {
            long slots = options.inFlight();
            return new MoeMemory(
                    slots * (results() - rows()),
                    slots * (slot() - results()),
                    slots * (rows() - counts()),
                    firstSlot() + slots * counts());
        }

        private static long line(long bytes) {
            return (bytes + LINE - 1) / LINE * LINE;
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "MoeMemory[%.1f MB a PE: rows %.1f, results %.1f, routes %.1f, protocol %.1f]",
                total() / 1e6,
                rows / 1e6,
                results / 1e6,
                routes / 1e6,
                protocol / 1e6);
    }
}
