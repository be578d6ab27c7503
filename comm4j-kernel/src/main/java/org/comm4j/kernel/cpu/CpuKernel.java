// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.CpuOptions.Mode;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.SharedArrays;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.loops.LoopKernel;
import org.jspecify.annotations.Nullable;

/** A kernel that is ready to run on the CPU. */
public final class CpuKernel implements CompiledKernel {
    /** The most threads of a block anywhere. */
    private static final int MAX_THREADS = 1024;

    private final Arguments arguments;
    private final Method method;
    private final String signature;
    private final KernelAttributes attributes;
    private final CpuOptions options;
    private final CpuCode code;
    /** The runner of the launch before; those of launches at the same time wait in {@link #spares}. */
    private final AtomicReference<@Nullable LoopRunner> spare = new AtomicReference<>();

    private final Queue<LoopRunner> spares = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /**
     * @throws IllegalArgumentException if the method is not a static one without a result
     * @throws IllegalStateException if its class is not open to this module
     */
    CpuKernel(Method method, CpuOptions options) {
        this(KernelSource.of(method), options, CpuCode.of(KernelSource.of(method), options));
    }

    CpuKernel(KernelSource source, CpuOptions options, CpuCode code) {
        Method method = source.method();
        this.method = method;
        this.options = options;
        this.code = code;
        arguments = arguments(source, code);
        signature = signature(method);
        attributes = new KernelAttributes(0, 0, 0, code.maxThreads == 0 ? MAX_THREADS : code.maxThreads);
    }

    /** What the kernel is given; what was captured and what is constant are bound. */
    private static Arguments arguments(KernelSource source, CpuCode code) {
        List<Parameter> parameters = new ArrayList<>();
        List<String> names = code.names;
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
                code::written);
    }

    private static String name(Method method) {
        return String.join(".", method.getDeclaringClass().getSimpleName(), method.getName());
    }

    static String signature(Method method) {
        StringJoiner types = new StringJoiner(", ", name(method).concat("("), ")");
        for (Class<?> type : method.getParameterTypes()) {
            types.add(type.getSimpleName());
        }
        return types.toString();
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

    private void check(LaunchConfig shape, Object... arguments) {
        nonNull(shape, "launch", "config");
        nonNull(arguments, "launch", "arguments");
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (shape.threadsPerBlock() > attributes.maxThreads()) {
            throw new IllegalArgumentException(
                    "kernel " + name() + " is for blocks of at most " + attributes.maxThreads() + " threads: " + shape);
        }
        LoopKernel looped = code.looped;
        long arrays = looped == null ? 0 : looped.sharedBytes();
        if (arrays + shape.sharedBytes() > SharedArrays.MOST) {
            throw new IllegalArgumentException("kernel " + name() + " cannot be launched as " + shape
                    + ": its shared arrays take " + arrays + " bytes of a block, so that it needs "
                    + (arrays + shape.sharedBytes()) + ", and a GPU has " + SharedArrays.MOST);
        }
    }

    @Override
    public RepeatableLaunch prepare(LaunchConfig config, Object... given) {
        check(config, given);
        Object[] _ = arguments.check(given);
        return new CpuLaunch(this, config, arguments, given);
    }

    @Override
    public void launch(LaunchConfig shape, Object... arguments) {
        check(shape, arguments);
        LoopRunner runner = runner(shape);
        if (runner == null) {
            byThreads(shape, arguments);
            return;
        }
        runner.launch(this.arguments, arguments);
        if (!spare.compareAndSet(null, runner)) {
            spares.add(runner);
        }
    }

    /** Returns what runs a launch of a shape as loops; null if loops do not do it. */
    private @Nullable LoopRunner runner(LaunchConfig shape) {
        LoopRunner known = spare.getAndSet(null);
        if (known == null) {
            known = spares.poll();
        }
        if (known != null && known.isFor(shape)) {
            return known;
        }
        LoopKernel looped = code.looped;
        String refusal = looped == null ? code.notLooped : LoopRunner.refusal(looped, shape);
        if (refusal != null) {
            code.tell(signature, refusal);
        }
        if (looped == null || refusal != null) {
            return null;
        }
        if (known == null) {
            return new LoopRunner(looped, method, options, code, shape);
        }
        known.shape(shape);
        return known;
    }

    /** Runs a launch as the kernel's own method, thread by thread. */
    private void byThreads(LaunchConfig shape, Object... given) {
        LaunchConfig config = code.cooperative && !shape.cooperative() ? shape.cooperatively() : shape;
        Object[] converted = arguments.check(given);
        Launch launch = new Launch(signature, config, options, () -> {
            MethodHandle thread = code.thread();
            thread.invokeExact(converted);
        });
        launch.start();
        if (code.waits || config.cooperative() || config.clusterBlocks() > 1) {
            gangs(launch);
        } else {
            oneByOne(launch);
        }
        KernelException failure = launch.failure();
        if (failure != null) {
            throw failure;
        }
    }

    // ---- threads one after the other ----

    private void oneByOne(Launch launch) {
        long blocks = launch.config.blocks();
        int workers = options.mode() == Mode.FAST ? (int) Math.min(options.processors(), blocks) : 1;
        AtomicLong next = new AtomicLong();
        Workers all = new Workers(launch, _ -> {
            launch.begin();
            KernelThread current = new KernelThread(new BlockState(launch, 0), 0, null);
            KernelThread.setCurrent(current);
            try {
                for (long number = next.getAndIncrement(); number < blocks; number = next.getAndIncrement()) {
                    BlockState block = new BlockState(launch, number);
                    for (int i = 0; i < launch.config.threadsPerBlock(); i++) {
                        launch.checkStopped();
                        current.enter(block, i);
                        launch.body.run();
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
        all.run(workers, false);
    }

    // ---- threads that take turns ----

    private void gangs(Launch launch) {
        Groups groups = new Groups(launch.config, options);
        boolean alone = options.mode() != Mode.FAST || options.isShuffled();
        int workers = alone ? 1 : (int) Math.min(options.processors(), groups.count());
        AtomicLong next = new AtomicLong();
        Workers all = new Workers(launch, _ -> {
            for (long i = next.getAndIncrement(); i < groups.count(); i = next.getAndIncrement()) {
                launch.checkStopped();
                List<BlockState> blocks = new ArrayList<>();
                for (long number : groups.blocks(i)) {
                    blocks.add(new BlockState(launch, number));
                }
                new CooperativeScheduler(launch, blocks).run();
            }
        });
        all.run(workers, false);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        String form = options.mode() == Mode.DEBUG
                ? ""
                : code.notLooped == null
                        ? ", loops over threads"
                        : ", as in debugging, since loops do not do " + CpuCode.word(code.notLooped);
        return "CpuKernel[" + signature + ", " + options + form + "]";
    }
}
