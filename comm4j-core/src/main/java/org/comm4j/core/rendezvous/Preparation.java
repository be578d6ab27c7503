// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Preparation of a rendezvous over TCP while a library is initialised, which is mostly waiting. Most of a process's
 * first rendezvous is the JVM, which loads and links classes; so a rendezvous of one rank is held first, on loopback.
 */
final class Preparation {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Preparation() {}

    /** Begins in a daemon thread, for which nobody waits; returns at once. */
    static void begin() {
        Thread.ofPlatform().daemon().name("comm4j-rendezvous-preparation").start(Preparation::run);
    }

    private static void run() {
        String token = HubServer.newToken();
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (HubServer server = HubServer.open(new Hub(1), anywhere, token)) {
            Invitation invitation = new Invitation(server.address(), token, 0);
            byte[] card = "preparation".getBytes(StandardCharsets.UTF_8);
            HubClient client = HubClient.join(() -> invitation, false, 0, 1, card, PATIENCE, new Watcher() {});
            client.close();
            client.disconnect();
            Reach.parse(Reach.here("preparation", 1).text()).seenFrom("another", Reach.networks());
        } catch (RuntimeException e) {
            System.getLogger("org.comm4j.core").log(System.Logger.Level.TRACE, "no rendezvous to prepare", e);
        }
    }
}
