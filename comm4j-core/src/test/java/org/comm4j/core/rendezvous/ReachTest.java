// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReachTest {
    private static final Reach ZERO = new Reach("a", 77, addresses("172.17.0.1 192.168.1.5 10.1.2.3 fd00::5"));

    private static List<InetAddress> addresses(String text) {
        return Stream.of(text.split(" ")).map(InetAddress::ofLiteral).toList();
    }

    private static List<Reach.Network> networks(String text) {
        return Stream.of(text.split(" "))
                .map(each -> each.split("/"))
                .map(each -> new Reach.Network(InetAddress.ofLiteral(each[0]), Integer.parseInt(each[1])))
                .toList();
    }

    /** Networks of both come first, and a bridge that each machine has for itself is left out. */
    @ParameterizedTest
    @CsvSource({
        "10.1.2.9/16, 10.1.2.3 172.17.0.1 192.168.1.5 fd00::5",
        "172.17.0.1/16 192.168.1.9/24, 192.168.1.5 10.1.2.3 fd00::5",
        "fd00::9/64 172.17.0.1/16, fd00::5 192.168.1.5 10.1.2.3",
        "10.1.2.9/32, 172.17.0.1 192.168.1.5 10.1.2.3 fd00::5",
        "10.1.2.2/31, 10.1.2.3 172.17.0.1 192.168.1.5 fd00::5",
        "1.1.1.1/0, 172.17.0.1 192.168.1.5 10.1.2.3 fd00::5",
    })
    void theLikeliestWayComesFirst(String mine, String expected) {
        assertThat(ZERO.seenFrom("b", networks(mine)))
                .allMatch(way -> way.getPort() == 77)
                .extracting(way -> way.getAddress())
                .isEqualTo(addresses(expected));
    }

    @Test
    void aProcessOfTheSameMachineGoesTheShortWay() {
        assertThat(ZERO.seenFrom("a", networks("10.1.2.3/16")))
                .allMatch(way -> way.getAddress().isLoopbackAddress())
                .hasSize(1);
    }

    @Test
    void travelsAsText() {
        assertThat(Reach.parse(ZERO.text())).isEqualTo(ZERO);
        Reach here = Reach.here("this/boot", 1);
        assertThat(Reach.parse(here.text())).isEqualTo(here);
        assertThat(here.addresses()).noneMatch(InetAddress::isLoopbackAddress);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a\nb", "a\n7\nlocalhost", "a\n7\n1.2.3.4.5"})
    void nonsenseIsRefused(String text) {
        assertThatThrownBy(() -> Reach.parse(text))
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining("rank 0 does not say where it listens");
    }

    @Test
    void onceAgainFromTheFirst() {
        Supplier<@Nullable Invitation> ways = Reach.inTurn(ZERO.seenFrom("b", networks("10.1.2.9/16")), "t");
        for (int round = 0; round < 2; round++) {
            for (String expected : "10.1.2.3 172.17.0.1 192.168.1.5 [fd00:0:0:0:0:0:0:5]".split(" ")) {
                assertThat(ways.get()).hasToString("Invitation[" + expected + ":77, host 0]");
            }
        }
    }
}
