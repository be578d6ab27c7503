// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Code that calls NVSHMEM itself is initialised and ended, at the latest with everything. */
class ModuleContract {
    private static final byte[] CODE = ".version 8.0\n.target sm_90\n.address_size 64\n\0".getBytes(US_ASCII);

    private final Nvshmem shmem = Pes.current();

    /** Real code without NVSHMEM's variables is refused. */
    @Test
    void codeThatDoesNotCallNvshmem() {
        try (CudaModule module = CudaModule.load(Pes.device(), CODE)) {
            if (Pes.simulated()) {
                Simulation.fail("nvshmemx_cumodule_init", 7, 1);
            }
            assertThatThrownBy(() -> shmem.initModule(module))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("initModule on PE " + shmem.myPe())
                    .hasMessageContaining("NVSHMEM's device library");
            assertThatThrownBy(() -> shmem.finalizeModule(module))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not initialised");
        }
        shmem.barrierAll();
    }

    @Test
    void onceAndBack() {
        Assumptions.assumeTrue(Pes.simulated(), "there is no code for a real GPU here that calls NVSHMEM");
        long before = Simulation.get("modules");
        try (CudaModule module = CudaModule.load(Pes.device(), CODE)) {
            shmem.initModule(module);
            assertThat(Simulation.get("modules")).isEqualTo(before + 1);
            assertThatThrownBy(() -> shmem.initModule(module))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is initialised already");
            shmem.finalizeModule(module);
            assertThat(Simulation.get("modules")).isEqualTo(before);
            assertThatThrownBy(() -> shmem.finalizeModule(module)).isInstanceOf(IllegalStateException.class);
            // What is left of it points nowhere.
            assertThat(module.isOpen()).isFalse();
        }
    }

    @Test
    void theEndUndoesWhatIsLoaded() {
        Assumptions.assumeTrue(Pes.simulated(), "there is no code for a real GPU here that calls NVSHMEM");
        try (CudaModule module = CudaModule.load(Pes.device(), CODE)) {
            shmem.initModule(module);
            long before = Simulation.count("nvshmemx_cumodule_finalize");
            Pes.close();
            assertThat(Simulation.count("nvshmemx_cumodule_finalize")).isEqualTo(before + 1);
            assertThat(module.isOpen()).isFalse();
            assertThatThrownBy(() -> shmem.initModule(module)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void codeStaysLoadedUntilItIsFinalised() {
        Assumptions.assumeTrue(Pes.simulated(), "there is no code for a real GPU here that calls NVSHMEM");
        long loaded = Simulation.get("loaded");
        CudaModule module = CudaModule.load(Pes.device(), CODE);
        shmem.initModule(module);
        module.close();
        assertThat(Simulation.get("loaded")).isEqualTo(loaded + 1);
        shmem.finalizeModule(module);
        assertThat(Simulation.get("loaded")).isEqualTo(loaded);

        CudaModule forgotten = CudaModule.load(Pes.device(), CODE);
        shmem.initModule(forgotten);
        forgotten.close();
        Pes.close();
        assertThat(Simulation.get("modules")).isZero();
        assertThat(Simulation.get("loaded")).isLessThanOrEqualTo(loaded);
    }

    @Test
    void codeOfAnotherGpu() {
        Assumptions.assumeTrue(Pes.simulated(), "a PE may see one GPU only");
        try (Device other = Device.of((Pes.device().ordinal() + 1) % 2 + 2);
                CudaModule module = CudaModule.load(other, CODE)) {
            assertThatThrownBy(() -> shmem.initModule(module))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not on this GPU");
        }
    }
}
