// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that combine rows of this GPU's memory, element by element and in the order of the rows: in PTX, one for each
 * type and operation, loaded when it is first used. They compute as the other engines do (integers wrap, sub-word
 * floats are combined in single precision and rounded once, nothing is fused, a NaN stays one), so that the same data
 * gives the same bits everywhere. All have the same parameters: where the result goes, the first row, the distance
 * between rows in bytes, their number, the count of elements.
 */
final class ReductionKernels {
    /** Enough threads to use a large GPU's memory, few enough to start in a moment. */
    private static final LaunchConfig CONFIG = LaunchConfig.grid(256).block(256);

    private final Device device;
    /** By operation and type, as far as they were used. */
    private final @Nullable PreparedLaunch[][] launches =
            new PreparedLaunch[ReduceOp.values().length][DataType.values().length];

    ReductionKernels(Device device) {
        this.device = device;
    }

    /** Whether there is such a kernel. */
    static boolean supports(ReduceOp op, DataType type) {
        return op.supports(type) && type != DataType.FLOAT8_E4M3 && type != DataType.FLOAT8_E5M2;
    }

    /**
     * Puts a reduction into {@code stream}. The first time it loads the kernel, for which the driver may wait until
     * others end; after that it allocates nothing.
     *
     * @param to the address of the result, apart from the rows
     * @param from the address of the first row
     * @param stride bytes from one row to the next
     */
    synchronized void launch(
            ReduceOp op, DataType type, long to, long from, long stride, long rows, long count, Stream stream) {
        if (count == 0) {
            return;
        }
        @Nullable PreparedLaunch launch = launches[op.ordinal()][type.ordinal()];
        if (launch == null) {
            byte[] text = ptx(op, type).getBytes(StandardCharsets.US_ASCII);
            launch = CudaModule.load(device, text).function(name(op, type)).prepare(CONFIG, 0L, 0L, 0L, 0L, 0L);
            launches[op.ordinal()][type.ordinal()] = launch;
        }
        launch.set(0, to).set(1, from).set(2, stride).set(3, rows).set(4, count).launch(stream);
    }

    static String name(ReduceOp op, DataType type) {
        return "comm4j_reduce_" + (op + "_" + type).toLowerCase(Locale.ROOT);
    }

    /** A kernel for GPUs from Volta on, as NVSHMEM. */
    static String ptx(ReduceOp op, DataType type) {
        Element element = element(op, type);
        return """
                .version 6.3
                .target sm_70
                .address_size 64
                .visible .entry %s(
                    .param .u64 p_to, .param .u64 p_from, .param .u64 p_stride, .param .u64 p_rows, .param .u64 p_count)
                {
                    .reg .pred end, nan;
                    .reg .b16 half;
                    .reg .b32 number, size, low, word;
                    .reg .b64 to, from, stride, rows, count, i, step, at, row;
                    .reg .%s x, y, acc, more, product, other;
                    ld.param.u64 to, [p_to];
                    ld.param.u64 from, [p_from];
                    ld.param.u64 stride, [p_stride];
                    ld.param.u64 rows, [p_rows];
                    ld.param.u64 count, [p_count];
                    mov.u32 number, %%ctaid.x;
                    mov.u32 size, %%ntid.x;
                    mul.wide.u32 i, number, size;
                    mov.u32 low, %%tid.x;
                    cvt.u64.u32 at, low;
                    add.u64 i, i, at;
                    mov.u32 number, %%nctaid.x;
                    mul.wide.u32 step, number, size;
                NEXT:
                    setp.ge.u64 end, i, count;
                    @end bra END;
                    mad.lo.u64 at, i, %d, from;
                    %s
                    mov.u64 row, 1;
                ROW:
                    setp.ge.u64 end, row, rows;
                    @end bra STORE;
                    add.u64 at, at, stride;
                    %s
                    %s
                    add.u64 row, row, 1;
                    bra ROW;
                STORE:
                    mad.lo.u64 at, i, %d, to;
                    %s
                    %s
                    add.u64 i, i, step;
                    bra NEXT;
                END:
                    ret;
                }
                """.formatted(
                        name(op, type),
                        element.register,
                        type.bytes(),
                        element.loadFirst,
                        element.load,
                        element.combine,
                        type.bytes(),
                        element.finish,
                        element.store);
    }

    /**
     * What differs: an element is {@code acc}, a complex number {@code acc} and {@code more}; the next row's is {@code
     * x}, {@code y}.
     *
     * @param register the kind of the registers that compute
     * @param finish makes the result of what was combined
     */
    private record Element(
            String register, String loadFirst, String load, String combine, String finish, String store) {}

