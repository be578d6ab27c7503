// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.net.InetSocketAddress;
import org.comm4j.core.RendezvousException;

/**
 * What a rank needs to come to the rendezvous.
 *
 * @param address where it is
 * @param token what to present there
 * @param hostRank the rank that hosts it, or -1 if the launcher does
 */
public record Invitation(InetSocketAddress address, String token, int hostRank) {

    @Override
    public String toString() {
        // The token is a secret.
        return "Invitation[" + HubServer.text(address) + ", host " + hostRank + "]";
    }

    /** Reads {@code host:port} or {@code [IPv6 address]:port}; {@code variable} is where the text comes from. */
    static InetSocketAddress address(String variable, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = -1;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            // Reported below, with everything else that may be wrong.
        }
        if (host.isEmpty() || port < 1 || port > 65535) {
            throw new RendezvousException(variable + "=" + text + " is not host:port");
        }
        return InetSocketAddress.createUnresolved(host, port);
    }
}
