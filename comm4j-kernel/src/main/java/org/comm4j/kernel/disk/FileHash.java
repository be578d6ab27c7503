// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a file that takes too long to read in each process, such as a jar. The cache keeps it by what changes
 * when the file does ({@link FileFingerprint}). So equal jars in different places, of another clone or on another node,
 * have one hash, and share what was compiled.
 */
public final class FileHash {
    private static final String KEY = "SHA-256 of ";

    private FileHash() {}

    /** Returns that of a file; null if there is none, or if it changes meanwhile. */
    public static @Nullable String of(Path file, DiskCache cache) {
        FileFingerprint is = FileFingerprint.of(file);
        if (is == null) {
            return null;
        }
        String key = KEY.concat(is.text());
        byte[] kept = cache.get(key);
        if (kept != null) {
            return new String(kept, StandardCharsets.US_ASCII);
        }
        String hash;
        try {
            hash = Sha256.hex(Files.readAllBytes(file));
        } catch (IOException e) {
            return null;
        }
        FileFingerprint then = FileFingerprint.of(file);
        if (then == null || !then.text().equals(is.text())) {
            return null;
        }
        cache.put(key, hash.getBytes(StandardCharsets.US_ASCII));
        return hash;
    }
}
