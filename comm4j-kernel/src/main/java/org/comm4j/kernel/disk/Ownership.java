// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says whether anybody but this process's user, and the system's, can change what is in a folder: by its owner and
 * mode, and those of the folders above.
 */
final class Ownership {
    private static final int ROOT = 0;

    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;
    /** Of a folder where everybody may add files, and change his own alone. */
    private static final int STICKY = 01000;

    /** This process's user; −1 if the system does not say. */
    private static final int USER = user();

    private Ownership() {}

    private static int user() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer user ? user : -1;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return -1;
        }
    }

    private static int attribute(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : -1;
    }

    /** Returns who else can change what is in a folder that exists; null if nobody. */
    static @Nullable String problem(Path folder) throws IOException {
        Path real = folder.toRealPath();
        String problem = problem(real, false);
        return problem == null ? problemAbove(real) : problem;
    }

    /** Returns who else could do so with a folder that is still to be made. */
    static @Nullable String problemOfNew(Path folder) throws IOException {
        Path above = folder.toAbsolutePath();
        while (above != null && !Files.exists(above, LinkOption.NOFOLLOW_LINKS)) {
            above = above.getParent();
        }
        if (above == null) {
            return "there is no folder above";
        }
        Path real = above.toRealPath();
        String problem = problem(real, true);
        return problem == null ? problemAbove(real) : problem;
    }

    private static @Nullable String problemAbove(Path real) throws IOException {
        for (Path above = real.getParent(); above != null; above = above.getParent()) {
            String problem = problem(above, true);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problem(Path folder, boolean above) throws IOException {
        Map<String, Object> is = Files.readAttributes(folder, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        int owner = attribute(is, "uid");
        int mode = attribute(is, "mode");
        if (owner != USER && !(above && owner == ROOT)) {
            return String.join("", folder.toString(), " belongs to user ", Integer.toString(owner));
        }
        boolean sticky = above && (mode & STICKY) != 0;
        if ((mode & OTHERS_WRITE) != 0 && !sticky) {
            return "others can write to ".concat(folder.toString());
        }
        if ((mode & GROUP_WRITES) != 0 && !sticky && !(above && isGroupOfOne(folder))) {
            return "its group can write to ".concat(folder.toString());
        }
        return null;
    }

    /** Whether the group is the one that many systems make for each user, and so lets it write everywhere. */
    private static boolean isGroupOfOne(Path folder) throws IOException {
        PosixFileAttributes is = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return is.group().getName().equals(is.owner().getName());
    }

    /** Whether a file is this user's, and nobody else can write it. */
    static boolean isOwn(Path file) throws IOException {
        Map<String, Object> is = Files.readAttributes(file, "unix:isRegularFile,uid,mode", LinkOption.NOFOLLOW_LINKS);
        return Boolean.TRUE.equals(is.get("isRegularFile"))
                && attribute(is, "uid") == USER
                && (attribute(is, "mode") & (GROUP_WRITES | OTHERS_WRITE)) == 0;
    }
}
