// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
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
            "Gpu",
            "Fence",
            "Grid",
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

    /** Those that ask for the thread, and wait for no other one. */
    private static final Set<String> ASKING = Set.of("AsyncCopy", "BulkCopy", "Mbarrier");

    private final Map<String, Callee> known = new LinkedHashMap<>();

    List<Callee> all() {
        return List.copyOf(known.values());
    }

    /** @throws Unsupported if it is a method that needs to know which thread is running, or may wait */
    Callee of(External external) {
        Callee callee = known.get(external.symbol());
        if (callee == null) {
            String symbol = external.symbol();
            callee = new Callee(
                    known.size(),
                    handle(external),
                    !external.pure(),
                    access(symbol),
                    symbol.startsWith(PACKAGE + "Fence.") || symbol.equals(PACKAGE + "Grid.awaitPrevious()V"),
                    ASKING.stream().anyMatch(owner -> symbol.startsWith(PACKAGE + owner + ".")));
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
        boolean asksWho = symbol.equals(PACKAGE + "Gpu.trap()V") || symbol.contains("Gpu.printf");
        boolean isFree = owner.startsWith("java/")
                || owner.startsWith(PACKAGE)
                        && (FREE.contains(owner.substring(PACKAGE.length()))
                                || ASKING.contains(owner.substring(PACKAGE.length())));
        if (!isFree || asksWho) {
            throw new Unsupported(symbol);
        }
        if (symbol.endsWith(";")) {
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
                    return adapted(lookup(type).unreflect(method));
                }
            }
            // The front end names the class that a call names; a subclass of it has the method.
            throw new Unsupported(symbol);
        } catch (ClassNotFoundException | IllegalAccessException | NoSuchMethodException e) {
            throw new Unsupported(symbol + ": " + e);
        }
    }

    private static int access(String symbol) {
        int open = symbol.indexOf('(');
        int dot = symbol.lastIndexOf('.', open);
        if (!symbol.startsWith(PACKAGE + "Atomic") && !symbol.startsWith(PACKAGE + "CachedAccess")) {
            return 0;
        }
        String name = symbol.substring(dot + 1, open);
        String type = symbol.substring(open + 2, symbol.indexOf(';'));
        int element = type.endsWith("64Ptr") ? 8 : type.endsWith("32Ptr") ? 4 : type.endsWith("16Ptr") ? 2 : 1;
        boolean isCached = symbol.startsWith(PACKAGE + "CachedAccess.");
        int count = isCached && name.endsWith("4") ? 4 : 1;
        int kind;
        if (isCached) {
            kind = symbol.endsWith(")V") ? LoopRaces.WRITE : LoopRaces.READ;
        } else if (name.startsWith("acquire")) {
            kind = LoopRaces.READ | LoopRaces.ATOMIC;
        } else if (name.startsWith("release")) {
            kind = LoopRaces.WRITE | LoopRaces.ATOMIC | LoopRaces.RELEASE;
        } else {
            kind = LoopRaces.READ | LoopRaces.WRITE | LoopRaces.ATOMIC;
        }
        return kind | element << 8 | element * count << 16;
    }

    /** Returns whether another thread may have to do something before the call of a method is of use. */
    static boolean mayWait(String symbol) {
        int open = symbol.indexOf('(');
        int dot = symbol.lastIndexOf('.', open);
        if (open < 0 || dot < 0 || !symbol.startsWith(PACKAGE)) {
            return false;
        }
        String owner = symbol.substring(PACKAGE.length(), dot);
        String name = symbol.substring(dot + 1, open);
        return owner.startsWith("Atomic")
                ? name.startsWith("cas") || name.startsWith("exch") || name.startsWith("acquire")
                : owner.equals("Mbarrier")
                        ? name.equals("test") || name.equals("tryWait")
                        : owner.equals("Gpu")
                                && Set.of("nanosleep", "clock", "globalTimer").contains(name);
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        return type.getName().startsWith("java.")
                ? MethodHandles.publicLookup()
                : MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    private static MethodHandle adapted(MethodHandle method) throws NoSuchMethodException, IllegalAccessException {
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
            } else if (type.isRecord()) {
                List<Class<?>> components = Arrays.stream(type.getRecordComponents())
                        .<Class<?>>map(component -> component.getType())
                        .toList();
                MethodHandle constructor =
                        lookup(type).findConstructor(type, MethodType.methodType(void.class, components));
                made = MethodHandles.collectArguments(made, i, adapted(constructor));
            } else if (!type.isPrimitive()) {
                throw new Unsupported("a parameter of " + type);
            }
        }
        if (!made.type().returnType().isPrimitive() && !made.type().returnType().isRecord()) {
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
