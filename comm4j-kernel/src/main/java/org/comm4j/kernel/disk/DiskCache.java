// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Finished code in files, by all that it was made from. Many processes use one folder at a time: an entry is written
 * beside and then renamed, what is damaged is taken as missing, what was not used for longest goes when there is too
 * much. Only the owner reads and writes it, and nothing is taken from where others can write ({@link Ownership}): they
 * could run code on this user's GPUs. Nothing that goes wrong here fails a compilation.
 *
 * <p>An entry is the SHA-256 of what follows, the length of its key, the key and the content; its file has a short name
 * made of the key. So what is found is what was looked for, whatever the names, which need not be more than CRC-32.
 */
public final class DiskCache {
    /** A folder, or {@code off}. */
    public static final String PROPERTY = "org.comm4j.kernel.cache";

    /** How many bytes it may have, at most, but for a few in a hundred while it is written to. */
    public static final String SIZE_PROPERTY = "org.comm4j.kernel.cache.bytes";

    private static final long DEFAULT_BYTES = 1L << 30;
    /** The hash and the length of the key. */
    private static final int HEAD_BYTES = Sha256.BYTES + Integer.BYTES;

    /** No entry is larger. What is, is not read, for it may be more than there is memory. */
    private static final int MOST_BYTES = 1 << 28;

    /** Folders of which it was said that they are not used. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private static final String END = ".bin";
    private static final String UNFINISHED = ".tmp";
    /** Whoever wrote beside longer ago than this is dead. */
    private static final Duration DEAD = Duration.ofHours(1);

    /**
     * How often the cache looks for what is too much while as many bytes come as it may have. A look at 16,000 files
     * takes 0.1 s; one at each new entry was half of the time of kernels' tests.
     */
    private static final int LOOKS = 64;

    /** Files that processes lock while they make something. */
    private static final int LOCKS = 64;

    /** How long one waits for another that makes the same. */
    private static final Duration LONGEST_TURN = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(10);

    /** Parts of a key that are longer go into it as their hash. */
    private static final int LONGEST = 4096;

    private static final AtomicLong NUMBER = new AtomicLong();

    private final @Nullable Path folder;
    private final long limit;
    /** Whether to leave it as it is, without a word. */
    private final boolean onlyRead;

    /**
     * @param folder null for no cache
     * @param limit of all entries, in bytes
     */
    public DiskCache(@Nullable Path folder, long limit) {
        this(folder, limit, false);
    }

    private DiskCache(@Nullable Path folder, long limit, boolean onlyRead) {
        this.folder = folder;
        this.limit = limit;
        this.onlyRead = onlyRead;
    }

    /** None at all. */
    public static DiskCache none() {
        return new DiskCache(null, 0);
    }

    /** Returns whether it is {@link #none()}. */
    public boolean isNone() {
        return folder == null;
    }

    /** The same for somebody who leaves no trace: nothing is put there, taken away, marked as used, or logged. */
    public DiskCache onlyRead() {
        return new DiskCache(folder, limit, true);
    }

    /** Returns whether it is {@link #onlyRead()}. */
    public boolean isOnlyRead() {
        return onlyRead;
    }

    /** The cache that the system properties and {@code XDG_CACHE_HOME} name. */
    public static DiskCache ofProcess() {
        String property = System.getProperty(PROPERTY, "");
        if (property.equals("off")) {
            return new DiskCache(null, 0);
        }
        long limit = Long.getLong(SIZE_PROPERTY, DEFAULT_BYTES);
        if (!property.isEmpty()) {
            return new DiskCache(Path.of(property), limit);
        }
        String base = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path home = base.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(base);
        return new DiskCache(home.resolve("comm4j/kernels"), limit);
    }

    /** Nobody asks for it as a rule, and it takes long to start. */
    private static System.Logger log() {
        return System.getLogger(DiskCache.class.getName());
    }

    /** A key of parts, whose borders count. */
    public static String key(List<byte[]> parts) {
        StringBuilder key = new StringBuilder();
        for (byte[] part : parts) {
            key.append(part.length);
            if (part.length <= LONGEST) {
                key.append(':').append(new String(part, StandardCharsets.ISO_8859_1));
            } else {
                key.append('#').append(Sha256.hex(part));
            }
        }
        return key.toString();
    }

    private static long sum(Checksum sum, byte[] content) {
        sum.update(content, 0, content.length);
        return sum.getValue();
    }

    /** The file of a key. Another key may have the same; then it is the one that was put there last. */
    static Path file(Path folder, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        long name = sum(new CRC32(), bytes) << Integer.SIZE | sum(new CRC32C(), bytes);
        return folder.resolve(Long.toHexString(name).concat(END));
    }

