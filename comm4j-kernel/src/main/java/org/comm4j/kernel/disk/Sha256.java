// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.disk;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 (FIPS 180-4). The first digest of the JDK costs a process 55 ms, for it starts the security providers; that
 * was more than all the rest of a first call whose kernel is in the cache. So this one needs nothing but arithmetic,
 * and only long content, where the JDK's uses the processor's own instructions, is given to the JDK.
 */
public final class Sha256 {
    /** The length of a hash, in bytes. */
    public static final int BYTES = 32;

    private static final int BLOCK = 64;
    private static final int ROUNDS = 64;

    /** From here on the JDK's is faster, its start included. */
    private static final int LONG = 4 << 20;

    private static final int[] START = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    private static final int[] CONSTANTS = constants();

    private Sha256() {}

    /** Returns the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
    private static int[] constants() {
        int[] constants = new int[ROUNDS];
        int count = 0;
        for (int number = 2; count < ROUNDS; number++) {
            int divisor = 2;
            while (number % divisor != 0) {
                divisor++;
            }
            if (divisor == number) {
                double root = Math.cbrt(number);
                constants[count++] = (int) (long) ((root - Math.floor(root)) * 0x1p32);
            }
        }
        return constants;
    }

    /** Returns the hash of bytes, as hexadecimal digits. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(of(content, 0));
    }

    /** Returns the hash of the bytes from an index to the end. */
    static byte[] of(byte[] content, int from) {
        int length = content.length - from;
        if (length >= LONG) {
            return ofJdk(content, from);
        }
        int whole = length / BLOCK;
        int rest = length % BLOCK;
        // Behind the content: one bit, zeros, and the length in bits.
        byte[] end = new byte[rest + 1 + Long.BYTES <= BLOCK ? BLOCK : 2 * BLOCK];
        System.arraycopy(content, content.length - rest, end, 0, rest);
        end[rest] = (byte) 0x80;
        for (int i = 0; i < Long.BYTES; i++) {
            end[end.length - 1 - i] = (byte) (8L * length >>> 8 * i);
        }
        int[] state = START.clone();
        int[] words = new int[ROUNDS];
        for (int block = 0; block < whole; block++) {
            add(state, words, content, from + block * BLOCK);
        }
        for (int at = 0; at < end.length; at += BLOCK) {
            add(state, words, end, at);
        }
        byte[] hash = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            hash[i] = (byte) (state[i / Integer.BYTES] >>> 24 - 8 * (i % Integer.BYTES));
        }
        return hash;
    }

    private static byte[] ofJdk(byte[] content, int from) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(content, from, content.length - from);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Adds a block. It is interpreted in a new JVM, so rotations are written out: calls cost more than they do. */
    private static void add(int[] state, int[] words, byte[] from, int begin) {
        int at = begin;
        for (int i = 0; i < BLOCK / Integer.BYTES; i++, at += Integer.BYTES) {
            words[i] = from[at] << 24 | (from[at + 1] & 0xff) << 16 | (from[at + 2] & 0xff) << 8 | from[at + 3] & 0xff;
        }
        for (int i = BLOCK / Integer.BYTES; i < ROUNDS; i++) {
            int x = words[i - 15];
            int y = words[i - 2];
            words[i] = words[i - 16]
                    + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
                    + words[i - 7]
                    + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
        }
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        int[] constants = CONSTANTS;
        for (int i = 0; i < ROUNDS; i++) {
            int first = h
                    + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7))
                    + (e & f ^ ~e & g)
                    + constants[i]
                    + words[i];
            int second = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c);
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}
