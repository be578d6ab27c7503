// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Kernels written in Java: the words they are written in, and the compiler for GPUs and for the CPU.
 *
 * <p>A kernel is a static method with {@link org.comm4j.kernel.lang.Kernel @Kernel}. Many threads run it at the same
 * time, each with its own {@link org.comm4j.kernel.lang.GlobalIdx}; arrays are {@linkplain
 * org.comm4j.kernel.lang.F32Ptr pointers} there. A {@link org.comm4j.kernel.KernelCompiler} makes a {@link
 * org.comm4j.kernel.CompiledKernel} of it, which is launched with as many threads as a {@link
 * org.comm4j.cuda.LaunchConfig} says:
 *
 * {@snippet lang = java :
 * import org.comm4j.core.HostArray;
 * import org.comm4j.cuda.LaunchConfig;
 * import org.comm4j.kernel.*;
 * import org.comm4j.kernel.lang.*;
 *
 * class Doubling {
 *     @Kernel
 *     static void twice(F32Ptr x, int n) {
 *         int i = GlobalIdx.x();
 *         if (i < n) {
 *             x.set(i, 2 * x.get(i));
 *         }
 *     }
 *
 *     void main() {
 *         HostArray x = HostArray.of(1f, 2f, 3f);
 *         try (var compiler = KernelCompiler.cpu();
 *                 CompiledKernel twice = compiler.compile(Doubling::twice)) {
 *             twice.launch(LaunchConfig.forElements(3), x, 3);
 *         }
 *         IO.println(x.values());
 *     }
 * }
 * }
 */
package org.comm4j.kernel;
