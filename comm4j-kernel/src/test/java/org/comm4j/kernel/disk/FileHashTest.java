// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHashTest {
    @TempDir
    Path folder;

    private DiskCache cache;

    @BeforeEach
    void makeCache() {
        cache = new DiskCache(folder.resolve("cache"), 1 << 20);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static String sha256(String content) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void isTheSha256OfTheContentWhereverItIs() throws Exception {
        assertThat(FileHash.of(write("a.jar", "content"), cache)).isEqualTo(sha256("content"));
        assertThat(FileHash.of(write("b.jar", "content"), cache)).isEqualTo(sha256("content"));
        assertThat(FileHash.of(write("c.jar", ""), cache)).isEqualTo(sha256(""));
    }

    @Test
    void aChangedFileHasAnother() throws Exception {
        Path file = write("a.jar", "content");
        FileHash.of(file, cache);
        assertThat(FileHash.of(write("a.jar", "CONTENT"), cache)).isEqualTo(sha256("CONTENT"));
        Files.setLastModifiedTime(file, Files.getLastModifiedTime(write("b.jar", "other")));
        assertThat(FileHash.of(file, cache)).isEqualTo(sha256("CONTENT"));
    }

    /** Finds the hash in the cache, and does not read the file. */
    @Test
    void isKept() throws Exception {
        Path file = write("a.jar", "content");
        FileHash.of(file, cache);
        String key = "SHA-256 of " + FileFingerprint.of(file).text();
        assertThat(cache.get(key)).isEqualTo(sha256("content").getBytes(StandardCharsets.US_ASCII));
        cache.put(key, sha256("something else").getBytes(StandardCharsets.US_ASCII));
        assertThat(FileHash.of(file, cache)).isEqualTo(sha256("something else"));
        assertThat(FileHash.of(file, DiskCache.none())).isEqualTo(sha256("content"));
    }

    @Test
    void whoLeavesNoTraceKeepsNone() throws Exception {
        assertThat(FileHash.of(write("a.jar", "content"), cache.onlyRead())).isEqualTo(sha256("content"));
        assertThat(folder.resolve("cache")).doesNotExist();
    }

    @Test
    void whatIsNoFileHasNone() throws Exception {
        assertThat(FileHash.of(folder.resolve("missing.jar"), cache)).isNull();
        assertThat(FileHash.of(Files.createDirectory(folder.resolve("folder")), cache))
                .isNull();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(1);
        }
    }
}
