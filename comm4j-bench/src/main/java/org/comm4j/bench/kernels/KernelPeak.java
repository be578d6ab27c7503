// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import org.comm4j.cuda.Device;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * The roof over all kernels.
 *
 * @param bandwidth of the memory, in bytes per second; 0 if it is not known
 * @param flops single-precision operations per second, those of a fused multiply-add being two; 0 if they are not known
 * @param tensorFlops operations per second of tensor cores on halves, sums in single precision, without sparsity; 0 if
 *     they are not known
 */
public record KernelPeak(double bandwidth, double flops, double tensorFlops) {
    /** What the driver says of the memory's and the processors' clocks, unless the settings say it. */
    static KernelPeak of(Device device, KernelSettings settings) {
        // Both clocks are in kHz; memory moves data at both edges of its own.
        double memory = 1e3 * device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
        double bits = device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
        double clock = 1e3 * device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
        double processors = device.properties().multiprocessors();
        int capability = device.computeCapability().number();
        return new KernelPeak(
                settings.bandwidth() > 0 ? settings.bandwidth() : 2 * memory * bits / 8,
                settings.flops() > 0 ? settings.flops() : 2 * clock * processors * lanes(capability),
                2 * clock * processors * tensorLanes(capability));
    }

    /** Single-precision lanes of a multiprocessor, as of the CUDA programming guide's table of throughputs. */
    static int lanes(int capability) {
        return capability < 80 || capability == 80 ? 64 : 128;
    }

    /**
     * Products of halves that the tensor cores of a multiprocessor add up in a cycle, as of NVIDIA's papers on the
     * architectures; 0 if that is not known.
     */
    static int tensorLanes(int capability) {
        return switch (capability) {
            case 80 -> 1024;
            case 86, 87, 89 -> 256;
            case 90 -> 2048;
            case 100, 103 -> 4096;
            default -> 0;
        };
    }

    /** Of a case. */
    double micros(KernelProblem problem) {
        return micros(
                (double) problem.bytes(), problem.flops(), problem.of() == KernelCase.TENSOR ? tensorFlops : flops);
    }

    /**
     * The least time for so much, at {@code rate} operations per second, in microseconds; NaN if a peak that this needs
     * is not known.
     */
    double micros(double bytes, double operations, double rate) {
        double moving = bytes / bandwidth;
        double computing = operations == 0 ? 0 : operations / rate;
        double most = Math.max(moving, computing);
        return Double.isInfinite(most) ? Double.NaN : 1e6 * most;
    }
}
