// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import static org.comm4j.core.DataType.BFLOAT16;
import static org.comm4j.core.DataType.COMPLEX128;
import static org.comm4j.core.DataType.COMPLEX64;
import static org.comm4j.core.DataType.FLOAT16;
import static org.comm4j.core.DataType.FLOAT32;
import static org.comm4j.core.DataType.FLOAT64;
import static org.comm4j.core.DataType.FLOAT8_E4M3;
import static org.comm4j.core.DataType.FLOAT8_E5M2;
import static org.comm4j.core.DataType.INT16;
import static org.comm4j.core.DataType.INT32;
import static org.comm4j.core.DataType.INT64;
import static org.comm4j.core.DataType.INT8;
import static org.comm4j.core.DataType.UINT16;
import static org.comm4j.core.DataType.UINT32;
import static org.comm4j.core.DataType.UINT64;
import static org.comm4j.core.DataType.UINT8;

import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.C128Ptr;
import org.comm4j.kernel.lang.C64Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.F64View;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I16View;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I32View;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I64View;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.I8View;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a kernel's parameters are of what a launch gives, and refuses what does not fit; the same on a GPU and on
 * the CPU.
 */
public final class Arguments {
    /** Which memory a kernel reaches. */
    @FunctionalInterface
    public interface Reach {
        /** What a message says of a buffer that is out of reach; null if it is not. */
        @Nullable
        String problem(Buffer buffer);
    }

    /**
     * What makes a parameter's value of a buffer.
     *
     * @param types of elements that it is for
     * @param hasLength whether it is a view, which has a length, too
     * @param alignment in bytes, of its beginning
     * @param of throws if it is not for the buffer
     */
    private record FromBuffer(Set<DataType> types, boolean hasLength, int alignment, Function<Buffer, Object> of) {
        boolean isFor(Buffer buffer) {
            return types.contains(buffer.type()) && buffer.address() % alignment == 0;
        }
    }

    private static final Map<Class<?>, FromBuffer> FROM_BUFFER = Map.ofEntries(
            Map.entry(Ptr.class, new FromBuffer(EnumSet.allOf(DataType.class), false, 1, Ptr::of)),
            Map.entry(F32Ptr.class, pointer(F32Ptr::of, FLOAT32)),
            Map.entry(F64Ptr.class, pointer(F64Ptr::of, FLOAT64)),
            Map.entry(I8Ptr.class, pointer(I8Ptr::of, INT8, UINT8)),
            Map.entry(I16Ptr.class, pointer(I16Ptr::of, INT16, UINT16)),
            Map.entry(I32Ptr.class, pointer(I32Ptr::of, INT32, UINT32)),
            Map.entry(I64Ptr.class, pointer(I64Ptr::of, INT64, UINT64)),
            Map.entry(F16Ptr.class, pointer(F16Ptr::of, FLOAT16)),
            Map.entry(BF16Ptr.class, pointer(BF16Ptr::of, BFLOAT16)),
            Map.entry(F8E4M3Ptr.class, pointer(F8E4M3Ptr::of, FLOAT8_E4M3)),
            Map.entry(F8E5M2Ptr.class, pointer(F8E5M2Ptr::of, FLOAT8_E5M2)),
            Map.entry(C64Ptr.class, pairs(C64Ptr::of, COMPLEX64)),
            Map.entry(C128Ptr.class, pairs(C128Ptr::of, COMPLEX128)),
            Map.entry(F32View.class, view(F32View::of, FLOAT32)),
            Map.entry(F64View.class, view(F64View::of, FLOAT64)),
            Map.entry(I8View.class, view(I8View::of, INT8, UINT8)),
            Map.entry(I16View.class, view(I16View::of, INT16, UINT16)),
            Map.entry(I32View.class, view(I32View::of, INT32, UINT32)),
            Map.entry(I64View.class, view(I64View::of, INT64, UINT64)));

    private static FromBuffer pointer(Function<Buffer, Object> of, DataType first, DataType... others) {
        return new FromBuffer(EnumSet.of(first, others), false, 1, of);
    }

    /** Of pairs that are read and written at once. */
    private static FromBuffer pairs(Function<Buffer, Object> of, DataType type) {
        return new FromBuffer(EnumSet.of(type), false, type.bytes(), of);
    }

    private static FromBuffer view(Function<Buffer, Object> of, DataType first, DataType... others) {
        return new FromBuffer(EnumSet.of(first, others), true, 1, of);
    }

    private final String kernel;
    private final List<Parameter> parameters;
    private final Reach reach;
    private final Supplier<Set<Integer>> written;
    private final boolean restricts;

    /** How many are not bound. */
    private final int open;

    /** What values of the parameters are, by number. */
    private final Class<?>[] boxed;

    /** What makes them of buffers. */
    private final @Nullable FromBuffer[] fromBuffer;

    /** Parameters as messages call them, by number. */
    private final List<Supplier<String>> wheres = new ArrayList<>();

