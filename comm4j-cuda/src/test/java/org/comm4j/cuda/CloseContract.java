// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.Test;

/**
 * Three threads call everything that there is with objects that any of them closes at any time, the device included.
 * Such a call works or is an {@link IllegalStateException}; the driver never meets what is destroyed.
 */
abstract class CloseContract {
    private static final int COUNT = 1000;
    private static final int THREADS = 3;
    private static final LaunchConfig CONFIG = LaunchConfig.forElements(COUNT);

    static final byte[] PTX = """
            .version 7.0
            .target sm_70
            .address_size 64
            .visible .global .align 4 .f32 table[4];
            .visible .entry scale(.param .u64 x, .param .u32 n, .param .f32 factor) {
              .reg .pred %p<2>;
              .reg .b32 %r<6>;
              .reg .f32 %f<4>;
              .reg .b64 %d<5>;
              ld.param.u64 %d1, [x];
              ld.param.u32 %r1, [n];
              ld.param.f32 %f1, [factor];
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mov.u32 %r4, %tid.x;
              mad.lo.s32 %r5, %r2, %r3, %r4;
              setp.ge.s32 %p1, %r5, %r1;
              @%p1 bra END;
              cvta.to.global.u64 %d2, %d1;
              mul.wide.s32 %d3, %r5, 4;
              add.s64 %d4, %d2, %d3;
              ld.global.f32 %f2, [%d4];
              mul.f32 %f3, %f2, %f1;
              st.global.f32 [%d4], %f3;
            END:
              ret;
            }
            """.getBytes(StandardCharsets.UTF_8);

    /** How long the calls go on: some seconds, or as many as {@code -Dcomm4j.stress.seconds} says. */
    private static final long SECONDS = Long.getLong("comm4j.stress.seconds", 4);

    /** Calls that are left out: {@code -Dorg.comm4j.without} says which, to find out which ones a failure needs. */
    private static final Pattern WITHOUT = Pattern.compile(System.getProperty("org.comm4j.without", "none"));

    /** Everything of one device object; what is null could not be made, as something was closed just then. */
    private static final class Scene {
        final Device device = Device.of(0);
        final AtomicReference<Stream> stream = new AtomicReference<>();
        final AtomicReference<Stream> other = new AtomicReference<>();
        /** The only one that is recorded: waiting for it would spoil that. */
        final AtomicReference<Stream> recorded = new AtomicReference<>();

        final AtomicReference<Event> event = new AtomicReference<>();
        final AtomicReference<MemoryPool> pool = new AtomicReference<>();
        final AtomicReference<DeviceArray> array = new AtomicReference<>();
        final AtomicReference<DeviceArray> source = new AtomicReference<>();
        final AtomicReference<DeviceArray> pooled = new AtomicReference<>();
        final AtomicReference<PinnedArray> pinned = new AtomicReference<>();
        final AtomicReference<CudaModule> module = new AtomicReference<>();
        final AtomicReference<CudaLibrary> library = new AtomicReference<>();
        final AtomicReference<Graph> graph = new AtomicReference<>();
        final AtomicReference<GraphExec> exec = new AtomicReference<>();

        final Map<String, Runnable> makers = new TreeMap<>();

        Scene() {
            make("stream", () -> swap(stream, device.newStream()));
            make("other stream", () -> swap(other, device.newStream(-1)));
            make("recorded stream", () -> swap(recorded, device.newStream()));
            make("event", () -> swap(event, device.newEvent()));
            make("pool", () -> swap(pool, device.newPool()));
            make("array", () -> swap(array, device.allocate(DataType.FLOAT32, COUNT)));
            make("source", () -> swap(source, device.allocate(DataType.FLOAT32, COUNT)));
            make("pooled", () -> swap(pooled, pool.get().allocate(DataType.FLOAT32, COUNT, stream.get())));
            make("pinned", () -> swap(pinned, device.allocatePinned(DataType.FLOAT32, COUNT)));
            make("module", () -> swap(module, CudaModule.load(device, PTX)));
            make("library", () -> swap(library, CudaLibrary.load(PTX)));
            make("graph", () -> swap(graph, record()));
            make("exec", () -> swap(exec, graph.get().instantiate()));
        }

