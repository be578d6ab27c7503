// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.bench.moe.MoeSettings.Input;
import org.comm4j.bench.moe.MoeSettings.Way;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link MoeBench} of one PE on the CPU, and the bare kernels as machine code. */
class MoeBenchTest {
    private static MoeSettings settings(Input input, ExpertLayout layout, Way... ways) {
        return new MoeSettings(
                8, 3, 128, List.of(1, 5), input, 1, layout, List.of(ways), false, true, false, 0.5, false, 0, 2, 7);
    }

    @Test
    void rowsAreMeasuredAndSumsLookedAt(@TempDir Path folder) throws Exception {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
            for (ExpertLayout layout : ExpertLayout.values()) {
                MoeSettings settings = settings(Input.FP8, layout, Way.KERNELS);
                List<MoeRow> seen = new ArrayList<>();
                List<MoeRow> rows = MoeBench.run(world, pe, settings, seen::add);
                assertThat(rows).isEqualTo(seen).hasSize(2).allSatisfy(row -> {
                    assertThat(row.wrong()).isZero();
                    assertThat(row.samples()).isEqualTo(2);
                    assertThat(row.dispatch().p50()).isPositive();
                    assertThat(row.combineAlone().most())
                            .isGreaterThanOrEqualTo(row.combineAlone().p50());
                    assertThat(row.halves()).hasSize(4);
                });
                assertThat(rows.get(1).dispatchBytes()).isEqualTo(5 * 3 * (128 + 4));
                assertThat(rows.get(1).combineBytes()).isEqualTo(5 * 3 * 2 * 128);
                assertThat(MoeTable.row(settings, rows.get(1), 1))
                        .contains("kernels")
                        .endsWith(" 0");
                assertThat(MoeTable.tsv(settings, rows.get(1), 1).split("\t"))
                        .hasSameSizeAs(MoeTable.tsvHeader().split("\t"))
                        .startsWith("8", "3", "5", "128");
                assertThat(MoeTable.json(settings, rows, 1, "here")).contains("\"combine_us\"");
                Path picture = folder.resolve(layout + ".png");
                MoeTable.draw(picture, settings, rows, 1);
                assertThat(Files.size(picture)).isPositive();
            }
            MoeSettings bare = settings(Input.BF16, ExpertLayout.PADDED, Way.FLOOR);
            assertThatThrownBy(() -> MoeBench.run(world, pe, bare, _ -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("for GPUs");
        }
    }

    private static MoeSettings layer(int hidden, Input input, ExpertLayout layout) {
        return new MoeSettings(
                5,
                2,
                hidden,
                List.of(3),
                input,
                1,
                layout,
                List.of(Way.KERNELS),
                false,
                false,
                true,
                0,
                false,
                0,
                2,
                7);
    }

    @Test
    void aLayerIsMeasuredInStepsAndFused() {
        MoeSettings settings = layer(32, Input.BF16, ExpertLayout.RAGGED);
        try (World world = World.join();
                ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
            MoeRow row = MoeBench.run(world, pe, settings, _ -> {}).getFirst();
            assertThat(row.wrong()).isZero();
            assertThat(row.layer()).isPositive();
            assertThat(row.fused()).isPositive();
            assertThat(String.join("\n", MoeTable.header(settings, 1, "here"))).contains(" |     layer     fused");
            assertThat(MoeTable.row(settings, row, 1).split("\\|")).hasSize(7);
            assertThat(MoeTable.json(settings, List.of(row), 1, "here")).contains("\"fused_layer_us\"");
        }
        assertThatThrownBy(() -> layer(128, Input.FP8, ExpertLayout.PADDED))
                .hasMessageContaining("--fused measures kernels");
        assertThatThrownBy(() -> layer(40, Input.BF16, ExpertLayout.PADDED))
                .hasMessage("--fused multiplies rows of a multiple of 32 elements, not 40 (--hidden)");
    }

    @Test
    void sharesAreOfBareKernelsWithAsManyTokens() {
        MoeRow.Times two = new MoeRow.Times(2, 2, 0, 2);
        MoeRow.Times four = new MoeRow.Times(4, 4, 0, 4);
        List<MoeRow> rows = List.of(
                new MoeRow("kernels", 1, 1, four, two, four, two, 10, 0, new double[0], 0, 0, 1, 1, 0),
                new MoeRow("floor", 1, 1, two, two, two, two, 5, 0, new double[0], 0, 0, 1, 1, 0),
                new MoeRow("kernels", 7, 1, four, four, four, four, 8, 0, new double[0], 0, 0, 1, 1, 0));
        assertThat(MoeTable.shares(rows))
                .containsExactly("# share of the floor's speed: kernels       1 tokens: dispatch 0.50, combine 1.00,"
                        + " pair 0.50");
    }

    /** What the benchmark calls a sum that is right must not be one that no row was added to. */
    @Test
    void sumsWithoutRowsAreWrong() {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                MoeTokens tokens = new MoeTokens(pe, settings(Input.BF16, ExpertLayout.PADDED, Way.KERNELS), 5)) {
            tokens.sums.fill(-99);
            assertThat(tokens.wrong()).isEqualTo(5 * 128);
            tokens.sums.copyFrom(tokens.x.toHost());
            assertThat(tokens.wrong()).isZero();
        }
    }

