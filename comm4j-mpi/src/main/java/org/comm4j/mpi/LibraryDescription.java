// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.mpi.LibMpi;

/** Description of the MPI library in this process, for messages; all of it can be asked before MPI is initialised. */
final class LibraryDescription {
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+");

    private LibraryDescription() {}

    /** Returns the library's name in its own words, and its file. */
    static String of(Abi abi) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(abi.get("MAX_LIBRARY_VERSION_STRING") + 1);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            int status = LibMpi.MPI_Get_library_version(text.address(), length.address());
            String words = status == 0 ? text.getString(0) : "";
            // "MPICH Version:\t4.0.2\n…", "Open MPI v4.1.4, package: …"
            String first = words.lines().findFirst().orElse("MPI");
            return first.split(",", 2)[0]
                            .replaceAll("\\s+", " ")
                            .replace("MPICH Version: ", "MPICH ")
                            .strip() + " (" + LibMpi.library().file() + ")";
        }
    }

    /** Returns the version in a description, which is not that of the MPI standard; empty if there is none. */
    static String version(String description) {
        Matcher number = NUMBER.matcher(description);
        return number.find() ? number.group() : "";
    }

    /** Returns what variables name that is not there or cannot be loaded, to be put behind a message. */
    static String wrongPlaces() {
        return LibMpi.library().places().stream()
                .filter(NativeLibrary.Place::isWrong)
                .map(place -> "; " + place)
                .collect(Collectors.joining());
    }
}
