// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import org.comm4j.kernel.loops.JavaMethods;
import org.jspecify.annotations.Nullable;

/** Java methods that a kernel calls as they are, by what their bytecode calls. */
final class CalledMethods implements JavaMethods {
    private final @Nullable ClassLoader loader;

    /** @param kernel the class of the kernel */
    CalledMethods(Class<?> kernel) {
        loader = kernel.getClassLoader();
    }

    @Override
    public Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    @Override
    public MethodHandles.Lookup lookup(Class<?> type) {
        return Access.to(type);
    }

    @Override
    public Does does(Method method) {
        CallGraph calls = new CallGraph(method);
        return calls.waitsInside() ? Does.WAIT : calls.pauses() ? Does.PAUSE : calls.asks() ? Does.ASK : Does.NOTHING;
    }
}