    /** What was put under that key; null if it is not there, or damaged. */
    public byte @Nullable [] get(String key) {
        if (folder == null || !usable(folder)) {
            return null;
        }
        Path file = file(folder, key);
        try {
            if (!Ownership.isOwn(file) || Files.size(file) > MOST_BYTES) {
                return null;
            }
            byte[] entry = Files.readAllBytes(file);
            byte[] content = content(entry, key);
            if (content == null) {
                if (!onlyRead && !isSound(entry)) {
                    log().log(System.Logger.Level.DEBUG, "damaged: {0}", file);
                    Files.deleteIfExists(file);
                }
                return null;
            }
            if (!onlyRead) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
            }
            return content;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | UnsupportedOperationException e) {
            if (!onlyRead) {
                log().log(System.Logger.Level.DEBUG, "cannot read " + file, e);
            }
            return null;
        }
    }

    private static boolean isSound(byte[] entry) {
        return entry.length >= HEAD_BYTES
                && Arrays.equals(entry, 0, Sha256.BYTES, Sha256.of(entry, Sha256.BYTES), 0, Sha256.BYTES);
    }

    /** Returns the content of an entry; null if it is damaged, or another key's. */
    private static byte @Nullable [] content(byte[] entry, String key) {
        if (!isSound(entry)) {
            return null;
        }
        int length = ByteBuffer.wrap(entry).getInt(Sha256.BYTES);
        if (length < 0 || length > entry.length - HEAD_BYTES) {
            return null;
        }
        return key.equals(new String(entry, HEAD_BYTES, length, StandardCharsets.UTF_8))
                ? Arrays.copyOfRange(entry, HEAD_BYTES + length, entry.length)
                : null;
    }

    private static byte[] entry(String key, byte... content) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        byte[] entry = ByteBuffer.allocate(HEAD_BYTES + name.length + content.length)
                .put(new byte[Sha256.BYTES])
                .putInt(name.length)
                .put(name)
                .put(content)
                .array();
        System.arraycopy(Sha256.of(entry, Sha256.BYTES), 0, entry, 0, Sha256.BYTES);
        return entry;
    }

    /** Keeps something. */
    public void put(String key, byte[] content) {
        if (folder == null || onlyRead || content.length > MOST_BYTES / 2) {
            return;
        }
        ByteBuffer entry = ByteBuffer.wrap(entry(key, content));
        if (entry.remaining() > limit || entry.remaining() > MOST_BYTES) {
            return;
        }
        Path file = file(folder, key);
        try {
            if (!isThere(folder)) {
                return;
            }
            Path beside = file.resolveSibling(file.getFileName() + "-"
                    + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + UNFINISHED);
            try (FileChannel out = FileChannel.open(
                    beside,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                while (entry.hasRemaining()) {
                    out.write(entry);
                }
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (ThreadLocalRandom.current().nextLong(limit / LOOKS + 1) <= entry.limit()) {
                evict(folder);
            }
        } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
            log().log(System.Logger.Level.DEBUG, "cannot keep " + file, e);
        }
    }

    /** The turn of a process to make what others look for meanwhile; it ends with the process, too. */
    public static final class Turn implements AutoCloseable {
        private final @Nullable FileChannel lock;

        private Turn(@Nullable FileChannel lock) {
            this.lock = lock;
        }

        @Override
        public void close() {
            if (lock != null) {
                try {
                    lock.close();
                } catch (IOException e) {
                    log().log(System.Logger.Level.DEBUG, "cannot close a lock", e);
                }
            }
        }
    }

    /**
     * Waits until no other process makes what belongs to a key, but not for long, for it may stand still. With few
     * processors, ranks that start together would take all of them for the same work.
     */
    public Turn turn(String key) {
        if (folder == null || onlyRead) {
            return new Turn(null);
        }
        FileChannel lock = null;
        try {
            if (!isThere(folder)) {
                return new Turn(null);
            }
            lock = FileChannel.open(
                    folder.resolve("lock-" + Math.floorMod(key.hashCode(), LOCKS)),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            long deadline = System.nanoTime() + LONGEST_TURN.toNanos();
            while (!isLocked(lock)
                    && System.nanoTime() - deadline < 0
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(POLL.toNanos());
            }
        } catch (IOException | UnsupportedOperationException e) {
            log().log(System.Logger.Level.DEBUG, "cannot lock " + folder, e);
        }
        return new Turn(lock);
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this process has it
        }
    }

    /** Makes the folder, if it is not there and nobody else could write to it; returns whether it can be used. */
    private boolean isThere(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            if (isRefused(folder, Ownership.problemOfNew(folder))) {
                return false;
            }
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return usable(folder);
    }

    /** Whether nobody else can write there. */
    private boolean usable(Path folder) {
        try {
            return !isRefused(folder, Ownership.problem(folder));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Says so once. */
    private boolean isRefused(Path folder, @Nullable String problem) {
        if (problem != null && !onlyRead && SAID.add(folder.toString())) {
            log().log(
                            System.Logger.Level.WARNING,
                            "compiled kernels are neither kept in {0} nor taken from there, because {1}; name a folder"
                                    + " that only you can write to, by -D"
                                    + PROPERTY + "=, or correct its owner or mode (chmod go-w)",
                            folder,
                            problem);
        }
        return problem != null;
    }

    private record Entry(Path file, long bytes, FileTime used) {}

    /** Two processes may do this at the same time: then both delete the same, oldest first. */
    private void evict(Path folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        long bytes = 0;
        Instant dead = Instant.now().minus(DEAD);
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path file : files) {
            BasicFileAttributes attributes;
            try {
                attributes = Files.readAttributes(file, BasicFileAttributes.class);
            } catch (NoSuchFileException e) {
                continue;
            }
            String name = file.toString();
            if (name.endsWith(END)) {
                entries.add(new Entry(file, attributes.size(), attributes.lastModifiedTime()));
                bytes += attributes.size();
            } else if (name.endsWith(UNFINISHED)
                    && attributes.lastModifiedTime().toInstant().isBefore(dead)) {
                Files.deleteIfExists(file);
            }
        }
        entries.sort(Comparator.comparing(Entry::used));
        for (Entry entry : entries) {
            if (bytes <= limit) {
                return;
            }
            Files.deleteIfExists(entry.file());
            bytes -= entry.bytes();
        }
    }

    @Override
    public String toString() {
        return folder == null ? "no cache" : folder + ", " + limit + " bytes at most";
    }
}
