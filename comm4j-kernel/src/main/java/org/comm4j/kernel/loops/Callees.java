// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Ptr;

/** Java methods that kernels call as they are, by the symbols that the front end gives them. */
final class Callees {
    private static final String PACKAGE = "org/comm4j/kernel/lang/";

    /** Classes of the vocabulary whose methods need not know which thread is running. */
    private static final Set<String> FREE = Set.of(
            "Atomic32",
            "Atomic64",
            "CachedAccess",
            "Fence",
            "SmallFloat",
            "Half",
            "Half2",
            "BFloat16",
            "BFloat162",
            "FloatMath",
            "DoubleMath",
            "BesselMath",
            "KernelMath",
            "Intrinsics",
            "RoundingIntrinsics");

    private final Map<String, Callee> known = new LinkedHashMap<>();

    List<Callee> all() {
        return List.copyOf(known.values());
    }

    /** @throws Unsupported if it is a method that needs to know which thread is running, or may wait */
    Callee of(External external) {
        Callee callee = known.get(external.symbol());
        if (callee == null) {
            callee = new Callee(known.size(), handle(external), !external.pure());
            known.put(external.symbol(), callee);
        }
        return callee;
    }

    private static MethodHandle handle(External external) {
        String symbol = external.symbol();
        int open = symbol.indexOf('(');
        int dot = symbol.lastIndexOf('.', open);
        if (open < 0 || dot < 0) {
            throw new Unsupported(symbol);
        }
        String owner = symbol.substring(0, dot);
        String name = symbol.substring(dot + 1, open);
        boolean isFree = owner.startsWith("java/")
                || owner.startsWith(PACKAGE) && FREE.contains(owner.substring(PACKAGE.length()));
        if (!isFree || mayWait(name)) {
            throw new Unsupported(symbol);
        }
        try {
            ClassLoader loader = Callees.class.getClassLoader();
            Class<?> type = Class.forName(owner.replace('/', '.'), false, loader);
            MethodType wanted = MethodType.fromMethodDescriptorString(symbol.substring(open), loader);
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .equals(wanted)) {
                    return adapted(lookup(type).unreflect(method), Modifier.isStatic(method.getModifiers()));
                }
            }
            // The front end names the class that a call names; a subclass of it has the method.
            throw new Unsupported(symbol);
        } catch (ClassNotFoundException | IllegalAccessException | NoSuchMethodException e) {
            throw new Unsupported(symbol + ": " + e);
        }
    }

    /** What another thread of the block may have to do first. */
    private static boolean mayWait(String name) {
        return name.startsWith("cas") || name.startsWith("exch") || name.contains("cquire") && !name.startsWith("fence")
                ? !name.startsWith("acquireRelease")
                : false;
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        return type.getName().startsWith("java.")
                ? MethodHandles.publicLookup()
                : MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    private static MethodHandle adapted(MethodHandle method, boolean isStatic)
            throws NoSuchMethodException, IllegalAccessException {
        if (!isStatic) {
            throw new Unsupported("instance method");
        }
        MethodHandle made = method;
        for (int i = method.type().parameterCount() - 1; i >= 0; i--) {
            Class<?> type = method.type().parameterType(i);
            if (Ptr.class.isAssignableFrom(type)) {
                Class<?> concrete = type == Ptr.class ? I8Ptr.class : type;
                MethodHandle constructor = lookup(concrete)
                        .findConstructor(
                                concrete,
                                MethodType.methodType(void.class, MemorySegment.class, long.class, Buffer.class));
                MethodHandle pointer = MethodHandles.insertArguments(constructor, 2, (Object) null);
                made = MethodHandles.collectArguments(
                        made, i, pointer.asType(pointer.type().changeReturnType(type)));
            } else if (!type.isPrimitive()) {
                throw new Unsupported("a parameter of " + type);
            }
        }
        if (!made.type().returnType().isPrimitive()) {
            throw new Unsupported("a result of " + made.type().returnType());
        }
        List<Class<?>> parameters = new ArrayList<>();
        made.type().parameterList().forEach(each -> parameters.add(onStack(each)));
        return MethodHandles.explicitCastArguments(
                made, MethodType.methodType(onStack(made.type().returnType()), parameters));
    }

    private static Class<?> onStack(Class<?> type) {
        return type == boolean.class || type == byte.class || type == short.class || type == char.class
                ? int.class
                : type;
    }
}
