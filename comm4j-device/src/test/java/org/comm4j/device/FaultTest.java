// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** What goes wrong in kernels on the CPU is an exception that says what it was. */
class FaultTest {
    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(1);

    @Kernel
    static void toPe(I64Ptr destination, I64Ptr source, long count, int pe) {
        Shmem.put(destination, source, count, pe);
    }

    @Kernel
    static void await(I64Ptr signal) {
        Shmem.signalWaitUntil(signal, Comparison.EQ, 7);
    }

    private static KernelException thrown(CompiledKernel kernel, Object... arguments) {
        try {
            kernel.launch(ONE, arguments);
        } catch (KernelException e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }

    @Test
    void wrongPlaces() {
        World.threads(2, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    HostShmem other = HostShmem.init(world);
                    KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
                    CompiledKernel put = compiler.compile(FaultTest::toPe)) {
                SymmetricArray mine = shmem.allocate(DataType.INT64, 4);
                SymmetricArray elsewhere = other.allocate(DataType.INT64, 4);
                HostArray plain = HostArray.of(1L, 2L, 3L, 4L);
                assertThat(thrown(put, mine, plain, 4L, 2))
                        .hasMessageContaining("FaultTest.toPe(I64Ptr, I64Ptr, long, int)")
                        .hasMessageContaining("PE 2 is not one of 0 to 1");
                assertThat(thrown(put, mine, plain, 4L, -1)).hasMessageContaining("PE -1 is not one of 0 to 1");
                assertThat(thrown(put, plain, mine, 4L, 0)).hasMessageContaining("is not in the symmetric heap of PE");
                assertThat(thrown(put, elsewhere, mine, 4L, 0))
                        .hasMessageContaining("is not in the symmetric heap of PE");
                assertThat(thrown(put, mine, plain, 5L, 0))
                        .hasMessageContaining("40 bytes from byte 0 on are outside of an array of 32 bytes");
                assertThat(thrown(put, mine, plain, -1L, 0)).hasMessageContaining("-8 bytes");
                // The kernel's line, not that of what it calls.
                assertThat(thrown(put, mine, plain, 4L, 2))
                        .hasMessageContaining("at org.comm4j.device.FaultTest.toPe(FaultTest.java:");
                put.launch(ONE, mine, plain, 4L, 1 - world.rank());
                shmem.barrierAll();
                assertThat(mine.toLongArray()).containsExactly(1, 2, 3, 4);
                shmem.barrierAll();
            }
        });
    }

    @Test
    void partsOfASourceAreNoDestination() {
        World.threads(2, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
                    CompiledKernel scatter = compiler.compile(FaultTest::scatter)) {
                SymmetricArray source = shmem.allocate(DataType.INT64, 4);
                assertThat(thrown(scatter, source.slice(2, 2), source, 2L))
                        .hasMessageContaining("reduceScatter of 2 elements for each PE")
                        .hasMessageContaining("part of the source");
                shmem.barrierAll();
            }
        });
    }

    @Kernel
    static void scatter(I64Ptr destination, I64Ptr source, long count) {
        Shmem.reduceScatter(ShmemTeam.world(), destination, source, count, ReduceOp.SUM);
    }

    @Test
    void withoutPes() {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel put = compiler.compile(FaultTest::toPe)) {
            assertThat(thrown(put, HostArray.of(1L), HostArray.of(1L), 1L, 0))
                    .hasMessageContaining("ShmemCompiler.of(HostShmem)");
        }
        assertThatThrownBy(Shmem::myPe)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside a kernel");
    }

    @Test
    void afterTheEnd() {
        World.threads(1, world -> {
            HostShmem shmem = HostShmem.init(world);
            KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
            CompiledKernel put = compiler.compile(FaultTest::toPe);
            shmem.close();
            assertThatThrownBy(() -> put.launch(ONE, HostArray.of(1L), HostArray.of(1L), 1L, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("launch of FaultTest.toPe")
                    .hasMessageContaining("closed");
        });
    }

    @Test
    void aWaitInVainEnds() {
        World.threads(2, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
                    CompiledKernel await = compiler.compile(FaultTest::await)) {
                SymmetricArray signal = shmem.allocate(DataType.INT64, 1);
                shmem.timeout(Duration.ofMillis(500));
                assertThat(thrown(await, signal))
                        .hasMessageContaining("signalWaitUntil in a kernel")
                        .hasMessageContaining("to be EQ 7")
                        .hasMessageContaining("though no rank died");
                shmem.timeout(Duration.ZERO);
                shmem.barrierAll();
            }
        });
    }

    /** The survivor names the PE that died, and what it waited for. */
    @Test
    void aDeadPeIsNoticedByTheOneThatWaits() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .java("-XX:TieredStopAtLevel=1", Death.class.getName())
                .keepGoing(true)
                .timeout(Duration.ofSeconds(60))
                .output(output, output)
                .run();
        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("[0] noticed: ")
                .contains("signalWaitUntil in a kernel")
                .contains("rank 1");
        assertThat(code).isNotZero();
    }

    /** PE 1 dies while PE 0 waits for it. */
    static final class Death {
        private Death() {}

        public static void main(String[] args) {
            try (World world = World.join();
                    HostShmem shmem = HostShmem.init(world);
                    KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
                    CompiledKernel await = compiler.compile(FaultTest::await)) {
                SymmetricArray signal = shmem.allocate(DataType.INT64, 1);
                shmem.barrierAll();
                if (world.rank() == 1) {
                    Runtime.getRuntime().halt(9);
                }
                System.out.println("noticed: " + thrown(await, signal).getMessage());
            }
        }
    }
}
