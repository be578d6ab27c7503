// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Checks of the arguments of {@link ExpertParallel}, before anything is launched, and of what kernels report. */
final class MoeChecks {
    private static final DataType[] ROUTES = {DataType.INT32, DataType.UINT32, DataType.INT64};
    private static final DataType[] SUMS = {DataType.FLOAT32, DataType.BFLOAT16, DataType.FLOAT16};
    private static final String[] PAYLOADS = IntStream.range(0, Payloads.MOST)
            .mapToObj(number -> "payload " + number)
            .toArray(String[]::new);

    private final MoeSite pe;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    /** Rows of a PE. */
    private final long capacity;

    MoeChecks(MoeSite pe, MoeMemory.Plan plan, MoeMachine machine) {
        this.pe = pe;
        this.plan = plan;
        this.machine = machine;
        this.capacity = plan.capacity();
    }

    MoeSite pe() {
        return pe;
    }

    MoeMachine machine() {
        return machine;
    }

    /** The beginning of messages. */
    String at(String operation) {
        return operation + " on PE " + pe.myPe() + " of " + pe.nPes() + ": ";
    }

    void tokens(String operation, Tokens tokens) {
        MoeShape shape = plan.shape();
        long count = tokens.count();
        if (count > shape.tokens()) {
            throw new IllegalArgumentException(at(operation) + count + " tokens are not 0 to " + shape.tokens());
        }
        rows(operation, tokens.x(), count);
        array(operation, "chosen", tokens.chosen(), count * shape.perToken(), ROUTES);
        Buffer number = tokens.countOnDevice();
        if (number != null) {
            array(operation, "count", number, 1, DataType.INT32);
        }
        scales(operation, tokens, shape);
        Buffer weights = tokens.weights();
        if ((weights != null) != plan.byRank()) {
            throw new IllegalArgumentException(at(operation) + "weights go with tokens of the layout BY_RANK,"
                    + " and with the sums of the others");
        }
        if (weights != null) {
            array(operation, "weights", weights, count * shape.perToken(), DataType.FLOAT32);
        }
        destination(operation, "into", tokens.into(), capacity * shape.hidden(), plan.rowType(), 16);
        destination(
                operation,
                "scalesInto",
                tokens.scalesInto(),
                capacity * plan.scales(),
                plan.scaleType(),
                plan.scaleType().bytes());
        if (tokens.payloads().size() != shape.payloads().size()) {
            throw new IllegalArgumentException(at(operation) + tokens.payloads().size() + " payloads were given, "
                    + shape.payloads().size() + " are of the shape");
        }
        for (int i = 0; i < shape.payloads().size(); i++) {
            Buffer payload = tokens.payloads().get(i);
            long elements = count * shape.payloads().get(i) / payload.type().bytes();
            alive(operation, PAYLOADS[i], payload);
            enough(operation, PAYLOADS[i], payload, elements);
            if (payload.address() % 4 != 0) {
                throw new IllegalArgumentException(
                        at(operation) + "payload " + i + " " + payload + " is not at a multiple of 4 bytes");
            }
        }
    }

    /** An array of the program for what comes. */
    private void destination(
            String operation, String name, @Nullable Buffer buffer, long count, DataType type, int alignment) {
        if (buffer != null) {
            array(operation, name, buffer, count, type);
            if (buffer.address() % alignment != 0) {
                throw new IllegalArgumentException(
                        at(operation) + name + " " + buffer + " is not at a multiple of " + alignment + " bytes");
            }
        }
    }

    void rows(String operation, Buffer x, long count) {
        MoeShape shape = plan.shape();
        array(operation, "x", x, count * shape.hidden(), shape.input());
        if (x.address() % 16 != 0 && count > 0) {
            throw new IllegalArgumentException(at(operation) + "x " + x + " is not at a multiple of 16 bytes");
        }
    }

    /** Refuses arguments in the memory of a dispatch, which PEs write or read while the call has them. */
    void apart(String operation, Buffer memory, String name, @Nullable Buffer buffer) {
        if (buffer != null && overlap(memory, buffer) > 0) {
            throw new IllegalArgumentException(
                    at(operation) + name + " " + buffer + " overlaps " + overlap(memory, buffer)
                            + " bytes of the memory of the dispatch, which holds its rows and results: copy it first");
        }
    }

    /** {@link #apart} for all that a dispatch reads. */
    void apart(String operation, Buffer memory, Tokens tokens) {
        apart(operation, memory, "x", tokens.x());
        apart(operation, memory, "chosen", tokens.chosen());
        apart(operation, memory, "count", tokens.countOnDevice());
        apart(operation, memory, "scales", tokens.scales());
        apart(operation, memory, "weights", tokens.weights());
        apart(operation, memory, "into", tokens.into());
        apart(operation, memory, "scalesInto", tokens.scalesInto());
        apartFrom(operation, "into", tokens.into(), tokens.x());
        apartFrom(operation, "into", tokens.into(), tokens.scales());
        apartFrom(operation, "scalesInto", tokens.scalesInto(), tokens.x());
        apartFrom(operation, "scalesInto", tokens.scalesInto(), tokens.scales());
        apartFrom(operation, "scalesInto", tokens.scalesInto(), tokens.into());
        for (int i = 0; i < tokens.payloads().size(); i++) {
            apart(operation, memory, PAYLOADS[i], tokens.payloads().get(i));
        }
    }

