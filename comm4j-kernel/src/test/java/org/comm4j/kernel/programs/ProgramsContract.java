// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.Machine;
import org.comm4j.test.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every program beside plain Java. A test of a machine has a method {@code machines}. */
abstract class ProgramsContract {
    static Stream<Arguments> everyProgram(Stream<Machine> machines) {
        return machines.flatMap(machine -> Program.all().stream().map(program -> Arguments.of(program, machine)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("runs")
    void equalsPlainJava(Program program, Machine machine) {
        for (long seed : seeds(machine)) {
            try {
                program.run(machine, new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        program + " on " + machine + ", numbers of seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** Of the numbers that a program gets: other ones for every order of threads. */
    static long[] seeds(Machine machine) {
        return machine instanceof Machine.Cpu(CpuOptions options, var _) && options.isShuffled()
                ? new long[] {options.seed()}
                : Nightly.isOn() ? new long[] {1, 2} : new long[] {1};
    }
}
