// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that are written: what this reader, the JDK's and Python's make of them. */
class NpzTest {
    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);

    @TempDir
    Path folder;

    private static Map<String, DistributedArray> arrays(Backend backend, DataType type) {
        return Map.of(
                "rows", backend.random(backend.scattered(0, 7, 300), type, 1),
                "columns", backend.random(backend.scattered(1, 5, 7, 3), type, 2),
                "blocks", backend.random(backend.blocks(new int[] {1, backend.size()}, 6, 5), type, 3),
                "all", backend.random(backend.replicated(40_000), type, 4),
                "größe", backend.full(backend.scattered(0, 1), type, 5),
                "empty", backend.zeros(backend.scattered(0, 0, 3), type),
                "number", backend.full(backend.replicated(), type, 6));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void whatIsWrittenIsReadAgain(int ranks) throws IOException {
        for (DataType type : TYPES) {
            Path file = folder.resolve(ranks + " " + type + ".npz");
            Path alone = folder.resolve("alone " + type + ".npz");
            ArrayTest.ranks(ranks, backend -> {
                Map<String, DistributedArray> arrays = arrays(backend, type);
                Npy.write(arrays, file);
                arrays.forEach((name, array) -> {
                    DistributedArray read = Npy.read(backend, array.layout(), file, name);
                    assertThat(read.type()).isEqualTo(type);
                    assertThat(read.part()
                                    .toHost()
                                    .segment()
                                    .mismatch(array.part().toHost().segment()))
                            .isEqualTo(-1);
                });
            });
            ArrayTest.ranks(1, backend -> Npy.write(arrays(backend, type), alone));
            assertThat(file).as("for any number of ranks").hasSameBinaryContentAs(alone);
            // The JDK's reader of streams looks at the sums.
            int members = 0;
            try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    assertThat(zip.readAllBytes()).hasSize((int) entry.getSize());
                    members++;
                }
            }
            assertThat(members).isEqualTo(7);
            try (ZipFile zip = new ZipFile(file.toFile())) {
                assertThat(zip.stream().map(ZipEntry::getName))
                        .containsExactly(
                                "all.npy",
                                "blocks.npy",
                                "columns.npy",
                                "empty.npy",
                                "größe.npy",
                                "number.npy",
                                "rows.npy");
            }
        }
    }

    private Path python() {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path place = base.resolve("comm4j/pylops-2.8.0");
        assumeTrue(Files.exists(place.resolve("ready")), "NumPy is not in " + place + "; dev/pylops-oracle fetches it");
        return place.resolve("bin/python");
    }

    private String run(String program, Path file) throws IOException {
        Process process = new ProcessBuilder(python().toString(), "-c", program, file.toString())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void numPyReadsThem(int ranks) throws IOException {
        Path file = folder.resolve("numpy.npz");
        Path again = folder.resolve("again.npz");
        String program = """
                import sys, zipfile, numpy as np
                file = sys.argv[1]
                assert zipfile.ZipFile(file).testzip() is None
                arrays = np.load(file)
                print(*[f"{name}{list(arrays[name].shape)}{arrays[name].dtype}" for name in sorted(arrays)])
                np.savez(file.replace("numpy", "again"), **arrays)
                """;
        ArrayTest.ranks(ranks, backend -> Npy.write(arrays(backend, DataType.COMPLEX64), file));
        assertThat(run(program, file))
                .isEqualTo("all[40000]complex64 blocks[6, 5]complex64 columns[5, 7, 3]complex64 empty[0, 3]complex64"
                        + " größe[1]complex64 number[]complex64 rows[7, 300]complex64");
        ArrayTest.ranks(
                ranks,
                backend -> arrays(backend, DataType.COMPLEX64).forEach((name, array) -> {
                    DistributedArray read = Npy.read(backend, array.layout(), again, name);
                    assertThat(read.part()
                                    .toHost()
                                    .segment()
                                    .mismatch(array.part().toHost().segment()))
                            .isEqualTo(-1);
                }));
    }

    /** Writes the records of an archive whose contents are zeros that take no room on the disk. */
    private Path sparse(SequencedMap<String, Long> sizes) throws IOException {
        Path file = folder.resolve("sparse.npz");
        NpzPlan plan = new NpzPlan(sizes);
        int[] crcs = new int[plan.count()];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < crcs.length; i++) {
                crcs[i] = zeros(plan.bytes(i));
                assertThat(channel.write(plan.local(i, crcs[i]), plan.at(i)))
                        .isEqualTo((int) (plan.begin(i) - plan.at(i)));
            }
            assertThat(channel.write(plan.directory(crcs), plan.directory())).isPositive();
        }
        return file;
    }

    /** The CRC of zeros: of half of them twice. */
    private static int zeros(long bytes) {
        if (bytes <= 1) {
            CRC32 sum = new CRC32();
            sum.update(new byte[(int) bytes]);
            return (int) sum.getValue();
        }
        int half = zeros(bytes / 2);
        int both = Crc.shift(half, bytes / 2) ^ half;
        return bytes % 2 == 0 ? both : Crc.shift(both, 1) ^ zeros(1);
    }

    private static SequencedMap<String, Long> large() {
        SequencedMap<String, Long> sizes = new LinkedHashMap<>();
        sizes.put("a", 100L);
        sizes.put("below", 0xffff_fffeL);
        sizes.put("at", 0xffff_ffffL);
        sizes.put("above", 0x1_0000_0000L);
        sizes.put("far", 7L);
        return sizes;
    }

    @Test
    void placesAndSizesMayTake64Bits() throws IOException {
        Path file = sparse(large());
        NpzPlan plan = new NpzPlan(large());
        try (ZipFile zip = new ZipFile(file.toFile());
                FileChannel channel = FileChannel.open(file)) {
            assertThat(zip.size()).isEqualTo(5);
            int member = 0;
            for (Map.Entry<String, Long> size : large().entrySet()) {
                ZipEntry entry = zip.getEntry(size.getKey() + ".npy");
                assertThat(entry.getSize()).isEqualTo(size.getValue());
                assertThat(entry.getCompressedSize()).isEqualTo(size.getValue());
                assertThat((int) entry.getCrc()).isEqualTo(zeros(size.getValue()));
                long begin = plan.begin(member++);
                assertThat(Npz.find(channel, size.getKey())).isEqualTo(new Npz.Span(begin, begin + size.getValue()));
            }
            assertThat(zip.getInputStream(zip.getEntry("far.npy")).readAllBytes())
                    .isEqualTo(new byte[7]);
        }
    }

    /** Python reads all of it, 13 GB of zeros, and looks at the sums. */
    @Test
    @Tag("nightly")
    void pythonReadsMoreThan4GiB() throws IOException {
        Path file = sparse(large());
        String program = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())";
        assertThat(run(program, file)).isEqualTo("None");
    }

    @Test
    void moreArraysThan16BitsCount() throws IOException {
        SequencedMap<String, Long> sizes = new LinkedHashMap<>();
        for (int i = 0; i < 70_000; i++) {
            sizes.put("a" + i, 1L);
        }
        Path file = sparse(sizes);
        try (ZipFile zip = new ZipFile(file.toFile());
                FileChannel channel = FileChannel.open(file)) {
            assertThat(zip.size()).isEqualTo(70_000);
            Npz.Span last = Npz.find(channel, "a69999");
            assertThat(last.end() - last.begin()).isEqualTo(1);
        }
    }

    @Test
    void sumsOfPiecesInAnyOrderAreTheSumOfTheWhole() {
        Random random = new Random(1);
        for (int size : new int[] {0, 1, 2, 3, 17, 1000, 100_001}) {
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            CRC32 whole = new CRC32();
            whole.update(bytes);
            // Two ranks have every other piece, the last one first.
            Crc even = new Crc(size);
            Crc odd = new Crc(size);
            int piece = 1 + size / 7;
            for (int at = (size - 1) / piece * piece; at >= 0; at -= piece) {
                ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(piece, size - at));
                (at / piece % 2 == 0 ? even : odd).add(part, at);
                assertThat(part.position()).isEqualTo(at);
            }
            assertThat(even.value() ^ odd.value()).as("%d bytes", size).isEqualTo((int) whole.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArgumentsAreRefused(int ranks) {
        Path file = folder.resolve("wrong.npz");
        ArrayTest.ranks(ranks, backend -> {
            DistributedArray x = backend.zeros(backend.scattered(0, 6), DataType.FLOAT32);
            assertThatThrownBy(() -> Npy.write(Map.of(), file)).hasMessageContaining("no arrays");
            assertThatThrownBy(() -> Npy.write(Map.of("", x), file)).hasMessageContaining("an array's name has 1 to");
            assertThatThrownBy(() -> Npy.write(Map.of("a\0b", x), file)).hasMessageContaining("no zero among them");
            assertThatThrownBy(() -> Npy.write(Map.of("x".repeat(65_532), x), file))
                    .hasMessageContaining("1 to 65531 bytes");
            DistributedArray own = backend.zeros(backend.local(3), DataType.FLOAT32);
            assertThatThrownBy(() -> Npy.write(Map.of("x", x, "own", own), file))
                    .hasMessageContaining("is each rank's own");
            assertThat(file).doesNotExist();
            assertThatThrownBy(() -> Npy.write(Map.of("x", x), folder.resolve("no/such/folder.npz")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("rank 0");
            DistributedArray closed = backend.zeros(backend.scattered(0, 6), DataType.FLOAT32);
            closed.close();
            assertThatThrownBy(() -> Npy.write(Map.of("closed", closed), file))
                    .isInstanceOf(IllegalStateException.class);
        });
    }
}
