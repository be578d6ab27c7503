// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shared arena that one thread closes while the driver copies from it or to it: it stays until the call is over. */
@Tag("stub")
class StubFreedMeanwhileTest extends CudaContract {
    private static final int ROUNDS = Nightly.times(5, 200);
    private static final long MANY = 1 << 20;

    @TempDir
    private Path folder;

    @BeforeAll
    static void loadDriver() {
        StubDriver.load();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCopyIsWholeOrAnException(boolean toHost) throws Exception {
        long seed = Long.getLong("comm4j.seed", System.nanoTime());
        System.out.println("StubFreedMeanwhileTest: -Dcomm4j.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        // A map is gone when its arena is closed; the allocator's memory may stay for a while.
        try (DeviceArray array = device.allocate(DataType.FLOAT32, MANY);
                FileChannel file = FileChannel.open(
                        Files.createTempFile(folder, "memory", ""),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            for (int round = 0; round < ROUNDS; round++) {
                Arena arena = Arena.ofShared();
                HostArray host = HostArray.wrap(
                        file.map(FileChannel.MapMode.READ_WRITE, 0, MANY * Float.BYTES, arena), DataType.FLOAT32);
                int spins = random.nextInt(200_000);
                Thread closer = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < spins; i++) {
                        Thread.onSpinWait();
                    }
                    close(arena);
                });
                assertThatThrownBy(() -> {
                            while (true) {
                                if (toHost) {
                                    array.copyTo(host, stream);
                                } else {
                                    array.copyFrom(host, stream);
                                }
                            }
                        })
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                (toHost ? "copyTo" : "copyFrom") + ": HostArray[1048576 x FLOAT32, freed] was freed");
                closer.join();
            }
        }
    }

    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException usedAtThisMoment) {
                assertThat(usedAtThisMoment).hasMessageContaining("acquired");
            }
        }
    }
}
