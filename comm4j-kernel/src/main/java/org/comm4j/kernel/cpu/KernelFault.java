// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a kernel has thrown, on its way out of loops: these add the lines that the stack trace does not have. */
final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<StackTraceElement> lines = new ArrayList<>();

    KernelFault(Throwable cause) {
        super(null, cause, false, false);
    }

    void add(String type, String method, int line) {
        String file = type.substring(type.lastIndexOf('.') + 1);
        int nested = file.indexOf('$');
        lines.add(new StackTraceElement(type, method, (nested > 0 ? file.substring(0, nested) : file) + ".java", line));
    }

    StackTraceElement line() {
        return lines.getFirst();
    }

    /** The cause, with the kernel's lines where the loops were. */
    Throwable completed() {
        Throwable cause = Objects.requireNonNull(getCause());
        List<StackTraceElement> trace = new ArrayList<>();
        for (StackTraceElement element : cause.getStackTrace()) {
            if (element.getClassName().startsWith("org.comm4j.kernel.cpu.")
                    || element.getClassName().startsWith("org.comm4j.kernel.loops.")
                    || element.getClassName().startsWith("java.lang.invoke.")) {
                break;
            }
            trace.add(element);
        }
        trace.addAll(lines);
        cause.setStackTrace(trace.toArray(StackTraceElement[]::new));
        return cause;
    }
}