    private void apartFrom(String operation, String name, @Nullable Buffer to, @Nullable Buffer other) {
        if (to != null && other != null && overlap(to, other) > 0) {
            throw new IllegalArgumentException(at(operation) + name + " " + to + " overlaps " + other
                    + ", which is sent or comes meanwhile: give it an array of its own");
        }
    }

    private static long overlap(Buffer one, Buffer other) {
        long begin = Math.max(one.address(), other.address());
        long end = Math.min(one.address() + one.byteSize(), other.address() + other.byteSize());
        return one.count() == 0 || other.count() == 0 ? 0 : Math.max(end - begin, 0);
    }

    /** What only PEs do that reach each other's memory. */
    void near(String operation) {
        String problem = machine.outOfReach();
        if (problem != null) {
            throw new UnsupportedOperationException(at(operation) + "there is none here, as " + problem);
        }
    }

    /** Tokens of a dispatch that a kernel of the program makes. */
    void reserved(int tokens) {
        near("reserve");
        MoeShape shape = plan.shape();
        if (tokens < 0 || tokens > shape.tokens()) {
            throw new IllegalArgumentException(at("reserve") + tokens + " tokens are not 0 to " + shape.tokens());
        }
        if (plan.scales() > 0 || !shape.payloads().isEmpty() || plan.byRank() || SumType.of(shape.input()) == null) {
            throw new UnsupportedOperationException(at("reserve")
                    + "kernels of the program dispatch BFLOAT16, FLOAT16 or FLOAT32 alone, by PADDED or RAGGED");
        }
    }

    /** What there is of each expert, or choice of it. */
    void perExpert(String operation) {
        if (plan.byRank()) {
            throw new UnsupportedOperationException(
                    at(operation) + "tokens of BY_RANK are counted and answered for PEs, not for experts");
        }
    }

    /** Nothing goes along with rows. */
    void rowsAlone(String operation) {
        MoeShape shape = plan.shape();
        if (shape.scales() > 0 || !shape.payloads().isEmpty()) {
            throw new UnsupportedOperationException(
                    at(operation) + "rows along earlier routes go without the scales and payloads of " + shape);
        }
    }

    /** A PE that is to be excluded. */
    void excluded(int rank) {
        if (rank < 0 || rank >= pe.nPes() || rank == pe.myPe()) {
            throw new IllegalArgumentException(at("exclude") + "rank " + rank + " is not another one of 0 to "
                    + (pe.nPes() - 1) + "; it is called by those that go on");
        }
    }

    /** A placement that replaces another one. */
    void placement(ExpertPlacement placement) {
        MoeMemory.Plan.check(placement, plan.shape(), plan.local(), pe.nPes());
        if (placement.slots() > plan.slots()) {
            throw new IllegalArgumentException("placement: " + placement + " has more than " + plan.slots()
                    + " experts on all PEs: there is MoeOptions.localExperts");
        }
    }

    void gradients(String operation, Buffer to, Buffer gradients, long tokens) {
        nonNull(to, operation, "to");
        nonNull(gradients, operation, "gradients");
        MoeShape shape = plan.shape();
        array(operation, "to", to, tokens * shape.perToken(), DataType.FLOAT32);
        array(operation, "gradients", gradients, tokens * shape.hidden(), SUMS);
    }

    private void scales(String operation, Tokens tokens, MoeShape shape) {
        Buffer scales = tokens.scales();
        if ((scales != null) != shape.scales() > 0) {
            throw new IllegalArgumentException(at(operation) + (scales == null ? "scales are missing: " : "")
                    + shape.scales() + " scales a token are of the shape");
        }
        if (scales != null && tokens.count() > 0) {
            long row = tokens.scaleStride(shape.scales());
            long last = (tokens.count() - 1) * row + (shape.scales() - 1) * tokens.scaleStep();
            array(operation, "scales", scales, last + 1, shape.scaleType());
        }
    }

