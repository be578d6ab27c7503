// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The examples whose kernels communicate. */
class DeviceExamplesTest {
    @TestFactory
    Stream<DynamicTest> runOnTwoRanks() throws IOException {
        return ExamplesTest.onTwoRanks(
                words -> ExamplesTest.DEVICE.matcher(words).matches(), "DeviceAllReduce");
    }
}
