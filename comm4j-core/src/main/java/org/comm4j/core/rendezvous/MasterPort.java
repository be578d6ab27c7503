// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;

/**
 * Meeting place of the processes of {@code torchrun} on several machines: beside {@code MASTER_PORT}, where PyTorch's
 * own store is, on the machine of rank 0, which {@code MASTER_ADDR} names. The token is {@code COMM4J_TOKEN} or, since
 * all processes know the same variables, derived from these: it keeps jobs apart, but can be guessed.
 */
final class MasterPort {
    private static final String ADDRESS = "MASTER_ADDR";
    private static final String PORT = "MASTER_PORT";
    private static final int LAST = 65535;

    private MasterPort() {}

    /**
     * The rendezvous that these variables tell; null if they tell none.
     *
     * @throws RendezvousException if the port is none
     */
    static @Nullable Invitation invitation(Job job, Map<String, String> environment) {
        String address = environment.getOrDefault(ADDRESS, "").strip();
        String port = environment.getOrDefault(PORT, "").strip();
        if (!job.origin().equals(Job.TORCHRUN) || address.isEmpty() || port.isEmpty()) {
            return null;
        }
        int number;
        try {
            number = Integer.parseInt(port);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1 || number > LAST) {
            throw new RendezvousException(PORT + "=" + port + " is not a port from 1 to " + LAST);
        }
        String token = environment.getOrDefault(Job.TOKEN, "").strip();
        return new Invitation(
                InetSocketAddress.createUnresolved(address, number == LAST ? number - 1 : number + 1),
                token.isEmpty() ? derived(job) : token,
                0);
    }

    /** Returns what to say when rank 0 cannot listen there. */
    static RendezvousException taken(RendezvousException e) {
        return new RendezvousException(
                e.getMessage() + "; this is the port beside " + PORT + ": start torchrun with another --master-port, or"
                        + " set " + Job.RENDEZVOUS + "=host:port of rank 0 and " + Job.TOKEN,
                e);
    }

    private static String derived(Job job) {
        try {
            byte[] text = (job.id() + " " + job.size()).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