    /** What {@link #written} has said. */
    private volatile @Nullable Set<Integer> known;

    /**
     * @param kernel as messages call it
     * @param written the parameters, by number, through which the kernel may write; asked only when it matters
     */
    public Arguments(String kernel, List<Parameter> parameters, Reach reach, Supplier<Set<Integer>> written) {
        this.kernel = kernel;
        this.parameters = List.copyOf(parameters);
        this.reach = reach;
        this.written = written;
        this.restricts = parameters.stream().anyMatch(Parameter::restricted);
        this.open =
                (int) parameters.stream().filter(each -> each.bound() == null).count();
        this.boxed = parameters.stream()
                .map(each -> MethodType.methodType(each.type()).wrap().returnType())
                .toArray(Class<?>[]::new);
        this.fromBuffer =
                parameters.stream().map(each -> FROM_BUFFER.get(each.type())).toArray(FromBuffer[]::new);
        for (int i = 0; i < boxed.length; i++) {
            int index = i;
            wheres.add(() -> where(index));
        }
    }

    /**
     * Checks all.
     *
     * @param given for the parameters that are not bound
     * @return for all parameters values of their classes
     * @throws IllegalArgumentException if there are too many or too few, one does not fit, cannot be reached, or
     *     overlaps one that is restricted
     * @throws NullPointerException if one is null
     * @throws IllegalStateException if an array was freed
     */
    public Object[] check(@Nullable Object... given) {
        checkCount(given.length);
        Object[] made = new Object[parameters.size()];
        Ranges ranges = restricts ? new Ranges() : null;
        int next = 0;
        for (int i = 0; i < made.length; i++) {
            Object bound = parameters.get(i).bound();
            Object value = accept(i, bound == null ? given[next++] : bound);
            FromBuffer from = fromBuffer[i];
            made[i] = switch (value) {
                case Buffer buffer when from != null -> from.of.apply(buffer);
                case ScalarSlot slot -> slot.value();
                default -> value;
            };
            look(i, parameters.get(i).name(), made[i], ranges, null);
        }
        if (ranges != null) {
            checkRestricted(ranges);
        }
        return made;
    }

    /**
     * Checks the same of a launch on the CPU.
     *
     * @param parts gets what the values are made of
     */
    public void check(Parts parts, @Nullable Object... given) {
        checkCount(given.length);
        parts.clear();
        Ranges ranges = restricts ? parts.ranges : null;
        int next = 0;
        for (int i = 0; i < boxed.length; i++) {
            Parameter parameter = parameters.get(i);
            Object value = accept(i, parameter.bound() == null ? given[next++] : parameter.bound());
            Parts into = parts.isPassed(i) ? parts : null;
            FromBuffer from = fromBuffer[i];
            if (from != null && value instanceof Buffer buffer) {
                buffer(i, from, buffer, ranges, into);
            } else {
                look(i, parameter.name(), value, ranges, into);
            }
        }
        if (ranges != null) {
            checkRestricted(ranges);
        }
    }

    /**
     * Checks what takes the place of one argument.
     *
     * @param number among those that launches give, from 0
     */
    public void checkOne(int number, Object given) {
        int left = number;
        for (int i = 0; i < boxed.length; i++) {
            if (parameters.get(i).bound() == null && left-- == 0) {
                Object _ = accept(i, given);
            }
        }
    }

    private void checkCount(int given) {
        if (given != open) {
            throw new IllegalArgumentException("kernel " + kernel + " has "
                    + (open == 1 ? "one parameter" : open + " parameters")
                    + parameters.stream()
                            .filter(each -> each.bound() == null)
                            .map(Parameter::toString)
                            .collect(Collectors.joining(", ", " (", ")"))
                    + ", but " + given + (given == 1 ? " argument is" : " arguments are") + " given");
        }
    }

    /** Refuses what is neither of the parameter's class nor a buffer that it can be made of. */
    private Object accept(int index, @Nullable Object given) {
        if (given == null) {
            throw new NullPointerException(where(index) + " is null");
        }
        if (boxed[index].isInstance(given) || given instanceof ScalarSlot slot && slot.type() == boxed[index]) {
            return given;
        }
        FromBuffer from = fromBuffer[index];
        if (given instanceof Buffer buffer && from != null) {
            checkBuffer(index, buffer);
            if (!from.isFor(buffer)) {
                try {
                    return from.of.apply(buffer);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(where(index) + ": " + e.getMessage(), e);
                }
            }
            return buffer;
        }
        throw new IllegalArgumentException(where(index) + ": expected "
                + parameters.get(index).type().getSimpleName()
                + (from == null ? "" : " or a buffer of its elements")
                + ", given " + text(given));
    }

    /** Adds a buffer as the pointer, or the view, that its parameter takes. */
    private void buffer(int index, FromBuffer from, Buffer buffer, @Nullable Ranges ranges, @Nullable Parts parts) {
        if (ranges != null) {
            ranges.add(index, parameters.get(index).name(), buffer, buffer.address(), buffer.byteSize());
        }
        if (parts != null) {
            parts.pointer((HostArray) buffer);
            if (from.hasLength) {
                parts.number(buffer.count());
            }
        }
    }

