// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The engine mpi, under the launcher of each MPI library. */
@Tag("nightly")
@Timeout(240)
class MpiEngineTest {
    /** All PEs on one machine, where MPI is not needed. */
    @Nested
    class OneMachine extends ProcessesContract {
        @BeforeAll
        void needsLauncher() {
            MpiLauncher.MPICH_4.mpiexec();
        }

        @Override
        List<Integer> sizes() {
            return List.of(1, 2, 5);
        }

        @Override
        Map.Entry<Integer, String> start(int pes, String... words) {
            return MpiLauncher.MPICH_4.run(pes, Map.of(), words);
        }
    }

    /** Every PE as if it had a machine for itself: all goes by messages. */
    abstract static class Apart extends ProcessesContract {
        private final MpiLauncher launcher;

        Apart(MpiLauncher launcher) {
            this.launcher = launcher;
        }

        @BeforeAll
        void needsLauncher() {
            var ignored = launcher.mpiexec();
        }

        @Override
        List<Integer> sizes() {
            return List.of(2, 3);
        }

        @Override
        Map.Entry<Integer, String> start(int pes, String... words) {
            String[] all = new String[words.length + 1];
            all[0] = "-Dorg.comm4j.shmem.direct=false";
            System.arraycopy(words, 0, all, 1, words.length);
            return launcher.run(pes, Map.of(), all);
        }
    }

    @Nested
    class Mpich4 extends Apart {
        Mpich4() {
            super(MpiLauncher.MPICH_4);
        }
    }

    @Nested
    class Mpich5 extends Apart {
        Mpich5() {
            super(MpiLauncher.MPICH_5);
        }
    }

    @Nested
    class OpenMpi4 extends Apart {
        OpenMpi4() {
            super(MpiLauncher.OPEN_MPI_4);
        }
    }

    @Nested
    class OpenMpi5 extends Apart {
        OpenMpi5() {
            super(MpiLauncher.OPEN_MPI_5);
        }
    }

    @Nested
    class Intel extends Apart {
        Intel() {
            super(MpiLauncher.INTEL);
        }
    }
}
