// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A kernel cannot be compiled. Says everything that is wrong with it at once. */
public final class KernelCompileException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * One thing that is wrong.
     *
     * @param message what, in one sentence without a full stop
     * @param trace where: the line that is wrong, then the calls that lead to it from the kernel, the innermost first;
     *     empty if it has no place
     * @param hint what to do instead, if there is something
     */
    public record Problem(
            String message,
            List<StackTraceElement> trace,
            @Nullable String hint) implements Serializable {
        public Problem {
            Objects.requireNonNull(message, "message");
            trace = List.copyOf(trace);
        }

        /** The message, then a line for each place and for the hint. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(message);
            for (int i = 0; i < trace.size(); i++) {
                text.append(i == 0 ? "\n  at " : "\n  called from ").append(place(trace.get(i)));
            }
            return hint == null
                    ? text.toString()
                    : text.append("\n  hint: ").append(hint).toString();
        }

        private static String place(StackTraceElement at) {
            String type = at.getClassName();
            String file = at.getFileName();
            return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + at.getMethodName() + " ("
                    + (file == null ? "no source" : file) + (at.getLineNumber() > 0 ? ":" + at.getLineNumber() : "")
                    + ")";
        }
    }

    private final List<Problem> problems;

    /** @param kernel how it is called: {@code Jacobi.step(F32Ptr, F32Ptr, int)} */
    public KernelCompileException(String kernel, List<Problem> problems) {
        super(problems.stream()
                .map(problem -> "Kernel " + kernel + " cannot be compiled: " + problem)
                .collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Of what goes wrong behind the frontend: NVIDIA's compilers, the linker. */
    public KernelCompileException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.problems = List.of();
    }

    /** In the order of the calls from the kernel; empty if it was one of NVIDIA's compilers that failed. */
    public List<Problem> problems() {
        return problems;
    }
}
