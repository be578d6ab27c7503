// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/**
 * Checked mode: before a collective starts, ranks tell each other what they are about to call, and all of them refuse
 * if it is not the same; they are in step afterwards. Costs one more synchronisation a call. On with {@code
 * COMM4J_CHECKED=1} ({@code comm4j run --checked}) or the system property {@code comm4j.checked}; off with neither, or
 * with {@code 0}, {@code false}, {@code no} or {@code off}.
 *
 * <p>The engine {@code host} compares without it, too, but in the middle of a call, after which the ranks are out of
 * step.
 */
public final class CheckedMode {
    /** Whether this process is in checked mode; the same on all ranks, or they would wait for each other in vain. */
    public static final boolean ON = isOn();

    private static final int KIND = 0;
    private static final int TYPE = 1;
    private static final int COUNT = 2;
    private static final int OP = 3;
    private static final int ROOT = 4;
    private static final int COUNTS = 5;

    private CheckedMode() {}

    private static boolean isOn() {
        String property = System.getProperty("comm4j.checked");
        String value = property != null ? property : System.getenv("COMM4J_CHECKED");
        return Setting.isOn(value, false);
    }

    /** What all ranks must agree on in {@code call}, as words to exchange. */
    public static long[] signature(Call call) {
        DataType type = call.type();
        ReduceOp op = call.op();
        return new long[] {
            call.kind().ordinal(),
            type == null ? -1 : type.ordinal(),
            call.count(),
            op == null ? -1 : op.ordinal(),
            call.peer(),
            call.kind() == Call.Kind.ALL_GATHER_V
                    ? Arrays.hashCode(
                            new int[] {Arrays.hashCode(call.recvCounts()), Arrays.hashCode(call.recvOffsets())})
                    : 0
        };
    }

    /**
     * Compares the signatures of all ranks.
     *
     * @throws CollectiveMismatchException if they differ; the message says who calls what
     */
    public static void compare(Call call, long[][] signatures) {
        for (long[] each : signatures) {
            if (!Arrays.equals(each, signatures[0])) {
                throw new CollectiveMismatchException(
                        call.kind().method() + ": the ranks do not call the same: " + describe(signatures));
            }
        }
    }

    private static String describe(long[][] signatures) {
        Map<String, String> callers = new LinkedHashMap<>();
        for (int rank = 0; rank < signatures.length; rank++) {
            callers.merge(describe(signatures[rank]), Integer.toString(rank), (a, b) -> a + ", " + b);
        }
        return callers.entrySet().stream()
                .map(entry ->
                        (entry.getValue().contains(",") ? "ranks " : "rank ") + entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String describe(long[] signature) {
        Call.Kind kind = Call.Kind.values()[(int) signature[KIND]];
        StringJoiner text = new StringJoiner(", ", kind.method() + "(", ")");
        if (signature[TYPE] >= 0) {
            DataType type = DataType.values()[(int) signature[TYPE]];
            text.add(
                    kind == Call.Kind.ALL_TO_ALL_V || kind == Call.Kind.ALL_GATHER_V
                            ? type.name()
                            : signature[COUNT] + " x " + type);
        }
        if (signature[OP] >= 0) {
            text.add(ReduceOp.values()[(int) signature[OP]].name());
        }
        if (signature[ROOT] >= 0) {
            text.add("root " + signature[ROOT]);
        }
        if (kind == Call.Kind.ALL_GATHER_V) {
            text.add("counts and offsets with hash " + Long.toHexString(signature[COUNTS] & 0xffff_ffffL));
        }
        return text.toString();
    }
}
