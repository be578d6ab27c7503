// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.ffi.OperatingSystem;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What NVSHMEM has brought since 3.4: it works, or the message says which version has it and which one is loaded. */
@SuppressWarnings("try") // what is closed before its block ends, or only closed
class VersionContract {
    private static final int COUNT = 1000;
    /** Before NVSHMEM is initialised in this class, at least. */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private Nvshmem nvshmem;
    private int me;
    private int next;
    private int n;

    @BeforeEach
    void current() {
        nvshmem = Pes.current();
        me = nvshmem.myPe();
        n = nvshmem.nPes();
        next = (me + 1) % n;
    }

    /** Whether the loaded one has it; if not, the call says so. */
    private static boolean has(int minor, ThrowingCallable call) {
        if (Library.isAtLeast(Nvshmem.version(), 3, minor)) {
            return true;
        }
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("3." + minor)
                .hasMessageContaining(Nvshmem.version());
        return false;
    }

    /** So that a run that was meant for another version fails. */
    @Test
    void itIsTheVersionThatWasMeant() {
        String meant = OperatingSystem.current().variable("COMM4J_TEST_NVSHMEM");
        Assumptions.assumeTrue(meant != null, "COMM4J_TEST_NVSHMEM, the version that is to be tested, is not set");
        assertThat(Nvshmem.version()).isEqualTo(meant);
    }

    @Test
    void flush() {
        if (!has(7, nvshmem::flush)) {
            return;
        }
        try (SymmetricArray source = nvshmem.allocate(DataType.INT32, COUNT);
                SymmetricArray target = nvshmem.allocate(DataType.INT32, COUNT);
                org.comm4j.cuda.Stream stream = Pes.device().newStream()) {
            source.fill(me + 1);
            nvshmem.putNbi(target, source, next);
            nvshmem.flush();
            source.fill(-1);
            nvshmem.barrierAll();
            int previous = (me + n - 1) % n;
            assertThat(target.toHost().getInt(COUNT - 1)).isEqualTo(previous + 1);
            nvshmem.barrierAll();
            source.fill(me + 100, stream);
            nvshmem.putNbi(target, source, next, stream);
            nvshmem.flush(stream);
            source.fill(-1, stream);
            nvshmem.barrierAll(stream);
            nvshmem.synchronize(stream);
            assertThat(target.toHost().getInt(COUNT - 1)).isEqualTo(previous + 100);
        }
    }

    @Test
    void flushInAStream() {
        try (org.comm4j.cuda.Stream stream = Pes.device().newStream()) {
            if (has(7, () -> nvshmem.flush(stream))) {
                nvshmem.flush(stream);
                nvshmem.synchronize(stream);
            }
        }
    }

    /** These need no version: they are kernels of comm4j. */
    @Test
    void atomicsOfFloatingPointNumbers() {
        for (DataType type : new DataType[] {DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64}) {
            Assumptions.assumeTrue(Pes.simulated() || nvshmem.reaches(next), "no direct way to the next PE");
            try (SymmetricArray sums = nvshmem.allocate(type, 4)) {
                nvshmem.atomicAdd(sums, 1, 0.5 + me, next);
                nvshmem.barrierAll();
                assertThat(sums.toHost().getDouble(1)).isEqualTo(0.5 + (me + n - 1) % n);
                nvshmem.barrierAll();
            }
        }
    }

    @Test
    void countersAreReset() {
        try (SymmetricArray counters = nvshmem.allocate(DataType.UINT64, 64, 256)) {
            if (!has(8, () -> nvshmem.countedReset(counters, 0))) {
                return;
            }
            counters.fill(7);
            nvshmem.countedReset(counters, 32);
            nvshmem.quiet();
            assertThat(counters.toHost().getLong(31)).isEqualTo(7);
            assertThat(counters.toHost().getLong(32)).isZero();
            assertThatThrownBy(() -> nvshmem.countedReset(counters, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("256");
            assertThatThrownBy(() -> nvshmem.countedReset(counters, 64)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void regions() {
        if (!has(8, nvshmem::region)) {
            return;
        }
        assertThat(nvshmem.isRegionActive(Region.Hint.BATCH_RMA)).isFalse();
        try (SymmetricArray source = nvshmem.allocate(DataType.INT32, COUNT);
                SymmetricArray target = nvshmem.allocate(DataType.INT32, COUNT)) {
            source.fill(me + 1);
            try (Region region = nvshmem.region(Region.Hint.BATCH_RMA)) {
                assertThat(nvshmem.isRegionActive(Region.Hint.BATCH_RMA)).isTrue();
                for (int i = 0; i < 10; i++) {
                    nvshmem.putNbi(target.slice(i * 100L, 100), source.slice(i * 100L, 100), next);
                }
                region.close();
            }
            assertThat(nvshmem.isRegionActive(Region.Hint.BATCH_RMA)).isFalse();
            nvshmem.barrierAll();
            assertThat(target.toHost().getInt(COUNT - 1)).isEqualTo((me + n - 1) % n + 1);
            nvshmem.barrierAll();
        }
    }

    @Test
    void queuePairs() {
        if (!has(5, () -> nvshmem.newQueuePairs(2))) {
            return;
        }
        assertThat(nvshmem.newQueuePairs(2)).hasSize(2);
        assertThatThrownBy(() -> nvshmem.newQueuePairs(0)).isInstanceOf(IllegalArgumentException.class);
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        assertThatThrownBy(() -> nvshmem.newQueuePairs(me == 0 ? 1 : 2))
                .isInstanceOf(CollectiveMismatchException.class);
        nvshmem.barrierAll();
    }

    @Test
    void aTeamOfThoseWithMulticast() {
        if (has(7, nvshmem::multicastShared)) {
            Team team = nvshmem.multicastShared();
            assertThat(team == null || team.size() <= n).isTrue();
        }
    }

    /**
     * From 3.7 on the library would leave the process a few processors only, the garbage collector's threads included.
     */
    @Test
    void theProcessorsStayThoseOfTheProcess() throws IOException {
        Pes.close();
        Map<String, String> before = allowed();
        current();
        Map<String, String> after = allowed();
        // Threads of the library's own may have others.
        after.keySet().retainAll(before.keySet());
        before.keySet().retainAll(after.keySet());
        assertThat(after).isEqualTo(before).hasSizeGreaterThan(1);
        assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(PROCESSORS);
    }

    /** The processors of each thread of this process. */
    private static Map<String, String> allowed() throws IOException {
        Map<String, String> masks = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                try (Stream<String> lines = Files.lines(task.resolve("status"))) {
                    lines.filter(line -> line.startsWith("Cpus_allowed_list"))
                            .forEach(line -> masks.put(task.getFileName().toString(), line));
                } catch (UncheckedIOException | NoSuchFileException e) {
                    // The thread has ended meanwhile.
                }
            }
        }
        return masks;
    }
}