    @Test
    void routesAreDifferentExpertsAndTheSameForASeed() {
        MoeSettings settings = settings(Input.BF16, ExpertLayout.PADDED, Way.KERNELS);
        int[] routes = MoeRoutes.of(settings, 1, 2, 400);
        assertThat(routes).isEqualTo(MoeRoutes.of(settings, 1, 2, 400)).isNotEqualTo(MoeRoutes.of(settings, 1, 3, 400));
        for (int t = 0; t < 400; t++) {
            assertThat(Arrays.stream(routes, 3 * t, 3 * t + 3).distinct())
                    .hasSize(3)
                    .allMatch(e -> e >= 0 && e < 8);
        }
        long first = Arrays.stream(routes).filter(e -> e == 0).count();
        assertThat(first)
                .isGreaterThan(Arrays.stream(routes).filter(e -> e == 7).count());
    }

    /** A way that takes long gives its row within seconds; the host waits for no stream that it holds. */
    @Test
    void samplesFitIntoSeconds() {
        assertThat(MoeBench.fitting(200, 10, 0.001)).isEqualTo(200);
        assertThat(MoeBench.fitting(200, 10, 0.5)).isEqualTo(40);
        assertThat(MoeBench.fitting(200, 10, 60)).isEqualTo(10);
        assertThat(MoeBench.fitting(2, 2, 60)).isEqualTo(2);
        assertThat(MoeBench.fitting(7, 1, 0)).isEqualTo(7);
        assertThat(Arrays.stream(Way.values()).filter(Way::hostWaits)).containsExactly(Way.NCCL_COUNTED);
    }

    @Test
    void settingsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> settings(Input.BF16, ExpertLayout.PADDED, Way.NCCL_PADDED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nccl-padded is for the layout by_rank: nccl-counted sends the others");
        assertThatThrownBy(() -> settings(Input.BF16, ExpertLayout.BY_RANK, Way.NCCL_GATHER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nccl-gather is for the layouts padded and ragged");
        assertThat(Way.NCCL_COUNTED).hasToString("nccl-counted");
        assertThatThrownBy(() -> settings(Input.BF16, ExpertLayout.BY_RANK, Way.FLOOR))
                .hasMessageContaining("BY_RANK");
        assertThatThrownBy(() -> new MoeSettings(
                        4,
                        5,
                        128,
                        List.of(1),
                        Input.BF16,
                        1,
                        ExpertLayout.PADDED,
                        List.of(Way.KERNELS),
                        false,
                        false,
                        false,
                        0,
                        false,
                        0,
                        1,
                        1))
                .hasMessageContaining("5 choices of 4 experts");
    }

    @Test
    @Tag("nightly")
    void kernelsOfLayersAreMachineCode() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        for (Method kernel : LayerKernels.class.getDeclaredMethods()) {
            if (kernel.isAnnotationPresent(org.comm4j.kernel.lang.Kernel.class)) {
                Object[] constants = kernel.getName().equals("experts") ? new Object[] {true} : new Object[0];
                KernelCode code =
                        KernelCode.compile(kernel, CudaArch.parse("sm_90"), CompileOptions.DEFAULT, constants);
                assertThat(code.ptx()).as(kernel.getName()).doesNotContainPattern("\\scall[. ]");
                if (constants.length > 0) {
                    assertThat(code.ptx())
                            .doesNotContain("__local_depot")
                            .containsPattern("ld\\.global\\.v4\\.[fub]32")
                            .contains("mma.sync.aligned.m16n8k16");
                }
            }
        }
    }

    @Test
    void bareKernelsMoveVectors() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        for (String name : List.of("push", "pull", "meeting", "number")) {
            Method kernel = Arrays.stream(FloorKernels.class.getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
            Object[] constants = name.startsWith("pu") ? new Object[] {8} : new Object[0];
            KernelCode code = KernelCode.compile(kernel, CudaArch.parse("sm_90"), CompileOptions.DEFAULT, constants);
            assertThat(code.ptx()).doesNotContain(".local", "__local_depot").doesNotContainPattern("\\scall[. ]");
            if (name.startsWith("pu")) {
                assertThat(code.ptx())
                        .containsPattern("ld\\.global\\.v4\\.[fub]32")
                        .containsPattern("st\\.global\\.v4\\.[fub]32");
            }
        }
    }
}
