// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Values that are one of several records: unions with a tag, which is what is tested when the kernel runs. */
final class Unions {
    /** Says that the method is read again, with one more {@link Meeting}. */
    static final class Restart extends RuntimeException {
        private static final long serialVersionUID = 1;

        Restart() {
            super(null, null, false, false);
        }
    }

    /**
     * A point where values of different records meet.
     *
     * @param start the first instruction there; -1 for the results of the method
     * @param place the number of the local variable, or -1 - depth of the operand on the stack
     */
    record Meeting(int start, int place) {
        static final Meeting RESULT = new Meeting(-1, 0);
    }

    private final Translator method;
    private final IrBuilder emit;

    Unions(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    /** Makes a union of a record, or of a union of some of its records. */
    Operand wrap(JavaType.Union union, Operand operand) {
        if (operand.type().equals(union) || operand.isUnknown()) {
            return operand;
        }
        Value memory = emit.alloca(union.struct(), Program.UNION);
        if (operand.type() instanceof JavaType.Record record) {
            emit.store(new Value.Zero(union.struct()), memory);
            emit.store(IrBuilder.i64(union.members().indexOf(record) + 1L), memory);
            if (record.isStored()) {
                emit.store(operand.value(), emit.offset(memory, IrBuilder.i64(Long.BYTES)));
            }
            return new Operand(union, emit.load(union.struct(), memory));
        }
        JavaType.Union part = (JavaType.Union) operand.type();
        // The records have other numbers in the larger union; their memory is the same.
        Value tag = IrBuilder.i64(0);
        for (int i = 0; i < part.members().size(); i++) {
            int number = union.members().indexOf(part.members().get(i)) + 1;
            tag = emit.select(isMember(operand, i), IrBuilder.i64(number), tag);
        }
        emit.store(new Value.Zero(union.struct()), memory);
        emit.store(operand.value(), memory);
        emit.store(tag, memory);
        return new Operand(union, emit.load(union.struct(), memory));
    }

    /** Takes a record out of a union. */
    Operand unwrap(JavaType.Union union, Operand operand, JavaType.Record record) {
        if (!record.isStored()) {
            return Operand.of(record);
        }
        Value memory = emit.alloca(union.struct(), Program.UNION);
        emit.store(operand.value(), memory);
        return new Operand(record, emit.load(record.struct(), emit.offset(memory, IrBuilder.i64(Long.BYTES))));
    }

    private Value isMember(Operand operand, int member) {
        return emit.compare(Comparison.EQ, emit.extract(operand.value(), 0), IrBuilder.i64(member + 1L));
    }

    /** Tests that a value is one of the records that a condition holds for. */
    Value is(JavaType.Union union, Operand operand, Predicate<Class<?>> condition) {
        Value any = IrBuilder.i1(false);
        int count = 0;
        for (int i = 0; i < union.members().size(); i++) {
            if (condition.test(union.members().get(i).of())) {
                any = any instanceof Value.Int
                        ? isMember(operand, i)
                        : emit.binary(BinaryOp.OR, any, isMember(operand, i));
                count++;
            }
        }
        return count == union.members().size() ? IrBuilder.i1(true) : any;
    }

    /** Casts to a class, or to an interface of some of the records. */
    Operand cast(JavaType.Union union, Operand operand, Class<?> wanted) {
        if (wanted.isAssignableFrom(union.of())) {
            return operand;
        }
        emit.require(
                is(union, operand, wanted::isAssignableFrom), "ClassCastException: not a " + wanted.getSimpleName());
        for (JavaType.Record member : union.members()) {
            if (member.of() == wanted) {
                return unwrap(union, operand, member);
            }
        }
        return operand;
    }

    /** Calls a method: that of each record in a case of its own. */
    Operand call(
            Calls calls,
            JavaType.Union union,
            Class<?> owner,
            String name,
            MethodTypeDesc type,
            Operand receiver,
            List<Operand> arguments) {
        // A cast to an interface of some of the records has been tested.
        Map<Integer, Block> cases = new LinkedHashMap<>();
        for (int i = 0; i < union.members().size(); i++) {
            if (owner.isAssignableFrom(union.members().get(i).of())) {
                cases.put(i + 1, emit.block("member"));
            }
        }
        Block none = emit.block("none");
        Block done = emit.block("dispatched");
        Value tag = emit.convert(Conversion.TRUNCATE, emit.extract(receiver.value(), 0), Scalar.I32);
        emit.end(new Terminator.Switch(emit.at(), tag, cases, none));
        JavaType result = null;
        @Nullable Value memory = null;
        for (int i = 0; i < union.members().size(); i++) {
            JavaType.Record member = union.members().get(i);
            Block block = cases.get(i + 1);
            if (block == null) {
                continue;
            }
            emit.begin(block);
            Target target = calls.select(owner, member.of(), name, type);
            Operand made = target == null
                    ? calls.missing(member.of(), name, type)
                    : calls.call(target, unwrap(union, receiver, member), arguments);
            JavaType merged = result == null ? made.type() : Frame.merge(result, made.type());
            if (merged == null) {
                method.problem(
                        union + "." + name + " returns a " + result + " or a " + made.type()
                                + "; which it is must be known when the kernel is compiled",
                        "let the methods of all records return the same");
                merged = JavaType.Other.UNKNOWN;
            }
            result = merged;
            if (made.type().isStored() && made.value().type().equals(made.type().value())) {
                if (memory == null) {
                    memory = emit.alloca(made.type().value(), "result");
                }
                if (made.type().value().equals(result.value())) {
                    emit.store(made.value(), memory);
                }
            }
            emit.jump(done, 0);
        }
        emit.begin(none);
        emit.fail("NullPointerException: " + union + "." + name);
        emit.begin(done);
        if (result == null || result == JavaType.Other.UNKNOWN) {
            return Calls.quiet(type.returnType());
        }
        return memory == null ? Operand.of(result) : new Operand(result, emit.load(result.value(), memory));
    }
}
