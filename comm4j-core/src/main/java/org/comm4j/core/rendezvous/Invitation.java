// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.comm4j.core.RendezvousException;

/**
 * What a rank needs to come to the rendezvous.
 *
 * @param address where it is: a Unix-domain socket on this machine, or a TCP port
 * @param token what both ends of a TCP connection prove to each other that they know
 * @param hostRank the rank that hosts it, or -1 if the launcher does
 */
public record Invitation(SocketAddress address, String token, int hostRank) {

    @Override
    public String toString() {
        // The token is a secret.
        return "Invitation[" + text(address) + ", host " + hostRank + "]";
    }

    static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress at)) {
            return address.toString();
        }
        String host = at.isUnresolved() ? at.getHostString() : at.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort();
    }

    /**
     * Reads {@code host:port}, {@code [IPv6 address]:port} or the absolute path of a socket; {@code variable} is where
     * the text comes from.
     */
    static SocketAddress address(String variable, String text) {
        if (isPath(text)) {
            return UnixDomainSocketAddress.of(text);
        }
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
            throw new RendezvousException(variable + "=" + text + " is not host:port, nor the path of a socket");
        }
        return InetSocketAddress.createUnresolved(host, port);
    }

    /** Whether an address is a place in the file system. */
    static boolean isPath(String text) {
        return text.startsWith("/");
    }
}
