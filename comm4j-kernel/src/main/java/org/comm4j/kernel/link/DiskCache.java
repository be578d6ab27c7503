// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finished code in files, by the hash of all that it was made from. Many processes use one folder at a time: an entry is written beside and
 * then renamed, what is damaged is taken as missing, what was not used for longest goes when there is too much. Only the owner reads and
 * writes it: who could write there could run code on this user's GPUs. Nothing that goes wrong here fails a compilation.
 *
 * <p>An entry is the SHA-256 of its content, then the content.
 */
public final class DiskCache {
    /** A folder, or {@code off}. */
    public static final String PROPERTY = "org.comm4j.kernel.cache";

    /** How many bytes it may have, at most. */
    public static final String SIZE_PROPERTY = "org.comm4j.kernel.cache.bytes";

    private static final System.Logger LOG = System.getLogger(DiskCache.class.getName());
    private static final long DEFAULT_BYTES = 1L << 30;
    private static final int HASH_BYTES = 32;
    private static final String END = ".bin";
    private static final String UNFINISHED = ".tmp";
    /** Whoever wrote beside longer ago than this is dead. */
    private static final Duration DEAD = Duration.ofHours(1);

    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final AtomicLong NUMBER = new AtomicLong();

    private final @Nullable Path folder;
    private final long limit;

    /**
     * @param folder null for no cache
     * @param limit of all entries, in bytes
     */
    public DiskCache(@Nullable Path folder, long limit) {
        this.folder = folder;
        this.limit = limit;
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

    /** The name of an entry: a hash of parts, whose borders count. */
    static String key(List<byte[]> parts) {
        MessageDigest hash = sha256();
        for (byte[] part : parts) {
            hash.update(ByteBuffer.allocate(Long.BYTES).putLong(part.length).flip());
            hash.update(part);
        }
        return HexFormat.of().formatHex(hash.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** What was put under that key; null if it is not there, or damaged. */
    public byte @Nullable [] get(String key) {
        if (folder == null || !usable(folder)) {
            return null;
        }
        Path file = folder.resolve(key + END);
        try {
            byte[] entry = Files.readAllBytes(file);
            byte[] content =
                    entry.length < HASH_BYTES ? new byte[0] : Arrays.copyOfRange(entry, HASH_BYTES, entry.length);
            if (entry.length < HASH_BYTES
                    || !Arrays.equals(entry, 0, HASH_BYTES, sha256().digest(content), 0, HASH_BYTES)) {
                LOG.log(System.Logger.Level.DEBUG, "damaged: {0}", file);
                Files.deleteIfExists(file);
                return null;
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return content;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot read " + file, e);
            return null;
        }
    }

    /** Keeps something. */
    public void put(String key, byte[] content) {
        if (folder == null || content.length + (long) HASH_BYTES > limit) {
            return;
        }
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            if (!usable(folder)) {
                return;
            }
            Path beside = folder.resolve(
                    key + "-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + UNFINISHED);
            try (FileChannel out = FileChannel.open(
                    beside,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                for (ByteBuffer part : List.of(ByteBuffer.wrap(sha256().digest(content)), ByteBuffer.wrap(content))) {
                    while (part.hasRemaining()) {
                        out.write(part);
                    }
                }
            }
            Files.move(
                    beside,
                    folder.resolve(key + END),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            evict(folder);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot keep " + key + " in " + folder, e);
        }
    }

    /** Whether nobody else can write there. */
    private static boolean usable(Path folder) {
        try {
            for (PosixFilePermission permission : Files.getPosixFilePermissions(folder)) {
                if (OTHERS_WRITE.contains(permission)) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "others can write to {0}: compiled kernels are not taken from there; chmod 700 it, or name another "
                                    + "folder by -D" + PROPERTY + "=",
                            folder);
                    return false;
                }
            }
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
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
