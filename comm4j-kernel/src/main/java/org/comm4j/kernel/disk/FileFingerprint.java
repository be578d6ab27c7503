// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What changes when a file does that is too large to be read, such as a compiler: its place, size, number and dates.
 * The date of modification can be set, and is where packages are unpacked or copied; the time of change cannot. In a
 * new JVM the {@code hashCode} and {@code toString} of a record are dear; {@link #text} is not.
 *
 * @param inode the file's number in its file system
 * @param modified nanoseconds since 1970
 * @param changed nanoseconds since 1970
 */
public record FileFingerprint(Path file, long bytes, long inode, long modified, long changed) {
    /** Returns that of a file; null if there is none. */
    public static @Nullable FileFingerprint of(Path file) {
        try {
            Map<String, Object> is = Files.readAttributes(file, "unix:isRegularFile,size,ino,lastModifiedTime,ctime");
            return Boolean.TRUE.equals(is.get("isRegularFile"))
                    ? new FileFingerprint(
                            file.normalize(),
                            number(is.get("size")),
                            number(is.get("ino")),
                            number(is.get("lastModifiedTime")),
                            number(is.get("ctime")))
                    : null;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return null;
        }
    }

    private static long number(@Nullable Object attribute) {
        if (attribute instanceof FileTime time) {
            return time.to(TimeUnit.NANOSECONDS);
        }
        return attribute instanceof Number number ? number.longValue() : -1;
    }

    /** Returns all of it in a line. */
    public String text() {
        return String.join(
                " ",
                file.toString(),
                Long.toString(bytes),
                Long.toString(inode),
                Long.toString(modified),
                Long.toString(changed));
    }
}
