// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What changes when a file does: its place, size and date. In a new JVM the {@code hashCode} and {@code toString} of a record are dear; {@link #text} is not.
 *
 * @param modified nanoseconds since 1970
 */
public record FileStamp(Path file, long bytes, long modified) {
    /** Of a file; null if there is none. */
    public static @Nullable FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile()
                    ? new FileStamp(
                            file.normalize(),
                            attributes.size(),
                            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS))
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** All three in a line. */
    public String text() {
        return String.join(" ", file.toString(), Long.toString(bytes), Long.toString(modified));
    }
}
