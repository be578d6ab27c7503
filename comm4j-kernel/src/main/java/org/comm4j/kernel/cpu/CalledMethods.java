// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.comm4j.kernel.loops.JavaMethods;
import org.jspecify.annotations.Nullable;

/** Java methods that a kernel calls as they are, by what their bytecode calls. */
final class CalledMethods implements JavaMethods {
    private final @Nullable ClassLoader loader;
    private final Set<Class<?>> classes = new HashSet<>();

    /** @param kernel the class of the kernel */
    CalledMethods(Class<?> kernel) {
        loader = kernel.getClassLoader();
    }

    /** Returns the classes that were looked at. */
    Set<Class<?>> classes() {
        return classes;
    }

    @Override
    public Class<?> load(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, loader);
        classes.add(type);
        return type;
    }

    @Override
    public MethodHandles.Lookup lookup(Class<?> type) {
        return Access.to(type);
    }

    @Override
    public Does does(Method method) {
        CallGraph calls = new CallGraph(method);
        classes.addAll(calls.classes());
        return calls.waitsInside() ? Does.WAIT : calls.pauses() ? Does.PAUSE : calls.asks() ? Does.ASK : Does.NOTHING;
    }
}
