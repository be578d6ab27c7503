// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.comm4j.core.SymmetricMemoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1048576, 1048576",
        "64K, 65536",
        "64k, 65536",
        "512M, 536870912",
        "512MB, 536870912",
        "' 512m ', 536870912",
        "1.5G, 1610612736",
        "0.5k, 512",
        "2T, 2199023255552",
        "100B, 100",
        "3.1M, 3250586",
        "1.9, 2"
    })
    void sizes(String text, long bytes) {
        assertThat(HeapSize.parse(HeapSize.VARIABLE, text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "lots", "-1", "1e9", "1,5G", "5 M", "5P", "0x10", "1.G", ".5G", "5MM", "١٢"})
    void noSizes(String text) {
        assertThatThrownBy(() -> HeapSize.parse(HeapSize.VARIABLE, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COMM4J_HEAP_SIZE is '" + text + "'")
                .hasMessageContaining("512M");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0M", "9999999999999T", "5000000000000000000"})
    void outOfRange(String text) {
        assertThatThrownBy(() -> HeapSize.parse(HeapSize.VARIABLE, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("COMM4J_HEAP_SIZE is '" + text + "', which is out of range");
    }

    @Test
    void theFirstVariableThatIsSetSaysIt() {
        assertThat(HeapSize.fromEnvironment(Map.of("A", " ", "B", "2K", "C", "no"), "A", "B", "C"))
                .isEqualTo(2048);
        assertThat(HeapSize.fromEnvironment(Map.of(), "A", "B")).isZero();
        assertThatThrownBy(() -> HeapSize.fromEnvironment(Map.of("B", "no"), "A", "B"))
                .hasMessageContaining("B is 'no'");
    }

    @Test
    void messages() {
        assertThatThrownBy(() -> HeapSize.checkAvailable("allocate", 3 << 20, 2, 5 << 20))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessage("allocate: needs 3.0 MiB on each of 2 ranks, but this machine has only 5.0 MiB of memory"
                        + " available");
        assertThatCode(() -> HeapSize.checkAvailable("allocate", 3 << 20, 2, 6 << 20))
                .doesNotThrowAnyException();
        assertThat(HeapSize.exhausted("allocate", 1500, 64, 5L << 30))
                .hasMessage("allocate: needs 1500 bytes, but the largest free range of the heap of 5.0 GiB is 64 bytes;"
                        + " free arrays, or set COMM4J_HEAP_SIZE higher");
        assertThat(HeapSize.refused("allocate", 1 << 20)).hasMessageContaining("did not give 1.0 MiB");
    }
}
