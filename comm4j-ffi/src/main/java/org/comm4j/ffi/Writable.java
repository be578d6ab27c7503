// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users, other than root and this process's, that could exchange a file: because they own it or a folder above it,
 * or may write there.
 */
final class Writable {
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    private Writable() {}

    /**
     * Looks for the first place on the way to a file that others can change.
     *
     * @param owners whether a place of another user counts that nobody else may write to
     * @return null if there is none, or that cannot be found out
     */
    static @Nullable String byOthers(Path file, boolean owners) {
        try {
            int mine = uid(Path.of("/proc/self"));
            // A link may be exchanged as well as what it leads to.
            Set<Path> places = new LinkedHashSet<>();
            for (Path each : List.of(file.toAbsolutePath().normalize(), file.toRealPath())) {
                for (Path place = each; place != null; place = place.getParent()) {
                    places.add(place);
                }
            }
            for (Path place : places) {
                String problem = problem(place, mine, owners);
                if (problem != null) {
                    return problem;
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            // Not Linux, or not there any more.
        }
        return null;
    }

    private static @Nullable String problem(Path place, int mine, boolean owners) throws IOException {
        int mode = (int) Files.getAttribute(place, "unix:mode");
        int owner = uid(place);
        int group = (int) Files.getAttribute(place, "unix:gid");
        // In such a folder, as /tmp is, nobody can exchange what belongs to somebody else.
        boolean kept = Files.isDirectory(place) && (mode & STICKY) != 0;
        if ((mode & OTHERS_WRITE) != 0 && !kept) {
            return place + " can be written to by everybody";
        }
        // A group that has its user's number is that user's own, where each has one.
        if ((mode & GROUP_WRITES) != 0 && !kept && group != 0 && group != owner) {
            return place + " can be written to by the group " + Files.getAttribute(place, "unix:group");
        }
        if (owners && owner != 0 && owner != mine) {
            return place + " belongs to the user " + Files.getOwner(place).getName();
        }
        return null;
    }

    private static int uid(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }
}
