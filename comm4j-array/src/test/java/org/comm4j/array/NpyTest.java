// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void shapesAreInTheHeader() throws IOException {
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
