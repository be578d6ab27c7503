// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.ref.SoftReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.CpuOptions.Mode;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.ParameterNames;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopStore;
import org.comm4j.kernel.loops.Unsupported;
import org.jspecify.annotations.Nullable;

/**
 * Classes that are made of a kernel. Whoever compiles the same kernel with the same constants and options gets the same
 * ones: PEs that are threads of a process, and compilers one after the other. Each is made when a launch needs it.
 */
final class CpuCode {
    /**
     * What a kernel's code depends on.
     *
     * @param limited whether a launch may have to end before all threads have ended
     */
    private record Key(KernelSource source, Mode mode, boolean shuffled, boolean limited) {
        /** That of a record takes some milliseconds in a new process. */
        @Override
        public int hashCode() {
            return source.method().hashCode();
        }
    }

    /** With the class of the kernel, which they refer to, they go; they go before that if memory is short. */
    private static final ClassValue<Map<Key, SoftReference<CpuCode>>> KNOWN = new ClassValue<>() {
        @Override
        protected Map<Key, SoftReference<CpuCode>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private static final Set<Class<?>> PLAIN = Set.of(
            Boolean.class,
            Byte.class,
            Short.class,
            Character.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class);

    final boolean waits;
    /** Whether each thread ends by itself. */
    final boolean ends;

    final boolean cooperative;

    /** Those of the method's parameters. */
    final List<String> names;

    /** Of a block, as the kernel says; 0 if it does not. */
    final int maxThreads;

    /** Whether values of fields went in. */
    private final boolean readsFields;

    /** The threads of a block as loops; null where the kernel's own class is run. */
    final @Nullable LoopKernel looped;

    /** The reason why a kernel is not loops that should be; null if it is, or is to be debugged. */
    final @Nullable String notLooped;

    private final AtomicBoolean told = new AtomicBoolean();
    private final KernelSource source;
    private final Mode mode;
    private final Lookup lookup;

    private @Nullable Set<Integer> written;
    private volatile @Nullable MethodHandle thread;

    CpuCode(
            KernelSource source,
            CpuOptions options,
            CodeCache.Facts facts,
            @Nullable LoopKernel looped,
            boolean readsFields) {
        this.source = source;
        mode = options.mode();
        lookup = Access.to(source.method().getDeclaringClass());
        names = facts.names();
        maxThreads = facts.maxThreads();
        cooperative = facts.cooperative();
        ends = facts.ends();
        waits = facts.waits() || options.isShuffled() || mode == Mode.CHECKED;
        this.looped = looped;
        this.readsFields = readsFields;
        notLooped = facts.notLooped();
    }

    /** Returns what another process has made; null if there is nothing, or it is not good any more. */
    static @Nullable CpuCode recalled(KernelSource source, CpuOptions options, CodeCache cache) {
        CodeCache.Facts facts = cache.recall();
        byte[] outline = facts == null ? null : facts.outline();
        if (facts == null || outline == null) {
            return facts == null ? null : new CpuCode(source, options, facts, null, false);
        }
        LoopKernel looped = LoopKernel.again(
                outline,
                new CalledMethods(source.method().getDeclaringClass()),
                () -> LoopRunner.read(source, options),
                cache,
                LoopRunner.manner(options));
        return looped == null ? null : new CpuCode(source, options, facts, looped, false);
    }

    /**
     * Makes the code of a kernel.
     *
     * @param portable what the compiler for GPUs has read of it; null if it was not asked
     * @param cache for other processes; null if nothing is kept
     */
    static CpuCode made(
            KernelSource source, CpuOptions options, Frontend.@Nullable Result portable, @Nullable CodeCache cache) {
        Method method = source.method();
        CallGraph closure = new CallGraph(method);
        CalledMethods java = new CalledMethods(method.getDeclaringClass());
        Frontend.Result read = null;
        LoopKernel looped = null;
        String reason = null;
        if (options.mode() != Mode.DEBUG) {
            try {
                read = LoopRunner.read(source, options);
                looped = LoopKernel.of(read, java, cache == null ? LoopStore.NONE : cache, LoopRunner.manner(options));
            } catch (Unsupported e) {
                reason = String.valueOf(e.getMessage());
            }
        }
        Kernel kernel = method.getAnnotation(Kernel.class);
        CodeCache.Facts facts = new CodeCache.Facts(
                closure.waits(),
                closure.ends(),
                closure.cooperative(),
                kernel == null ? 0 : kernel.maxThreads(),
                ParameterNames.of(method),
                looped == null ? null : looped.outline(),
                reason);
        boolean readsFields = portable != null && portable.readsFields() || read != null && read.readsFields();
        if (cache != null && portable != null && read != null) {
            Set<Class<?>> classes = new HashSet<>(portable.classes());
            classes.addAll(read.classes());
            classes.addAll(closure.classes());
            classes.addAll(java.classes());
            cache.keep(readsFields ? null : facts, classes);
        }
        return new CpuCode(source, options, facts, looped, readsFields);
    }

    /**
     * Returns the code of a kernel that GPUs could run.
     *
     * @throws KernelCompileException if it is none
     * @throws IllegalStateException if its class is not open to this module
     */
    static CpuCode portable(KernelSource source, CpuOptions options) {
        if (!source.captured().isEmpty() || !source.constants().stream().allMatch(CpuCode::isPlain)) {
            Frontend.Result _ = Frontend.compile(source, FrontendOptions.DEFAULT);
            return of(source, options);
        }
        Key key = new Key(
                source, options.mode(), options.isShuffled(), !options.timeout().isZero());
        CpuCode[] found = new CpuCode[1];
        KNOWN.get(source.method().getDeclaringClass()).compute(key, (_, before) -> {
            CpuCode known = before == null ? null : before.get();
            if (known != null) {
                found[0] = known;
                return before;
            }
            found[0] = found(source, options);
            // Values of fields may be others the next time.
            return found[0].readsFields ? null : new SoftReference<>(found[0]);
        });
        return found[0];
    }

    /** Returns what another process has made, or makes it, while others that want the same wait. */
    private static CpuCode found(KernelSource source, CpuOptions options) {
        CodeCache cache = options.mode() == Mode.DEBUG ? null : CodeCache.of(DiskCache.ofProcess(), source, options);
        if (cache == null) {
            return anew(source, options, null);
        }
        CpuCode known = recalled(source, options, cache);
        if (known == null && !cache.isRefused()) {
            try (DiskCache.Turn _ = cache.turn()) {
                known = recalled(source, options, cache);
                if (known == null && !cache.isRefused()) {
                    return anew(source, options, cache);
                }
            }
        }
        return known == null ? anew(source, options, null) : known;
    }

    private static CpuCode anew(KernelSource source, CpuOptions options, @Nullable CodeCache cache) {
        Frontend.Result portable = Frontend.compile(source, FrontendOptions.DEFAULT);
        checkMethod(source);
        return made(source, options, portable, cache);
    }

    private static boolean isPlain(@Nullable Object constant) {
        return constant instanceof Enum<?> || constant != null && PLAIN.contains(constant.getClass());
    }

    /**
     * Makes the code of a kernel that GPUs need not be able to run.
     *
     * @throws IllegalArgumentException if the method is not a static one without a result
     * @throws IllegalStateException if its class is not open to this module
     */
    static CpuCode of(KernelSource source, CpuOptions options) {
        checkMethod(source);
        return made(source, options, null, null);
    }

    private static void checkMethod(KernelSource source) {
        Method method = source.method();
        if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
            throw new IllegalArgumentException("a kernel is a static method without a result, " + method + " is not");
        }
    }

