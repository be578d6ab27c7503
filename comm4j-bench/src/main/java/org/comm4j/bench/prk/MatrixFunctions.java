// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Functions with the same long straight code, but for constants, which together exceed a cache of instructions: each
 * fills a matrix, element by element, with the identity. Their bytecode is made here, as the reference makes C of them.
 * A row of the matrix is a method, because the virtual machine never compiles methods beyond 8000 bytes.
 */
abstract class MatrixFunctions {
    static final int COUNT = 40;
    static final int ORDER = 10;
    /** How many indices there are: the numbers that {@link #modulo} gets are larger by less than 5 million. */
    static final int MOST = (1 << 30) - 5_000_000;

    private static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
    private static final ClassDesc BASE = ClassDesc.of(MatrixFunctions.class.getName());
    private static final ClassDesc NAME = ClassDesc.of(MatrixFunctions.class.getPackageName(), "GeneratedFunctions");
    private static final MethodTypeDesc ROW =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, INTS, INTS, INTS);
    private static final MethodTypeDesc FILL =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_int, INTS, INTS, INTS);

    private final int[] a = new int[ORDER * ORDER];
    /** What the compiler cannot know to be constant. */
    private final int[] zero = new int[ORDER];

    private final int[] one = new int[ORDER];
    private final int[] identity = new int[ORDER * ORDER];

    /** The class, made once: what the compiler has compiled is of use to all. */
    private static final class Generated {
        static final MethodHandle CONSTRUCTOR = load(generate());

        private static MethodHandle load(byte[] code) {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(code, true);
                return lookup.findConstructor(lookup.lookupClass(), MethodType.methodType(void.class))
                        .asType(MethodType.methodType(MatrixFunctions.class));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("cannot load the generated functions: " + e, e);
            }
        }
    }

    /** Functions with a matrix of their own. */
    static MatrixFunctions create() {
        try {
            return (MatrixFunctions) Generated.CONSTRUCTOR.invokeExact();
        } catch (Throwable e) {
            throw new LinkageError("cannot make the generated functions: " + e, e);
        }
    }

    MatrixFunctions() {
        Arrays.fill(one, 1);
        for (int i = 0; i < identity.length; i += ORDER + 1) {
            identity[i] = 1;
        }
    }

    /** Fills {@code a}, a row behind the other, by one of the functions. */
    abstract void fill(int function, int index, int[] a, int[] zero, int[] one);

    /** Runs a function: {@code index}, or 0 if its matrix is wrong. */
    final int run(int function, int index) {
        int[] a = this.a;
        fill(function, index, a, zero, one);
        int error = 0;
        for (int j = 0; j < ORDER; j++) {
            for (int i = 0; i < ORDER; i++) {
                int symmetric = (a[i * ORDER + j] + a[j * ORDER + i]) / 2;
                error += Math.abs(symmetric - identity[j * ORDER + i]);
            }
        }
        return error == 0 ? index : 0;
    }

    private static byte[] generate() {
        return ClassFile.of().build(NAME, type -> {
            type.withFlags(AccessFlag.FINAL).withSuperclass(BASE);
            type.withMethodBody(
                    ConstantDescs.INIT_NAME,
                    ConstantDescs.MTD_void,
                    0,
                    init -> init.aload(0)
                            .invokespecial(BASE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                            .return_());
            for (int function = 0; function < COUNT; function++) {
                int version = function;
                for (int row = 0; row < ORDER; row++) {
                    int j = row;
                    type.withMethodBody(name("row", version, j), ROW, ClassFile.ACC_STATIC, it -> row(it, version, j));
                }
                type.withMethodBody(name("fill", version), ROW, ClassFile.ACC_STATIC, it -> rows(it, version));
            }
            type.withMethodBody("fill", FILL, 0, MatrixFunctions::choose);
        });
    }

    private static String name(String what, int... numbers) {
        StringBuilder name = new StringBuilder(what);
        for (int number : numbers) {
            name.append('_').append(number);
        }
        return name.toString();
    }

    private static void choose(CodeBuilder code) {
        Label unknown = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int function = 0; function < COUNT; function++) {
            cases.add(SwitchCase.of(function, code.newLabel()));
        }
        code.iload(1).tableswitch(0, COUNT - 1, unknown, cases);
        for (SwitchCase each : cases) {
            code.labelBinding(each.target());
            code.iload(2).aload(3).aload(4).aload(5);
            code.invokestatic(NAME, name("fill", each.caseValue()), ROW).return_();
        }
        code.labelBinding(unknown).return_();
    }

    private static void rows(CodeBuilder code, int version) {
        for (int row = 0; row < ORDER; row++) {
            code.iload(0).aload(1).aload(2).aload(3).invokestatic(NAME, name("row", version, row), ROW);
        }
        code.return_();
    }

    /**
     * The number on the stack, non-negative and below 2<sup>30</sup>, modulo the order, 10: what stands behind the
     * binary point after a multiplication by 1/10 (32 bits, rounded up), times 10. The virtual machine's compiler makes
     * twice as much code of {@code irem}, and how much code there is is what these functions measure.
     */
    private static void modulo(CodeBuilder code) {
        code.loadConstant((int) ((1L << Integer.SIZE) / ORDER + 1)).imul();
        code.i2l().loadConstant(0xFFFF_FFFFL).land();
        code.loadConstant((long) ORDER).lmul();
        code.loadConstant(Integer.SIZE).lushr().l2i();
    }

    /** Each element is 0 or 1, found by an index that takes some arithmetic. */
    private static void row(CodeBuilder code, int version, int j) {
        int index = 0;
        int a = 1;
        int zero = 2;
        int one = 3;
        int x1 = 4;
        int x2 = 5;
        int x3 = 6;
        for (int i = 0; i < ORDER; i++) {
            // x1 = constant + index
            code.loadConstant((i + j) * 48611 % 8389).iload(index).iadd().istore(x1);
            code.loadConstant((i + 17 + 19 * j) * 29443 % 77029).istore(x2);
            // x3 = (x1 + (version + 1) x2) mod order
            code.iload(x1).loadConstant(version + 1).iload(x2).imul().iadd();
            modulo(code);
            code.istore(x3);
            // x1 += (x2 - x3 + order) mod order
            code.iload(x1).iload(x2).iload(x3).isub().loadConstant(ORDER).iadd();
            modulo(code);
            code.iadd().istore(x1);
            // x2 += (x1 - 5 x3 + 7 order) mod order
            code.iload(x2).iload(x1).loadConstant(5).iload(x3).imul().isub();
            code.loadConstant(7 * ORDER).iadd();
            modulo(code);
            code.iadd().istore(x2);
            // x3 = (x1 + 4 x2) mod order
            code.iload(x1).loadConstant(4).iload(x2).imul().iadd();
            modulo(code);
            code.istore(x3);
            code.aload(a).loadConstant(j * ORDER + i);
            code.aload(i == j ? one : zero).iload(x3).iaload().iastore();
        }
        code.return_();
    }
}
