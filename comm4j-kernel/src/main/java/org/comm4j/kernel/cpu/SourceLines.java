// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.StackWalker.StackFrame;
import java.util.Set;
import org.comm4j.kernel.lang.KernelLibrary;
import org.jspecify.annotations.Nullable;

/** Lines of kernels, read from the stack. */
final class SourceLines {
    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));

    /** A place in a method's code. */
    record Site(
            String type,
            String method,
            int index,
            int line,
            @Nullable String file) {
        @Override
        public String toString() {
            return new StackTraceElement(type, method, file, line).toString();
        }
    }

    private SourceLines() {}

    /** The place that asks for a shared array: in a kernel, or in a library, whose places are not the kernel's line. */
    static Site callerOfShared() {
        return WALKER.walk(frames -> frames.filter(SourceLines::asksForShared).findFirst())
                .map(f -> new Site(
                        f.getClassName(), f.getMethodName(), f.getByteCodeIndex(), f.getLineNumber(), f.getFileName()))
                .orElseThrow();
    }

    static @Nullable StackTraceElement here() {
        return WALKER.walk(frames -> frames.filter(SourceLines::isUsers).findFirst())
                .map(f ->
                        new StackTraceElement(f.getClassName(), f.getMethodName(), f.getFileName(), f.getLineNumber()))
                .orElse(null);
    }

    private static boolean asksForShared(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return isUsers(type) || type.isAnnotationPresent(KernelLibrary.class);
    }

    private static boolean isUsers(StackFrame frame) {
        return isUsers(frame.getDeclaringClass());
    }

    /**
     * The kernel's line in the stack of something that was thrown: what libraries for kernels call is not the kernel.
     */
    static @Nullable StackTraceElement thrownIn(Throwable thrown) {
        StackTraceElement found = null;
        for (StackTraceElement element : thrown.getStackTrace()) {
            Class<?> type = type(element);
            if (type != null && type.isAnnotationPresent(KernelLibrary.class)) {
                found = null;
            } else if (found == null && isUsers(element, type)) {
                found = element;
            }
        }
        return found;
    }

    /** By its name alone: in a stack trace there is nothing else. */
    private static @Nullable Class<?> type(StackTraceElement element) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(
                    element.getClassName(), false, loader == null ? SourceLines.class.getClassLoader() : loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static boolean isUsers(StackTraceElement element, @Nullable Class<?> type) {
        String name = element.getClassName();
        return !name.startsWith("java.") && !name.startsWith("jdk.") && (type == null || !Vocabulary.has(type));
    }

    /** Not the JDK's and not the vocabulary; tests, which are in the same packages, are users. */
    static boolean isUsers(Class<?> type) {
        return !type.getName().startsWith("java.") && !type.getName().startsWith("jdk.") && !Vocabulary.has(type);
    }
}
