// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.CpuOptions.Mode;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.ParameterNames;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.loops.LoopKernel;
import org.jspecify.annotations.Nullable;

/** A kernel that is ready to run on the CPU. */
public final class CpuKernel implements CompiledKernel {
    /** Shares of a processor in a launch: more of them wait less for the last. */
    private static final int SHARES = 8;

    /** The most threads of a block anywhere. */
    private static final int MAX_THREADS = 1024;

    private final Arguments arguments;
    private final Method method;
    private final String signature;
    private final KernelAttributes attributes;
    private final CpuOptions options;
    private final boolean waits;
    /** Whether each thread ends by itself. */
    private final boolean ends;

    private final boolean asks;
    private final boolean cooperative;

    /** The method itself: what one thread does. */
    private final MethodHandle thread;

    /**
     * The threads of blocks as a loop; empty where they never are one. Two copies of the same: the second runs the last
     * blocks of each dimension, where threads have nothing to do because the problem is smaller than the grid. To the
     * JVM that never happens in the first, which is what makes it a simple loop.
     */
    private final List<MethodHandle> loops;

    /** The same with vector instructions; null if the kernel has not the shape for it. */
    private final @Nullable VectorKernel row;

    /** Whether blocks side by side are one loop: nobody asks where one ends. */
    private final boolean merges;

    /** The threads of a block that wait for each other, as loops; null where they are threads that take turns. */
    private final @Nullable LoopKernel looped;

    private volatile boolean closed;

    /**
     * @throws IllegalArgumentException if the method is not a static one without a result
     * @throws IllegalStateException if its class is not open to this module
     */
    CpuKernel(Method method, CpuOptions options) {
        this(KernelSource.of(method), options);
    }

