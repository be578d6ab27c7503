// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompileException.Problem;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a GPU cannot do is said: what, where, and what to do instead. */
class RejectedTest {
    private static final String NO_BOX = "use primitive types, and interfaces such as IntUnaryOperator for lambdas";
    private static final String DECIDE = "decide with if or switch and use each of them there";

    private static Arguments rejected(String kernel, String... messagesAndHints) {
        return Arguments.of(kernel, List.of(messagesAndHints));
    }

    static Stream<Arguments> catalogue() {
        return Stream.of(
                rejected(
                        "segment",
                        "parameter memory: java.lang.foreign.MemorySegment does not exist on the GPU",
                        "use a typed pointer such as F32Ptr"),
                rejected(
                        "identity",
                        "Point == Point: only enums and numbers can be compared with ==",
                        "compare components, or the addresses of pointers"),
                rejected(
                        "array",
                        "parameter x: an array is not a parameter of a kernel: float[]",
                        "use a typed pointer such as F32Ptr, or F32View"),
                rejected("instance", "it is not static", "make the method static"),
                rejected(
                        "strings",
                        "String.length is not available on the GPU",
                        "strings are constants of printf and assert"),
                rejected("unmarked", "it is not marked @Kernel", "write @Kernel in front of it"),
                rejected(
                        "concatenation",
                        "string concatenation is not available on the GPU",
                        "use Gpu.printf with a format: Gpu.printf(\"r=%f\", r)"),
                rejected(
                        "tryCatch",
                        "try/catch is not available on the GPU",
                        "test for what can go wrong before; an exception ends the kernel"),
                rejected(
                        "objects",
                        "new java.util.ArrayList: objects do not exist on the GPU",
                        "use a record, which is a value, or a local array",
                        "static field Rejected.OBJECT: java.lang.Object does not exist on the GPU",
                        "primitives, typed pointers, records and enums do; write it as a record"),
                rejected("boxing", "boxing is not available on the GPU: int to Integer", NO_BOX),
                rejected("boxingLambda", "boxing is not available on the GPU: int to Integer", NO_BOX),
                rejected(
                        "locked",
                        "synchronized is not available on the GPU",
                        "use atomics, or Block.sync() between writing and reading"),
                rejected(
                        "patterns",
                        "a switch over patterns of a I32Ptr is not available on the GPU",
                        "records, enums and lambdas can be told apart; use one of them"),
                rejected(
                        "instances",
                        "instanceof of a I32Ptr is not available on the GPU",
                        "records, enums and lambdas can be told apart; use one of them"),
                rejected(
                        "eitherRecord",
                        "a value that is a Point or a Size: which it is must be known when the kernel is compiled",
                        DECIDE),
                rejected(
                        "digits",
                        "java.lang.CharacterData.of is not available on the GPU",
                        "the tables of Unicode are not there; characters of Latin-1 have isDigit, isLetter,"
                                + " toUpperCase"),
                rejected(
                        "mutableStatic",
                        "static field Rejected.counter is not final, its value can change",
                        "make it final, or pass its value as a parameter"),
                rejected(
                        "writtenStatic",
                        "static fields cannot be written on the GPU: Rejected.counter",
                        "write through a pointer that is a parameter"),
                rejected(
                        "objectStatic",
                        "static field Rejected.OBJECT: java.lang.Object does not exist on the GPU",
                        "primitives, typed pointers, records and enums do; write it as a record"),
                rejected("pointerStatic", "static field Rejected.NOWHERE: it is null", "null"),
                rejected(
                        "variableSize",
                        "an array in a kernel needs a constant size",
                        "use a literal, a static final field or a @Constant parameter, or dynamic shared memory"),
                rejected(
                        "variableShared",
                        "a shared array needs a constant size",
                        "use a literal, a static final field or a @Constant parameter, or Shared.dynamicI32()"),
                rejected(
                        "hugeArray",
                        "an array of 1048576 elements does not fit into the memory of a thread, which has 512 KiB",
                        "use shared or global memory"),
                rejected("matrix", "an array of arrays needs all its sizes where it is made", "write new float[N][M]"),
                rejected(
                        "variableMatrix",
                        "an array in a kernel needs a constant size",
                        "use a literal, a static final field or a @Constant parameter, or dynamic shared memory"),
                rejected(
                        "otherRow",
                        "a row of an array of arrays cannot be replaced on the GPU: the rows are one array",
                        "copy its elements: System.arraycopy(row, 0, rows[i], 0, row.length)"),
                rejected(
                        "staticMatrix",
                        "static field Rejected.MATRIX: the rows of an array of arrays have different lengths",
                        "make them the same"),
                rejected(
                        "constantWritten",
                        "an array in constant memory cannot be written",
                        "copy it to a local array first"),
                rejected(
                        "recursion",
                        "recursion is not available on the GPU: Rejected.factorial calls Rejected.helper calls"
                                + " Rejected.factorial",
                        "write it as a loop, with a local array as a stack if need be"),
                rejected(
                        "growing",
                        "recursion is not available on the GPU: Rejected.grow calls Rejected.grow",
                        "write it as a loop, with a local array as a stack if need be"),
                rejected(
                        "noConstants",
                        "the code of org.comm4j.kernel.frontend.Rejected.None.number cannot be found",
                        "call methods that are not abstract"),
                rejected(
                        "boxedRecord",
                        "parameter x: component value of record Boxed: java.lang.Integer does not exist on the GPU",
                        "use the primitive type"),
                rejected(
                        "arrayRecord",
                        "component values of record Holder is an array, which has no value",
                        "use a typed pointer, or single components"),
                rejected(
                        "returning",
                        "it returns int; a kernel runs many times and returns nothing",
                        "write the result through a pointer"),
                rejected("nativeKernel", "it is native", "write its body in Java"),
                rejected(
                        "jdk",
                        "java.lang.System.nanoTime is not available on the GPU",
                        "Gpu.clock() and Gpu.globalTimer() tell the time, loops copy arrays"),
                rejected(
                        "enumLambda",
                        "Op.function returns another lambda, string or kind of value for other constants; which it is"
                                + " must be known when the kernel is compiled",
                        DECIDE),
                rejected("enumField", "field Rejected.Op.uses is not final", "make it final"),
                rejected(
                        "enumString",
                        "field Rejected.Op.symbol: java.lang.String does not exist on the GPU",
                        "strings are constants of printf and assert"),
                rejected(
                        "enumOfName",
                        "Op.valueOf is not available on the GPU: an enum is its ordinal there",
                        "use values()[ordinal], or pass the constant as a parameter"),
                rejected(
                        "enumMap",
                        "java.util.EnumSet.of is not available on the GPU",
                        "use loops, and arrays of constant size"),
                rejected(
                        "arrayRecordParameter",
                        "parameter holder: component values of record Holder is an array, which has no value",
                        "use a typed pointer, or single components"),
                rejected(
                        "arrayOfRecords",
                        "component values of record Holder is an array, which has no value",
                        "use a typed pointer, or single components"),
                rejected(
                        "enumName",
                        "Op.name is not available on the GPU: an enum is its ordinal there",
                        "use ordinal()"),
                rejected("classLiteral", "classes do not exist on the GPU: Rejected.Point.class", "null"),
                rejected(
                        "recordText",
                        "toString of a record is not available on the GPU: there are no strings",
                        "use Gpu.printf with its components"),
                rejected(
                        "pointerEquals",
                        "equals of a record with a I32Ptr: pointers are objects on the CPU, which are equal only to"
                                + " themselves",
                        "compare the components that are numbers"),
                rejected(
                        "unknownClone",
                        "clone of an array whose size is not known when the kernel is compiled",
                        "make an array of a constant size and use System.arraycopy"),
                rejected(
                        "emptyRecord",
                        "parameter empty: a record without components is nothing that a launch passes",
                        "mark it @Constant, or make it in the kernel"),
                rejected(
                        "whichLambda",
                        "a value that is a lambda or a lambda: which it is must be known when the kernel is compiled",
                        DECIDE),
                rejected(
                        "laterLambda",
                        "variable f is another lambda, string or kind of value in the next round of the loop",
                        DECIDE),
                rejected(
                        "returnedArray",
                        "an array is returned from the method that makes it, whose memory ends there",
                        "make it in the caller and pass it"),
                rejected(
                        "keptArray",
                        "the array that is made in the loop is still used in the next round, when its memory is used"
                                + " again",
                        "make the arrays before the loop"),
                rejected(
                        "unknownConstant",
                        "argument 1 of Rejected.sized is a @Constant, but what is given is not known when the kernel"
                                + " is compiled",
                        "give a literal, a static final field or a @Constant parameter, or leave @Constant out there"),
                rejected(
                        "noConstant",
                        "parameter n is a @Constant, but no value is given for it",
                        "give the values of constants when compiling: compile(method, values...)"),
                rejected(
                        "wrongFormat",
                        "%f of printf does not fit to int",
                        "%d and %x are of integers, %f, %g and %e of floating-point numbers, %c of char, %s of"
                                + " constant strings"),
                rejected("fewArguments", "printf has fewer arguments than its format \"%d %d\" needs", "null"),
                rejected("unrollOutside", "Unroll is not in a loop", "make it the first statement of the loop's body"),
                rejected(
                        "nullValue",
                        "variable q can be null here; values on the GPU are never null",
                        "use a boolean beside it, or a value that stands for none"),
                rejected(
                        "manyProblems",
                        "an array in a kernel needs a constant size",
                        "use a literal, a static final field or a @Constant parameter, or dynamic shared memory",
                        "boxing is not available on the GPU: int to Integer",
                        NO_BOX,
                        "static field Rejected.counter is not final, its value can change",
                        "make it final, or pass its value as a parameter",
                        "string concatenation is not available on the GPU",
                        "use Gpu.printf with a format: Gpu.printf(\"r=%f\", r)"));
    }

