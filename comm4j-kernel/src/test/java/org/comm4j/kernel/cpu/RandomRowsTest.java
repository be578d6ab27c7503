// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.loops.RowShapes;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random kernels that read elements side by side and write some, as rows and one thread after the other: arguments
 * overlap as chance wants it, and some indices are outside. {@code -Dorg.comm4j.kernel.cases=1000} draws more, {@code
 * -Dorg.comm4j.kernel.seed=7} others.
 */
@Timeout(300)
class RandomRowsTest {
    private static final long SEED = Long.getLong("org.comm4j.kernel.seed", 1);
    private static final int CASES = Integer.getInteger("org.comm4j.kernel.cases", Nightly.times(30, 150));
    private static final int LAUNCHES = 12;
    private static final int BYTES = 1 << 16;
    private static final ClassDesc INDEX = ClassDesc.of("org.comm4j.kernel.lang.GlobalIdx");
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

    /** Pointers: what the first two point to is read, and the last ones' elements are written. */
    private static final int POINTERS = 4;

    /** What pointers point to. */
    private enum Element {
        I8(TypeKind.BYTE, 1),
        I16(TypeKind.SHORT, 2),
        I32(TypeKind.INT, 4),
        I64(TypeKind.LONG, 8),
        F32(TypeKind.FLOAT, 4),
        F64(TypeKind.DOUBLE, 8);

        final TypeKind type;

        @SuppressWarnings("ImmutableEnumChecker") // descriptions of types have no state
        final ClassDesc primitive;

        final int bytes;

        Element(TypeKind type, int bytes) {
            this.type = type;
            this.primitive = type.upperBound();
            this.bytes = bytes;
        }
    }

    /** One class with a kernel. */
    private static final class Drawn extends ClassLoader {
        private final byte[] bytes;

        Drawn(byte[] bytes) {
            super(RandomRowsTest.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String name) {
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return new ByteArrayInputStream(bytes);
        }
    }

    /** {@code static void kernel(int n, pointers)}. */
    private static final class Writer {
        private final Random random;
        private final Element[] kinds;
        private final int writes;
        private int most;

        Writer(Random random) {
            this.random = random;
            Element[] all = Element.values();
            Element usual = all[random.nextInt(all.length)];
            kinds = new Element[POINTERS];
            for (int i = 0; i < POINTERS; i++) {
                kinds[i] = random.nextInt(4) == 0 ? all[random.nextInt(all.length)] : usual;
            }
            writes = 1 + random.nextInt(2);
        }

        private static ClassDesc pointer(Element kind) {
            return ClassDesc.of("org.comm4j.kernel.lang." + kind + "Ptr");
        }

        Method write() throws ReflectiveOperationException {
            List<ClassDesc> parameters = new ArrayList<>(List.of(CD_int));
            for (Element kind : kinds) {
                parameters.add(pointer(kind));
            }
            ClassDesc self = ClassDesc.of("drawn.Kernel");
            byte[] bytes = ClassFile.of()
                    .build(
                            self,
                            type -> type.withFlags(ClassFile.ACC_PUBLIC)
                                    .withMethodBody(
                                            "kernel",
                                            MethodTypeDesc.of(CD_void, parameters),
                                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                            this::body));
            Class<?> made = new Drawn(bytes).loadClass("drawn.Kernel");
            for (Method method : made.getMethods()) {
                if (method.getName().equals("kernel")) {
                    return method;
                }
            }
            throw new AssertionError();
        }

        private void body(CodeBuilder code) {
            int index = 1 + POINTERS;
            Label end = code.newLabel();
            code.invokestatic(INDEX, "x", MethodTypeDesc.of(CD_int)).istore(index);
            code.iload(index).iload(0).if_icmpge(end);
            for (int i = 0; i < writes; i++) {
                int to = POINTERS - 1 - i;
                code.aload(1 + to);
                place(code, index);
                most = 1 + random.nextInt(8);
                value(code, kinds[to].type, index, 4);
                code.invokevirtual(pointer(kinds[to]), "set", MethodTypeDesc.of(CD_void, CD_long, kinds[to].primitive));
            }
            code.labelBinding(end);
            code.return_();
        }

