// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.comm4j.apps.migration.Migration;
import org.comm4j.apps.migration.MigrationSettings;
import org.comm4j.apps.poststack.Poststack;
import org.comm4j.apps.poststack.PoststackSettings;
import org.comm4j.apps.poststack.Regularization;
import org.comm4j.apps.poststack.Regularization.Method;
import org.comm4j.apps.reflectivity.Reflectivity;
import org.comm4j.apps.reflectivity.ReflectivitySettings;
import org.comm4j.array.Backend;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.nccl.Nccl;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inversions on GPUs, which find what those on a processor do. */
@Tag("gpu")
class GpuInversionTest {
    private static final Watch DRAWN = new Watch(false, true, 0, (_, _, _, _) -> {});

    @BeforeAll
    static void requireNccl() {
        assumeTrue(Nccl.problem() == null, Nccl.problem());
    }

    private static Outcome onGpus(int ranks, Function<Backend, Outcome> inversion) {
        assumeTrue(Cuda.deviceCount() >= ranks, ranks + " GPUs are needed, there are " + Cuda.deviceCount());
        AtomicReference<Outcome> result = new AtomicReference<>();
        World.threads(ranks, world -> {
            try (Device device = Device.inTurn(world.rank());
                    Communicator comm = Nccl.communicator(world, device);
                    Backend backend = Backend.of(comm)) {
                result.set(inversion.apply(backend));
            }
        });
        return result.get();
    }

    private static void same(Outcome gpu, Outcome cpu, double tolerance) {
        assertThat(gpu.costs()).containsExactly(cpu.costs(), within(tolerance));
        assertThat(gpu.misfit()).isEqualTo(cpu.misfit(), within(tolerance));
        assertThat(gpu.error()).isEqualTo(cpu.error(), within(tolerance));
        for (int s = 0; s < cpu.sections().size(); s++) {
            Section expected = cpu.sections().get(s);
            assertThat(gpu.sections().get(s).values())
                    .as(expected.title())
                    .containsExactly(expected.values(), within(tolerance * 100 * expected.high()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void poststack(int ranks) {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.FLOAT32}) {
            PoststackSettings settings = new PoststackSettings(
                    VolumeShape.of(9, 30, 101),
                    0.004,
                    25,
                    Regularization.smooth(0.1),
                    new InversionSettings(15, 0.01, 0.1, 4, type, null));
            Function<Backend, Outcome> inversion = backend -> new Poststack(backend, settings).run(DRAWN);
            same(onGpus(ranks, inversion), Runs.on(1, inversion), type == DataType.FLOAT64 ? 1e-11 : 1e-4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void migration(int ranks) {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.FLOAT32}) {
            MigrationSettings settings = new MigrationSettings(
                    31, 22, 10, 2000, 3, 7, 0, 0.004, 30, 4, 70, new InversionSettings(15, 0.01, 0.1, 4, type, null));
            Function<Backend, Outcome> inversion = backend -> new Migration(backend, settings).run(DRAWN);
            same(onGpus(ranks, inversion), Runs.on(1, inversion), type == DataType.FLOAT64 ? 1e-11 : 1e-4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void blocksAndSpikes(int ranks) {
        InversionSettings common = new InversionSettings(15, 0, 0.1, 4, DataType.FLOAT64, null);
        VolumeShape shape = VolumeShape.of(9, 30, 101);
        for (Method method : Method.values()) {
            PoststackSettings settings =
                    new PoststackSettings(shape, 0.004, 25, new Regularization(0, 0.001, method), common);
            Function<Backend, Outcome> inversion = backend -> new Poststack(backend, settings).run(DRAWN);
            same(onGpus(ranks, inversion), Runs.on(1, inversion), 1e-9);
        }
        ReflectivitySettings settings = new ReflectivitySettings(shape, 0.004, 25, 0.01, common);
        Function<Backend, Outcome> inversion = backend -> new Reflectivity(backend, settings).run(DRAWN);
        same(onGpus(ranks, inversion), Runs.on(1, inversion), 1e-10);
    }
}
