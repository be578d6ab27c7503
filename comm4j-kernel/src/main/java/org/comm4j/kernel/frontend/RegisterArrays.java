// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.InlinePtx;

/**
 * Calls of methods whose instructions read and write the elements of an array as registers
 * ({@link InlinePtx#registers}). Each element is a result that is tied to an operand, as {@code "+f"} in CUDA C++.
 */
final class RegisterArrays {
    private static final int MOST = 128;

    private final Translator method;
    private final IrBuilder emit;

    RegisterArrays(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    Operand call(InlinePtx ptx, String called, Target target, List<Operand> arguments) {
        int[] registers = ptx.registers();
        int array = registers[0] - 1;
        Long constant = arguments.get(registers[1] - 1).constant();
        if (constant == null) {
            method.problem(
                    called + " needs a constant as argument " + registers[1],
                    "use a literal, a static final field or a @Constant parameter");
            return Operand.of(Primitive.VOID);
        }
        long count = constant / registers[2];
        if (count < 1 || count > MOST || constant % registers[2] != 0) {
            method.problem(called + ": " + constant + " makes " + count + " registers; there are 1 to " + MOST, null);
            return Operand.of(Primitive.VOID);
        }
        if (!(arguments.get(array).type() instanceof JavaType.Array type)) {
            method.problem(called + " needs a local array as argument " + registers[0], "make it by new float[N]");
            return Operand.of(Primitive.VOID);
        }
        Value memory = emit.extract(arguments.get(array).value(), 0);
        Type element = type.element().memory();
        List<Value> places = new ArrayList<>();
        List<Value> operands = new ArrayList<>();
        List<String> constraints =
                new ArrayList<>(Collections.nCopies((int) count, "=" + Intrinsics.register(element)));
        for (int i = 0; i < count; i++) {
            Value place = emit.offset(memory, IrBuilder.i64(i * element.bytes()));
            places.add(place);
            operands.add(emit.load(element, place));
            constraints.add(Integer.toString(i));
        }
        String list = IntStream.range(0, (int) count).mapToObj(i -> "$" + i).collect(Collectors.joining(", "));
        List<String> texts = new ArrayList<>();
        texts.add("$0");
        List<JavaType> declared = new Intrinsics(method).declared(target, arguments);
        for (int i = 0; i < arguments.size(); i++) {
            int number = i + 1;
            Value value = arguments.get(i).value();
            if (i == array) {
                texts.add(list);
            } else if (IntStream.of(ptx.constants()).anyMatch(each -> each == number)) {
                Long text = arguments.get(i).constant();
                if (text == null) {
                    method.problem(
                            called + " needs a constant as argument " + number,
                            "use a literal, a static final field or a @Constant parameter");
                    return Operand.of(Primitive.VOID);
                }
                texts.add(text.toString());
            } else {
                List<Value> parts = declared.get(i) instanceof JavaType.Record record
                        ? IntStream.range(0, record.components().size())
                                .mapToObj(field -> emit.extract(value, field))
                                .toList()
                        : List.of(value);
                for (Value part : parts) {
                    Value operand = new Intrinsics(method).register(part, ptx, number);
                    texts.add("$" + constraints.size());
                    operands.add(operand);
                    constraints.add(Intrinsics.register(operand.type()));
                }
            }
        }
        constraints.add("~{memory}");
        String text = Intrinsics.OPERAND
                .matcher(ptx.value())
                .replaceAll(number -> Matcher.quoteReplacement(texts.get(Integer.parseInt(number.group(1)))));
        Type.Struct all = new Type.Struct("registers", Collections.nCopies((int) count, element));
        Value made = emit.ptx(
                text,
                String.join(",", constraints),
                count == 1 ? element : all,
                operands,
                ptx.effects(),
                ptx.convergent());
        for (int i = 0; i < count; i++) {
            emit.store(count == 1 ? made : emit.extract(made, i), places.get(i));
        }
        return Operand.of(Primitive.VOID);
    }
}