        private void place(CodeBuilder code, int index) {
            int by = random.nextInt(3) == 0 ? random.nextInt(-9, 10) : 0;
            code.iload(index).loadConstant(by).iadd().i2l();
        }

        /** Of this type, as an {@code int} for the small ones. */
        private void value(CodeBuilder code, TypeKind type, int index, int depth) {
            TypeKind kind = type.asLoadable();
            if (depth == 0 || random.nextInt(4) == 0 || most-- <= 0) {
                if (random.nextInt(6) == 0) {
                    code.iload(random.nextInt(8) == 0 ? index : 0);
                    code.conversion(TypeKind.INT, kind);
                } else {
                    int from = random.nextInt(POINTERS);
                    code.aload(1 + from);
                    place(code, index);
                    code.invokevirtual(pointer(kinds[from]), "get", MethodTypeDesc.of(kinds[from].primitive, CD_long));
                    code.conversion(kinds[from].type.asLoadable(), kind);
                }
            } else {
                boolean real = kind == TypeKind.FLOAT || kind == TypeKind.DOUBLE;
                value(code, kind, index, depth - 1);
                if (real && random.nextInt(5) == 0) {
                    code.conversion(kind, TypeKind.DOUBLE);
                    code.invokestatic(MATH, "abs", MethodTypeDesc.of(CD_double, CD_double));
                    code.invokestatic(MATH, "sqrt", MethodTypeDesc.of(CD_double, CD_double));
                    code.conversion(TypeKind.DOUBLE, kind);
                } else {
                    value(code, kind, index, depth - 1);
                    operation(code, kind, random.nextInt(real ? 4 : 6));
                }
            }
            if (type != kind) {
                code.conversion(TypeKind.INT, type);
            }
        }

        private static void operation(CodeBuilder code, TypeKind kind, int which) {
            switch (kind) {
                case INT ->
                    List.<Runnable>of(code::iadd, code::isub, code::imul, code::iand, code::ixor, code::ishl)
                            .get(which)
                            .run();
                case LONG -> {
                    if (which == 5) {
                        code.l2i().lushr();
                    } else {
                        List.<Runnable>of(code::ladd, code::lsub, code::lmul, code::lor, code::lxor)
                                .get(which)
                                .run();
                    }
                }
                case FLOAT ->
                    List.<Runnable>of(code::fadd, code::fsub, code::fmul, code::fdiv)
                            .get(which)
                            .run();
                default ->
                    List.<Runnable>of(code::dadd, code::dsub, code::dmul, code::ddiv)
                            .get(which)
                            .run();
            }
        }
    }

    @Test
    void oneAfterTheOther() throws ReflectiveOperationException {
        int rows = 0;
        int groups = 0;
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(SEED * 1_000_003 + number);
            Writer writer = new Writer(random);
            Method kernel = writer.write();
            int lanes = RowShapes.lanes(kernel, new CalledMethods(kernel.getDeclaringClass()));
            rows += lanes < 0 ? 0 : 1;
            groups += lanes < 2 ? 0 : 1;
            KeptKernel fast = KeptKernel.of(kernel, CpuOptions.fast().processors(1));
            CpuKernel debug = new CpuKernel(kernel, CpuOptions.debug());
            for (int i = 0; i < LAUNCHES; i++) {
                launch(
                        "case " + number + " of seed " + SEED,
                        i % 2 == 0 ? fast.first() : fast.again(),
                        debug,
                        writer.kinds,
                        random);
            }
        }
        assertThat(rows).isGreaterThan(CASES / 3);
        assertThat(groups).isGreaterThan(CASES / 10);
    }

