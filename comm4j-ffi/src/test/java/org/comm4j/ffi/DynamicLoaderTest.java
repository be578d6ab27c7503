// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    /** As a copy that ran out of disk leaves it: the loader maps what the header promises and touches it, which is SIGBUS. */
    @Test
    void aLibraryWithoutItsEnd() throws IOException {
        int half = library.length / 2;
        Path file = file(Arrays.copyOf(library, half));
        assertThatThrownBy(() -> DynamicLoader.load(file.toString()))
                .isInstanceOf(LoadException.class)
                .hasMessageMatching("\\Q" + file + "\\E: incomplete, it has " + half
                        + " bytes of \\d+; copy or install it" + " again");
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
