// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {
    @TempDir
    Path temporary;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void givesBackWhatWasPutAndNothingElse() throws IOException {
        Path folder = temporary.resolve("a/b");
        DiskCache cache = new DiskCache(folder, 1 << 20);
        assertThat(cache.get("k")).isNull();
        cache.put("k", bytes("content"));
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
        assertThat(new DiskCache(folder, 1 << 20).get("k")).isEqualTo(bytes("content"));
        assertThat(cache.get("l")).isNull();
        cache.put("k", bytes("other"));
        assertThat(cache.get("k")).isEqualTo(bytes("other"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(files(folder)).hasSize(1);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(files(folder).getFirst())))
                .isEqualTo("rw-------");
    }

    @Test
    void whatIsDamagedIsMissingAndReplaced() throws IOException {
        DiskCache cache = new DiskCache(temporary.resolve("c"), 1 << 20);
        cache.put("k", bytes("content"));
        Path file = files(temporary.resolve("c")).getFirst();
        byte[] entry = Files.readAllBytes(file);
        for (int cut : new int[] {0, 5, entry.length - 1}) {
            Files.write(file, java.util.Arrays.copyOf(entry, cut));
            assertThat(cache.get("k")).isNull();
            assertThat(file).doesNotExist();
            cache.put("k", bytes("content"));
            assertThat(cache.get("k")).isEqualTo(bytes("content"));
        }
        for (int at = 0; at < entry.length; at++) {
            byte[] flipped = entry.clone();
            flipped[at] ^= 1;
            Files.write(file, flipped);
            assertThat(cache.get("k")).as("byte %d", at).isNull();
            Files.write(file, entry);
        }
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
    }

    /** Whoever wrote it has hashed it, too. */
    @Test
    void wrongLengthsAreMissing() throws Exception {
        DiskCache cache = new DiskCache(temporary.resolve("c"), 1 << 20);
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 9, 0, 2}) {
            cache.put("k", bytes("content"));
            Path file = files(temporary.resolve("c")).getFirst();
            ByteBuffer entry = ByteBuffer.wrap(Files.readAllBytes(file));
            entry.putInt(32, length);
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            sum.update(entry.array(), 32, entry.capacity() - 32);
            entry.put(0, sum.digest());
            Files.write(file, entry.array());
            assertThat(cache.get("k")).as("length %d", length).isNull();
        }
    }

    @Test
    void whatIsNoFileIsMissing() throws IOException {
        Path folder = temporary.resolve("c");
        DiskCache cache = new DiskCache(folder, 1 << 20);
        cache.put("k", bytes("content"));
        Path file = files(folder).getFirst();
        Path elsewhere = Files.move(file, temporary.resolve("elsewhere"));
        Files.createDirectory(file);
        assertThat(cache.get("k")).isNull();
        Files.delete(file);
        Files.createSymbolicLink(file, elsewhere);
        assertThat(cache.get("k")).isNull();
        cache.put("k", bytes("content"));
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
    }

    @Test
    void theLeastRecentlyUsedGoes() throws IOException {
        Path folder = temporary.resolve("c");
        DiskCache cache = new DiskCache(folder, 3 * (1000 + 60));
        for (String key : List.of("a", "b", "c")) {
            cache.put(key, new byte[1000]);
            Files.setLastModifiedTime(
                    DiskCache.file(folder, key), FileTime.from(Instant.now().minusSeconds(100 - key.charAt(0) % 10)));
        }
        assertThat(cache.get("a")).isNotNull();
        cache.put("d", new byte[1000]);
        assertThat(cache.get("b")).isNull();
        assertThat(cache.get("a")).isNotNull();
        assertThat(cache.get("c")).isNotNull();
        assertThat(cache.get("d")).isNotNull();
        cache.put("huge", new byte[10_000]);
        assertThat(cache.get("huge")).isNull();
        assertThat(files(folder)).hasSize(3);
    }

    /** Each new entry would cost a look at all. */
    @Test
    void aSmallEntryOfALargeCacheIsRarelyAReasonToLook() throws IOException {
        Path folder = temporary.resolve("c");
        DiskCache cache = new DiskCache(folder, 1L << 40);
        cache.put("k", bytes("content"));
        Path left = Files.writeString(folder.resolve("x-1-1.tmp"), "half");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(7200)));
        cache.put("l", bytes("content"));
        assertThat(left).exists();
    }

    @Test
    void manySmallEntriesDoNotExceedTheLimitByMuch() throws IOException {
        Path folder = temporary.resolve("c");
        long limit = 100_000;
        DiskCache cache = new DiskCache(folder, limit);
        for (int i = 0; i < 1000; i++) {
            cache.put("k" + i, new byte[500]);
        }
        long bytes = 0;
        for (Path file : files(folder)) {
            bytes += Files.size(file);
        }
        // Each entry is a third of what is between two looks: that fifty in a row bring none is a chance of 1 to 10^8.
        assertThat(bytes).isBetween(limit / 2, limit + 50 * 540);
    }

    @Test
    void aFolderThatOthersCanWriteToIsNotUsed() throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        DiskCache cache = new DiskCache(folder, 1 << 20);
        cache.put("k", bytes("content"));
        assertThat(files(folder)).isEmpty();
        assertThat(cache.get("k")).isNull();
    }

    /**
     * A folder above, in which others could put another one in its place; and what they put in before somebody changed
     * the mode.
     */
    @Test
    void norIsWhatIsBelowOneThatOthersCanWriteTo() throws IOException {
        Path open = Files.createDirectory(temporary.resolve("open"));
        Path folder = open.resolve("a/c");
        DiskCache cache = new DiskCache(folder, 1 << 20);
        cache.put("k", bytes("content"));
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
        for (String mode : List.of("rwxrwxrwx", "rwx----w-")) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
            assertThat(cache.get("k")).as(mode).isNull();
            cache.put("l", bytes("content"));
            assertThat(files(folder)).hasSize(1);
            new DiskCache(open.resolve("new/c"), 1 << 20).put("k", bytes("content"));
            assertThat(open.resolve("new")).doesNotExist();
            Path link = temporary.resolve("link");
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, folder);
            assertThat(new DiskCache(link, 1 << 20).get("k")).isNull();
        }
        // Where everybody may change his own alone.
        Files.setAttribute(open, "unix:mode", 01777);
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx------"));
        Path file = files(folder).getFirst();
        for (String mode : List.of("rw-rw----", "rw-----w-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThat(cache.get("k")).as(mode).isNull();
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
    }

    /** Only the system's administrator can give files away, who must not take others' either. */
    @Test
    void norIsWhatBelongsToAnotherUser() throws IOException {
        Path home = Files.createDirectory(temporary.resolve("home"));
        Path folder = home.resolve("c");
        DiskCache cache = new DiskCache(folder, 1 << 20);
        cache.put("k", bytes("content"));
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")), "the user is not root");
        Path file = files(folder).getFirst();
        for (Path each : List.of(home, folder, file)) {
            Files.setAttribute(each, "unix:uid", 65534);
            assertThat(cache.get("k")).as("%s", each).isNull();
            Files.setAttribute(each, "unix:uid", 0);
        }
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
        Files.setAttribute(home, "unix:uid", 65534);
        new DiskCache(home.resolve("d"), 1 << 20).put("k", bytes("content"));
        assertThat(home.resolve("d")).doesNotExist();
    }

    @Test
    void whatDeadProcessesLeftIsRemoved() throws IOException {
        Path folder = temporary.resolve("c");
        DiskCache cache = new DiskCache(folder, 1 << 10);
        cache.put("k", bytes("content"));
        Path left = Files.writeString(folder.resolve("x-1-1.tmp"), "half");
        Path young = Files.writeString(folder.resolve("y-1-1.tmp"), "half");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(7200)));
        cache.put("l", bytes("content"));
        assertThat(left).doesNotExist();
        assertThat(young).exists();
    }

    /** Threads stand for processes here: the cache keeps nothing in memory. */
    @Test
    void manyWriteTheSameAtATime() throws Exception {
        Path folder = temporary.resolve("c");
        byte[] content = new byte[100_000];
        content[77] = 5;
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tasks.add(() -> {
                DiskCache cache = new DiskCache(folder, 1 << 18);
                for (int k = 0; k < 50; k++) {
                    cache.put("k" + k % 5, content);
                    byte[] read = cache.get("k" + k % 5);
                    if (read != null && !java.util.Arrays.equals(read, content)) {
                        return false;
                    }
                }
                return true;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> result : threads.invokeAll(tasks)) {
                assertThat(result.get()).isTrue();
            }
        }
        assertThat(files(folder)).allMatch(file -> file.toString().endsWith(".bin"));
    }

    @Test
    void partsOfAKeyDoNotRunTogether() {
        assertThat(DiskCache.key(List.of(bytes("ab"), bytes("c"))))
                .isNotEqualTo(DiskCache.key(List.of(bytes("a"), bytes("bc"))))
                .isNotEqualTo(DiskCache.key(List.of(bytes("abc"))));
        byte[] one = new byte[10_000];
        byte[] other = one.clone();
        other[5000] = 1;
        assertThat(DiskCache.key(List.of(one)))
                .isNotEqualTo(DiskCache.key(List.of(other)))
                .hasSizeLessThan(100);
    }

    /** What is in a file counts, not how the file is called. */
    @Test
    void aFileOfAnotherKeyIsNotTaken() throws IOException {
        Path folder = temporary.resolve("c");
        DiskCache cache = new DiskCache(folder, 1 << 20);
        cache.put("k", bytes("content"));
        Files.copy(DiskCache.file(folder, "k"), DiskCache.file(folder, "l"));
        assertThat(cache.get("l")).isNull();
        assertThat(cache.get("k")).isEqualTo(bytes("content"));
    }

    @Test
    void offIsOff() {
        DiskCache cache = new DiskCache(null, 0);
        cache.put("k", bytes("content"));
        assertThat(cache.get("k")).isNull();
        assertThat(cache).hasToString("no cache");
    }

    /** Also between threads; another key does not wait, and neither does who may not write. */
    @Test
    void whoMakesTheSameWaits() throws Exception {
        DiskCache cache = new DiskCache(temporary.resolve("turns"), 1 << 20);
        AtomicBoolean made = new AtomicBoolean();
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<Boolean> other;
            try (DiskCache.Turn _ = cache.turn("a")) {
                other = executor.submit(() -> {
                    try (DiskCache.Turn _ = cache.turn("a")) {
                        return made.get();
                    }
                });
                try (DiskCache.Turn _ = cache.turn("b");
                        DiskCache.Turn _ = cache.onlyRead().turn("a");
                        DiskCache.Turn _ = DiskCache.none().turn("a")) {
                    made.set(true);
                }
            }
            assertThat(other.get()).isTrue();
        }
    }
}
