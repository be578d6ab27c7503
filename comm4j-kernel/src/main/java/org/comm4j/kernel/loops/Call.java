// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A call of a Java method, with its arguments, that is made later. */
record Call(MethodHandle method, Object[] arguments) implements Callable<@Nullable Object> {
    private static final MethodHandle MAKE;

    static {
        try {
            MAKE = MethodHandles.lookup()
                    .findConstructor(Call.class, MethodType.methodType(void.class, MethodHandle.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Makes of a method one that takes the same arguments and gives the call of it. */
    static MethodHandle of(MethodHandle method) {
        int count = method.type().parameterCount();
        MethodHandle spread =
                method.asSpreader(Object[].class, count).asType(MethodType.methodType(Object.class, Object[].class));
        return MethodHandles.insertArguments(MAKE, 0, spread)
                .asCollector(Object[].class, count)
                .asType(method.type().changeReturnType(Object.class));
    }

    @Override
    public @Nullable Object call() throws Exception {
        try {
            return method.invokeExact(arguments);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
