// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.lang.Kernel;

/**
 * How kernels are compiled: {@code CompileOptions.DEFAULT.withChecks().with(unit)}.
 *
 * @param checked whether what Java would answer with an exception ends the kernel with an error, and asserts are
 *     evaluated: divisions by zero, indices outside of an array. It costs time. Views check their indices in any case.
 *     Pointers have no bounds on a GPU, checked or not: what is outside of their memory is found by the executor on the
 *     CPU, and by compute-sanitizer. Such an error ends the use of CUDA in the process, because threads that wait for
 *     the failed one, and launches that nobody waits for, must not go on as if nothing had been.
 * @param lines whether Java's lines go along for profilers and compute-sanitizer. It costs nothing when the kernel
 *     runs.
 * @param maxRegisters of a thread, beyond which the compiler uses memory; 0 for any number
 * @param suffix of the architecture: {@code a} for what only the very compute capability has, {@code f} for its family,
 *     or empty
 * @param cached whether finished code is taken from disk and kept there
 * @param units device code that kernels may call
 * @param math of kernels that do not choose it themselves, nor their classes; {@link Kernel.Math#DEFAULT} is {@link
 *     Kernel.Math#CUDA}
 */
public record CompileOptions(
        boolean checked,
        boolean lines,
        int maxRegisters,
        String suffix,
        boolean cached,
        List<DeviceUnit> units,
        Kernel.Math math) {
    /** Unchecked, with lines, cached, {@link Kernel.Math#CUDA}. */
    public static final CompileOptions DEFAULT =
            new CompileOptions(false, true, 0, "", true, List.of(), Kernel.Math.CUDA);

    private static final int MOST_REGISTERS = 255;

    public CompileOptions {
        nonNull(suffix, "CompileOptions", "suffix");
        nonNull(units, "CompileOptions", "units");
        if (maxRegisters < 0 || maxRegisters > MOST_REGISTERS) {
            throw new IllegalArgumentException("a thread has " + MOST_REGISTERS + " registers at most, not "
                    + maxRegisters + "; 0 is for no limit");
        }
        nonNull(math, "CompileOptions", "math");
        if (math == Kernel.Math.DEFAULT) {
            math = Kernel.Math.CUDA;
        }
        units = List.copyOf(units);
        Set<String> names = new HashSet<>();
        for (DeviceUnit unit : units) {
            if (!names.add(unit.name())) {
                throw new IllegalArgumentException("two device units have the same name: "
                        + units.stream().map(DeviceUnit::name).toList());
            }
        }
    }

    public CompileOptions withChecks() {
        return new CompileOptions(true, lines, maxRegisters, suffix, cached, units, math);
    }

    public CompileOptions withoutLines() {
        return new CompileOptions(checked, false, maxRegisters, suffix, cached, units, math);
    }

    public CompileOptions withMaxRegisters(int most) {
        return new CompileOptions(checked, lines, most, suffix, cached, units, math);
    }

    /** For code that runs on one compute capability ({@code a}) or its family ({@code f}) only. */
    public CompileOptions withSuffix(String suffix) {
        return new CompileOptions(checked, lines, maxRegisters, suffix, cached, units, math);
    }

    /** For kernels that do not choose their arithmetic themselves, nor their classes. */
    public CompileOptions withMath(Kernel.Math math) {
        return new CompileOptions(checked, lines, maxRegisters, suffix, cached, units, math);
    }

    public CompileOptions withoutCache() {
        return new CompileOptions(checked, lines, maxRegisters, suffix, false, units, math);
    }

    public CompileOptions with(DeviceUnit unit) {
        nonNull(unit, "with", "unit");
        List<DeviceUnit> all = new ArrayList<>(units);
        all.add(unit);
        return new CompileOptions(checked, lines, maxRegisters, suffix, cached, all, math);
    }
}
