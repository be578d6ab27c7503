// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;

/**
 * The word that rank 0 leaves for the other ranks of its job: where the rendezvous is and its token. Only its owner can
 * read the file, it appears in one step, and its name follows from what only this job's processes have in common.
 */
final class MeetingFile implements Word {
    private static final String HEADER = "comm4j rendezvous 2";

    private final Path path;

    /** @param jobId what the processes of this job have in common */
    MeetingFile(Path folder, String jobId) {
        String owner = System.getProperty("user.name", "");
        String name = owner.replaceAll("[^A-Za-z0-9]", "_") + "-" + digest(owner + " " + jobId);
        path = folder.resolve("comm4j-" + name + ".rendezvous");
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 10);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void leave(Invitation invitation) {
        List<String> lines = List.of(
                HEADER,
                Invitation.text(invitation.address()),
                invitation.token(),
                Integer.toString(invitation.hostRank()));
        Path fresh = null;
        try {
            fresh = Files.createTempFile(path.getParent(), ".comm4j-", ".new", ownerOnly(path));
            Files.write(fresh, lines);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            delete(fresh);
            throw new RendezvousException("rank 0 cannot leave word in " + path + " where the rendezvous is: " + e, e);
        }
    }

    /** What rank 0 has written, or null while there is nothing (yet). */
    @Nullable
    Invitation read() {
        try {
            // Asked before it is opened: somebody else's may be a pipe that never ends.
            UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
            if (!owner.equals(Connection.myself())) {
                throw new RendezvousException(path + " belongs to " + owner + " and is not to be trusted");
            }
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.size(path) > 1024) {
                throw new RendezvousException(path + " was not written by comm4j; remove it");
            }
            List<String> lines = Files.readAllLines(path);
            if (lines.size() != 4 || !lines.getFirst().equals(HEADER)) {
                throw new RendezvousException(path + " was not written by this version of comm4j; remove it");
            }
            return new Invitation(
                    Invitation.address(path.toString(), lines.get(1)), lines.get(2), Integer.parseInt(lines.get(3)));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | NumberFormatException e) {
            throw new RendezvousException(path + " cannot be read: " + e, e);
        }
    }

    @Override
    public void remove() {
        delete(path);
    }

    private static void delete(@Nullable Path path) {
        try {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // A leftover is no danger: its token is of no use any more.
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