    CpuKernel(KernelSource source, CpuOptions options) {
        Method method = source.method();
        if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
            throw new IllegalArgumentException("a kernel is a static method without a result, " + method + " is not");
        }
        this.method = method;
        this.arguments = arguments(source);
        this.options = options;
        signature = signature(method);
        Kernel kernel = method.getAnnotation(Kernel.class);
        attributes = new KernelAttributes(
                0, 0, 0, kernel == null || kernel.maxThreads() == 0 ? MAX_THREADS : kernel.maxThreads());
        Lookup lookup = Access.to(method.getDeclaringClass());
        CallGraph closure = new CallGraph(method);
        cooperative = closure.cooperative();
        boolean shuffled = options.isShuffled();
        ends = closure.ends();
        waits = closure.waits() || shuffled || options.mode() == Mode.CHECKED;
        thread = unreflect(lookup, method)
                .asSpreader(Object[].class, method.getParameterCount())
                .asType(MethodType.methodType(void.class, Object[].class));
        looped = waits && options.mode() != Mode.DEBUG ? LoopRunner.kernel(source, options) : null;
        if (waits || options.mode() == Mode.DEBUG) {
            loops = List.of();
            row = null;
            asks = true;
            merges = false;
        } else {
            Set<Index> indices = closure.indices();
            asks = closure.asks();
            // Looking whether to go on costs something in each turn of a loop.
            boolean polls = !options.timeout().isZero();
            AccessPattern shape = asks ? null : closure.row();
            var inner = new KernelClassWriter(closure, method, polls, shape).define(lookup);
            var last = new KernelClassWriter(closure, method, polls, null).define(lookup);
            row = inner.row();
            loops = List.of(inner.block(), last.block());
            merges = !asks && !indices.contains(Index.THREAD_X) && !indices.contains(Index.BLOCK_X);
        }
    }

    /** What the kernel is given; what was captured and what is constant are bound. */
    private static Arguments arguments(KernelSource source) {
        List<Parameter> parameters = new ArrayList<>();
        List<String> names = ParameterNames.of(source.method());
        int constants = 0;
        for (var declared : source.method().getParameters()) {
            int number = parameters.size();
            Object bound = null;
            if (number < source.captured().size()) {
                bound = source.captured().get(number);
            } else if (declared.isAnnotationPresent(Constant.class)) {
                if (constants == source.constants().size()) {
                    throw new KernelCompileException(
                            signature(source.method()),
                            List.of(new KernelCompileException.Problem(
                                    "parameter " + names.get(number) + " is a @Constant, but no value is given for it",
                                    List.of(),
                                    "give the values of constants when compiling: compile(method, values...)")));
                }
                bound = source.constants().get(constants++);
            }
            parameters.add(new Parameter(
                    names.get(number), declared.getType(), declared.isAnnotationPresent(Restrict.class), bound));
        }
        return new Arguments(
                name(source.method()),
                parameters,
                buffer -> buffer instanceof HostArray ? null : "is memory that a kernel on the CPU does not reach",
                () -> Frontend.written(source));
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    static String signature(Method method) {
        return name(method)
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static MethodHandle unreflect(Lookup lookup, Method method) {
        try {
            return lookup.unreflect(method);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + " cannot be called", e);
        }
    }

    @Override
    public String name() {
        return name(method);
    }

    @Override
    public Method method() {
        return method;
    }

    /** The threads of a block are all that is limited. */
    @Override
    public KernelAttributes attributes() {
        return attributes;
    }

    @Override
    public int residentBlocks(int threadsPerBlock, int sharedBytes) {
        if (threadsPerBlock < 1 || threadsPerBlock > attributes.maxThreads() || sharedBytes < 0) {
            throw new IllegalArgumentException("kernel " + name() + " has no blocks of " + threadsPerBlock
                    + " threads with " + sharedBytes + " bytes of shared memory: 1 to " + attributes.maxThreads()
                    + " threads, and 0 bytes or more");
        }
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public void launch(LaunchConfig shape, Object... arguments) {
        nonNull(shape, "launch", "config");
        nonNull(arguments, "launch", "arguments");
        LaunchConfig config = cooperative && !shape.cooperative() ? shape.cooperatively() : shape;
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (config.threadsPerBlock() > attributes().maxThreads()) {
            throw new IllegalArgumentException("kernel " + name() + " is for blocks of at most "
                    + attributes().maxThreads() + " threads: " + config);
        }
        if (config.sharedBytes() > BlockState.MOST_SHARED) {
            throw new IllegalArgumentException(
                    "kernel " + name() + " cannot be launched with " + config + ": " + BlockState.ofGpus());
        }
        Object[] converted = this.arguments.check(arguments);
        Launch launch = new Launch(signature, config, options, _ -> {
            thread.invokeExact(converted);
        });
        if (looped != null && LoopRunner.fits(looped, config)) {
            new LoopRunner(launch, looped, method, converted).run(ends);
        } else if (waits || config.cooperative() || config.clusterBlocks() > 1) {
            gangs(launch);
        } else if (loops.isEmpty() || (long) config.gridX() * config.blockX() > Integer.MAX_VALUE) {
            oneByOne(launch);
        } else {
            loops(launch, converted);
        }
        KernelException failure = launch.failure();
        if (failure != null) {
            throw failure;
        }
    }

    // ---- threads that are a loop ----

    private void loops(Launch launch, Object... arguments) {
        long blocks = launch.config.blocks();
        int workers = (int) Math.min(options.processors(), blocks);
        long shares = workers == 1 ? 1 : (long) workers * SHARES;
        long share = (blocks + shares - 1) / shares;
        AtomicLong next = new AtomicLong();
        VectorLoop.Bound rows = row == null ? null : VectorLoop.Bound.of(row, arguments);
        // With a limit, or without an end, the caller does not work itself: it has to come back from a kernel that does
        // not.
        Workers.run(launch, workers, ends && !launch.hasDeadline(), () -> {
            launch.begin();
            if (rows != null) {
                rows(launch, rowLoop(rows, launch.config, arguments), next, share);
                return;
            }
            KernelThread current = new KernelThread(new BlockState(launch, 0), 0, null);
            KernelThread.setCurrent(current);
            try {
                for (long from = next.getAndAdd(share); from < blocks; from = next.getAndAdd(share)) {
                    loop(current, arguments, from, Math.min(blocks, from + share));
                }
            } catch (KernelFault fault) {
                launch.fail(launch.failure(fault.place(), fault));
            } catch (Launch.Stopped e) {
                // The launch knows why.
            } catch (Throwable e) {
                launch.fail(launch.failure(current.toString(), e));
            } finally {
                KernelThread.setCurrent(null);
            }
        });
    }

    /** Blocks by their numbers; those of a row at once where that can be. */
    private void loop(KernelThread current, Object[] arguments, long from, long to) throws Throwable {
        Launch launch = current.block.launch;
        LaunchConfig c = launch.config;
        int width = c.blockX();
        for (long number = from; number < to; ) {
            launch.checkStopped();
            int x = (int) (number % c.gridX());
            int y = (int) (number / c.gridX() % c.gridY());
            int z = (int) (number / c.gridX() / c.gridY());
            boolean isLast =
                    x == c.gridX() - 1 || y == c.gridY() - 1 && c.gridY() > 1 || z == c.gridZ() - 1 && c.gridZ() > 1;
            int count = 1;
            if (merges) {
                int end = isLast ? c.gridX() : c.gridX() - 1;
                count = (int) Math.min(end - x, to - number);
            } else if (asks) {
                current.enter(new BlockState(launch, number), 0);
            }
            MethodHandle loop = loops.get(isLast ? 1 : 0);
            loop.invokeExact(
                    arguments,
                    x * width,
                    (x + count) * width,
                    x * width,
                    0,
                    c.blockY(),
                    0,
                    c.blockZ(),
                    x,
                    y,
                    z,
                    width,
                    c.blockY(),
                    c.blockZ(),
                    c.gridX(),
                    c.gridY(),
                    c.gridZ());
            number += count;
        }
    }

    /** Shares of blocks, row by row. Nothing in them asks who is running. */
    private void rows(Launch launch, VectorLoop rows, AtomicLong next, long share) {
        LaunchConfig c = launch.config;
        long blocks = c.blocks();
        int width = c.blockX();
        boolean merge = Objects.requireNonNull(row).shape.merges();
        try {
            for (long from = next.getAndAdd(share); from < blocks; from = next.getAndAdd(share)) {
                long to = Math.min(blocks, from + share);
                for (long number = from; number < to; ) {
                    launch.checkStopped();
                    int x = (int) (number % c.gridX());
                    int y = (int) (number / c.gridX() % c.gridY());
                    int z = (int) (number / c.gridX() / c.gridY());
                    int count = merge ? (int) Math.min(c.gridX() - x, to - number) : 1;
                    for (int threadZ = 0; threadZ < c.blockZ(); threadZ++) {
                        for (int threadY = 0; threadY < c.blockY(); threadY++) {
                            rows.run(x * width, (x + count) * width, x * width, threadY, threadZ, x, y, z);
                        }
                    }
                    number += count;
                }
            }
        } catch (KernelFault fault) {
            launch.fail(launch.failure(fault.place(), fault));
        } catch (Launch.Stopped e) {
            // The launch knows why.
        } catch (Throwable e) {
            launch.fail(launch.failure("a thread", e));
        }
    }

    private VectorLoop rowLoop(VectorLoop.Bound rows, LaunchConfig c, Object... arguments) {
        return new VectorLoop(
                rows,
                (from, to, start, threadY, threadZ, x, y, z) -> {
                    MethodHandle loop = loops.get(1);
                    loop.invokeExact(
                            arguments,
                            from,
                            to,
                            start,
                            threadY,
                            threadY + 1,
                            threadZ,
                            threadZ + 1,
                            x,
                            y,
                            z,
                            c.blockX(),
                            c.blockY(),
                            c.blockZ(),
                            c.gridX(),
                            c.gridY(),
                            c.gridZ());
                },
                c.blockX(),
                c.blockY(),
                c.blockZ(),
                c.gridX(),
                c.gridY(),
                c.gridZ());
    }

    // ---- threads one after the other ----

    private void oneByOne(Launch launch) {
        long blocks = launch.config.blocks();
        int workers = options.mode() == Mode.FAST ? (int) Math.min(options.processors(), blocks) : 1;
        AtomicLong next = new AtomicLong();
        Workers.run(launch, workers, false, () -> {
            launch.begin();
            KernelThread current = new KernelThread(new BlockState(launch, 0), 0, null);
            KernelThread.setCurrent(current);
            try {
                for (long number = next.getAndIncrement(); number < blocks; number = next.getAndIncrement()) {
                    BlockState block = new BlockState(launch, number);
                    for (int i = 0; i < launch.config.threadsPerBlock(); i++) {
                        launch.checkStopped();
                        current.enter(block, i);
                        launch.body.run(current);
                    }
                }
            } catch (Launch.Stopped e) {
                // The launch knows why.
            } catch (Throwable e) {
                launch.fail(launch.failure(current.toString(), e));
            } finally {
                KernelThread.setCurrent(null);
            }
        });
    }

    // ---- threads that take turns ----

    private void gangs(Launch launch) {
        Groups groups = new Groups(launch.config, options);
        boolean alone = options.mode() != Mode.FAST || options.isShuffled();
        int workers = alone ? 1 : (int) Math.min(options.processors(), groups.count());
        AtomicLong next = new AtomicLong();
        Workers.run(launch, workers, false, () -> {
            for (long i = next.getAndIncrement(); i < groups.count(); i = next.getAndIncrement()) {
                launch.checkStopped();
                List<BlockState> blocks = new ArrayList<>();
                for (long number : groups.blocks(i)) {
                    blocks.add(new BlockState(launch, number));
                }
                new CooperativeScheduler(launch, blocks).run();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "CpuKernel[" + signature + ", " + options + "]";
    }
}
