// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class OperatingSystemTest {
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final int PAGES = 64;
    private static final long BYTES = PAGES * 4096L;

    private final OperatingSystem os = OperatingSystem.current();
    private final Arena arena = Arena.ofShared();
    private final int file;
    private final int other;
    /** The same memory at two addresses, as in two processes. */
    private final MemorySegment memory;

    private final MemorySegment memoryOfOther;

    OperatingSystemTest() {
        file = os.createSharedFile("comm4j-test", BYTES);
        other = os.openSharedFile(os.sharedPath(file));
        memory = os.map(file, BYTES, arena);
        memoryOfOther = os.map(other, BYTES, arena);
    }

    @BeforeEach
    void mappedTwice() {
        assertThat(memory.address()).isNotEqualTo(memoryOfOther.address());
    }

    @AfterEach
    void close() {
        arena.close();
        os.closeFile(file);
        os.closeFile(other);
    }

    @Test
    void aSharedFileIsOneMemory() throws IOException {
        assertThat(memory.byteSize()).isEqualTo(BYTES);
        assertThat(memory.toArray(JAVA_BYTE)).containsOnly(0);
        memory.set(JAVA_LONG, BYTES - 8, 42);
        assertThat(memoryOfOther.get(JAVA_LONG, BYTES - 8)).isEqualTo(42);
        Path path = Path.of(os.sharedPath(file));
        assertThat(Files.size(path)).isEqualTo(BYTES);
        assertThat(Files.getPosixFilePermissions(path))
                .isEqualTo(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        // No name: nothing can be left behind.
        assertThat(Files.readSymbolicLink(path).toString())
                .contains("comm4j-test")
                .contains("(deleted)");
    }

    @Test
    void memoryOutlivesTheDescriptors() {
        MemorySegment mapped;
        try (Arena own = Arena.ofShared()) {
            int descriptor = os.createSharedFile("comm4j-test", 4096);
            mapped = os.map(descriptor, 4096, own);
            os.closeFile(descriptor);
            mapped.set(JAVA_INT, 0, 7);
            assertThat(mapped.get(JAVA_INT, 0)).isEqualTo(7);
        }
        assertThatThrownBy(() -> mapped.get(JAVA_INT, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aMappingBeginsWhereItIsAskedTo() {
        for (long alignment = 1; alignment <= 1 << 30; alignment *= 2) {
            try (Arena own = Arena.ofShared()) {
                MemorySegment mapped = os.map(file, BYTES - 100, alignment, own);
                assertThat(mapped.address() % alignment).isZero();
                assertThat(mapped.byteSize()).isEqualTo(BYTES - 100);
                mapped.set(JAVA_LONG, BYTES - 200, alignment);
                assertThat(memory.get(JAVA_LONG, BYTES - 200)).isEqualTo(alignment);
            }
        }
        assertThatThrownBy(() -> os.map(999_999, 4096, 1 << 20, arena))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("mmap of 4096 bytes");
    }

    /** What another process names is not opened and mapped just because this one could. */
    @Test
    void nothingButNamelessMemoryIsOpened(@TempDir Path folder) throws IOException {
        Path named = Files.writeString(folder.resolve("precious"), "x".repeat(4096));
        assertThatThrownBy(() -> os.openSharedFile(named.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(named + " is not the name of a process's open file");
        assertThatThrownBy(() -> os.openSharedFile("/proc/self/fd/../../../etc/hosts"))
                .isInstanceOf(IllegalArgumentException.class);
        try (RandomAccessFile open = new RandomAccessFile(named.toFile(), "rw")) {
            assertRefused(descriptorOf(named), named + ", not shared memory");
            Files.delete(named);
            assertRefused(descriptorOf(named), named + " (deleted), not shared memory");
            assertThat(open.length()).isEqualTo(4096);
        }
    }

    private static String descriptorOf(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(fd -> {
                        try {
                            return Files.readSymbolicLink(fd).toString().startsWith(file.toString());
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private void assertRefused(String path, String what) {
        assertThatThrownBy(() -> os.openSharedFile(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(path + " is " + what + " without a name");
    }

    @Test
    void failuresHaveTheSystemsWords() {
        assertThatThrownBy(() -> os.openSharedFile("/proc/self/fd/999999"))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("open of /proc/self/fd/999999")
                .hasMessageContaining("No such file or directory");
        assertThatThrownBy(() -> os.closeFile(999_999))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("close")
                .hasMessageContaining("Bad file descriptor");
        assertThatThrownBy(() -> os.map(999_999, 4096, arena))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("mmap of 4096 bytes");
        assertThatThrownBy(() -> os.createSharedFile("comm4j-test", -1))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("-1 bytes");
        assertThatThrownBy(() -> os.punchHole(999_999, 0, 4096)).isInstanceOf(OperatingSystemException.class);
        assertThatThrownBy(() -> os.isByteLocked(999_999, 0)).isInstanceOf(OperatingSystemException.class);
    }

    @Test
    void memoryIsTakenAndGivenBack() {
        os.adviseLargePages(memory);
        // Ranges need not be whole pages.
        assertThat(os.populate(memory.asSlice(100, 10 * 4096))).isTrue();
        assertThat(memory.toArray(JAVA_BYTE)).containsOnly(0);
        memory.fill((byte) 1);
        os.punchHole(file, 4096, 2 * 4096);
        for (long i = 0; i < BYTES; i++) {
            boolean inHole = i >= 4096 && i < 3 * 4096;
            if (memoryOfOther.get(JAVA_BYTE, i) != (inHole ? 0 : 1)) {
                throw new AssertionError("byte " + i + " is " + memoryOfOther.get(JAVA_BYTE, i));
            }
        }
        memory.set(JAVA_BYTE, 5000, (byte) 2);
        assertThat(memoryOfOther.get(JAVA_BYTE, 5000)).isEqualTo((byte) 2);
    }

    @Test
    void populatingBeyondTheFileFails() {
        MemorySegment beyond = os.map(file, 2 * BYTES, arena);
        assertThat(os.populate(beyond)).isFalse();
    }

    @Test
    void figuresOfTheMachine() {
        assertThat(os.totalMemory()).isGreaterThan(1L << 28);
        assertThat(os.availableMemory()).isBetween(1L << 20, os.totalMemory());
    }

    @Test
    void locksBelongToDescriptors() {
        assertThat(os.lockByte(file, 3)).isTrue();
        assertThat(os.lockByte(file, 3)).as("the same once more").isTrue();
        assertThat(os.lockByte(other, 3)).isFalse();
        assertThat(os.lockByte(other, 4)).isTrue();
        assertThat(os.isByteLocked(file, 3)).as("not by another one").isFalse();
        assertThat(os.isByteLocked(other, 3)).isTrue();
        assertThat(os.isByteLocked(file, 4)).isTrue();
        assertThat(os.isByteLocked(file, 5)).isFalse();
        int third = os.openSharedFile(os.sharedPath(file));
        assertThat(os.lockByte(third, 5)).isTrue();
        assertThat(os.isByteLocked(file, 5)).isTrue();
        os.closeFile(third);
        assertThat(os.isByteLocked(file, 5)).isFalse();
    }

    @Test
    void theSystemReleasesTheLocksOfTheDead() throws Exception {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        os.sharedPath(file))
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(holder.inputReader().readLine()).isEqualTo("locked 43");
            assertThat(os.isByteLocked(file, 9)).isTrue();
            assertThat(os.lockByte(file, 9)).isFalse();
            assertThat(memory.get(JAVA_INT, 0))
                    .as("what the other process stored")
                    .isEqualTo(43);
        } finally {
            holder.destroyForcibly();
        }
        assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(os.isByteLocked(file, 9)).isFalse();
        assertThat(os.lockByte(file, 9)).isTrue();
    }

    /** Locks byte 9 of a file and stays. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            OperatingSystem os = OperatingSystem.current();
            int file = os.openSharedFile(args[0]);
            os.map(file, BYTES, Arena.global()).set(JAVA_INT, 0, 43);
            System.out.println(os.lockByte(file, 9) ? "locked 43" : "not locked");
            int ignored = System.in.read();
        }
    }

    @Test
    void aSleeperIsWokenThroughAnotherMapping() throws InterruptedException {
        // What has another value does not sleep at all, and a sleep ends by itself.
        memory.set(JAVA_INT, 64, 1);
        os.sleepWhile(memory.address() + 64, 0);
        long start = System.nanoTime();
        os.sleepWhile(memory.address() + 64, 1);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1));

        // Ping-pong: if nobody were woken, each round would take a whole nap.
        int rounds = 200;
        Thread partner = Thread.ofPlatform().start(() -> {
            for (int round = 1; round <= rounds; round++) {
                sleepUntil(memoryOfOther, 0, round);
                INT.setVolatile(memoryOfOther, 4L, round);
                os.wakeAll(memoryOfOther.address() + 4);
            }
        });
        start = System.nanoTime();
        for (int round = 1; round <= rounds; round++) {
            INT.setVolatile(memory, 0L, round);
            os.wakeAll(memory.address());
            sleepUntil(memory, 4, round);
        }
        partner.join();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(Duration.ofMillis(OperatingSystem.NAP_MILLIS * rounds / 2));
    }

    private void sleepUntil(MemorySegment segment, long offset, int value) {
        for (int seen; (seen = (int) INT.getVolatile(segment, offset)) != value; ) {
            os.sleepWhile(segment.address() + offset, seen);
        }
    }

    /**
     * Two threads each store and then look at what the other one stores. Only one of them passes barriers, heavy ones,
     * and still it never happens that neither sees the other's store.
     */
    @Test
    void aHeavyBarrierIsOneForBothSides() throws InterruptedException {
        assumeTrue(os.hasHeavyBarrier(), "this system has no heavy barrier");
        int trials = 20_000;
        MemorySegment words = arena.allocate(trials * 128L, 64);
        int[] lightSaw = new int[trials];
        int[] heavySaw = new int[trials];
        Thread light = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < trials; i++) {
                while ((int) INT.getAcquire(words, i * 128L + 4) == 0) {
                    Thread.onSpinWait();
                }
                INT.setOpaque(words, i * 128L, 1);
                lightSaw[i] = (int) INT.getOpaque(words, i * 128L + 64);
            }
        });
        for (int i = 0; i < trials; i++) {
            INT.setRelease(words, i * 128L + 4, 1);
            INT.setOpaque(words, i * 128L + 64, 1);
            os.heavyBarrier();
            heavySaw[i] = (int) INT.getOpaque(words, i * 128L);
        }
        light.join();
        for (int i = 0; i < trials; i++) {
            assertThat(lightSaw[i] + heavySaw[i]).as("trial %d", i).isPositive();
        }
    }

    @Test
    void variablesAsCSeesThem() {
        String name = "COMM4J_TEST_VARIABLE";
        assertThat(os.variable(name)).isNull();
        os.setVariable(name, "größer");
        assertThat(os.variable(name)).isEqualTo("größer");
        os.setVariable(name, "");
        assertThat(os.variable(name)).isEmpty();
        os.setVariable(name, null);
        assertThat(os.variable(name)).isNull();
        assertThat(os.variable("PATH")).isEqualTo(System.getenv("PATH"));
        assertThatThrownBy(() -> os.setVariable("A=B", "C"))
                .isInstanceOf(OperatingSystemException.class)
                .hasMessageContaining("setenv");
    }

    @Test
    void roomForOpenFiles() throws IOException {
        assertThat(os.makeRoomForFiles(3000)).isTrue();
        assertThat(roomForFiles()).isGreaterThanOrEqualTo(3000);
        assertThat(os.makeRoomForFiles(100)).isTrue();
        assertThat(Path.of("/proc/self/fd/2999")).doesNotExist();
        assertThat(Path.of("/proc/self/fd/99")).doesNotExist();
        assertThat(os.makeRoomForFiles(Integer.MAX_VALUE)).isFalse();
    }

    private static int roomForFiles() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("FDSize:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring("FDSize:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