    private static Element element(ReduceOp op, DataType type) {
        if (type.isInteger()) {
            return integer(op, type);
        }
        boolean wide = type == DataType.FLOAT64 || type == DataType.COMPLEX128;
        String f = wide ? "f64" : "f32";
        // The number of rows as one of these; exact.
        String average =
                op == ReduceOp.AVG ? "cvt.rn." + f + ".u64 other, rows; div.rn." + f + " acc, acc, other;" : "";
        if (type.isComplex()) {
            String pair = "ld.global." + f + " %s, [at]; ld.global." + f + " %s, [at+" + type.bytes() / 2 + "];";
            return new Element(
                    f,
                    pair.formatted("acc", "more"),
                    pair.formatted("x", "y"),
                    (op == ReduceOp.PROD ? COMPLEX_PRODUCT : "add.rn.f32 acc, acc, x; add.rn.f32 more, more, y;")
                            .replace("f32", f),
                    average + (average.isEmpty() ? "" : " div.rn." + f + " more, more, other;"),
                    "st.global." + f + " [at], acc; st.global." + f + " [at+" + type.bytes() / 2 + "], more;");
        }
        return new Element(f, load(type, "acc"), load(type, "x"), real(op, f), average, store(type));
    }

    private static final String COMPLEX_PRODUCT = """
            mul.rn.f32 product, acc, x;
            mul.rn.f32 other, more, y;
            sub.rn.f32 product, product, other;
            mul.rn.f32 y, acc, y;
            mul.rn.f32 more, more, x;
            add.rn.f32 more, y, more;
            mov.f32 acc, product;
            """;

    private static String real(ReduceOp op, String f) {
        return switch (op) {
            case SUM, AVG -> "add.rn." + f + " acc, acc, x;";
            case PROD -> "mul.rn." + f + " acc, acc, x;";
            // The instructions would prefer a number to a NaN; the sum of a NaN and anything is one.
            case MIN, MAX ->
                "setp.nan." + f + " nan, acc, x; add.rn." + f + " other, acc, x; "
                        + (op == ReduceOp.MIN ? "min." : "max.") + f + " acc, acc, x; @nan mov." + f + " acc, other;";
            case BAND, BOR, BXOR -> throw new AssertionError(op);
        };
    }

    private static String load(DataType type, String to) {
        return switch (type) {
            case FLOAT16 -> "ld.global.b16 half, [at]; cvt.f32.f16 " + to + ", half;";
            case BFLOAT16 -> "ld.global.u16 word, [at]; shl.b32 word, word, 16; mov.b32 " + to + ", word;";
            case FLOAT32 -> "ld.global.f32 " + to + ", [at];";
            case FLOAT64 -> "ld.global.f64 " + to + ", [at];";
            default -> throw new AssertionError(type);
        };
    }

    private static String store(DataType type) {
        return switch (type) {
            case FLOAT16 -> "cvt.rn.f16.f32 half, acc; st.global.b16 [at], half;";
            // The upper half, rounded to nearest, to even in the middle; what makes a NaN must not be rounded away.
            case BFLOAT16 -> """
                setp.nan.f32 nan, acc, acc;
                mov.b32 word, acc;
                shr.u32 low, word, 16;
                and.b32 low, low, 1;
                add.u32 low, low, 0x7fff;
                add.u32 word, word, low;
                shr.u32 word, word, 16;
                @nan mov.u32 word, 0x7fc0;
                st.global.u16 [at], word;
                """;
            case FLOAT32 -> "st.global.f32 [at], acc;";
            case FLOAT64 -> "st.global.f64 [at], acc;";
            default -> throw new AssertionError(type);
        };
    }

    /** In 64 bits, whatever the size: the low bits are right, and the extension to 64 keeps the order. */
    private static Element integer(ReduceOp op, DataType type) {
        int bits = type.bytes() * 8;
        String sign = type.isUnsigned() ? "u" : "s";
        String combine = switch (op) {
            case SUM, AVG -> "add.u64 acc, acc, x;";
            case PROD -> "mul.lo.u64 acc, acc, x;";
            case MIN -> "min." + sign + "64 acc, acc, x;";
            case MAX -> "max." + sign + "64 acc, acc, x;";
            case BAND -> "and.b64 acc, acc, x;";
            case BOR -> "or.b64 acc, acc, x;";
            case BXOR -> "xor.b64 acc, acc, x;";
        };
        String unused = Integer.toString(64 - bits);
        String average = op != ReduceOp.AVG
                ? ""
                : "shl.b64 acc, acc, " + unused + "; shr." + sign + "64 acc, acc, " + unused + "; div." + sign
                        + "64 acc, acc, rows;";
        String load = "ld.global." + sign + bits + " %s, [at];";
        return new Element(
                "b64",
                load.formatted("acc"),
                load.formatted("x"),
                combine,
                average,
                "st.global.u" + bits + " [at], acc;");
    }
}
