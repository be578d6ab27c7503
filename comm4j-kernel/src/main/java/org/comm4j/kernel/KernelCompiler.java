// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.lang.reflect.Method;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.cpu.CpuCompiler;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Kernel;

/**
 * Makes kernels of Java methods: {@code compiler.compile(Saxpy::saxpy)}. For a GPU by {@link #of(Device)}; for a
 * machine without one there is an executor on the CPU, and {@link KernelCode} for the code alone. Threads may share a
 * compiler.
 *
 * @param <T> what its kernels are: {@link GpuKernel} on a GPU; code for both takes a {@code KernelCompiler<?>}
 */
public interface KernelCompiler<T extends CompiledKernel> extends AutoCloseable {
    /** For a GPU, with {@link CompileOptions#DEFAULT}. */
    static KernelCompiler<GpuKernel> of(Device device) {
        return of(device, CompileOptions.DEFAULT);
    }

    /** For a GPU. */
    static KernelCompiler<GpuKernel> of(Device device, CompileOptions options) {
        return new GpuCompiler(device, options);
    }

    /** For the processors of this machine, with {@link CpuOptions#ofProcess}: in tests it finds races. */
    static KernelCompiler<CompiledKernel> cpu() {
        return cpu(CpuOptions.ofProcess());
    }

    /** For the processors of this machine: the same methods, thread by thread, without a GPU. */
    static KernelCompiler<CompiledKernel> cpu(CpuOptions options) {
        return new CpuCompiler(options);
    }

    /**
     * Compiles a method.
     *
     * @param method static, without a result, and marked {@link Kernel}
     * @param constants values of the parameters that are marked {@link Constant}, in their order
     * @throws KernelCompileException with everything in the method, and in what it calls, that cannot be compiled
     * @throws IllegalStateException if this compiler was closed
     */
    T compile(Method method, Object... constants);

    /**
     * Compiles a reference to a method, or a lambda, whatever its number of parameters.
     *
     * @throws KernelCompileException as of {@link #compile(Method, Object...)}
     */
    T compileReference(KernelMethod kernel, Object... constants);

    /** Of a method or lambda with no parameters; see {@link #compile(Method, Object...)}. */
    default T compile(KernelMethod.Of0 kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with one parameter; see {@link #compile(Method, Object...)}. */
    default <A> T compile(KernelMethod.Of1<A> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 2 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B> T compile(KernelMethod.Of2<A, B> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 3 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C> T compile(KernelMethod.Of3<A, B, C> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 4 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D> T compile(KernelMethod.Of4<A, B, C, D> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 5 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E> T compile(KernelMethod.Of5<A, B, C, D, E> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 6 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F> T compile(KernelMethod.Of6<A, B, C, D, E, F> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 7 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G> T compile(KernelMethod.Of7<A, B, C, D, E, F, G> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 8 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H> T compile(KernelMethod.Of8<A, B, C, D, E, F, G, H> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 9 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I> T compile(
            KernelMethod.Of9<A, B, C, D, E, F, G, H, I> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 10 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J> T compile(
            KernelMethod.Of10<A, B, C, D, E, F, G, H, I, J> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 11 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K> T compile(
            KernelMethod.Of11<A, B, C, D, E, F, G, H, I, J, K> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 12 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L> T compile(
            KernelMethod.Of12<A, B, C, D, E, F, G, H, I, J, K, L> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 13 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M> T compile(
            KernelMethod.Of13<A, B, C, D, E, F, G, H, I, J, K, L, M> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 14 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N> T compile(
            KernelMethod.Of14<A, B, C, D, E, F, G, H, I, J, K, L, M, N> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 15 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N, O> T compile(
            KernelMethod.Of15<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 16 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P> T compile(
            KernelMethod.Of16<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Ends it: it compiles no more. What it has made lives on. */
    @Override
    void close();
}