    private static void launch(String name, CompiledKernel fast, CompiledKernel debug, Element[] kinds, Random random) {
        int n = random.nextInt(3) == 0 ? random.nextInt(200) : 900 + random.nextInt(2000);
        int[] begins = new int[kinds.length];
        int[] lengths = new int[kinds.length];
        int begin = 128;
        // Which of its bit patterns a NaN has is not said, so nothing else may look at them.
        boolean overlap =
                Stream.of(kinds).distinct().count() == 1 || Stream.of(kinds).noneMatch(RandomRowsTest::isReal);
        for (int i = 0; i < kinds.length; i++) {
            // Beside the last one, on it, or with a distance of few bytes from it, and sometimes too short.
            begins[i] = begin;
            lengths[i] = (n + (random.nextInt(8) == 0 ? random.nextInt(n / 8 + 1) - n / 8 : 16)) * kinds[i].bytes;
            int next = overlap && random.nextInt(3) == 0 ? random.nextInt(17) * kinds[i].bytes : lengths[i] + 64;
            begin = Math.min(begin + next & -8, BYTES - 8 * 3000);
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment one = arena.allocate(BYTES, 64);
            for (long i = 0; i < BYTES; i += 4) {
                one.set(
                        ValueLayout.JAVA_INT,
                        i,
                        i % 3 == 0 ? random.nextInt() : Float.floatToIntBits(random.nextInt(99) - 50));
            }
            MemorySegment other = arena.allocate(BYTES, 64).copyFrom(one);
            // Threads of a block are at most 1024.
            LaunchConfig config = LaunchConfig.grid(n / 256 + 1).block(256);
            KernelException thrown = run(fast, config, arguments(n, one, kinds, begins, lengths));
            KernelException expected = run(debug, config, arguments(n, other, kinds, begins, lengths));
            assertThat(message(thrown)).as(name).isEqualTo(message(expected));
            for (int i = 0; i < kinds.length; i++) {
                String what = name + ", " + n + " threads, argument " + i + " of " + List.of(kinds);
                MemorySegment a = one.asSlice(begins[i], lengths[i]);
                MemorySegment b = other.asSlice(begins[i], lengths[i]);
                switch (kinds[i]) {
                    case F32 ->
                        assertThat(a.toArray(ValueLayout.JAVA_FLOAT))
                                .as(what)
                                .isEqualTo(b.toArray(ValueLayout.JAVA_FLOAT));
                    case F64 ->
                        assertThat(a.toArray(ValueLayout.JAVA_DOUBLE))
                                .as(what)
                                .isEqualTo(b.toArray(ValueLayout.JAVA_DOUBLE));
                    default -> assertThat(a.mismatch(b)).as(what).isEqualTo(-1);
                }
            }
            if (overlap && !isReal(kinds[0])) {
                assertThat(one.mismatch(other)).as(name).isEqualTo(-1);
            }
        }
    }

    private static boolean isReal(Element kind) {
        return kind == Element.F32 || kind == Element.F64;
    }

    private static Object[] arguments(int n, MemorySegment memory, Element[] kinds, int[] begins, int[] lengths) {
        Object[] arguments = new Object[1 + kinds.length];
        arguments[0] = n;
        for (int i = 0; i < kinds.length; i++) {
            DataType type = switch (kinds[i]) {
                case I8 -> DataType.INT8;
                case I16 -> DataType.INT16;
                case I32 -> DataType.INT32;
                case I64 -> DataType.INT64;
                case F32 -> DataType.FLOAT32;
                case F64 -> DataType.FLOAT64;
            };
            arguments[1 + i] = HostArray.wrap(memory.asSlice(begins[i], lengths[i]), type);
        }
        return arguments;
    }

    private static KernelException run(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        return catchThrowableOfType(KernelException.class, () -> kernel.launch(config, arguments));
    }

    private static String message(KernelException e) {
        // Without addresses, and without lines, which drawn kernels do not have.
        return e == null
                ? ""
                : String.valueOf(e.getMessage()).replaceAll(", at drawn.*", ": ")
                        + e.getCause().getClass();
    }
}