        private void make(String what, Runnable maker) {
            maker.run();
            makers.put(what, maker);
        }

        /** Two threads cannot record one stream. */
        private synchronized Graph record() {
            Stream queue = recorded.get();
            return Graph.capture(queue, () -> {
                array.get().fill(2, queue);
                source.get().copyFrom(array.get(), queue);
                scale(module.get().function("scale"), queue, source.get());
            });
        }

        void close() {
            for (AutoCloseable each : List.of(exec.get(), graph.get(), library.get())) {
                try {
                    each.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            device.close();
        }
    }

    private static <T extends AutoCloseable> void swap(AtomicReference<T> place, T fresh) {
        T old = place.getAndSet(fresh);
        if (old != null) {
            try {
                old.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void scale(CudaFunction kernel, Stream stream, DeviceArray array) {
        kernel.launch(CONFIG, stream, array, COUNT, 0.5f);
    }

    private final Map<String, Consumer<Scene>> calls = calls();

    private static Map<String, Consumer<Scene>> calls() {
        HostArray host = HostArray.allocate(DataType.FLOAT32, COUNT);
        Map<String, Consumer<Scene>> calls = new TreeMap<>();
        calls.put("stream", s -> s.stream.get().synchronize());
        calls.put("stream query", s -> {
            boolean ignored = s.other.get().isDone();
            assertThat(s.stream.get().isCapturing()).isFalse();
            assertThat(s.other.get().priority()).isNotPositive();
        });
        calls.put("event", s -> {
            s.stream.get().record(s.event.get());
            s.other.get().await(s.event.get());
            boolean ignored = s.event.get().isDone();
            s.event.get().synchronize();
        });
        calls.put("stream waits", s -> {
            s.stream.get().await(s.other.get());
            s.other.get().await(s.array.get());
        });
        calls.put("callback", s -> s.stream.get().onReached(() -> {}));
        calls.put(
                "pool",
                s -> s.pool.get().allocate(DataType.INT8, 77, s.other.get()).close());
        calls.put("pool's properties", s -> {
            MemoryPool pool = s.pool.get();
            pool.releaseThreshold(pool.usedMemory());
            pool.trim(0);
        });
        calls.put("fill", s -> s.array.get().slice(3, 70).fill(1, s.stream.get()));
        calls.put("fill of pooled memory", s -> s.pooled.get().fill(1, s.other.get()));
        calls.put("blocking fill", s -> s.array.get().fill(1));
        calls.put("copy from pinned", s -> s.array.get().copyFrom(s.pinned.get(), s.stream.get()));
        calls.put("copy to pinned", s -> s.source.get().copyTo(s.pinned.get(), s.other.get()));
        calls.put("blocking copy", s -> s.pooled.get().copyTo(host));
        calls.put("copy", s -> s.array.get().copyFrom(s.source.get(), s.other.get()));
        calls.put("keep", s -> s.array.get().keep().run());
        calls.put("lend", s -> {
            long tensor = DlPack.lend(s.array.get(), DlPack.Form.VERSIONED);
            DlPack.discard(tensor, DlPack.Form.VERSIONED);
        });
        calls.put("device", s -> {
            assertThat(s.device.freeMemory()).isPositive();
            s.device.newEvent().close();
            s.device.newStream().close();
            s.device.allocate(DataType.INT8, 9).close();
        });
        calls.put("device waits", s -> s.device.synchronize());
        calls.put("host memory", s -> s.device.allocatePinned(DataType.INT8, 9).close());
        calls.put("launch", s -> scale(s.module.get().function("scale"), s.stream.get(), s.array.get()));
        calls.put(
                "launch with pooled memory",
                s -> scale(s.module.get().function("scale"), s.stream.get(), s.pooled.get()));
        calls.put(
                "launch with pinned memory",
                s -> s.module.get().function("scale").launch(CONFIG, s.other.get(), s.pinned.get(), COUNT, 0.5f));
        calls.put("prepared launch", s -> {
            PreparedLaunch prepared = s.module.get().function("scale").prepare(CONFIG, s.array.get(), COUNT, 0.5f);
            for (int i = 0; i < 20; i++) {
                prepared.launch(s.stream.get());
            }
        });
        calls.put("module", s -> {
            CudaModule module = s.module.get();
            int ignored = module.function("scale").residentBlocks(128, 0);
            module.global("table", DataType.FLOAT32).fill(1, s.stream.get());
        });
        calls.put("library", s -> scale(s.library.get().on(s.device).function("scale"), s.stream.get(), s.array.get()));
        calls.put("graph", s -> assertThat(s.graph.get().nodeCount()).isPositive());
        calls.put("graph launch", s -> s.exec.get().launch(s.stream.get()));
        calls.put("graph upload", s -> s.exec.get().upload(s.other.get()));
        calls.put("graph update", s -> s.exec.get().update(s.graph.get()));
        return calls;
    }

    private final AtomicReference<Scene> scene = new AtomicReference<>();
    /** A library belongs to no device: a thread may put one into a scene whose device another has just closed. */
    private final Queue<Scene> past = new ConcurrentLinkedQueue<>();

    private final Map<String, AtomicLong> made = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> refused = new ConcurrentHashMap<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @Test
    void noCallMeetsWhatAnotherThreadDestroys() throws Exception {
        long seed = System.nanoTime();
        System.out.println("CloseContract: seed " + seed + ", " + SECONDS + " s");
        scene.set(new Scene());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed + i);
            threads.add(Thread.ofPlatform().daemon().name("caller " + i).start(() -> run(random, end)));
        }
        for (Thread each : threads) {
            each.join(TimeUnit.SECONDS.toMillis(SECONDS + 30));
            assertThat(each.isAlive())
                    .as("seed " + seed + ": " + each.getName() + " hangs in " + List.of(each.getStackTrace()))
                    .isFalse();
        }
        assertThat(failure.get()).as("seed " + seed).isNull();
        scene.get().close();
        past.forEach(each -> each.library.get().close());
        System.out.println("CloseContract: calls " + new TreeMap<>(made) + ", refused " + new TreeMap<>(refused));
        assertThat(made)
                .as("every family of calls works at times")
                .containsKeys(calls.keySet().stream()
                        .filter(each -> !WITHOUT.matcher(each).matches())
                        .toArray(String[]::new));
    }

    private void run(Random random, long end) {
        List<String> names = List.copyOf(calls.keySet());
        while (System.nanoTime() < end && failure.get() == null) {
            Scene now = scene.get();
            int chance = random.nextInt(1000);
            List<String> makers = List.copyOf(now.makers.keySet());
            String what = chance == 0
                    ? "a new device"
                    : chance < 100
                            ? "a new " + makers.get(random.nextInt(makers.size()))
                            : names.get(random.nextInt(names.size()));
            if (WITHOUT.matcher(what).matches()) {
                continue;
            }
            try {
                if (chance == 0) {
                    closeAll(now);
                } else if (chance < 100) {
                    now.makers.get(what.substring("a new ".length())).run();
                } else {
                    calls.get(what).accept(now);
                }
                made.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
            } catch (IllegalStateException e) {
                if (!isRefusal(String.valueOf(e.getMessage()))) {
                    failed(what, e);
                }
                refused.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
            } catch (Throwable e) {
                failed(what, e);
            }
        }
    }

    /** One thread closes the device of a scene while the others use it. */
    private void closeAll(Scene old) {
        Scene fresh = new Scene();
        if (scene.compareAndSet(old, fresh)) {
            past.add(old);
            old.close();
        } else {
            fresh.close();
        }
    }

    private static boolean isRefusal(String message) {
        return message.contains("closed") || message.contains("freed") || message.contains("is being recorded already");
    }

    private void failed(String what, Throwable e) {
        failure.compareAndSet(null, new AssertionError(what + ": " + e, e));
    }
}
