// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritableTest {
    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void make() throws IOException {
        folder = folder.toRealPath();
        Path lib = Files.createDirectories(folder.resolve("nccl/lib"));
        file = Files.createFile(lib.resolve("libnccl.so.2"));
        for (Path each : new Path[] {folder.resolve("nccl"), lib, file}) {
            mode(each, "rwxr-xr-x");
        }
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void whatOnlyItsOwnerCanChangeIsSafeInTheFolderForTemporaryFilesToo() {
        assertThat(Writable.byOthers(file, true)).isNull();
    }

    @Test
    void aFileOrAFolderAboveItThatEverybodyCanWriteToIsNamed() throws IOException {
        mode(folder.resolve("nccl"), "rwxrwxrwx");
        assertThat(Writable.byOthers(file, false))
                .isEqualTo(folder.resolve("nccl") + " can be written to by everybody");
        mode(file, "rw-rw-rw-");
        assertThat(Writable.byOthers(file, false)).isEqualTo(file + " can be written to by everybody");
        Files.setAttribute(folder.resolve("nccl"), "unix:mode", 01777);
        mode(file, "rw-r--r--");
        assertThat(Writable.byOthers(file, false)).isNull();
    }

    @Test
    void aLinkCanBeExchangedAsWellAsWhatItLeadsTo() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        mode(open, "rwxrwxrwx");
        Path link = Files.createSymbolicLink(open.resolve("libnccl.so"), file);
        assertThat(Writable.byOthers(link, false)).isEqualTo(open + " can be written to by everybody");
    }

    /** Only root can give files away. */
    @Test
    void ownersAndGroupsOfOthersAreNamed() throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
        Files.setAttribute(file, "unix:uid", 65534);
        assertThat(Writable.byOthers(file, false)).isNull();
        assertThat(Writable.byOthers(file, true)).startsWith(file + " belongs to the user ");
        Files.setAttribute(file, "unix:uid", 0);
        mode(file, "rwxrwxr-x");
        assertThat(Writable.byOthers(file, true)).isNull();
        Files.setAttribute(file, "unix:gid", 65534);
        assertThat(Writable.byOthers(file, false)).startsWith(file + " can be written to by the group ");
    }
}
