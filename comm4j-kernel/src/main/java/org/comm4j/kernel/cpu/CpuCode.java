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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.CpuOptions.Mode;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.loops.LoopKernel;
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
    private record Key(KernelSource source, Mode mode, boolean shuffled, boolean limited) {}

    /** With the class of the kernel, which they refer to, they go; they go before that if memory is short. */
    private static final ClassValue<Map<Key, SoftReference<CpuCode>>> KNOWN = new ClassValue<>() {
        @Override
        protected Map<Key, SoftReference<CpuCode>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private static final System.Logger LOG = System.getLogger("org.comm4j.kernel");

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

    private CpuCode(KernelSource source, CpuOptions options) {
        this.source = source;
        mode = options.mode();
        Method method = source.method();
        lookup = Access.to(method.getDeclaringClass());
        CallGraph closure = new CallGraph(method);
        cooperative = closure.cooperative();
        ends = closure.ends();
        waits = closure.waits() || options.isShuffled() || mode == Mode.CHECKED;
        LoopKernel loops = null;
        String reason = null;
        if (mode != Mode.DEBUG) {
            try {
                loops = LoopRunner.kernel(source, options);
            } catch (Unsupported e) {
                reason = e.getMessage();
            }
        }
        looped = loops;
        notLooped = reason;
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
            Frontend.Result read = Frontend.compile(source, FrontendOptions.DEFAULT);
            CpuCode made = of(source, options);
            found[0] = made;
            // Values of fields may be others the next time.
            return read.readsFields() ? null : new SoftReference<>(made);
        });
        return found[0];
    }

    private static boolean isPlain(@Nullable Object constant) {
        return constant instanceof Enum<?> || constant != null && PLAIN.contains(constant.getClass());
    }

    /**
     * Makes the code of a kernel.
     *
     * @throws IllegalArgumentException if the method is not a static one without a result
     * @throws IllegalStateException if its class is not open to this module
     */
    static CpuCode of(KernelSource source, CpuOptions options) {
        Method method = source.method();
        if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
            throw new IllegalArgumentException("a kernel is a static method without a result, " + method + " is not");
        }
        return new CpuCode(source, options);
    }

    /** Says once that loops do not run the kernel: as a warning if it is checked, for they alone find races. */
    void tell(String kernel, String what) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        if (mode == Mode.CHECKED) {
            LOG.log(
                    Level.WARNING,
                    "kernel " + kernel + " is not checked for races, nor for shared memory that is read before it is"
                            + " written: the check does not know " + word(what));
        } else {
            LOG.log(
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
