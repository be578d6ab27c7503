// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How NVSHMEM begins and ends in a process, and what may be called when. */
@Timeout(300)
class LifeContract {
    private static final String LOGGER = "org.comm4j.nvshmem";

    @BeforeEach
    void nothingIsOpen() {
        Pes.close();
    }

    private static Nvshmem init() {
        return Nvshmem.init(Pes.world(), Pes.device());
    }

    /** All PEs can use it. */
    private static void use(Nvshmem nvshmem) {
        int n = nvshmem.nPes();
        int me = nvshmem.myPe();
        try (SymmetricArray to = nvshmem.allocate(DataType.INT32, 100);
                SymmetricArray from = nvshmem.allocate(DataType.INT32, 100);
                Stream stream = Pes.device().newStream()) {
            from.fill(me + 1, stream);
            nvshmem.put(to, from, (me + 1) % n, stream);
            nvshmem.barrierAll(stream);
            nvshmem.synchronize(stream);
            assertThat(to.toHost().getInt(99)).isEqualTo((me + n - 1) % n + 1);
            nvshmem.barrierAll();
        }
    }

    @Test
    void theStateIsKnown() {
        assertThat(Nvshmem.problem()).isNull();
        Nvshmem nvshmem = init();
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.INITIALIZED);
        assertThat(nvshmem.isOpen()).isTrue();
        assertThat(nvshmem.myPe()).isEqualTo(Pes.world().rank());
        assertThat(nvshmem.nPes()).isEqualTo(Pes.world().size());
        assertThat(nvshmem.device()).isSameAs(Pes.device());
        assertThat(nvshmem.failedPes()).isEmpty();
        assertThat(Nvshmem.version()).matches("3\\.\\d+\\.\\d+");
        nvshmem.close();
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
        assertThat(nvshmem.isOpen()).isFalse();
        nvshmem.close();
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
    }

    @Test
    void againAndAgain() {
        long streams = Pes.simulated() ? Simulation.get("streams") : 0;
        long bytes = Pes.simulated() ? Simulation.get("bytes") : 0;
        for (int i = 0; i < 20; i++) {
            try (Nvshmem nvshmem = init()) {
                use(nvshmem);
            }
        }
        if (Pes.simulated()) {
            assertThat(Simulation.get("pieces")).isZero();
            assertThat(Simulation.get("bytes")).isEqualTo(bytes);
            // Threads of streams end a little later.
            assertThat(Simulation.get("streams")).isLessThan(streams + 10);
        }
    }

    @Test
    void onlyOneAtATime() {
        try (Nvshmem nvshmem = init()) {
            assertThatThrownBy(LifeContract::init)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already")
                    .hasMessageContaining("PE " + nvshmem.myPe());
            use(nvshmem);
        }
        assertThatThrownBy(() -> Nvshmem.init(null, Pes.device())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Nvshmem.init(Pes.world(), null)).isInstanceOf(NullPointerException.class);
        try (Nvshmem nvshmem = init()) {
            use(nvshmem);
        }
    }

    /** All are told who calls what, and can go on. */
    @Test
    void onePeClosesWhileTheOthersCallSomethingElse() {
        List<Consumer<Nvshmem>> others = List.of(
                nvshmem -> nvshmem.allocate(DataType.INT32, 100),
                Nvshmem::communicator,
                nvshmem -> nvshmem.world().splitStrided(0, 1, nvshmem.nPes()));
        try (Nvshmem nvshmem = init();
                SymmetricArray array = nvshmem.allocate(DataType.INT32, 100)) {
            assumeTrue(nvshmem.nPes() > 1, "one PE agrees with itself");
            for (Consumer<Nvshmem> other : others) {
                Consumer<Nvshmem> mine = nvshmem.myPe() == 0 ? Nvshmem::close : other;
                assertThatThrownBy(() -> mine.accept(nvshmem))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining(nvshmem.myPe() == 0 ? "PE 1 calls " : "PE 0 calls close;");
                assertThat(nvshmem.isOpen()).isTrue();
                assertThat(array.isAlive()).isTrue();
            }
            use(nvshmem);
        }
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
    }

    @Test
    void nothingWorksAfterItsEnd() {
        Nvshmem nvshmem = init();
        SymmetricArray array = nvshmem.allocate(DataType.INT32, 100);
        Team part = nvshmem.world().splitStrided(0, 1, nvshmem.nPes());
        SymmetricArray freed = nvshmem.allocate(DataType.INT32, 100);
        freed.close();
        nvshmem.close();
        assertThat(array.isAlive()).isFalse();
        try (Stream stream = Pes.device().newStream()) {
            List<ThrowingCallable> calls = List.of(
                    () -> nvshmem.allocate(DataType.INT32, 1),
                    () -> nvshmem.put(array, array, 0, stream),
                    () -> nvshmem.barrierAll(),
                    () -> nvshmem.barrierAll(stream),
                    () -> nvshmem.syncAll(),
                    () -> nvshmem.syncAll(stream),
                    () -> nvshmem.quiet(),
                    () -> nvshmem.quiet(stream),
                    () -> nvshmem.fence(),
                    () -> nvshmem.ptr(array, 0),
                    () -> nvshmem.synchronize(stream),
                    () -> nvshmem.world().barrier(),
                    () -> nvshmem.world().splitStrided(0, 1, 1),
                    () -> part.barrier(stream),
                    () -> part.split2d(1),
                    () -> nvshmem.node(),
                    () -> nvshmem.newTeamId(),
                    () -> array.fill(1, stream),
                    () -> array.toHost());
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
            }
            // Giving back what is gone does no harm.
            array.close();
            freed.close();
            part.close();
            try (Nvshmem next = init();
                    SymmetricArray fresh = next.allocate(DataType.INT32, 100)) {
                assertThatThrownBy(() -> next.put(array, fresh, 0, stream)).isInstanceOf(RuntimeException.class);
                assertThatThrownBy(() -> next.put(fresh, array, 0, stream)).isInstanceOf(RuntimeException.class);
                assertThatThrownBy(() -> part.barrier(stream)).isInstanceOf(IllegalStateException.class);
                use(next);
            }
        }
    }

    /** What the module says while something runs. */
    private static List<LogRecord> logged(Runnable body) {
        List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                records.add(message);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(LOGGER);
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            body.run();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        return records;
    }

    @Test
    void leaksAreReportedWithTheirPlaceAndFreed() {
        List<LogRecord> records = logged(() -> {
            Nvshmem nvshmem = init();
            nvshmem.allocate(DataType.FLOAT64, 4711);
            nvshmem.allocate(DataType.INT8, 12).close();
            nvshmem.allocate(DataType.INT16, 815);
            nvshmem.close();
        });
        assertThat(records).hasSize(2).allSatisfy(record -> {
            assertThat(record.getMessage()).contains("leak");
            assertThat(record.getThrown()).isNotNull();
            assertThat(record.getThrown().getStackTrace())
                    .anySatisfy(frame -> assertThat(frame.getFileName()).isEqualTo("LifeContract.java"));
        });
        assertThat(records.getFirst().getMessage()).contains("4711 x FLOAT64");
        assertThat(records.getLast().getMessage()).contains("815 x INT16");
        if (Pes.simulated()) {
            assertThat(Simulation.count("nvshmem_free")).isPositive();
            assertThat(Simulation.get("pieces")).isZero();
        }
        assertThat(logged(() -> {
                    Nvshmem nvshmem = init();
                    use(nvshmem);
                    try (NvshmemCommunicator communicator = nvshmem.communicator()) {
                        communicator.peerMemory(3);
                    }
                    nvshmem.close();
                }))
                .isEmpty();
    }

    @Test
    void teamsThatWereNotClosedDoNotHinderTheEnd() {
        logged(() -> {
            for (int i = 0; i < 3; i++) {
                Nvshmem nvshmem = init();
                nvshmem.world().split2d(2);
                nvshmem.close();
            }
        });
    }

    private static String status(String key) throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith(key + ":"))
                .findFirst()
                .orElseThrow();
    }

    /** The sets of processors that the threads of this process may run on. */
    private static Set<String> processors() throws IOException {
        Set<String> sets = new TreeSet<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                try {
                    Files.readAllLines(thread.resolve("status")).stream()
                            .filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .forEach(sets::add);
                } catch (IOException e) {
                    // It has ended meanwhile.
                }
            }
        }
        return sets;
    }

    @Test
    void processorsAndSignalsStayAsTheyWere() throws IOException {
        Set<String> processors = processors();
        String caught = status("SigCgt");
        String ignored = status("SigIgn");
        String blocked = status("SigBlk");
        int available = Runtime.getRuntime().availableProcessors();
        try (Nvshmem nvshmem = init()) {
            use(nvshmem);
            assertThat(processors()).isEqualTo(processors);
            assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(available);
            assertThat(status("SigCgt")).isEqualTo(caught);
            assertThat(status("SigIgn")).isEqualTo(ignored);
            assertThat(status("SigBlk")).isEqualTo(blocked);
        }
        assertThat(processors()).isEqualTo(processors);
        assertThat(status("SigCgt")).isEqualTo(caught);
    }

    @Test
    void anyThreadMayCall() throws InterruptedException {
        try (Nvshmem nvshmem = init();
                SymmetricArray array = nvshmem.allocate(DataType.INT32, 4 * 256)) {
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                SymmetricArray part = array.slice(i * 256L, 256);
                int value = i;
                Runnable body = () -> {
                    try (Stream stream = Pes.device().newStream()) {
                        for (int round = 0; round < 100; round++) {
                            part.fill(value, stream);
                            nvshmem.put(part, part, nvshmem.myPe(), stream);
                            nvshmem.quiet(stream);
                        }
                        nvshmem.synchronize(stream);
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                };
                threads.add(
                        i % 2 == 0
                                ? Thread.ofPlatform().start(body)
                                : Thread.ofVirtual().start(body));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(array.toHost().getInt(3 * 256)).isEqualTo(3);
            nvshmem.barrierAll();
        }
    }

    @Test
    void theUsersDeviceMayBeClosedFirst() {
        Device own = Device.of(Pes.device().ordinal());
        Nvshmem nvshmem = Nvshmem.init(Pes.world(), own);
        nvshmem.barrierAll();
        own.close();
        nvshmem.barrierAll();
        nvshmem.close();
        try (Nvshmem next = init()) {
            use(next);
        }
    }

    @Test
    void limitsAreChecked() {
        try (Nvshmem nvshmem = init()) {
            assertThat(nvshmem.timeout()).isEqualTo(PesRun.WAIT);
            nvshmem.timeout(Duration.ofSeconds(7));
            assertThat(nvshmem.timeout()).isEqualTo(Duration.ofSeconds(7));
            assertThatThrownBy(() -> nvshmem.timeout(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
            nvshmem.timeout(Duration.ZERO);
            use(nvshmem);
        }
    }

    @Test
    void optionsReachTheLibrary() {
        // The real library needs more for itself in a heap that does not grow.
        NvshmemOptions small = NvshmemOptions.DEFAULT.symmetricSize(8 << 20).growing(!Pes.simulated());
        try (Nvshmem nvshmem = Nvshmem.init(Pes.world(), Pes.device(), small)) {
            use(nvshmem);
            if (Pes.simulated()) {
                assertThatThrownBy(() -> nvshmem.allocate(DataType.INT8, 9 << 20))
                        .isInstanceOf(org.comm4j.core.SymmetricMemoryException.class);
                use(nvshmem);
            }
        }
        // And no further.
        try (Nvshmem nvshmem = init();
                SymmetricArray large = nvshmem.allocate(DataType.INT8, 9 << 20)) {
            assertThat(large.count()).isEqualTo(9 << 20);
        }
    }
}
