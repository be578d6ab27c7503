// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.time.Duration;
import org.comm4j.core.spi.Arguments;

/**
 * How kernels run on the CPU.
 *
 * @param mode what is executed, and what is looked at meanwhile
 * @param order in which order threads get their turns
 * @param seed of {@link Order#SHUFFLED}
 * @param processors how many blocks run at the same time; {@link Mode#CHECKED} and {@link Order#SHUFFLED} run one after
 *     the other, always in the same order
 * @param timeout after which a launch that has not ended fails; {@link Duration#ZERO} for never
 * @param portable whether a kernel that no GPU could run is refused, with the words of the compiler for GPUs
 */
public record CpuOptions(Mode mode, Order order, long seed, int processors, Duration timeout, boolean portable) {
    /** What is executed. */
    public enum Mode {
        /** A class made for the kernel, with blocks in parallel. */
        FAST,
        /**
         * A class made for the kernel that finds wrong indices of arrays and pointers, races, and shared memory that is
         * read before it is written. Of a kernel in which it does not find races a warning of the logger
         * {@code org.comm4j.kernel} tells why: it copies tensors, for example, or is no kernel for GPUs.
         */
        CHECKED,
        /** The kernel's own class, so that breakpoints stop, one block after the other. */
        DEBUG
    }

    /** In which order threads get their turns. */
    public enum Order {
        /** Threads of a block one after the other, to where they wait. */
        SEQUENTIAL,
        /**
         * Drawn with the seed: the same seed is the same order. Blocks are shuffled, too, and several of them run by
         * turns.
         */
        SHUFFLED
    }

    public CpuOptions {
        Arguments.nonNull(mode, "CpuOptions", "mode");
        Arguments.nonNull(order, "CpuOptions", "order");
        Arguments.timeoutNanos(timeout, "CpuOptions");
        if (processors < 1) {
            throw new IllegalArgumentException("kernels cannot run on " + processors + " processors");
        }
    }

    /**
     * Returns what kernels run with where a program does not say it: {@link #checked} while JUnit or TestNG runs tests
     * in this process, {@link #fast} otherwise. The system property {@code org.comm4j.kernel.cpu}, or the environment
     * variable {@code COMM4J_KERNEL_CPU}, decides otherwise: {@code fast}, {@code checked} or {@code debug}.
     *
     * @throws IllegalArgumentException if the property or the variable is something else
     */
    public static CpuOptions ofProcess() {
        return CpuDefault.options();
    }

    /** {@link Mode#FAST} on all processors. */
    public static CpuOptions fast() {
        return new CpuOptions(
                Mode.FAST, Order.SEQUENTIAL, 0, Runtime.getRuntime().availableProcessors(), Duration.ZERO, true);
    }

    /** {@link Mode#CHECKED}, in an order that {@code seed} draws. */
    public static CpuOptions checked(long seed) {
        return new CpuOptions(Mode.CHECKED, Order.SHUFFLED, seed, 1, Duration.ZERO, true);
    }

    /** {@link Mode#DEBUG}, in sequential order. */
    public static CpuOptions debug() {
        return new CpuOptions(Mode.DEBUG, Order.SEQUENTIAL, 0, 1, Duration.ZERO, true);
    }

    /** With threads and blocks in an order that {@code seed} draws. */
    public CpuOptions shuffled(long seed) {
        return new CpuOptions(mode, Order.SHUFFLED, seed, processors, timeout, portable);
    }

    public CpuOptions processors(int processors) {
        return new CpuOptions(mode, order, seed, processors, timeout, portable);
    }

    /** A launch that has not ended after this time fails. */
    public CpuOptions timeout(Duration timeout) {
        return new CpuOptions(mode, order, seed, processors, timeout, portable);
    }

    /** With all of Java: what no GPU could run is compiled and executed, too. */
    public CpuOptions anyJava() {
        return new CpuOptions(mode, order, seed, processors, timeout, false);
    }

    public boolean isShuffled() {
        return order == Order.SHUFFLED;
    }
}
