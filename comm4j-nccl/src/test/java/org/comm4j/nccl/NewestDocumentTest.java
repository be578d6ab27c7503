// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All programs of {@code docs/nccl.md}, over simulated GPUs and the newest NCCL, which lacks nothing. */
@Tag("newest")
@Timeout(300)
class NewestDocumentTest {
    @TempDir
    static Path folder;

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        Simulation.requireNewest();
        assertThat(Nccl.version()).hasToString("2.32.3");
        return DocumentPrograms.tests(folder, Cuda.deviceCount());
    }
}