    private static Method method(String name) {
        return Arrays.stream(Rejected.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static KernelCompileException compile(String name) {
        try {
            Frontend.compile(KernelSource.of(method(name)), FrontendOptions.DEFAULT);
        } catch (KernelCompileException expected) {
            return expected;
        }
        throw new AssertionError(name + " was compiled");
    }

    @ParameterizedTest
    @MethodSource("catalogue")
    void everyProblemIsNamedWithAHint(String kernel, List<String> expected) {
        List<String> found = compile(kernel).problems().stream()
                .flatMap(problem -> Stream.of(problem.message(), String.valueOf(problem.hint())))
                .toList();
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void theCatalogueIsComplete() {
        List<String> kernels = catalogue().map(each -> (String) each.get()[0]).toList();
        assertThat(kernels)
                .containsAll(Arrays.stream(Rejected.class.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Kernel.class))
                        .map(Method::getName)
                        .toList());
    }

    @Test
    void theReportHasTheLineAndTheCallsThatLeadThere() {
        KernelCompileException report = compile("concatenation");
        Problem problem = report.problems().getFirst();
        assertThat(problem.trace()).hasSize(2);
        int inner = problem.trace().get(0).getLineNumber();
        int outer = problem.trace().get(1).getLineNumber();
        assertThat(outer - inner).isEqualTo(5);
        assertThat(report)
                .hasMessage("Kernel Rejected.concatenation(I32Ptr, int) cannot be compiled: "
                        + "string concatenation is not available on the GPU\n"
                        + "  at Rejected.concatenated (Rejected.java:" + inner + ")\n"
                        + "  called from Rejected.concatenation (Rejected.java:" + outer + ")\n"
                        + "  hint: use Gpu.printf with a format: Gpu.printf(\"r=%f\", r)");
    }
}