    void sums(String operation, Sums sums, int tokens) {
        MoeShape shape = plan.shape();
        long elements = (long) tokens * shape.hidden();
        array(operation, "out", sums.out(), elements, SUMS);
        Buffer weights = sums.weights();
        if (weights != null && plan.byRank()) {
            throw new IllegalArgumentException(
                    at(operation) + "weights of the layout BY_RANK go with the tokens, not with the sums");
        }
        if (weights != null) {
            array(operation, "weights", weights, (long) tokens * shape.perToken(), DataType.FLOAT32);
        }
        Buffer bias = sums.bias();
        if (bias != null) {
            array(operation, "bias", bias, elements, sums.out().type());
        }
        Buffer results = sums.results();
        if (results != null) {
            long rows = capacity * shape.hidden();
            array(operation, "results", results, 0, plan.options().results(shape));
            if (plan.answerScales() > 0) {
                throw new IllegalArgumentException(at(operation) + "answers of FLOAT8_E4M3 have scales: they belong"
                        + " into Routed.results and resultScales, not into " + results);
            }
            if (results.count() > rows || machine.isSymmetric(results) && results.count() < rows) {
                throw new IllegalArgumentException(at(operation) + "results " + results + " are not those of "
                        + plan.capacity() + " rows of " + shape.hidden() + " elements");
            }
        }
    }

    /** An array of a type, on the path of a call that allocates nothing. */
    void array(String operation, String name, Buffer buffer, long count, DataType type) {
        alive(operation, name, buffer);
        if (buffer.type() != type) {
            throw wrongType(operation, name, buffer, type);
        }
        enough(operation, name, buffer, count);
    }

    private void array(String operation, String name, Buffer buffer, long count, DataType[] types) {
        alive(operation, name, buffer);
        for (DataType type : types) {
            if (buffer.type() == type) {
                enough(operation, name, buffer, count);
                return;
            }
        }
        throw wrongType(operation, name, buffer, types);
    }

    private IllegalArgumentException wrongType(String operation, String name, Buffer buffer, DataType... types) {
        return new IllegalArgumentException(
                at(operation) + name + " " + buffer + " is not of " + Arrays.toString(types));
    }

    private void alive(String operation, String name, Buffer buffer) {
        machine.check(operation, name, buffer);
        if (!buffer.isAlive()) {
            throw new IllegalStateException(at(operation) + name + " " + buffer + " was freed");
        }
    }

    private void enough(String operation, String name, Buffer buffer, long count) {
        if (buffer.count() < count) {
            throw new IllegalArgumentException(
                    at(operation) + name + " " + buffer + " has fewer than " + count + " elements");
        }
    }

    /** Throws what kernels have found. */
    void reports(String operation, Duration timeout, ExpertPlacement placement) {
        long waited = machine.reported(MoeSpace.REPORT_WAIT);
        if (waited == Waiting.EXCLUDED) {
            throw new CommException(at(operation) + "the other PEs have excluded this one, which takes part no more");
        }
        if (waited != 0) {
            throw WaitReport.of(waited).failure(pe, plan, machine, timeout, placement);
        }
        RuntimeException wrong = wrong(operation);
        if (wrong != null) {
            throw wrong;
        }
    }

    private @Nullable RuntimeException wrong(String operation) {
        MoeShape shape = plan.shape();
        long overflow = machine.taken(MoeSpace.REPORT_OVERFLOW);
        if (overflow != 0) {
            return overflow(operation, (int) (overflow >>> 32), (int) overflow);
        }
        long done = machine.taken(MoeSpace.REPORT_DONE);
        if (done != 0) {
            String what = done == Announcing.PARTS_OF_ALL
                    ? "donePart more often than experts have parts"
                    : "done more often than there were rows of group " + (done - 1);
            return new IllegalStateException(at(operation) + "a kernel has called FusedExperts." + what
                    + ": done is called once for a row, donePart once for a part of an expert's answers, and the sums"
                    + " of that dispatch may be wrong");
        }
        long tokens = machine.taken(MoeSpace.REPORT_TOKENS);
        if (tokens != 0) {
            return new IllegalArgumentException(
                    at("dispatch") + "a count on the device was " + (int) tokens + ", which is not 0 to the most");
        }
        long route = machine.taken(MoeSpace.REPORT_ROUTE);
        if (route != 0) {
            long number = route - 1 >>> 32;
            return new IllegalArgumentException("dispatch: rank " + pe.myPe() + ": token " + number / shape.perToken()
                    + ", choice " + number % shape.perToken() + ": expert " + (int) (route - 1)
                    + " is not one of 0 to " + (shape.experts() - 1));
        }
        return null;
    }

    private IllegalStateException overflow(String operation, int of, int needed) {
        if (plan.maxRows() > 0) {
            return new IllegalStateException(at(operation) + "expert " + of + " was chosen " + needed
                    + " times in a dispatch and has " + plan.maxRows()
                    + " rows, one a token; those beyond were not sent: for tokens that choose an expert more than once"
                    + " there is the layout RAGGED");
        }
        return new IllegalStateException(at(operation) + "PE " + of + " needed " + needed
                + " rows in a dispatch and has " + plan.capacity()
                + "; those beyond were not sent: there is MoeOptions.capacity");
    }
}
