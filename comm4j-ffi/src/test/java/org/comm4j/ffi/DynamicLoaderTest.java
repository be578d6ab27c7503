// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.ffi.DynamicLoader.LoadException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files at which the system's loader would end the process, wait for ever, or mislead. */
class DynamicLoaderTest {
    @TempDir
    Path folder;

    private byte[] library = {};

    /** One of the JDK's own stands for all. */
    @BeforeEach
    void read() throws IOException {
        library = Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip")));
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(folder.resolve("libnccl.so.2"), content);
    }

    @Test
    void aWholeLibrary() throws IOException, LoadException {
        assertThat(DynamicLoader.load(file(library).toString()).address()).isNotZero();
    }

    /**
     * As a copy that ran out of disk leaves it: the loader maps what the header promises and touches it, which is
     * SIGBUS.
     */
    @Test
    void aLibraryWithoutItsEnd() throws IOException {
        int half = library.length / 2;
        Path file = file(Arrays.copyOf(library, half));
        assertThatThrownBy(() -> DynamicLoader.load(file.toString()))
                .isInstanceOf(LoadException.class)
                .hasMessageMatching("\\Q" + file + "\\E: incomplete, it has " + half
                        + " bytes of \\d+; copy or install it" + " again");
    }

    /** Channels of files throw in such threads. */
    @Test
    void anInterruptedThreadLooksAllTheSame() throws IOException {
        Path file = file(Arrays.copyOf(library, library.length / 2));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> DynamicLoader.load(file.toString())).hasMessageContaining("incomplete");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aLibraryOfAnotherProcessor() throws IOException {
        // LoongArch.
        library[18] = 2;
        library[19] = 1;
        Path file = file(library);
        assertThatThrownBy(() -> DynamicLoader.load(file.toString()))
                .isInstanceOf(LoadException.class)
                .hasMessage(file + ": built for another processor than this one, " + System.getProperty("os.arch"));
    }

    /** The loader follows these addresses without a look, which is SIGSEGV. */
    @Test
    void aLibraryWhoseHeadersAreDamaged() throws IOException {
        ByteBuffer header = ByteBuffer.wrap(library).order(ByteOrder.nativeOrder());
        int table = (int) header.getLong(32);
        int dynamic = -1;
        int last = -1;
        for (int at = table; at < table + 56 * header.getShort(56); at += 56) {
            dynamic = header.getInt(at) == 2 ? at : dynamic;
            last = header.getInt(at) == 1 ? at : last;
        }
        int entries = (int) header.getLong(dynamic + 8);
        int strings = entries;
        while (header.getLong(strings) != 5) {
            strings += 16;
        }
        assertDamaged(strings + 8, 1L << 35, "entry 5 of the dynamic section, 0x800[0-9a-f]+, is in no segment");
        assertDamaged(dynamic + 16, 1L << 40, "the dynamic section, at 0x[0-9a-f]+, is in no segment");
        assertDamaged(dynamic, 1L << 3, "no dynamic section");
        assertDamaged(last + 16, 1L << 60, "segments overlap, or are out of order, at .*");
        assertDamaged(last + 40, 1L << 62, "a segment of .*");
    }

    /** The loader takes these indices and places without a look. */
    @Test
    void aLibraryWhoseTablesAreDamaged() throws IOException {
        int symbols = table(6);
        int relocations = table(7);
        int hash = table(0x6ffffef5L);
        assertDamaged(relocations, 1L << 44, "a relocation changes what is in no segment, at 0x10[0-9a-f]+");
        assertDamaged(relocations + 8, 1L << 6, "a relocation is of a type, 72, that there is not");
        assertDamaged(table(23) + 8, 1L << 60, "a relocation names a symbol that there is not");
        assertDamaged(symbols + 24, 1L << 31, "a symbol's name is not in the table of names");
        assertDamaged(hash + 8, 3, "the hash table is in no segment");
        assertDamaged(hash, 1L << 20, "the hash table is in no segment");
        assertDamaged(table(0x6ffffff0L) + 2, 1L << 13, "a symbol has a version that there is not");
        assertDamaged(table(0x6ffffffeL), 1L << 63, "the table of needed versions leads out of it");
        assertDamaged(table(0x6ffffffeL) + 16, 1, "the table of needed versions leads out of it");
    }

    /** Where a table of the dynamic section is in the file; it is in a segment that begins at its place in the file. */
    private int table(long entry) {
        ByteBuffer header = ByteBuffer.wrap(library).order(ByteOrder.nativeOrder());
        int at = (int) header.getLong(32);
        while (header.getInt(at) != 2) {
            at += 56;
        }
        int tag = (int) header.getLong(at + 8);
        while (header.getLong(tag) != entry) {
            assertThat(header.getLong(tag)).isNotZero();
            tag += 16;
        }
        return (int) header.getLong(tag + 8);
    }

    @Test
    void noLibraryOfTheJdkIsTakenForDamaged() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.home"), "lib"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".so"))
                            .map(file -> file + " "
                                    + ElfFile.read(file).orElseThrow().damage()))
                    .hasSizeGreaterThan(10)
                    .allMatch(text -> text.endsWith(" null"));
        }
    }

    /** Flips bits at a place, and loads. */
    private void assertDamaged(int at, long bits, String how) throws IOException {
        byte[] damaged = library.clone();
        ByteBuffer buffer = ByteBuffer.wrap(damaged).order(ByteOrder.nativeOrder());
        buffer.putLong(at, buffer.getLong(at) ^ bits);
        Path file = file(damaged);
        assertThatThrownBy(() -> DynamicLoader.load(file.toString()))
                .isInstanceOf(LoadException.class)
                .hasMessageMatching("\\Q" + file + "\\E: damaged, " + how + "; copy or install it again");
    }

    @Test
    void whatIsNoFile() {
        for (Path place : new Path[] {folder, Path.of("/dev/zero")}) {
            assertThatThrownBy(() -> DynamicLoader.load(place.toString()))
                    .isInstanceOf(LoadException.class)
                    .hasMessage(place + ": not a file");
        }
    }

    @Test
    void whatTheLoaderSaysItself() throws IOException {
        for (byte[] content : new byte[][] {{}, {1, 2, 3}, Arrays.copyOf(library, 40)}) {
            Path file = file(content);
            assertThatThrownBy(() -> DynamicLoader.load(file.toString()))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining(file.toString());
        }
        assertThatThrownBy(() -> DynamicLoader.load(folder.resolve("none").toString()))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("No such file or directory");
    }
}
