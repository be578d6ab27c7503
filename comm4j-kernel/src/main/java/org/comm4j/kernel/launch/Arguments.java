// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.BF16Ptr;
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

    private interface FromBuffer {
        Object of(Buffer buffer);
    }

    private static final Map<Class<?>, FromBuffer> FROM_BUFFER = Map.ofEntries(
            Map.entry(Ptr.class, Ptr::of),
            Map.entry(F32Ptr.class, F32Ptr::of),
            Map.entry(F64Ptr.class, F64Ptr::of),
            Map.entry(I8Ptr.class, I8Ptr::of),
            Map.entry(I16Ptr.class, I16Ptr::of),
            Map.entry(I32Ptr.class, I32Ptr::of),
            Map.entry(I64Ptr.class, I64Ptr::of),
            Map.entry(F16Ptr.class, F16Ptr::of),
            Map.entry(BF16Ptr.class, BF16Ptr::of),
            Map.entry(F8E4M3Ptr.class, F8E4M3Ptr::of),
            Map.entry(F8E5M2Ptr.class, F8E5M2Ptr::of),
            Map.entry(F32View.class, F32View::of),
            Map.entry(F64View.class, F64View::of),
            Map.entry(I8View.class, I8View::of),
            Map.entry(I16View.class, I16View::of),
            Map.entry(I32View.class, I32View::of),
            Map.entry(I64View.class, I64View::of));

    /**
     * Memory that an argument reaches.
     *
     * @param name {@code x}, or {@code x.left} of a record
     * @param of the buffer or pointer, for messages
     */
    private record Range(int parameter, String name, Object of, long from, long bytes) {
        boolean overlaps(Range other) {
            return Long.compareUnsigned(from, other.from + other.bytes) < 0
                    && Long.compareUnsigned(other.from, from + bytes) < 0
                    && bytes > 0
                    && other.bytes > 0;
        }
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
        if (given.length != open) {
            throw new IllegalArgumentException("kernel " + kernel + " has "
                    + (open == 1 ? "one parameter" : open + " parameters")
                    + parameters.stream()
                            .filter(each -> each.bound() == null)
                            .map(Parameter::toString)
                            .collect(Collectors.joining(", ", " (", ")"))
                    + ", but " + given.length + (given.length == 1 ? " argument is" : " arguments are") + " given");
        }
        Object[] made = new Object[parameters.size()];
        List<Range> ranges = restricts ? new ArrayList<>() : null;
        int next = 0;
        for (int i = 0; i < made.length; i++) {
            Object bound = parameters.get(i).bound();
            made[i] = accept(i, bound == null ? given[next++] : bound);
            look(i, parameters.get(i).name(), made[i], ranges);
        }
        if (ranges != null) {
            checkRestricted(ranges);
        }
        return made;
    }

    /** As the parameter's class. */
    private Object accept(int index, @Nullable Object given) {
        Parameter parameter = parameters.get(index);
        if (given == null) {
            throw new NullPointerException(where(index) + " is null");
        }
        if (boxed[index].isInstance(given)) {
            return given;
        }
        FromBuffer from = fromBuffer[index];
        if (given instanceof Buffer buffer && from != null) {
            checkBuffer(index, buffer);
            try {
                return from.of(buffer);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(where(index) + ": " + e.getMessage(), e);
            }
        }
        throw new IllegalArgumentException(where(index) + ": expected "
                + parameter.type().getSimpleName() + (from == null ? "" : " or a buffer of its elements")
                + ", given " + text(given));
    }

    private static String text(Object given) {
        String type = given.getClass().getSimpleName();
        if (given.getClass().isArray()) {
            return type + "; a Java array becomes a buffer by HostArray.of(array)";
        }
        String value = String.valueOf(given);
        return value.startsWith(type) ? value : type + " " + value;
    }

    /** At the pointers of an argument, wherever they are in it. */
    private void look(int index, String name, Object value, @Nullable List<Range> ranges) {
        switch (value) {
            case Ptr pointer -> {
                Buffer buffer = pointer.buffer();
                if (buffer != null) {
                    checkBuffer(index, buffer);
                    long end = buffer.address() + buffer.byteSize();
                    add(ranges, index, name, pointer, end - pointer.address());
                }
            }
            case F32View(F32Ptr pointer, long length) -> view(index, name, pointer, 4 * length, ranges);
            case F64View(F64Ptr pointer, long length) -> view(index, name, pointer, 8 * length, ranges);
            case I8View(I8Ptr pointer, long length) -> view(index, name, pointer, length, ranges);
            case I16View(I16Ptr pointer, long length) -> view(index, name, pointer, 2 * length, ranges);
            case I32View(I32Ptr pointer, long length) -> view(index, name, pointer, 4 * length, ranges);
            case I64View(I64Ptr pointer, long length) -> view(index, name, pointer, 8 * length, ranges);
            case Record record -> {
                Components components = Components.of(record);
                for (int i = 0; i < components.count(); i++) {
                    // Names are for ranges.
                    String component = ranges == null ? name : name + "." + components.name(i);
                    look(index, component, components.value(record, i, () -> where(index)), ranges);
                }
            }
            default -> {}
        }
    }

    private void view(int index, String name, @Nullable Ptr pointer, long bytes, @Nullable List<Range> ranges) {
        if (pointer == null) {
            throw new NullPointerException(where(index) + ": pointer is null");
        }
        Buffer buffer = pointer.buffer();
        if (buffer != null) {
            checkBuffer(index, buffer);
        }
        add(ranges, index, name, pointer, bytes);
    }

    private static void add(@Nullable List<Range> ranges, int index, String name, Ptr pointer, long bytes) {
        if (ranges != null) {
            Buffer buffer = pointer.buffer();
            ranges.add(new Range(index, name, buffer == null ? pointer : buffer, pointer.address(), bytes));
        }
    }

    private void checkRestricted(List<Range> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            Range one = ranges.get(i);
            for (int k = i + 1; k < ranges.size(); k++) {
                Range other = ranges.get(k);
                boolean restricts = parameters.get(one.parameter).restricted()
                        || parameters.get(other.parameter).restricted();
                if (restricts && one.overlaps(other) && isWritten(one.parameter, other.parameter)) {
                    boolean isOne = parameters.get(one.parameter).restricted();
                    throw overlap(isOne ? one : other, isOne ? other : one);
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

    private IllegalArgumentException overlap(Range restricted, Range other) {
        return new IllegalArgumentException("kernel " + kernel + ", parameter " + (restricted.parameter + 1) + " '"
                + restricted.name + "' is marked @Restrict, but its memory overlaps that of parameter "
                + (other.parameter + 1) + " '" + other.name + "': " + restricted.of
                + (restricted.of.equals(other.of) ? "" : " and " + other.of)
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
