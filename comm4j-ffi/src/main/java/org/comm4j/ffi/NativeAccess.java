// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Optional;
import java.util.Set;

/**
 * The rule of the JDK's restricted methods, for methods of comm4j that take an address on trust: only code whose module
 * has native access may call them, since a wrong address ends the process, and a chosen one does anything. As the JDK
 * with {@code --illegal-native-access=deny}, whatever that option says.
 */
public final class NativeAccess {
    /** They hand on addresses of their libraries, and none of their callers'. */
    private static final Set<String> OWN = Set.of(
            "org.comm4j.ffi",
            "org.comm4j.core",
            "org.comm4j.host",
            "org.comm4j.shmem",
            "org.comm4j.cuda",
            "org.comm4j.nccl",
            "org.comm4j.mpi",
            "org.comm4j.nvshmem",
            "org.comm4j.kernel",
            "org.comm4j.device",
            "org.comm4j.bench",
            "org.comm4j.cli");

    private static final StackWalker WALKER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private NativeAccess() {}

    /**
     * Checks the caller of the method that calls this.
     *
     * @param method for the message
     * @throws IllegalCallerException if the caller's module has no native access
     */
    public static void checkCaller(String method) {
        // The JDK calls on behalf of others: method references, executors.
        Optional<Module> caller = WALKER.walk(frames -> frames.skip(2)
                .map(StackFrame::getDeclaringClass)
                .map(Class::getModule)
                .filter(module -> module != Object.class.getModule())
                .findFirst());
        if (caller.isEmpty()) {
            throw new IllegalCallerException(method + " is restricted, and nobody is known who calls it");
        }
        check(caller.get(), method);
    }

    /**
     * Checks a module, such as that of a subclass.
     *
     * @param method for the message
     * @throws IllegalCallerException if it has no native access
     */
    public static void check(Module caller, String method) {
        if (!isAllowed(caller)) {
            throw new IllegalCallerException(
                    method + " is restricted: it trusts an address of the caller, and " + caller
                            + " has no native access; start java with --enable-native-access="
                            + (caller.isNamed() ? caller.getName() : "ALL-UNNAMED"));
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very layer
    private static boolean isAllowed(Module module) {
        return module.isNativeAccessEnabled()
                || (module.isNamed()
                        && OWN.contains(module.getName())
                        && module.getLayer() == NativeAccess.class.getModule().getLayer());
    }
}
