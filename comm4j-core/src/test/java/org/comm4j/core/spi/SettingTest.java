// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "no", "Off", "FALSE"})
    void off(String value) {
        assertThat(Setting.isOn(value, true)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "yes", "on", "true", "x"})
    void on(String value) {
        assertThat(Setting.isOn(value, false)).isTrue();
    }

    @Test
    void unset() {
        assertThat(Setting.isOn(null, true)).isTrue();
        assertThat(Setting.isOn(null, false)).isFalse();
    }
}
