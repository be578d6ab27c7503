// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A rank of {@link HostsTest}: joins, exchanges, and waits for the deaths of others if that is wanted. */
final class HostsProgram {
    private HostsProgram() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            String me = world.rank() + "/" + world.size() + " " + world.localRank() + "/" + world.localSize();
            List<String> all = world.exchange("who", me.getBytes(StandardCharsets.UTF_8)).stream()
                    .map(each -> new String(each, StandardCharsets.UTF_8))
                    .toList();
            System.out.println("met " + world.origin() + " " + all);
            if (args.length > 0) {
                try {
                    byte[] ignored = world.lookup("never", Duration.ofSeconds(30));
                } catch (RankFailedException e) {
                    System.out.println("dead " + world.rank() + " " + e.getMessage());
                }
            }
        } catch (RuntimeException e) {
            System.out.println("failed " + e);
        }
    }
}
