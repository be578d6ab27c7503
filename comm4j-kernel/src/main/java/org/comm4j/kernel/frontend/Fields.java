// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Constants and fields: of records, which are parts of a value; of enums, by a table; static final ones, whose value is
 * read now.
 */
final class Fields {
    private final Translator method;

    Fields(Translator method) {
        this.method = method;
    }

    void constant(ConstantDesc constant) {
        switch (constant) {
            case Integer number -> method.push(Primitive.INT, IrBuilder.i32(number));
            case Long number -> method.push(Primitive.LONG, IrBuilder.i64(number));
            case Float number -> method.push(Primitive.FLOAT, new Value.Real(Scalar.F32, number));
            case Double number -> method.push(Primitive.DOUBLE, new Value.Real(Scalar.F64, number));
            case String text -> method.push(Operand.of(new JavaType.Text(text)));
            case ClassDesc type -> method.push(literal(type));
            default -> {
                if (constant.equals(ConstantDescs.NULL)) {
                    method.push(Operand.of(JavaType.Other.NULL));
                } else {
                    method.problem("the constant " + constant + " does not exist on the GPU", null);
                    method.push(Operand.unknown());
                }
            }
        }
    }

    private Operand literal(ClassDesc type) {
        try {
            return Operand.of(new JavaType.Literal(method.compilation.types.load(type, method.owner)));
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + type.displayName() + " is not there", null);
            return Operand.unknown();
        }
    }

    void access(FieldInstruction instruction) {
        String name = instruction.name().stringValue();
        switch (instruction.opcode()) {
            case GETSTATIC -> method.push(readStatic(instruction, name));
            case PUTSTATIC -> {
                method.pop();
                method.problem(
                        "static fields cannot be written on the GPU: " + place(instruction, name),
                        "write through a pointer that is a parameter");
            }
            case GETFIELD -> method.push(read(method.pop(), instruction, name));
            default -> write(instruction, name);
        }
    }

    private static String place(FieldInstruction instruction, String name) {
        return instruction.owner().asSymbol().displayName().replace('$', '.') + "." + name;
    }

    private Operand quiet(FieldInstruction instruction) {
        ClassDesc type = instruction.typeSymbol();
        if (!type.isPrimitive()) {
            return Operand.unknown();
        }
        return Operand.of(Primitive.valueOf(type.displayName().toUpperCase(java.util.Locale.ROOT))
                .onStack());
    }

    // Instance fields

    private static int component(JavaType.Record record, String name) {
        var components = record.of().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException(record + " has no component " + name);
    }

    private Operand read(Operand object, FieldInstruction instruction, String name) {
        IrBuilder emit = method.emit;
        return switch (object.type()) {
            case JavaType.Record record -> {
                int component = component(record, name);
                JavaType type = record.components().get(component);
                yield new Operand(type.onStack(), emit.fromMemory(type, emit.extract(object.value(), component)));
            }
            case JavaType.Self self -> {
                int component = component(self.record(), name);
                JavaType type = self.record().components().get(component);
                Value at = emit.offset(
                        object.value(), IrBuilder.i64(self.record().struct().offset(component)));
                yield new Operand(type.onStack(), emit.fromMemory(type, emit.load(type.memory(), at)));
            }
            case JavaType.Enumeration constant -> ofEnum(object, constant, instruction, name);
            default -> {
                if (!object.isUnknown()) {
                    method.problem(
                            "field " + place(instruction, name) + " is of an object, which does not exist on the GPU",
                            null);
                }
                yield quiet(instruction);
            }
        };
    }

    private void write(FieldInstruction instruction, String name) {
        List<Operand> two = method.pop(2);
        if (two.get(0).type() instanceof JavaType.Self self) {
            int component = component(self.record(), name);
            Value at = method.emit.offset(
                    two.get(0).value(), IrBuilder.i64(self.record().struct().offset(component)));
            method.emit.store(
                    method.emit.toMemory(
                            self.record().components().get(component),
                            two.get(1).value()),
                    at);
        } else if (!two.get(0).isUnknown()) {
            method.problem(
                    "field " + place(instruction, name) + " is of an object, which does not exist on the GPU", null);
        }
    }

    /** A final field of an enum: a table with its value for each constant. */
    private Operand ofEnum(Operand object, JavaType.Enumeration type, FieldInstruction instruction, String name) {
        Object[] constants = type.of().getEnumConstants();
        Long known = object.constant();
        Field field = field(instruction, name);
        if (field == null) {
            return quiet(instruction);
        }
        for (int i = 0; known == null && i < constants.length; i++) {
            // A field of a constant's body is that constant's.
            known = constants[i].getClass() != type.of() && field.getDeclaringClass() == constants[i].getClass()
                    ? (Long) (long) i
                    : null;
        }
        if (!Modifier.isFinal(field.getModifiers())) {
            method.problem("field " + place(instruction, name) + " is not final", "make it final");
            return quiet(instruction);
        }
        method.compilation.readsFields = true;
        try {
            JavaType of = method.compilation.types.of(field.getType());
            if (known != null) {
                return new Operand(
                        of.onStack(), method.emit.fromMemory(of, value(of, field.get(constants[known.intValue()]))));
            }
            List<Value> values = new ArrayList<>();
            for (Object constant : constants) {
                values.add(value(of, field.get(constant)));
            }
            Value table =
                    method.compilation.globals.constant(type.of().getSimpleName() + "_" + name, of, bytes(of, values));
            Value generic =
                    method.emit.convert(org.comm4j.kernel.ir.Instruction.Conversion.SPACE, table, Type.Pointer.GENERIC);
            Value at = method.emit.element(generic, object.value(), of.memory().bytes());
            return new Operand(of.onStack(), method.emit.fromMemory(of, method.emit.load(of.memory(), at)));
        } catch (Types.UnsupportedType unsupported) {
            method.problem("field " + place(instruction, name) + ": " + unsupported.reason(), unsupported.hint());
        } catch (IllegalAccessException closed) {
            method.problem(closed(field), null);
        }
        return quiet(instruction);
    }

    // Static fields

    /** Finds the field that an instruction names, and makes its value accessible. */
    private @Nullable Field field(FieldInstruction instruction, String name) {
        Field field;
        try {
            Class<?> owner = method.compilation.types.load(instruction.owner().asSymbol(), method.owner);
            field = resolve(owner, name, method.compilation.types.load(instruction.typeSymbol(), method.owner));
        } catch (ClassNotFoundException missing) {
            method.problem("the class of " + place(instruction, name) + " is not there", null);
            return null;
        }
        if (field == null) {
            method.problem("there is no field " + place(instruction, name), null);
            return null;
        }
        try {
            field.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            method.problem(
                    closed(field),
                    "open its package to org.comm4j.kernel in module-info: opens "
                            + field.getDeclaringClass().getPackageName() + " to org.comm4j.kernel");
            return null;
        }
        return field;
    }

    /** Resolves a field by JVMS 5.4.3.2: in the class itself, then in its interfaces, then in its superclass. */
    private static @Nullable Field resolve(Class<?> owner, String name, Class<?> type) {
        for (Field field : owner.getDeclaredFields()) {
            if (field.getName().equals(name) && field.getType() == type) {
                return field;
            }
        }
        for (Class<?> above : owner.getInterfaces()) {
            Field found = resolve(above, name, type);
            if (found != null) {
                return found;
            }
        }
        Class<?> above = owner.getSuperclass();
        return above == null ? null : resolve(above, name, type);
    }

    private static String closed(Field field) {
        return "the value of " + field.getDeclaringClass().getSimpleName() + "." + field.getName() + " cannot be read";
    }

    private Operand readStatic(FieldInstruction instruction, String name) {
        if (name.equals("$assertionsDisabled")) {
            return new Operand(Primitive.INT, IrBuilder.i32(method.compilation.options.assertions() ? 0 : 1));
        }
        Class<?> owner;
        try {
            owner = method.compilation.types.load(instruction.owner().asSymbol(), method.owner);
        } catch (ClassNotFoundException missing) {
            method.problem("the class of " + place(instruction, name) + " is not there", null);
            return quiet(instruction);
        }
        if (owner.isEnum()
                && instruction.typeSymbol().equals(instruction.owner().asSymbol())) {
            Object[] constants = owner.getEnumConstants();
            for (int i = 0; i < constants.length; i++) {
                if (((Enum<?>) constants[i]).name().equals(name)) {
                    return new Operand(new JavaType.Enumeration(owner), IrBuilder.i32(i));
                }
            }
        }
        Field field = field(instruction, name);
        if (field == null) {
            return quiet(instruction);
        }
        if (!Modifier.isFinal(field.getModifiers())) {
            method.problem(
                    "static field " + place(instruction, name) + " is not final, its value can change",
                    "make it final, or pass its value as a parameter");
            return quiet(instruction);
        }
        // Tables for switches say what the classes say.
        method.compilation.readsFields |= !name.startsWith("$SwitchMap$");
        try {
            return constant(field, field.get(null), name);
        } catch (Types.UnsupportedType unsupported) {
            method.problem(
                    "static field " + place(instruction, name) + ": " + unsupported.reason(), unsupported.hint());
        } catch (IllegalAccessException closed) {
            method.problem(closed(field), null);
        }
        return quiet(instruction);
    }

    private Operand constant(Field field, @Nullable Object value, String name)
            throws Types.UnsupportedType, IllegalAccessException {
        if (value instanceof String text) {
            return Operand.of(new JavaType.Text(text));
        }
        if (value instanceof int[] map && name.startsWith("$SwitchMap$")) {
            return Operand.of(
                    new JavaType.SwitchMap(java.util.Arrays.stream(map).boxed().toList()));
        }
        if (value != null && field.getType().isInterface()) {
            Operand lambda = StaticLambdas.find(method, field);
            if (lambda != null) {
                return lambda;
            }
            if (value instanceof Record || value instanceof Enum<?>) {
                JavaType made = method.compilation.types.of(value.getClass());
                return made.isStored()
                        ? new Operand(made.onStack(), method.emit.fromMemory(made, value(made, value)))
                        : Operand.of(made);
            }
        }
        if (value != null
                && field.getType().isArray()
                && field.getType().getComponentType().isArray()) {
            return table(field, value, name);
        }
        JavaType type = method.compilation.types.of(field.getType());
        if (type instanceof JavaType.Record empty && !empty.isStored()) {
            return Operand.of(empty);
        }
        if (value == null) {
            throw new Types.UnsupportedType("it is null", null);
        }
        if (type instanceof JavaType.Array array) {
            int length = java.lang.reflect.Array.getLength(value);
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                values.add(value(array.element(), java.lang.reflect.Array.get(value, i)));
            }
            Value table = method.compilation.globals.constant(
                    field.getDeclaringClass().getSimpleName() + "_" + name,
                    array.element(),
                    bytes(array.element(), values));
            Value generic =
                    method.emit.convert(org.comm4j.kernel.ir.Instruction.Conversion.SPACE, table, Type.Pointer.GENERIC);
            return new Operand(
                    new JavaType.Array(array.element(), true, java.util.Set.of()),
                    method.emit.compose(JavaType.Array.VALUE, List.of(generic, IrBuilder.i32(length))));
        }
        if (type instanceof JavaType.Pointer) {
            throw new Types.UnsupportedType("a pointer of the host", "pass it as a parameter");
        }
        return new Operand(type.onStack(), method.emit.fromMemory(type, value(type, value)));
    }

    /** Returns an array of arrays in constant memory, one row after the other. */
    private Operand table(Field field, Object rows, String name) throws Types.UnsupportedType, IllegalAccessException {
        Class<?> leaf = field.getType();
        List<Object> level = List.of(rows);
        List<Integer> lengths = new ArrayList<>();
        while (leaf.isArray()) {
            leaf = leaf.getComponentType();
            List<Object> next = new ArrayList<>();
            for (Object row : level) {
                int length = row == null ? -1 : java.lang.reflect.Array.getLength(row);
                if (length != java.lang.reflect.Array.getLength(level.getFirst())) {
                    throw new Types.UnsupportedType(
                            "the rows of an array of arrays have different lengths", "make them the same");
                }
                for (int i = 0; i < length; i++) {
                    next.add(java.lang.reflect.Array.get(row, i));
                }
            }
            lengths.add(level.isEmpty() ? 0 : java.lang.reflect.Array.getLength(level.getFirst()));
            level = next;
        }
        JavaType element = method.compilation.types.of(leaf);
        List<Value> values = new ArrayList<>();
        for (Object each : level) {
            values.add(value(element, each));
        }
        Value table = method.compilation.globals.constant(
                field.getDeclaringClass().getSimpleName() + "_" + name, element, bytes(element, values));
        for (int i = lengths.size() - 1; i > 0; i--) {
            element = new JavaType.Row(element, lengths.get(i));
        }
        return new Operand(
                new JavaType.Array(element, true, java.util.Set.of()),
                method.emit.compose(
                        JavaType.Array.VALUE,
                        List.of(
                                method.emit.convert(
                                        org.comm4j.kernel.ir.Instruction.Conversion.SPACE, table, Type.Pointer.GENERIC),
                                IrBuilder.i32(lengths.getFirst()))));
    }

    /** A value of the host as one in memory. */
    Value value(JavaType type, @Nullable Object value) throws Types.UnsupportedType, IllegalAccessException {
        return switch (value) {
            case Boolean bit -> new Value.Int(Scalar.I8, bit ? 1 : 0);
            case Byte number -> new Value.Int(Scalar.I8, number);
            case Short number -> new Value.Int(Scalar.I16, number);
            case Character number -> new Value.Int(Scalar.I16, (short) number.charValue());
            case Integer number -> IrBuilder.i32(number);
            case Long number -> IrBuilder.i64(number);
            case Float number -> new Value.Real(Scalar.F32, number);
            case Double number -> new Value.Real(Scalar.F64, number);
            case Enum<?> constant -> IrBuilder.i32(constant.ordinal());
            case Record record
            when type instanceof JavaType.Record of -> {
                List<Value> fields = new ArrayList<>();
                for (int i = 0; i < of.components().size(); i++) {
                    Field field;
                    try {
                        field = of.of()
                                .getDeclaredField(
                                        of.of().getRecordComponents()[i].getName());
                        field.setAccessible(true);
                    } catch (NoSuchFieldException | InaccessibleObjectException closed) {
                        throw new Types.UnsupportedType("components of " + of + " cannot be read", null);
                    }
                    fields.add(value(of.components().get(i), field.get(record)));
                }
                yield method.emit.compose(of.struct(), fields);
            }
            case null -> throw new Types.UnsupportedType("it is null", null);
            default -> throw new Types.UnsupportedType("a " + type + " has no constant value", null);
        };
    }

    /** As memory holds them. */
    static byte[] bytes(JavaType type, List<Value> values) {
        long size = type.memory().bytes();
        java.nio.ByteBuffer bytes =
                java.nio.ByteBuffer.allocate((int) (size * values.size())).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.size(); i++) {
            write(bytes, (int) (i * size), values.get(i));
        }
        return bytes.array();
    }

    private static void write(java.nio.ByteBuffer bytes, int at, Value value) {
        switch (value) {
            case Value.Int number -> {
                switch (number.type()) {
                    case I1, I8 -> bytes.put(at, (byte) number.value());
                    case I16 -> bytes.putShort(at, (short) number.value());
                    case I32 -> bytes.putInt(at, (int) number.value());
                    default -> bytes.putLong(at, number.value());
                }
            }
            case Value.Real number -> {
                if (number.type() == Scalar.F32) {
                    bytes.putFloat(at, (float) number.value());
                } else {
                    bytes.putDouble(at, number.value());
                }
            }
            case org.comm4j.kernel.ir.Instruction.Compose struct -> {
                for (int i = 0; i < struct.fields().size(); i++) {
                    write(
                            bytes,
                            at + (int) struct.type().offset(i),
                            struct.fields().get(i));
                }
            }
            default -> throw new IllegalStateException(value + " is not constant");
        }
    }
}
