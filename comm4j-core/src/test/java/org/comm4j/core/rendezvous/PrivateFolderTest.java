// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PrivateFolderTest {
    /** Makes a folder, says where, and waits to be killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            System.out.println(PrivateFolder.in(List.of(Path.of(args[0]))).path());
            Thread.sleep(60_000);
        }
    }

    @TempDir
    private Path place;

    @Test
    void itIsPrivateAndGoneAfterwards() throws Exception {
        Path path;
        try (PrivateFolder folder = PrivateFolder.in(List.of(place))) {
            path = folder.path();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
            Files.createDirectories(path.resolve("classes/a"));
            Files.createFile(path.resolve("classes/a/B.class"));
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void placesThatWillNotDoAreLeftOut() throws Exception {
        Path tooLong = Files.createDirectories(place.resolve("x".repeat(60)));
        Path none = place.resolve("none");
        try (PrivateFolder folder = PrivateFolder.in(List.of(tooLong, none, Path.of("/tmp")))) {
            assertThat(folder.path()).hasParent(Path.of("/tmp"));
            assertThat(folder.socket().getPath().toString()).hasSizeLessThan(104);
        }
        assertThatThrownBy(() -> PrivateFolder.in(List.of(tooLong, none)))
                .isInstanceOf(CommException.class)
                .hasMessageContaining(tooLong + " is too long a name for a socket")
                .hasMessageContaining("NoSuchFile")
                .hasMessageContaining("XDG_RUNTIME_DIR");
    }

    @Test
    void whatKilledProcessesLeaveIsSweptAndNothingElse() throws Exception {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        place.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path others = Path.of(Objects.requireNonNull(holder.inputReader().readLine()));
        Path foreign = Files.createDirectory(place.resolve("comm4j-run-somebody"));
        Path link = Files.createSymbolicLink(place.resolve("comm4j-run-link"), others);
        try (PrivateFolder mine = PrivateFolder.in(List.of(place))) {
            Instant later = Instant.now().plus(Duration.ofHours(1));
            PrivateFolder.sweep(place, later);
            assertThat(others).exists();
            assertThat(mine.path()).exists();
            holder.destroyForcibly();
            assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
            // It may just be being made.
            PrivateFolder.sweep(place, Instant.now().minus(Duration.ofHours(1)));
            assertThat(others).exists();
            PrivateFolder.sweep(place, later);
            assertThat(others).doesNotExist();
            assertThat(mine.path()).exists();
            // Still locked: sweeping does not give it away.
            assertThat(isLocked(mine)).isTrue();
        }
        assertThat(foreign).exists();
        assertThat(link).isSymbolicLink();
    }

    /** Asks another process, for this one's own locks are never in its own way. */
    private static boolean isLocked(PrivateFolder folder) throws IOException {
        String inode =
                Files.getAttribute(folder.path().resolve("lock"), "unix:ino").toString();
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .anyMatch(l -> l.matches(".* " + ProcessHandle.current().pid() + " \\S+:" + inode + " .*"));
    }
}
