// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;

/**
 * The ways to a process that listens: all addresses of its machine, of which others try those of their own networks
 * first.
 *
 * @param machine what its machine is called, and no other one
 * @param port where it listens, on all addresses
 * @param addresses of the machine, without those that only itself can use
 */
record Reach(String machine, int port, List<InetAddress> addresses) {

    /** An address and how many of its first bits name the network. */
    record Network(InetAddress address, int bits) {

        /** Returns whether another address belongs to it. */
        boolean has(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] its = other.getAddress();
            return mine.length == its.length
                    && new BigInteger(1, mine)
                            .xor(new BigInteger(1, its))
                            .shiftRight(8 * mine.length - bits)
                            .equals(BigInteger.ZERO);
        }
    }

    /** Returns the ways to this process. */
    static Reach here(String machine, int port) {
        Set<InetAddress> all = new LinkedHashSet<>();
        try {
            InetAddress named = InetAddress.getLocalHost();
            if (!named.isLoopbackAddress()) {
                all.add(named);
            }
        } catch (IOException e) {
            // Its name means nothing to it; its networks do.
        }
        networks().forEach(each -> all.add(each.address()));
        return new Reach(machine, port, List.copyOf(all));
    }

    /** Returns this machine's networks, without loopback and link-local ones. */
    static List<Network> networks() {
        List<Network> networks = new ArrayList<>();
        try {
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                if (each.isUp() && !each.isLoopback()) {
                    for (InterfaceAddress address : each.getInterfaceAddresses()) {
                        if (!address.getAddress().isLinkLocalAddress()) {
                            networks.add(new Network(address.getAddress(), address.getNetworkPrefixLength()));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new RendezvousException("this machine does not tell its network addresses: " + e.getMessage(), e);
        }
        return networks;
    }

    /**
     * Returns where a process of the machine {@code there} finds this one, the likeliest first: on the same machine the
     * loopback address; else addresses of {@code networks} that it is in, too, then the others. An address that both
     * machines have, such as that of a bridge to containers, does not lead here.
     */
    List<InetSocketAddress> seenFrom(String there, List<Network> networks) {
        if (there.equals(machine)) {
            return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        return addresses.stream()
                .filter(each -> networks.stream().noneMatch(own -> own.address().equals(each)))
                .sorted(Comparator.comparing(each -> networks.stream().noneMatch(own -> own.has(each))))
                .map(each -> new InetSocketAddress(each, port))
                .toList();
    }

    /** Returns the text that {@link #parse} reads. */
    String text() {
        StringBuilder text = new StringBuilder(machine + "\n" + port);
        addresses.forEach(each -> text.append('\n').append(each.getHostAddress()));
        return text.toString();
    }

    /**
     * Reads the text of another process.
     *
     * @throws RendezvousException if it is none
     */
    static Reach parse(String text) {
        List<String> lines = text.lines().toList();
        try {
            List<InetAddress> addresses = new ArrayList<>();
            for (String line : lines.subList(2, lines.size())) {
                addresses.add(InetAddress.ofLiteral(line));
            }
            return new Reach(lines.getFirst(), Integer.parseInt(lines.get(1)), addresses);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new RendezvousException("rank 0 does not say where it listens: '" + text + "'", e);
        }
    }

    /** Returns invitations to one way after the other, and again from the first one on. */
    static Supplier<@Nullable Invitation> inTurn(List<InetSocketAddress> ways, String token) {
        return new Supplier<>() {
            private int next;

            @Override
            public Invitation get() {
                return new Invitation(ways.get(next++ % ways.size()), token, 0);
            }

            @Override
            public String toString() {
                return "it listens on " + ways;
            }
        };
    }
}
