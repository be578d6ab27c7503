// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.DataType;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class GpuLibraryTest extends LibraryContract {
    private static byte[] cubin = new byte[0];

    @BeforeAll
    static void compile() {
        Gpu.require(1);
        Natives.use();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        try (Device device = Device.of(0)) {
            cubin = Nvrtc.compile(KernelContract.SOURCE, "scale.cu", device);
        }
    }

    @Override
    byte[] image() {
        return cubin;
    }

    @Test
    void oneLibraryServesAllDevices() {
        Gpu.require(2);
        try (Device peer = Device.of(1)) {
            assumeTrue(
                    device.computeCapability().equals(peer.computeCapability()), "the devices are of different kinds");
            assertRuns(device);
            assertRuns(peer);
            DeviceArray here = library.on(device).global("table", DataType.FLOAT32);
            DeviceArray there = library.on(peer).global("table", DataType.FLOAT32);
            here.fill(1);
            there.fill(2);
            assertThat(here.toHost().toFloatArray()).containsOnly(1);
            assertThat(there.toHost().toFloatArray()).containsOnly(2);
        }
    }

    @Test
    void codeForOtherArchitecturesSaysWhatIsNeeded() {
        assumeTrue(device.computeCapability().major() != 8, "the device runs code for sm_80");
        byte[] other = Nvrtc.compile(KernelContract.SOURCE, "scale.cu", "sm_80");
        String needed = "which needs code for " + device.computeCapability().sm();
        assertThatThrownBy(() -> {
                    try (CudaLibrary wrong = CudaLibrary.load(other)) {
                        wrong.on(device).function("scale");
                    }
                })
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("another architecture");
        assertThatThrownBy(() -> CudaModule.load(device, other))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining(needed);
    }

    @Test
    void ptxIsCompiledForEachDevice() {
        assumeTrue(device.computeCapability().number() >= 90, "the PTX is for compute capability 9.0");
        library.close();
        library = CudaLibrary.load(Nvrtc.compile(KernelContract.SOURCE, "scale.cu", "compute_90"));
        assertRuns(device);
        assertThat(library.kernelNames()).contains("scale");
    }
}
