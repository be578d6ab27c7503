// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as NumPy writes them, and what NumPy would read: headers byte by byte, orders, wrong files. */
class NpyTest {
    @TempDir
    Path folder;

    /** A file as numpy.save makes it: header padded to 64 bytes. */
    private Path file(String name, String header, double... values) throws IOException {
        String text = header + " ".repeat((64 - (11 + header.length()) % 64) % 64) + "\n";
        ByteBuffer bytes =
                ByteBuffer.allocate(10 + text.length() + 8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93).put("NUMPY".getBytes(ISO_8859_1)).put((byte) 1).put((byte) 0);
        bytes.putShort((short) text.length()).put(text.getBytes(ISO_8859_1));
        for (double value : values) {
            bytes.putDouble(value);
        }
        return Files.write(folder.resolve(name), bytes.array());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void bothOrdersAreRead(int ranks) throws IOException {
        Path rows = file("c.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 1, 2, 3, 4, 5, 6);
        Path columns = file("f.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", 1, 4, 2, 5, 3, 6);
        ArrayTest.ranks(ranks, backend -> {
            for (Path path : new Path[] {rows, columns}) {
                for (int axis = 0; axis < 2; axis++) {
                    DistributedArray array = Npy.read(backend, backend.scattered(axis, 2, 3), path);
                    assertThat(array.toHost().toDoubleArray()).containsExactly(1, 2, 3, 4, 5, 6);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whatIsWrittenIsReadAgain(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            for (DataType type :
                    new DataType[] {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128}) {
                for (Layout layout : new Layout[] {
                    backend.scattered(0, 4, 3),
                    backend.scattered(1, 4, 3),
                    backend.replicated(5),
                    backend.scattered(0, 0)
                }) {
                    DistributedArray x = backend.random(layout, type, 3);
                    Path path = folder.resolve(type + ".npy");
                    Npy.write(x, path);
                    DistributedArray y = Npy.read(backend, layout, path);
                    assertThat(y.type()).isEqualTo(type);
                    assertThat(y.minus(x).norm()).isZero();
                }
            }
        });
    }

    @Test
    void theHeaderIsThatOfNumPy() throws IOException {
        Path path = folder.resolve("header.npy");
        ArrayTest.ranks(1, backend -> Npy.write(backend.zeros(backend.replicated(2), DataType.FLOAT32), path));
        byte[] bytes = Files.readAllBytes(path);
        assertThat(bytes).hasSize(128 + 8);
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
        assertThat(new String(bytes, 10, 118, ISO_8859_1)).isEqualTo(header + " ".repeat(117 - header.length()) + "\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void wrongFilesAreToldOnEveryRank(int ranks) throws IOException {
        Path big = file("big.npy", "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", 1, 2);
        Path cut = file("cut.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 1, 2);
        Path text = Files.writeString(folder.resolve("text.npy"), "this is no array at all");
        Path mine = folder.resolve("mine.npy");
        ArrayTest.ranks(ranks, backend -> {
            Layout two = backend.replicated(2);
            assertThatThrownBy(() -> Npy.read(backend, two, big)).hasMessageContaining("rank 0: its elements are >f8");
            assertThatThrownBy(() -> Npy.read(backend, backend.replicated(3), cut))
                    .hasMessageContaining("it ends");
            assertThatThrownBy(() -> Npy.read(backend, two, text)).hasMessageContaining("no .npy file");
            assertThatThrownBy(() -> Npy.read(backend, two, cut)).hasMessageContaining("shape [3]");
            assertThatThrownBy(() -> Npy.read(backend, two, mine)).hasMessageContaining("mine.npy");
            assertThatThrownBy(
                            () -> Npy.write(backend.zeros(two, DataType.FLOAT32), folder.resolve("no/such/folder.npy")))
                    .hasMessageContaining("rank 0");
        });
    }

    /** An archive as numpy.savez makes it. */
    private Path archive(String name, int method, Path... arrays) throws IOException {
        Path file = folder.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.setMethod(method);
            for (Path array : arrays) {
                byte[] content = Files.readAllBytes(array);
                CRC32 sum = new CRC32();
                sum.update(content);
                ZipEntry entry = new ZipEntry(array.getFileName().toString());
                entry.setSize(content.length);
                entry.setCrc(sum.getValue());
                zip.putNextEntry(entry);
                zip.write(content);
                zip.closeEntry();
            }
            zip.setComment("a comment behind all");
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void arraysOfArchivesAreRead(int ranks) throws IOException {
        Path rows = file("rows.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 1, 2, 3, 4, 5, 6);
        Path one = file("one.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 7);
        Path cut = file("cut.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 1, 2);
        Path stored = archive("stored.npz", ZipOutputStream.STORED, one, cut, rows);
        Path packed = archive("packed.npz", ZipOutputStream.DEFLATED, one);
        Path damaged = Files.write(folder.resolve("damaged.npz"), Files.readAllBytes(stored));
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[0]++;
        Files.write(damaged, bytes);
        assertThat(Npy.shape(stored, "rows")).containsExactly(2, 3);
        ArrayTest.ranks(ranks, backend -> {
            Layout layout = backend.scattered(0, 2, 3);
            Layout single = backend.replicated(1);
            assertThat(Npy.read(backend, layout, stored, "rows").toHost().toDoubleArray())
                    .containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(Npy.read(backend, stored, "one").toHost().toDoubleArray())
                    .containsExactly(7);
            assertThatThrownBy(() -> Npy.read(backend, stored, "columns"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("columns of " + stored)
                    .hasMessageContaining("it has no array columns; its arrays are one, cut, rows");
            // The next member begins where this one ends.
            assertThatThrownBy(() -> Npy.read(backend, backend.replicated(3), stored, "cut"))
                    .hasMessageContaining("it ends after 144 of 152 bytes");
            assertThatThrownBy(() -> Npy.read(backend, single, packed, "one")).hasMessageContaining("is compressed");
            assertThatThrownBy(() -> Npy.read(backend, single, one, "one")).hasMessageContaining("no .npz file");
            assertThatThrownBy(() -> Npy.read(backend, single, damaged, "one")).hasMessageContaining("damaged");
        });
    }

    /** Archives of more than 4 GB have places of 64 bits; Python's zipfile was told here that 16 bytes are too many. */
    @Test
    void placesMayHave64Bits() throws URISyntaxException {
        Path file = Path.of(
                Objects.requireNonNull(NpyTest.class.getResource("zip64.npz")).toURI());
        ArrayTest.ranks(2, backend -> {
            DistributedArray second = Npy.read(backend, backend.scattered(1, 2, 3), file, "second");
            assertThat(second.toHost().toDoubleArray()).containsExactly(0, 1, 2, 3, 4, 5);
        });
    }

    @Test
    void shapesAreInTheHeader() throws IOException {
        Path huge = file("huge.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999,), }");
        assertThatThrownBy(() -> Npy.shape(huge))
                .isInstanceOf(IOException.class)
                .hasMessage("its shape is (99999999999999999999,)");
        Path cut = file("cut.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 70), }", 1, 2);
        assertThat(Npy.shape(cut)).containsExactly(3, 70);
        assertThatThrownBy(() -> Npy.shape(folder.resolve("none.npy")))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no such file");
        assertThatThrownBy(() -> Npy.shape(Files.writeString(folder.resolve("text.npy"), "short")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it ends within its header");
    }
}
