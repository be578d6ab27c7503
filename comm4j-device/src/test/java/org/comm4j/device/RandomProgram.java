// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.nvshmem.Nvshmem;

/** {@link RandomKernels} in one process of a job: where, and how many. */
final class RandomProgram {
    private RandomProgram() {}

    public static void main(String[] args) {
        int count = Integer.parseInt(args[1]);
        try (World world = World.join()) {
            if (args[0].equals(DeviceProgram.GPU)) {
                try (Device device = Gpus.of(world);
                        Nvshmem shmem = Nvshmem.init(world, device)) {
                    shmem.timeout(Duration.ofSeconds(60));
                    for (CompileOptions options :
                            List.of(CompileOptions.DEFAULT, CompileOptions.DEFAULT.withChecks())) {
                        try (TestPe pe = TestPe.of(shmem, options)) {
                            run(pe, options.checked() ? " with checks" : "", options.checked() ? count / 4 : count);
                        }
                    }
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world);
                        TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                    shmem.timeout(Duration.ofSeconds(60));
                    run(pe, "", count);
                }
            }
        }
    }

    private static void run(TestPe pe, String how, int count) {
        ClassLoader loader = RandomProgram.class.getClassLoader();
        List<RandomKernel> kernels =
                IntStream.range(0, count).mapToObj(RandomKernels::draw).toList();
        List<Method> methods = RandomPacked.isThere()
                ? RandomJavac.compile(kernels)
                : IntStream.range(0, count)
                        .mapToObj(i -> RandomPacked.packed(loader, i))
                        .toList();
        List<Integer> wrong = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                String said = RandomKernels.run(pe, kernels.get(i), methods.get(i));
                if (!said.isEmpty()) {
                    wrong.add(i);
                    System.out.println("kernel " + i + " of seed " + RandomKernels.SEED + how + ":" + said + "\n"
                            + kernels.get(i).source("Wrong"));
                }
                pe.endCase();
            }
            System.out.println(count + " kernels of seed " + RandomKernels.SEED + how + ", wrong: " + wrong);
        } catch (Throwable e) {
            // The others would wait for this one.
            e.printStackTrace();
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }
}
