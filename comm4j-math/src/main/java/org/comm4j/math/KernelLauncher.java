// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;

/** A place where kernels of one device are launched. */
@FunctionalInterface
interface KernelLauncher {
    /** Launches a kernel that the compiler of the device's {@link KernelQueue} has compiled. */
    void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments);
}
