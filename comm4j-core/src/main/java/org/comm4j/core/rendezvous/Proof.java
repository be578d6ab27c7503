// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The proofs by which both ends of a TCP connection show that they know the job's token, which itself never travels.
 * Each is an HMAC-SHA256 of random numbers from both sides, so that neither a proof that was overheard nor one's own is
 * of any use.
 */
final class Proof {
    private static final int NONCE_BYTES = 32;

    private Proof() {}

    /** Random bytes that nobody has seen before. */
    static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    /** Whether a peer has chosen a nonce as long as ours. */
    static boolean isNonce(byte[] bytes) {
        return bytes.length == NONCE_BYTES;
    }

    /** The proof of a rank, which comes first: whoever merely connects learns nothing that depends on the token. */
    static byte[] ofRank(String token, byte[] challenge, Message.Hello hello) {
        byte[] card = hello.card().getBytes(StandardCharsets.UTF_8);
        ByteBuffer claims = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES + card.length)
                .putInt(hello.rank())
                .putInt(hello.size())
                .putLong(hello.timeoutNanos())
                .put(card);
        return mac(token, "rank", challenge, hello.nonce(), claims.array());
    }

    /** The rendezvous's proof, in return. */
    static byte[] ofRendezvous(String token, byte[] challenge, byte[] nonce) {
        return mac(token, "rendezvous", challenge, nonce, new byte[0]);
    }

    /** Compares in a time that does not depend on where they differ. */
    static boolean same(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    private static byte[] mac(String token, String who, byte[] challenge, byte[] nonce, byte[] claims) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update(("comm4j " + Message.VERSION + " " + who + "\0").getBytes(StandardCharsets.UTF_8));
            // Both are of one length, so the parts cannot be moved against each other.
            mac.update(challenge);
            mac.update(nonce);
            return mac.doFinal(claims);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java platform has HmacSHA256", e);
        }
    }
}