    /** Says once that loops do not run the kernel: as a warning if it is checked, for they alone find races. */
    void tell(String kernel, String what) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        // Not a constant of the class: it takes tens of milliseconds in a new process.
        System.Logger log = System.getLogger("org.comm4j.kernel");
        if (mode == Mode.CHECKED) {
            log.log(
                    Level.WARNING,
                    "kernel " + kernel + " is not checked for races, nor for shared memory that is read before it is"
                            + " written: the check does not know " + word(what));
        } else {
            log.log(
                    Level.DEBUG,
                    "kernel " + kernel + " runs as CpuOptions.debug() does: loops do not do " + word(what));
        }
    }

    /** The class and name of a method, if what is not known is one by its symbol. */
    static String word(String what) {
        int open = what.indexOf('(');
        int slash = what.lastIndexOf('/', open);
        return slash < 0 ? what : what.substring(slash + 1, open);
    }

    /** Returns the numbers of the parameters through which the kernel may write. */
    synchronized Set<Integer> written() {
        Set<Integer> known = written;
        if (known == null) {
            known = Frontend.written(source);
            written = known;
        }
        return known;
    }

    /** The method itself: what one thread does. */
    MethodHandle thread() {
        MethodHandle known = thread;
        if (known == null) {
            Method method = source.method();
            known = unreflect(method)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(void.class, Object[].class));
            thread = known;
        }
        return known;
    }

    private MethodHandle unreflect(Method method) {
        try {
            return lookup.unreflect(method);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + " cannot be called", e);
        }
    }
}
