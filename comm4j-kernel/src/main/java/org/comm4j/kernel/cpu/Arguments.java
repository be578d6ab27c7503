// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.BF16Ptr;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F16Ptr;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.F32View;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.F64View;
import org.comm4j.kernel.F8E4M3Ptr;
import org.comm4j.kernel.F8E5M2Ptr;
import org.comm4j.kernel.I16Ptr;
import org.comm4j.kernel.I16View;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I32View;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.I64View;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.I8View;
import org.comm4j.kernel.Ptr;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.ParameterNames;
import org.jspecify.annotations.Nullable;

/** What a launch is given, made into what the method takes. */
final class Arguments {
    private interface FromBuffer {
        Object of(Buffer buffer);
    }

    private static final Map<Class<?>, FromBuffer> FROM_BUFFER = Map.ofEntries(
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

    private final KernelSource source;
    private final Method kernel;
    private final Class<?>[] types;

    /** What a parameter that was given its own type takes. */
    private final Class<?>[] boxed;

    private final boolean[] constant;
    private final @Nullable FromBuffer[] fromBuffer;
    private final List<String> names;

    Arguments(KernelSource source) {
        this.source = source;
        this.kernel = source.method();
        this.types = kernel.getParameterTypes();
        this.boxed = MethodType.methodType(void.class, types).wrap().parameterArray();
        this.constant = new boolean[types.length];
        this.fromBuffer = new @Nullable FromBuffer[types.length];
        Parameter[] parameters = kernel.getParameters();
        for (int i = 0; i < types.length; i++) {
            constant[i] = parameters[i].isAnnotationPresent(Constant.class);
            fromBuffer[i] = FROM_BUFFER.get(types[i]);
        }
        this.names = ParameterNames.of(kernel);
    }

    /** With what was captured and what is constant at their places. */
    Object[] convert(Object... given) {
        Object[] converted = new Object[types.length];
        int captured = source.captured().size();
        int constants = 0;
        int next = 0;
        for (int i = 0; i < types.length; i++) {
            Object value;
            if (i < captured) {
                value = source.captured().get(i);
            } else if (constant[i]) {
                if (constants == source.constants().size()) {
                    throw new IllegalArgumentException("kernel " + kernel.getName()
                            + " was compiled without a value for the constant " + names.get(i));
                }
                value = source.constants().get(constants++);
            } else {
                value = next < given.length ? given[next] : null;
                if (next++ >= given.length) {
                    continue;
                }
            }
            converted[i] = convert(i, value);
        }
        if (next != given.length) {
            throw new IllegalArgumentException("kernel " + kernel.getName() + " takes " + next + " arguments, not "
                    + given.length + ": " + kernel.toGenericString());
        }
        return converted;
    }

    private Object convert(int number, @Nullable Object given) {
        Supplier<String> what = () -> "argument " + number + " (" + types[number].getSimpleName() + " "
                + names.get(number) + ") of kernel " + kernel.getName();
        if (given == null) {
            throw new NullPointerException(what.get() + " is null");
        }
        FromBuffer from = fromBuffer[number];
        if (given instanceof Buffer buffer && from != null) {
            checkBuffer(what, buffer);
            try {
                return from.of(buffer);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(what.get() + ": " + e.getMessage(), e);
            }
        }
        if (!boxed[number].isInstance(given)) {
            throw new IllegalArgumentException(
                    what.get() + " cannot be " + given.getClass().getSimpleName() + " " + given);
        }
        if (given instanceof Ptr pointer && pointer.buffer() != null) {
            checkBuffer(what, pointer.buffer());
        } else if (given instanceof Record record) {
            checkRecord(what, record);
        }
        return given;
    }

    /** Views, and records with pointers. */
    private static void checkRecord(Supplier<String> what, Record record) {
        for (var component : record.getClass().getRecordComponents()) {
            if (Ptr.class.isAssignableFrom(component.getType())) {
                try {
                    var accessor = component.getAccessor();
                    accessor.trySetAccessible();
                    if (accessor.invoke(record) instanceof Ptr pointer && pointer.buffer() != null) {
                        checkBuffer(() -> what.get() + ", " + component.getName(), pointer.buffer());
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalArgumentException(what.get() + ": " + component + " cannot be read", e);
                }
            }
        }
    }

    private static void checkBuffer(Supplier<String> what, Buffer buffer) {
        if (!(buffer instanceof HostArray)) {
            throw new IllegalArgumentException(
                    what.get() + " is " + buffer + ", which a kernel on the CPU does not reach");
        }
        if (!buffer.isAlive()) {
            throw new IllegalStateException(what.get() + " was freed: " + buffer);
        }
    }

    static String signature(Method kernel) {
        List<String> types = new ArrayList<>();
        for (Class<?> type : kernel.getParameterTypes()) {
            types.add(type.getSimpleName());
        }
        return kernel.getDeclaringClass().getSimpleName() + "." + kernel.getName() + "(" + String.join(", ", types)
                + ")";
    }
}
