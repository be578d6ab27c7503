// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelMethod;
import org.jspecify.annotations.Nullable;

/**
 * The method of a kernel.
 *
 * @param captured values of its first parameters, of a lambda
 * @param constants values of its parameters that are marked {@link org.comm4j.kernel.lang.Constant}, in their order
 * @param lambda whether the method is a lambda's body, which has no {@link org.comm4j.kernel.lang.Kernel}
 */
public record KernelSource(Method method, List<Object> captured, List<Object> constants, boolean lambda) {
    public KernelSource {
        captured = Collections.unmodifiableList(new ArrayList<>(captured));
        constants = Collections.unmodifiableList(new ArrayList<>(constants));
    }

    public static KernelSource of(Method method, Object... constants) {
        nonNull(method, "compile", "method");
        nonNull(constants, "compile", "constants");
        return new KernelSource(method, List.of(), Arrays.asList(constants), false);
    }

    /**
     * What a method reference or a lambda stands for.
     *
     * @throws KernelCompileException if that is no static method, or an object that implements the interface in another
     *     way
     */
    public static KernelSource of(KernelMethod reference, Object... constants) {
        nonNull(reference, "compile", "kernel");
        nonNull(constants, "compile", "constants");
        SerializedLambda lambda = serialized(reference);
        ClassLoader loader = reference.getClass().getClassLoader();
        String owner = lambda.getImplClass().replace('/', '.');
        String name = owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.') + "." + lambda.getImplMethodName();
        if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
            throw wrong(
                    name,
                    lambda.getImplMethodName().startsWith("lambda$")
                            ? "the lambda uses this object, which does not exist on the GPU"
                            : "it is not static",
                    lambda.getImplMethodName().startsWith("lambda$")
                            ? "copy what it needs of the object to local variables before"
                            : "make the method static");
        }
        List<Object> captured = new ArrayList<>();
        for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
            captured.add(lambda.getCapturedArg(i));
        }
        Method method = method(loader, owner, lambda.getImplMethodName(), lambda.getImplMethodSignature());
        return new KernelSource(method, captured, Arrays.asList(constants), method.isSynthetic());
    }

    private static Method method(@Nullable ClassLoader loader, String owner, String name, String descriptor) {
        try {
            for (Method method : Class.forName(owner, false, loader).getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .descriptorString()
                                .equals(descriptor)) {
                    return method;
                }
            }
        } catch (ClassNotFoundException missing) {
            throw nameless(owner + "." + name);
        }
        throw new KernelCompileException(
                "the class " + owner + " has no method " + name + descriptor, (Throwable) null);
    }

    /**
     * Returns what a lambda or method reference was made from. The stream asks it what it would be on the wire, as it
     * may call private methods of classes in any module; here it would take an opened package.
     *
     * @throws KernelCompileException if it is neither
     */
    public static SerializedLambda serialized(Serializable reference) {
        SerializedLambda[] found = new SerializedLambda[1];
        final class Finder extends ObjectOutputStream {
            Finder() throws IOException {
                super(OutputStream.nullOutputStream());
                enableReplaceObject(true);
            }

            @Override
            protected @Nullable Object replaceObject(Object object) {
                if (object instanceof SerializedLambda lambda) {
                    found[0] = lambda;
                }
                return null;
            }
        }
        try (ObjectOutputStream stream = new Finder()) {
            stream.writeObject(reference);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (NoClassDefFoundError hidden) {
            throw nameless(reference.getClass().getName());
        }
        if (found[0] == null) {
            throw wrong(
                    reference.getClass().getName(),
                    "it is neither a method reference nor a lambda",
                    "write Owner::method");
        }
        return found[0];
    }

    private static KernelCompileException nameless(String name) {
        return wrong(
                name,
                "its class is hidden or of a loader that does not know it by name",
                "write kernels in classes that have a file");
    }

    private static KernelCompileException wrong(String name, String message, String hint) {
        return new KernelCompileException(name, List.of(new KernelCompileException.Problem(message, List.of(), hint)));
    }
}
