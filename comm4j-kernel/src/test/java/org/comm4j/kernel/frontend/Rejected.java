// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.Unroll;

/** Kernels that a GPU cannot run. */
@SuppressWarnings("all")
final class Rejected {
    static int counter = 1;
    static final Object OBJECT = new Object();
    static final F32Ptr NOWHERE = null;
    static final int[][] MATRIX = {{1}, {2, 3}};
    static final int[] TABLE = {1, 2, 3};

    record Point(int x, int y) {}

    record Boxed(Integer value) {}

    record Size(int n) {}

    record Holder(int[] values) {}

    enum Op {
        PLUS {
            @Override
            IntUnaryOperator function() {
                return a -> a + 1;
            }
        },
        MINUS {
            @Override
            IntUnaryOperator function() {
                return a -> a - 1;
            }
        };

        int uses;
        final String symbol = toString();

        abstract IntUnaryOperator function();
    }

    static String concatenated(int n) {
        return "n=" + n;
    }

    @Kernel
    static void concatenation(I32Ptr out, int n) {
        concatenated(n);
    }

    @Kernel
    static void tryCatch(I32Ptr out, int n) {
        try {
            out.set(0, 1 / n);
        } catch (ArithmeticException e) {
            out.set(0, 2);
        }
    }

    @Kernel
    static void objects(I32Ptr out) {
        List<Object> list = new ArrayList<>();
        list.add(OBJECT);
    }

    @Kernel
    static void boxing(I32Ptr out, int n) {
        Integer boxed = n;
        out.set(0, boxed);
    }

    @Kernel
    static void boxingLambda(I32Ptr out, int n) {
        Function<Integer, Integer> f = x -> x + 1;
        out.set(0, f.apply(n));
    }

    @Kernel
    static void locked(I32Ptr out) {
        synchronized (out) {
            out.set(0, 1);
        }
    }

    static int first(Object memory) {
        return switch (memory) {
            case I32Ptr ints -> ints.get(0);
            case F32Ptr floats -> (int) floats.get(0);
            default -> 0;
        };
    }

    @Kernel
    static void patterns(I32Ptr out) {
        out.set(0, first(out));
    }

    @Kernel
    static void instances(I32Ptr out, Point p) {
        Object o = out;
        out.set(0, o instanceof I32Ptr ? 1 : 0);
    }

    @Kernel
    static void eitherRecord(I32Ptr out, Point p, int n) {
        Object o = n > 0 ? p : new Size(n);
        out.set(0, o instanceof Point(int x, int y) ? x : 0);
    }

    @Kernel
    static void digits(I32Ptr out, char c) {
        out.set(0, Character.isMirrored(c) ? 1 : 0);
    }

    @Kernel
    static void mutableStatic(I32Ptr out) {
        out.set(0, counter);
    }

    @Kernel
    static void writtenStatic(I32Ptr out) {
        counter = 2;
    }

    @Kernel
    static void objectStatic(I32Ptr out) {
        OBJECT.hashCode();
    }

    @Kernel
    static void pointerStatic(F32Ptr out) {
        out.set(0, NOWHERE.get(0));
    }

    @Kernel
    static void variableSize(I32Ptr out, int n) {
        int[] local = new int[n];
        out.set(0, local[0]);
    }

    @Kernel
    static void variableShared(I32Ptr out, int n) {
        out.set(0, Shared.i32(n)[0]);
    }

    @Kernel
    static void hugeArray(I32Ptr out, int n) {
        out.set(0, new double[1 << 20].length);
    }

    @Kernel
    static void matrix(I32Ptr out, int n) {
        int[][] m = new int[2][];
        out.set(0, m[n][n]);
    }

    @Kernel
    static void variableMatrix(I32Ptr out, int n) {
        int[][] m = new int[2][n];
        out.set(0, m[1][1]);
    }

    @Kernel
    static void otherRow(I32Ptr out) {
        int[][] m = new int[2][3];
        m[0] = m[1];
        out.set(0, m[1][1]);
    }

    @Kernel
    static void staticMatrix(I32Ptr out, int n) {
        out.set(0, MATRIX[n][n]);
    }

    @Kernel
    static void constantWritten(I32Ptr out, int n) {
        TABLE[n] = 1;
    }

    static int factorial(int n) {
        return n < 2 ? 1 : n * helper(n - 1);
    }

    static int helper(int n) {
        return factorial(n);
    }

    @Kernel
    static void recursion(I32Ptr out, int n) {
        out.set(0, factorial(n));
    }

    static int grow(IntUnaryOperator f, int n) {
        return n == 0 ? f.applyAsInt(0) : grow(v -> f.applyAsInt(v) + 1, n - 1);
    }

    @Kernel
    static void growing(I32Ptr out, int n) {
        out.set(0, grow(v -> v, n));
    }

    enum None {
        ;

        int number() {
            return 1;
        }
    }

    @Kernel
    static void noConstants(I32Ptr out, None none) {
        out.set(0, none.number());
    }

