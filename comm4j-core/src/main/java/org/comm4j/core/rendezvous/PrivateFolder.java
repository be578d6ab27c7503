// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * A temporary folder of one job that only its user can enter: for the socket of the rendezvous and for classes. Whoever
 * makes it holds a lock in it, so that those of processes that were killed can be told from those in use, in other
 * containers, too.
 */
public final class PrivateFolder implements AutoCloseable {
    private static final String PREFIX = "comm4j-run-";
    private static final String LOCK = "lock";
    private static final String SOCKET = "rendezvous";

    /** Of the 108 bytes that Linux has for a socket's path; other systems have a few less. */
    private static final int LONGEST_SOCKET = 100;

    /** What {@link Files#createTempDirectory} appends, at most, and the process id. */
    private static final int NAME = PREFIX.length() + 10 + 1 + 20;

    /** Younger ones may not be locked yet. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /** Closing any channel of a file gives all locks of the process on it away: its own are not touched. */
    private static final Set<Path> MINE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private @Nullable FileChannel lock;

    private PrivateFolder(Path path) {
        this.path = path;
    }

    /**
     * Makes one: in the folder for temporary files, or where that cannot be written to or has too long a name for a
     * socket, in {@code XDG_RUNTIME_DIR}, {@code /tmp} or {@code /dev/shm}.
     *
     * @throws CommException if none of these will do
     */
    public static PrivateFolder open(Map<String, String> environment) {
        return in(places(environment));
    }

    static PrivateFolder in(Iterable<Path> places) {
        List<String> obstacles = new ArrayList<>();
        for (Path place : places) {
            int length = place.toString().getBytes(StandardCharsets.UTF_8).length + 1 + NAME + 1 + SOCKET.length();
            if (length > LONGEST_SOCKET) {
                obstacles.add(place + " is too long a name for a socket");
                continue;
            }
            try {
                // For nobody but this user, as all temporary folders that Java makes.
                Path path = Files.createTempDirectory(
                        place, PREFIX + ProcessHandle.current().pid() + "-");
                MINE.add(path);
                PrivateFolder folder = new PrivateFolder(path);
                folder.lock();
                return folder;
            } catch (IOException e) {
                obstacles.add(e.toString());
            }
        }
        throw new CommException("there is no place for a private folder (" + String.join("; ", obstacles)
                + "); let XDG_RUNTIME_DIR name one that this user can write to");
    }

    private static Set<Path> places(Map<String, String> environment) {
        Set<Path> places = new LinkedHashSet<>();
        places.add(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isBlank()) {
            places.add(Path.of(runtime).toAbsolutePath());
        }
        places.add(Path.of("/tmp"));
        places.add(Path.of("/dev/shm"));
        return places;
    }

    private void lock() {
        Path file = path.resolve(LOCK);
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            FileLock ignored = channel.tryLock();
            lock = channel;
        } catch (IOException e) {
            // A file system without locks. What is not locked is not swept.
            delete(file);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** A place for the rendezvous in it. */
    public UnixDomainSocketAddress socket() {
        return UnixDomainSocketAddress.of(path.resolve(SOCKET));
    }

    /** Removes it with everything in it. */
    @Override
    public void close() {
        delete(path);
        HubServer.closeQuietly(lock);
        MINE.remove(path);
    }

    /** Removes what processes of this user that are gone have left, because they were killed. Never fails. */
    public static void sweep(Map<String, String> environment) {
        places(environment).forEach(place -> sweep(place, Instant.now().minus(YOUNG)));
    }

    static void sweep(Path place, Instant madeBefore) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(place)) {
            for (Path folder : folders) {
                if (folder.getFileName().toString().startsWith(PREFIX)
                        && !MINE.contains(folder)
                        && isLeftover(folder, madeBefore)) {
                    delete(folder);
                }
            }
        } catch (IOException | RuntimeException e) {
            // It is for tidiness only.
        }
    }

    private static boolean isLeftover(Path folder, Instant madeBefore) {
        Path file = folder.resolve(LOCK);
        try {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Connection.myself())
                    || Files.getLastModifiedTime(file).toInstant().isAfter(madeBefore)) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                return channel.tryLock() != null;
            }
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // Left for the next sweep, or for the system's own cleaning of temporary files.
        }
    }
}
