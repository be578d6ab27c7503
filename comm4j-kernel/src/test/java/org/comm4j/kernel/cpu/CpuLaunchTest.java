// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Launches that are prepared, in all modes. */
class CpuLaunchTest {
    private static final int N = 37;
    private static final LaunchConfig CONFIG = LaunchConfig.grid(3).block(16);

    static Stream<CpuOptions> modes() {
        return Stream.of(CpuOptions.fast(), CpuOptions.debug(), CpuOptions.checked(5));
    }

    @Kernel
    static void write(F64Ptr to, int n, long a, float b, double c, boolean negative, short d, byte e) {
        int i = GlobalIdx.x();
        if (i < n) {
            double value = i + 1e3 * a + b + c + d + e;
            to.set(i, negative ? -value : value);
        }
    }

    private static final AtomicInteger SEEN = new AtomicInteger();

    @Kernel
    static void tell(int n) {
        note(n);
    }

    private static void note(int n) {
        SEEN.addAndGet(n + CpuContext.get(Integer.class, () -> "no context"));
    }

    private static CpuKernel kernel(CpuOptions options, String name) {
        return Arrays.stream(CpuLaunchTest.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .map(each -> new CpuKernel(each, options))
                .findFirst()
                .orElseThrow();
    }

    private static void isWritten(HostArray to, int n, double base, double sign) {
        double[] found = to.toDoubleArray();
        for (int i = 0; i < N; i++) {
            assertThat(found[i]).as("element %d", i).isEqualTo(i < n ? sign * (i + base) : 0);
        }
        to.copyFrom(new double[N]);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void argumentsChangeBetweenLaunches(CpuOptions options) {
        HostArray first = HostArray.allocate(DataType.FLOAT64, N);
        HostArray second = HostArray.allocate(DataType.FLOAT64, N);
        RepeatableLaunch launch =
                kernel(options, "write").prepare(CONFIG, first, N, 1L, 0.5f, 0.25, false, (short) 7, (byte) -3);
        for (int time = 0; time < 3; time++) {
            launch.launch();
            isWritten(first, N, 1004.75, 1);
        }
        launch.set(0, second)
                .set(1, N - 4)
                .set(2, 2L)
                .set(3, -0.5f)
                .set(4, 0.125)
                .set(5, true);
        launch.launch();
        isWritten(first, 0, 0, 1);
        isWritten(second, N - 4, 2003.625, -1);
        launch.set(1, 0).launch();
        isWritten(second, 0, 0, 1);
    }

    @Test
    void whatIsWrongChangesNothing() {
        HostArray to = HostArray.allocate(DataType.FLOAT64, N);
        CpuKernel kernel = kernel(CpuOptions.fast(), "write");
        RepeatableLaunch launch = kernel.prepare(CONFIG, to, N, 1L, 0.5f, 0.25, false, (short) 7, (byte) -3);
        assertThatThrownBy(() -> launch.set(3, 2.0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("argument 3 of kernel CpuLaunchTest.write is no Double: give it what CpuLaunchTest.write("
                        + "F64Ptr, int, long, float, double, boolean, short, byte) takes");
        assertThatThrownBy(() -> launch.set(0, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> launch.set(1, to)).hasMessageContaining("parameter 2 'n': expected int");
        assertThatThrownBy(() -> launch.set(0, HostArray.allocate(DataType.FLOAT32, N)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameter 1 'to'");
        for (int index : new int[] {-1, 8}) {
            assertThatThrownBy(() -> launch.set(index, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("kernel CpuLaunchTest.write has 8 arguments, there is no argument " + index);
        }
        launch.launch();
        isWritten(to, N, 1004.75, 1);
        try (Arena arena = Arena.ofShared()) {
            launch.set(0, HostArray.allocate(arena, DataType.FLOAT64, N));
        }
        assertThatThrownBy(launch::launch)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
        launch.set(0, to).launch();
        isWritten(to, N, 1004.75, 1);
        kernel.close();
        assertThatThrownBy(launch::launch)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> kernel.prepare(CONFIG, to)).hasMessageContaining("is closed");
    }

    @Test
    void launchesHaveTheContextOfTheirPreparation() {
        CpuKernel kernel = kernel(CpuOptions.debug(), "tell");
        LaunchConfig one = LaunchConfig.grid(1).block(1);
        RepeatableLaunch inside = CpuContext.call(100, () -> kernel.prepare(one, 1));
        SEEN.set(0);
        inside.launch();
        inside.set(0, 2).launch();
        assertThat(SEEN).hasValue(203);
        RepeatableLaunch outside = kernel.prepare(one, 3);
        CpuContext.run(50, outside::launch);
        assertThat(SEEN).hasValue(256);
    }
}
