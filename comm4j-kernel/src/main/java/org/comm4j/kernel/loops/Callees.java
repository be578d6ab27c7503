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
import org.comm4j.kernel.loops.JavaMethods.Does;

/** Java methods that kernels call as they are, by the symbols that the front end gives them. */
final class Callees {
    private static final String PACKAGE = "org/comm4j/kernel/lang/";

    /** Classes of the vocabulary whose methods need not know which thread is running. */
    private static final Set<String> FREE = Set.of(
            "Atomic32",
            "Atomic64",
            "Atomic128",
            "CachedAccess",
            "Gpu",
            "Ptr",
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

    /** Those that give records and change nothing. */
    private static final Set<String> READING =
            Set.of(PACKAGE + "CachedAccess.", PACKAGE + "FloatMath.", PACKAGE + "DoubleMath.");

    private static final MethodHandle IS_NULL;

    static {
        try {
            IS_NULL = MethodHandles.lookup()
                    .findStatic(CallResults.class, "isNull", MethodType.methodType(boolean.class, MemorySegment.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Map<String, Callee> known = new LinkedHashMap<>();
    private final JavaMethods java;

    Callees(JavaMethods java) {
        this.java = java;
    }

    List<Callee> all() {
        return List.copyOf(known.values());
    }

    /** @throws Unsupported if there is no such method */
    Callee find(External external) {
        return known.computeIfAbsent(external.symbol(), symbol -> {
            boolean isKnown = isKnown(symbol);
            if (!isKnown && symbol.startsWith(PACKAGE)) {
                // Tensor copies, and products of warpgroups, which are for threads that exist beside each other.
                throw new Unsupported(symbol);
            }
            Method method = method(symbol);
            Does does = isKnown ? doesOfKnown(symbol) : java.does(method);
            boolean later = does == Does.WAIT;
            boolean isWide = symbol.startsWith(PACKAGE + "Atomic128.");
            boolean keeps = later || !method.getReturnType().isPrimitive() && (!isKnown || isWide);
            return new Callee(
                    known.size(),
                    symbol,
                    -1,
                    called(handle(symbol, method), later, keeps),
                    keeps || !external.pure(),
                    access(symbol),
                    // A Java method that is not the vocabulary's may be one: what it does is not looked at.
                    !isKnown
                            || symbol.startsWith(PACKAGE + "Fence.")
                            || symbol.equals(PACKAGE + "Grid.awaitPrevious()V"),
                    keeps,
                    does);
        });
    }

    /**
     * What a method gives that gives a record: one of its components.
     *
     * @throws Unsupported also if it does more than compute or read
     */
    Callee ofComponent(External external, int component) {
        return known.computeIfAbsent(external.symbol() + component, _ -> {
            String symbol = external.symbol();
            MethodHandle handle = handle(symbol, method(symbol));
            if (!handle.type().returnType().isRecord()
                    || !external.pure() && READING.stream().noneMatch(symbol::startsWith)) {
                throw new Unsupported(symbol);
            }
            return new Callee(
                    known.size(),
                    symbol,
                    component,
                    component(handle, symbol, component),
                    !external.pure(),
                    access(symbol),
                    false,
                    false,
                    doesOfKnown(symbol));
        });
    }

    /** Returns the next one of a kernel that another process has read, of which only the handle is missing. */
    Callee again(
            String symbol, int component, boolean changesMemory, int access, boolean fence, boolean keeps, Does does) {
        MethodHandle handle = handle(symbol, method(symbol));
        MethodHandle called =
                component < 0 ? called(handle, does == Does.WAIT, keeps) : component(handle, symbol, component);
        return known.computeIfAbsent(
                component < 0 ? symbol : symbol + component,
                _ -> new Callee(known.size(), symbol, component, called, changesMemory, access, fence, keeps, does));
    }

    private static MethodHandle called(MethodHandle handle, boolean later, boolean keeps) {
        return later ? Call.of(handle) : keeps ? handle.asType(handle.type().changeReturnType(Object.class)) : handle;
    }

    private MethodHandle component(MethodHandle handle, String symbol, int component) {
        Class<?> type = handle.type().returnType();
        try {
            MethodHandle accessor = lookup(type).unreflect(type.getRecordComponents()[component].getAccessor());
            MethodHandle made = MethodHandles.filterReturnValue(handle, accessor);
            return MethodHandles.explicitCastArguments(
                    made, made.type().changeReturnType(onStack(accessor.type().returnType())));
        } catch (IllegalAccessException e) {
            throw new Unsupported(symbol + ": " + e);
        }
    }

    private static String owner(String symbol) {
        int open = symbol.indexOf('(');
        int dot = symbol.lastIndexOf('.', open);
        if (open < 0 || dot < 0) {
            throw new Unsupported(symbol);
        }
        return symbol.substring(0, dot);
    }

    private static boolean isAsking(String symbol) {
        return owner(symbol).startsWith(PACKAGE)
                && ASKING.contains(owner(symbol).substring(PACKAGE.length()));
    }

    private static Does doesOfKnown(String symbol) {
        return isAsking(symbol) ? Does.ASK : Does.NOTHING;
    }

    /** Whether it is a method of ours, or of the JDK, of which it is known that it does not wait. */
    private static boolean isKnown(String symbol) {
        String owner = owner(symbol);
        boolean asksWho = symbol.equals(PACKAGE + "Gpu.trap()V") || symbol.contains("Gpu.printf");
        boolean isFree = owner.startsWith("java/")
                || owner.startsWith(PACKAGE) && FREE.contains(owner.substring(PACKAGE.length()))
                || isAsking(symbol);
        return isFree && !asksWho || symbol.equals(PACKAGE + "Mma.toTf32(F)I");
    }

    /** The descriptor, without the classes of pointers behind it. */
    private static String descriptor(String symbol) {
        int end = symbol.indexOf(' ');
        return symbol.substring(symbol.indexOf('('), end < 0 ? symbol.length() : end);
    }

    private Method method(String symbol) {
        String owner = owner(symbol);
        String name = symbol.substring(owner.length() + 1, symbol.indexOf('('));
        try {
            Class<?> type = java.load(owner.replace('/', '.'));
            String wanted = descriptor(symbol);
            for (Class<?> in = type; in != null; in = in.getSuperclass()) {
                for (Method method : in.getDeclaredMethods()) {
                    if (method.getName().equals(name)
                            && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                    .toMethodDescriptorString()
                                    .equals(wanted)) {
                        return method;
                    }
                }
            }
            throw new Unsupported(symbol);
        } catch (ClassNotFoundException e) {
            throw new Unsupported(symbol + ": " + e);
        }
    }

    private MethodHandle handle(String symbol, Method method) {
        try {
            int space = symbol.indexOf(' ');
            List<Class<?>> pointers = new ArrayList<>();
            if (space > 0) {
                for (String name : symbol.substring(space + 1).split(",")) {
                    pointers.add(java.load(name));
                }
            }
            return adapted(lookup(method.getDeclaringClass()).unreflect(method), pointers);
        } catch (ReflectiveOperationException e) {
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
        int count = isCached && name.endsWith("4") ? 4 : symbol.startsWith(PACKAGE + "Atomic128.") ? 2 : 1;
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

    private MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        return type.getName().startsWith("java.") ? MethodHandles.publicLookup() : java.lookup(type);
    }

    /** @param pointers the classes of pointers whose parameters do not say which, in their order */
    private MethodHandle adapted(MethodHandle method, List<Class<?>> pointers)
            throws NoSuchMethodException, IllegalAccessException {
        MethodHandle made = method;
        int which = pointers.size();
        for (int i = method.type().parameterCount() - 1; i >= 0; i--) {
            Class<?> type = method.type().parameterType(i);
            if (Ptr.class.isAssignableFrom(type)) {
                Class<?> concrete = type != Ptr.class ? type : which > 0 ? pointers.get(--which) : I8Ptr.class;
                MethodHandle constructor = lookup(concrete)
                        .findConstructor(
                                concrete,
                                MethodType.methodType(void.class, MemorySegment.class, long.class, Buffer.class));
                MethodHandle pointer = MethodHandles.insertArguments(constructor, 2, (Object) null);
                MethodHandle some = pointer.asType(pointer.type().changeReturnType(type));
                MethodHandle none = MethodHandles.dropArguments(
                        MethodHandles.constant(type, null), 0, MemorySegment.class, long.class);
                made = MethodHandles.collectArguments(made, i, MethodHandles.guardWithTest(IS_NULL, none, some));
            } else if (type.isRecord()) {
                List<Class<?>> components = Arrays.stream(type.getRecordComponents())
                        .<Class<?>>map(component -> component.getType())
                        .toList();
                MethodHandle constructor =
                        lookup(type).findConstructor(type, MethodType.methodType(void.class, components));
                made = MethodHandles.collectArguments(made, i, adapted(constructor, List.of()));
            } else if (type.isEnum()) {
                MethodHandle constant = MethodHandles.arrayElementGetter(type.arrayType());
                made = MethodHandles.filterArguments(made, i, constant.bindTo(type.getEnumConstants()));
            } else if (!type.isPrimitive()) {
                throw new Unsupported("a parameter of " + type);
            }
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
