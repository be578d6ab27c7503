// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.test.Nightly;

/** {@link CollectiveKernels}, with the data checked. */
final class CollectiveCases {
    /** On GPUs, too, all of them: NVIDIA's take the linker up to half a minute each. */
    static final String ALL = "comm4j.device.all";

    static final List<LaunchConfig> SCOPES = List.of(MoveCases.THREAD, MoveCases.WARP, MoveCases.BLOCK);
    static final List<ReduceOp> OPERATIONS = List.of(
            ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR);
    static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.FLOAT16,
            DataType.BFLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64);
    static final List<DataType> SIZES = List.of(DataType.INT8, DataType.INT16, DataType.FLOAT32, DataType.FLOAT64);

    private static final int COUNT = 40;

    /**
     * Elements of a reduction, and where in its array the source begins: less than members send each other, more, in
     * place, and from places that are no multiple of a word of 16 bytes.
     */
    private record Shape(int count, int at, boolean inPlace) {
        static final List<Shape> ALL = List.of(
                new Shape(COUNT, 0, false),
                new Shape(COUNT, 0, true),
                new Shape(1003, 0, false),
                new Shape(1003, 0, true),
                new Shape(1003, 3, false));
        static final int MOST = 1003;
    }

    private CollectiveCases() {}

    static CompiledKernel reduction(KernelCompiler<?> compiler, DataType type, int scope, ReduceOp op) {
        return switch (type) {
            case INT8 -> compiler.compile(CollectiveKernels::reduceI8, scope, op);
            case INT16 -> compiler.compile(CollectiveKernels::reduceI16, scope, op);
            case INT32 -> compiler.compile(CollectiveKernels::reduceI32, scope, op);
            case INT64 -> compiler.compile(CollectiveKernels::reduceI64, scope, op);
            case FLOAT16 -> compiler.compile(CollectiveKernels::reduceF16, scope, op);
            case BFLOAT16 -> compiler.compile(CollectiveKernels::reduceBF16, scope, op);
            case FLOAT32 -> compiler.compile(CollectiveKernels::reduceF32, scope, op);
            default -> compiler.compile(CollectiveKernels::reduceF64, scope, op);
        };
    }

    /**
     * Each type and operation at one scope, every fourth of them on the CPU; of the headers' collectives a few, as the
     * linker takes so long. By night all, on the CPU.
     */
    private static boolean isWanted(TestPe pe, DataType type, int scope, ReduceOp op) {
        return Boolean.getBoolean(ALL)
                || pe.onCpu() && Nightly.isOn()
                || (pe.onCpu() && (type.ordinal() + op.ordinal()) % 4 == 0 || pe.hasOwnCollectives())
                        && scope == (type.ordinal() + op.ordinal()) % SCOPES.size()
                || scope == 2 && op == ReduceOp.SUM && (type == DataType.FLOAT32 || type == DataType.BFLOAT16)
                || scope < 2 && op == ReduceOp.MAX && type == DataType.INT32;
    }

    static void reductions(TestPe pe) {
        for (DataType type : TYPES) {
            Buffer source = pe.zeroed(type, (long) Shape.MOST * (pe.nPes() + 1));
            Buffer reduced = pe.zeroed(type, Shape.MOST);
            Buffer scattered = pe.zeroed(type, Shape.MOST);
            for (ReduceOp op : OPERATIONS) {
                for (int scope = 0; op.supports(type) && scope < SCOPES.size(); scope++) {
                    if (isWanted(pe, type, scope, op)) {
                        try (CompiledKernel kernel = reduction(pe.compiler(), type, scope, op)) {
                            for (Shape shape : Shape.ALL) {
                                if (shape.count == COUNT || pe.onCpu() || pe.hasOwnCollectives()) {
                                    reduce(pe, kernel, op, scope, shape, source, reduced, scattered);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /** Small numbers, so that sums and products are exact in all types, in any order. */
    private static long[][] operands(TestPe pe, ReduceOp op, int count) {
        SplittableRandom random = pe.random();
        long[][] all = new long[pe.nPes()][count * pe.nPes()];
        for (int each = 0; each < all.length; each++) {
            for (int i = 0; i < all[each].length; i++) {
                all[each][i] = op != ReduceOp.PROD ? random.nextInt(-3, 4) : each < 5 ? random.nextInt(1, 3) : 1;
            }
        }
        return all;
    }

    private static long combined(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case BAND -> a & b;
            case BOR -> a | b;
            default -> a ^ b;
        };
    }

    private static void reduce(
            TestPe pe,
            CompiledKernel kernel,
            ReduceOp op,
            int scope,
            Shape shape,
            Buffer sources,
            Buffer destination,
            Buffer scattered) {
        DataType type = sources.type();
        int count = shape.count;
        long[][] operands = operands(pe, op, count);
        HostArray mine = HostArray.allocate(type, (long) count * pe.nPes());
        for (int i = 0; i < mine.count(); i++) {
            MoveCases.set(mine, i, (double) operands[pe.myPe()][i]);
        }
        Buffer source = sources.slice(shape.at, mine.count());
        source.copyFrom(mine);
        Buffer reduced = shape.inPlace ? source : destination;
        pe.launch(kernel, SCOPES.get(scope), ShmemTeam.world(), reduced, scattered, source, (long) count);
        HostArray all = reduced.slice(0, count).toHost();
        HostArray part = scattered.toHost();
        for (int i = 0; i < count; i++) {
            int place = count * pe.myPe() + i;
            long sum = operands[0][i];
            long own = operands[0][place];
            for (int each = 1; each < pe.nPes(); each++) {
                sum = combined(op, sum, operands[each][i]);
                own = combined(op, own, operands[each][place]);
            }
            assertThat(number(all, i))
                    .as("%s of %s, scope %d, %s, element %d", op, type, scope, shape, i)
                    .isEqualTo((double) sum);
            // What the first PE gets of the second reduction was overwritten by the first one.
            if (!shape.inPlace || pe.myPe() > 0) {
                assertThat(number(part, i))
                        .as("part: %s of %s, scope %d, %s, element %d", op, type, scope, shape, i)
                        .isEqualTo((double) own);
            }
        }
    }

    private static double number(HostArray array, long i) {
        return array.type().isFloat() ? array.getDouble(i) : array.getLong(i);
    }

    static CompiledKernel copy(KernelCompiler<?> compiler, DataType type, int scope) {
        return switch (type) {
            case INT8 -> compiler.compile(CollectiveKernels::copyI8, scope);
            case INT16 -> compiler.compile(CollectiveKernels::copyI16, scope);
            case FLOAT32 -> compiler.compile(CollectiveKernels::copyF32, scope);
            default -> compiler.compile(CollectiveKernels::copyF64, scope);
        };
    }

    static void copies(TestPe pe) {
        for (DataType type : SIZES) {
            for (int scope = 0; scope < SCOPES.size(); scope++) {
                if (pe.onCpu() || Boolean.getBoolean(ALL) || scope == 2 && type == DataType.FLOAT32) {
                    copies(pe, type, scope);
                }
            }
        }
    }

    /** Twice, as what the first one leaves is in the way of the second one. */
    static void maxLoc(TestPe pe) {
        SplittableRandom random = pe.random();
        try (CompiledKernel kernel = pe.compiler().compile(CollectiveKernels::maxLoc)) {
            for (int round = 0; round < 2; round++) {
                double[] values = random.doubles(pe.nPes(), -1000, 1000).toArray();
                int best = 0;
                for (int each = 1; each < values.length; each++) {
                    best = values[each] > values[best] ? each : best;
                }
                Buffer mine = pe.symmetric(values[pe.myPe()], pe.myPe());
                Buffer greatest = pe.zeroed(DataType.FLOAT64, 2);
                pe.launch(kernel, MoveCases.BLOCK, ShmemTeam.world(), greatest, mine);
                assertThat(greatest.toHost().toDoubleArray())
                        .as("round %d", round)
                        .containsExactly(values[best], best);
            }
        }
    }

    private static double element(int pe, int i) {
        return (pe * 31 + i) % 100;
    }

    private static void copies(TestPe pe, DataType type, int scope) {
        int n = pe.nPes();
        HostArray mine = HostArray.allocate(type, (long) COUNT * n);
        for (int i = 0; i < mine.count(); i++) {
            MoveCases.set(mine, i, element(pe.myPe(), i));
        }
        Buffer source = pe.filled(mine);
        Buffer destination = pe.zeroed(type, COUNT * (1 + 2L * n));
        try (CompiledKernel kernel = copy(pe.compiler(), type, scope)) {
            pe.launch(kernel, SCOPES.get(scope), ShmemTeam.world(), destination, source, (long) COUNT);
        }
        HostArray seen = destination.toHost();
        for (int i = 0; i < COUNT; i++) {
            assertThat(number(seen, i)).as("broadcast").isEqualTo(element(n - 1, i));
            for (int each = 0; each < n; each++) {
                assertThat(number(seen, (long) COUNT * (1 + each) + i))
                        .as("fcollect from %d", each)
                        .isEqualTo(element(each, i));
                assertThat(number(seen, (long) COUNT * (1 + n + each) + i))
                        .as("allToAll from %d", each)
                        .isEqualTo(element(each, COUNT * pe.myPe() + i));
            }
        }
    }

    static void barriers(TestPe pe) {
        var compiler = pe.compiler();
        List<CompiledKernel> kernels = List.of(
                compiler.compile(CollectiveKernels::threadBarriers),
                compiler.compile(CollectiveKernels::warpBarriers),
                compiler.compile(CollectiveKernels::blockBarriers));
        for (int scope = 0; scope < kernels.size(); scope++) {
            Buffer mine = pe.zeroed(DataType.INT64, 1);
            Buffer out = pe.zeroed(DataType.INT64, 40);
            try (CompiledKernel kernel = kernels.get(scope)) {
                pe.launch(kernel, SCOPES.get(scope), ShmemTeam.world(), mine, out);
            }
            HostArray seen = out.toHost();
            for (int round = 0; round < 20; round++) {
                assertThat(seen.getLong(2L * round)).isEqualTo(1000L * round + pe.previous());
                assertThat(seen.getLong(2L * round + 1)).isEqualTo(-1000L * round - pe.previous());
            }
        }
    }
}