    @Kernel
    static void segment(MemorySegment memory) {
        memory.byteSize();
    }

    @Kernel
    static void array(float[] x) {
        x[0] = 1;
    }

    @Kernel
    static void boxedRecord(Boxed x, I32Ptr out) {
        out.set(0, 1);
    }

    @Kernel
    static void arrayRecord(I32Ptr out) {
        out.set(0, new Holder(new int[2]).values()[0]);
    }

    @Kernel
    static int returning(I32Ptr out) {
        return 1;
    }

    @Kernel
    void instance(I32Ptr out) {}

    static void unmarked(I32Ptr out) {}

    @Kernel
    static native void nativeKernel(I32Ptr out);

    @Kernel
    static void jdk(I32Ptr out) {
        out.set(0, (int) System.nanoTime());
    }

    @Kernel
    static void enumLambda(I32Ptr out, Op op) {
        out.set(0, op.function().applyAsInt(1));
    }

    @Kernel
    static void enumField(I32Ptr out, Op op) {
        out.set(0, op.uses);
    }

    @Kernel
    static void enumString(I32Ptr out, Op op) {
        out.set(0, op.symbol.length());
    }

    @Kernel
    static void enumOfName(I32Ptr out) {
        out.set(0, Op.valueOf("PLUS").ordinal());
    }

    @Kernel
    static void enumMap(I32Ptr out, Op op) {
        out.set(0, java.util.EnumSet.of(op).size());
    }

    @Kernel
    static void arrayRecordParameter(I32Ptr out, Holder holder) {
        out.set(0, holder.values()[0]);
    }

    @Kernel
    static void arrayOfRecords(I32Ptr out, Point p, int n) {
        Holder[] holders = new Holder[2];
        out.set(0, holders[n].values()[n]);
    }

    @Kernel
    static void enumName(I32Ptr out, Op op) {
        out.set(0, op.name().length());
    }

    @Kernel
    static void classLiteral(I32Ptr out) {
        out.set(0, Point.class.getModifiers());
    }

    @Kernel
    static void identity(I32Ptr out, Point p, Point q) {
        out.set(0, p == q ? 1 : 0);
    }

    @Kernel
    static void recordText(I32Ptr out, Point p) {
        p.toString();
    }

    record Buffer(int n, I32Ptr values) {}

    @Kernel
    static void pointerEquals(I32Ptr out, Buffer p, Buffer q) {
        out.set(0, p.equals(q) ? 1 : 0);
    }

    private static int[] cloned(int[] values) {
        int[] copy = values.clone();
        return values;
    }

    @Kernel
    static void unknownClone(I32Ptr out) {
        out.set(0, cloned(new int[3])[0]);
    }

    record Empty() {}

    @Kernel
    static void emptyRecord(I32Ptr out, Empty empty) {
        out.set(0, 1);
    }

    @Kernel
    static void whichLambda(I32Ptr out, int n) {
        IntUnaryOperator f = n > 0 ? x -> x + 1 : x -> x - 1;
        out.set(0, f.applyAsInt(n));
    }

    @Kernel
    static void laterLambda(I32Ptr out, int n) {
        IntUnaryOperator f = x -> x + 1;
        for (int i = 0; i < n; i++) {
            out.set(i, f.applyAsInt(i));
            f = x -> x - 1;
        }
    }

    static int[] made() {
        return new int[4];
    }

    @Kernel
    static void returnedArray(I32Ptr out) {
        out.set(0, made()[0]);
    }

    @Kernel
    static void keptArray(I32Ptr out, int n) {
        int[] last = new int[2];
        for (int i = 0; i < n; i++) {
            int[] next = new int[2];
            next[0] = last[1];
            last = next;
        }
        out.set(0, last[0]);
    }

    @Kernel
    static void noConstant(I32Ptr out, @Constant int n) {
        out.set(0, n);
    }

    @Kernel
    static void unknownConstant(I32Ptr out, int n) {
        out.set(0, sized(n));
        out.set(1, sized(2));
    }

    static int sized(@Constant int n) {
        return new int[n].length;
    }

    @Kernel
    static void wrongFormat(I32Ptr out, int n) {
        Gpu.printf("%f", n);
    }

    @Kernel
    static void fewArguments(I32Ptr out, int n) {
        Gpu.printf("%d %d", n);
    }

    @Kernel
    static void unrollOutside(I32Ptr out) {
        Unroll.times(4);
    }

    @Kernel
    static void nullValue(I32Ptr out, Point p, int n) {
        Point q = null;
        if (n > 0) {
            q = p;
        }
        out.set(0, q.x());
    }

    @Kernel
    static void strings(I32Ptr out) {
        String text = "abc";
        out.set(0, text.length());
    }

    @Kernel
    static void manyProblems(I32Ptr out, int n) {
        int[] local = new int[n];
        Integer boxed = n;
        concatenated(counter);
    }
}
