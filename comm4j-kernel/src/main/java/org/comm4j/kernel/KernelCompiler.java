// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.lang.reflect.Method;
import org.comm4j.cuda.Device;

/**
 * Makes kernels of Java methods: {@code compiler.compile(Saxpy::saxpy)}. For a GPU by {@link #of(Device)}; for a machine without one there is an
 * executor on the CPU, and {@link KernelCode} for the code alone. Threads may share a compiler.
 */
public interface KernelCompiler extends AutoCloseable {
    /** For a GPU, with {@link CompileOptions#DEFAULT}. */
    static KernelCompiler of(Device device) {
        return of(device, CompileOptions.DEFAULT);
    }

    /** For a GPU. */
    static KernelCompiler of(Device device, CompileOptions options) {
        return new GpuCompiler(device, options);
    }

    /**
     * Compiles a method.
     *
     * @param method static, without a result, and marked {@link Kernel}
     * @param constants values of the parameters that are marked {@link Constant}, in their order
     * @throws KernelCompileException with everything in the method, and in what it calls, that cannot be compiled
     */
    CompiledKernel compile(Method method, Object... constants);

    /**
     * Compiles a reference to a method, or a lambda, whatever its number of parameters.
     *
     * @throws KernelCompileException as of {@link #compile(Method, Object...)}
     */
    CompiledKernel compileReference(KernelMethod kernel, Object... constants);

    /** Of a method or lambda with no parameters; see {@link #compile(Method, Object...)}. */
    default CompiledKernel compile(KernelMethod.Of0 kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with one parameter; see {@link #compile(Method, Object...)}. */
    default <A> CompiledKernel compile(KernelMethod.Of1<A> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 2 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B> CompiledKernel compile(KernelMethod.Of2<A, B> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 3 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C> CompiledKernel compile(KernelMethod.Of3<A, B, C> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 4 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D> CompiledKernel compile(KernelMethod.Of4<A, B, C, D> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 5 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E> CompiledKernel compile(KernelMethod.Of5<A, B, C, D, E> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 6 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F> CompiledKernel compile(KernelMethod.Of6<A, B, C, D, E, F> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 7 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G> CompiledKernel compile(
            KernelMethod.Of7<A, B, C, D, E, F, G> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 8 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H> CompiledKernel compile(
            KernelMethod.Of8<A, B, C, D, E, F, G, H> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 9 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I> CompiledKernel compile(
            KernelMethod.Of9<A, B, C, D, E, F, G, H, I> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 10 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J> CompiledKernel compile(
            KernelMethod.Of10<A, B, C, D, E, F, G, H, I, J> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 11 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K> CompiledKernel compile(
            KernelMethod.Of11<A, B, C, D, E, F, G, H, I, J, K> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 12 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L> CompiledKernel compile(
            KernelMethod.Of12<A, B, C, D, E, F, G, H, I, J, K, L> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 13 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M> CompiledKernel compile(
            KernelMethod.Of13<A, B, C, D, E, F, G, H, I, J, K, L, M> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 14 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N> CompiledKernel compile(
            KernelMethod.Of14<A, B, C, D, E, F, G, H, I, J, K, L, M, N> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 15 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N, O> CompiledKernel compile(
            KernelMethod.Of15<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    /** Of a method or lambda with 16 parameters; see {@link #compile(Method, Object...)}. */
    default <A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P> CompiledKernel compile(
            KernelMethod.Of16<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P> kernel, Object... constants) {
        return compileReference(kernel, constants);
    }

    @Override
    void close();
}
