// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Sha256Test {
    /** Checks the examples of FIPS 180-4. */
    @Test
    void examples() {
        assertThat(Sha256.hex("abc".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Sha256.hex(
                        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assertThat(Sha256.hex(new byte[0]))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    /** Compares all lengths of a last block, some of many blocks, and what is left to the JDK. */
    @Test
    void equalsTheJdks() throws Exception {
        Random random = new Random(1);
        for (int length = 0; length < 300; length++) {
            compare(random, length);
        }
        for (int length : new int[] {1000, 4095, 65537, (4 << 20) - 1, 4 << 20, (4 << 20) + 5}) {
            compare(random, length);
        }
    }

    private static void compare(Random random, int length) throws Exception {
        byte[] content = new byte[length];
        random.nextBytes(content);
        MessageDigest jdk = MessageDigest.getInstance("SHA-256");
        assertThat(Sha256.hex(content))
                .as("%d bytes", length)
                .isEqualTo(HexFormat.of().formatHex(jdk.digest(content)));
        int from = Math.min(length, 33);
        jdk.update(content, from, length - from);
        assertThat(Sha256.of(content, from))
                .as("%d bytes from %d", length, from)
                .isEqualTo(jdk.digest());
    }
}