    private static String text(Object given) {
        String type = given.getClass().getSimpleName();
        if (given.getClass().isArray()) {
            return type + "; a Java array becomes a buffer by HostArray.of(array)";
        }
        String value = String.valueOf(given);
        return value.startsWith(type) ? value : type + " " + value;
    }

    /** At the parts of an argument, wherever they are in it. */
    private void look(int index, String name, Object value, @Nullable Ranges ranges, @Nullable Parts parts) {
        switch (value) {
            case Ptr pointer -> {
                Buffer buffer = pointer.buffer();
                if (buffer != null) {
                    checkBuffer(index, buffer);
                    long end = buffer.address() + buffer.byteSize();
                    add(ranges, index, name, pointer, end - pointer.address());
                }
                if (parts != null) {
                    parts.pointer(pointer);
                }
            }
            case F32View(F32Ptr pointer, long length) -> view(index, name, pointer, length, 4, ranges, parts);
            case F64View(F64Ptr pointer, long length) -> view(index, name, pointer, length, 8, ranges, parts);
            case I8View(I8Ptr pointer, long length) -> view(index, name, pointer, length, 1, ranges, parts);
            case I16View(I16Ptr pointer, long length) -> view(index, name, pointer, length, 2, ranges, parts);
            case I32View(I32Ptr pointer, long length) -> view(index, name, pointer, length, 4, ranges, parts);
            case I64View(I64Ptr pointer, long length) -> view(index, name, pointer, length, 8, ranges, parts);
            case C64Ptr(F32Ptr pairs) -> look(index, name, pairs, ranges, parts);
            case C128Ptr(F64Ptr pairs) -> look(index, name, pairs, ranges, parts);
            case Record record -> {
                Components components = Components.of(record);
                for (int i = 0; i < components.count(); i++) {
                    // Names are for ranges.
                    String component = ranges == null ? name : name + "." + components.name(i);
                    look(index, component, components.value(record, i, wheres.get(index)), ranges, parts);
                }
            }
            default -> {
                if (parts != null) {
                    parts.scalar(value);
                }
            }
        }
    }

    private void view(
            int index,
            String name,
            @Nullable Ptr pointer,
            long length,
            int bytes,
            @Nullable Ranges ranges,
            @Nullable Parts parts) {
        if (pointer == null) {
            throw new NullPointerException(where(index) + ": pointer is null");
        }
        Buffer buffer = pointer.buffer();
        if (buffer != null) {
            checkBuffer(index, buffer);
        }
        add(ranges, index, name, pointer, bytes * length);
        if (parts != null) {
            parts.pointer(pointer);
            parts.number(length);
        }
    }

    private static void add(@Nullable Ranges ranges, int index, String name, Ptr pointer, long bytes) {
        if (ranges != null) {
            Buffer buffer = pointer.buffer();
            ranges.add(index, name, buffer == null ? pointer : buffer, pointer.address(), bytes);
        }
    }

    private void checkRestricted(Ranges ranges) {
        for (int one = 0; one < ranges.count(); one++) {
            for (int other = one + 1; other < ranges.count(); other++) {
                int first = ranges.parameter(one);
                int second = ranges.parameter(other);
                boolean isOne = parameters.get(first).restricted();
                if ((isOne || parameters.get(second).restricted())
                        && ranges.overlap(one, other)
                        && isWritten(first, second)) {
                    throw isOne ? overlap(ranges, one, other) : overlap(ranges, other, one);
                }
            }
        }
    }

    private boolean isWritten(int one, int other) {
        Set<Integer> all = known;
        if (all == null) {
            all = Set.copyOf(written.get());
            known = all;
        }
        return all.contains(one) || all.contains(other);
    }

    private IllegalArgumentException overlap(Ranges ranges, int restricted, int other) {
        Object its = ranges.of(restricted);
        return new IllegalArgumentException("kernel " + kernel + ", parameter " + (ranges.parameter(restricted) + 1)
                + " '" + ranges.name(restricted) + "' is marked @Restrict, but its memory overlaps that of parameter "
                + (ranges.parameter(other) + 1) + " '" + ranges.name(other) + "': " + its
                + (its.equals(ranges.of(other)) ? "" : " and " + ranges.of(other))
                + "; give each memory of its own, or views that say how much of it is used");
    }

    private void checkBuffer(int index, Buffer buffer) {
        if (!buffer.isAlive()) {
            throw new IllegalStateException(where(index) + ": " + buffer + " was freed");
        }
        String problem = reach.problem(buffer);
        if (problem != null) {
            throw new IllegalArgumentException(where(index) + ": " + buffer + " " + problem);
        }
    }

    private String where(int index) {
        return "kernel " + kernel + ", parameter " + (index + 1) + " '"
                + parameters.get(index).name() + "'";
    }
}
