// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The sampling interval and the wavelet of inversions. */
final class InvertSampling {
    /** The frequency in hertz unless a command has another one. */
    static final double USUAL = 20;

    /** That of {@code invert lsm}. */
    static final double MIGRATION = 25;

    @Option(
            names = "--dt",
            paramLabel = "S",
            defaultValue = "0.004",
            description = "Sampling interval in seconds; default: ${DEFAULT-VALUE}.")
    double dt;

    @Option(
            names = "--frequency",
            paramLabel = "HZ",
            description = "Central frequency of the wavelet; default: 20, of lsm 25.")
    private @Nullable Double frequency;

    /** Returns the frequency in hertz. */
    double frequency(double usual) {
        return frequency == null ? usual : frequency;
    }
}
