// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.kernel.lang.Kernel;

/**
 * A kernel by reference: {@code Jacobi::step}, or a lambda whose body is the kernel. One interface for each number of
 * parameters. Being serializable is what lets the compiler find the method behind it; nothing is serialized. What a
 * lambda has captured are the first arguments of the kernel, and constants of it.
 */
public sealed interface KernelMethod extends Serializable {
    /**
     * The kernel of a class by its name, for {@link KernelCompiler#compile(Method, Object...)} where there is no
     * reference to it.
     *
     * @param name {@code step}; of several with that name {@code step(F32Ptr,int)}
     * @throws IllegalArgumentException if the class has none of this name, or several; the message has those that it
     *     has
     */
    static Method named(Class<?> type, String name) {
        String wanted = name.replace(" ", "");
        List<Method> kernels = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .toList();
        List<Method> found = kernels.stream()
                .filter(method -> wanted.equals(method.getName()) || wanted.equals(signature(method)))
                .toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new IllegalArgumentException(type.getName()
                + (found.isEmpty() ? " has no kernel " + name : " has several kernels " + name)
                + (kernels.isEmpty()
                        ? "; it has no method that is marked @Kernel"
                        : kernels.stream()
                                .map(KernelMethod::signature)
                                .sorted()
                                .collect(Collectors.joining(", ", "; it has ", ""))));
    }

    private static String signature(Method method) {
        return method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(",", "(", ")"));
    }

    /** With no parameters. */
    @FunctionalInterface
    non-sealed interface Of0 extends KernelMethod {
        void run();
    }

    /** With one parameter. */
    @FunctionalInterface
    non-sealed interface Of1<A> extends KernelMethod {
        void run(A a);
    }

    /** With 2 parameters. */
    @FunctionalInterface
    non-sealed interface Of2<A, B> extends KernelMethod {
        void run(A a, B b);
    }

    /** With 3 parameters. */
    @FunctionalInterface
    non-sealed interface Of3<A, B, C> extends KernelMethod {
        void run(A a, B b, C c);
    }

    /** With 4 parameters. */
    @FunctionalInterface
    non-sealed interface Of4<A, B, C, D> extends KernelMethod {
        void run(A a, B b, C c, D d);
    }

    /** With 5 parameters. */
    @FunctionalInterface
    non-sealed interface Of5<A, B, C, D, E> extends KernelMethod {
        void run(A a, B b, C c, D d, E e);
    }

    /** With 6 parameters. */
    @FunctionalInterface
    non-sealed interface Of6<A, B, C, D, E, F> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f);
    }

    /** With 7 parameters. */
    @FunctionalInterface
    non-sealed interface Of7<A, B, C, D, E, F, G> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g);
    }

    /** With 8 parameters. */
    @FunctionalInterface
    non-sealed interface Of8<A, B, C, D, E, F, G, H> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h);
    }

    /** With 9 parameters. */
    @FunctionalInterface
    non-sealed interface Of9<A, B, C, D, E, F, G, H, I> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i);
    }

    /** With 10 parameters. */
    @FunctionalInterface
    non-sealed interface Of10<A, B, C, D, E, F, G, H, I, J> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
    }

    /** With 11 parameters. */
    @FunctionalInterface
    non-sealed interface Of11<A, B, C, D, E, F, G, H, I, J, K> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
    }

    /** With 12 parameters. */
    @FunctionalInterface
    non-sealed interface Of12<A, B, C, D, E, F, G, H, I, J, K, L> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
    }

    /** With 13 parameters. */
    @FunctionalInterface
    non-sealed interface Of13<A, B, C, D, E, F, G, H, I, J, K, L, M> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m);
    }

    /** With 14 parameters. */
    @FunctionalInterface
    non-sealed interface Of14<A, B, C, D, E, F, G, H, I, J, K, L, M, N> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n);
    }

    /** With 15 parameters. */
    @FunctionalInterface
    non-sealed interface Of15<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n, O o);
    }

    /** With 16 parameters. */
    @FunctionalInterface
    non-sealed interface Of16<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P> extends KernelMethod {
        void run(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n, O o, P p);
    }
}
