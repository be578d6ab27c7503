// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "8,8",
        "64K,65536",
        "64k,65536",
        "32M,33554432",
        "1G,1073741824",
        "2GiB,2147483648",
        "3KB,3072",
        "1.5M,1572864",
        "0.25k,256"
    })
    void readsSizes(String text, long bytes) {
        assertThat(Sizes.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-8", "8X", "1.5", "0.3K", "1.M", "K", "eight", "99999999999G", "9999999999999999999"})
    void refusesWhatIsNoSize(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sizes.parse(text))
                .withMessageContaining("'" + text + "'");
    }

    @Test
    void growsByFactorOrByBytes() {
        assertThat(Sizes.series(8, 64, 2, 0)).containsExactly(8L, 16L, 32L, 64L);
        assertThat(Sizes.series(8, 100, 3, 0)).containsExactly(8L, 24L, 72L);
        assertThat(Sizes.series(0, 30, 2, 10)).containsExactly(0L, 10L, 20L, 30L);
        assertThat(Sizes.series(5, 5, 1, 0)).isEqualTo(List.of(5L));
        assertThat(Sizes.series(1L << 61, Long.MAX_VALUE, 2, 0)).containsExactly(1L << 61, 1L << 62);
        assertThat(Sizes.series(Long.MAX_VALUE - 1, Long.MAX_VALUE, 2, 5)).containsExactly(Long.MAX_VALUE - 1);
    }

    @ParameterizedTest
    @CsvSource({"9,8,2,0", "0,8,2,0", "8,64,1,0", "8,64,0,0", "8,64,2,-1", "-1,8,2,0"})
    void refusesSeriesThatDoNotGrow(long min, long max, int factor, long step) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sizes.series(min, max, factor, step))
                .withMessageContaining("sizes from " + min + " to " + max);
    }

    @ParameterizedTest
    @CsvSource({"8,8 B", "1024,1 KiB", "1536,1.5 KiB", "67108864,64 MiB", "10485761,10 MiB"})
    void writesSizes(double bytes, String text) {
        assertThat(Sizes.text(bytes)).isEqualTo(text);
    }
}
