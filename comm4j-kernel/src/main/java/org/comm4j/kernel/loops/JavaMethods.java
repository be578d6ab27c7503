// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/** Answers about Java methods that a kernel calls as they are. */
public interface JavaMethods {
    /** What a method may do besides computing its result. */
    enum Does {
        NOTHING,
        /** It asks which thread calls it. */
        ASK,
        /** The same, and it lets other threads go first once. */
        PAUSE,
        /** It waits for other threads, or for somebody else, in the middle. */
        WAIT
    }

    /** Returns the class of a name, as the kernel sees it. */
    Class<?> load(String name) throws ClassNotFoundException;

    /** Returns leave to call what is private in a class. */
    MethodHandles.Lookup lookup(Class<?> type);

    /** Returns what a method may do. */
    Does does(Method method);
}
