// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/nccl.md}, over real GPUs. */
@Tag("gpu")
@Timeout(300)
class GpuDocumentTest {
    @TempDir
    static Path folder;

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        Gpu.require(1);
        return DocumentPrograms.tests(folder, Cuda.deviceCount());
    }
}
