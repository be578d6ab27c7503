// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Natives;

/** {@link MoeLayerCase}s in one process of a job, which says of each what became of it. */
final class MoeProgram {
    static final String GPU = "gpu";
    static final String CPU = "cpu";
    private static final Duration WAIT = Duration.ofSeconds(60);

    private MoeProgram() {}

    /** {@code gpu} or {@code cpu}, the number of layers, the seed. */
    public static void main(String[] args) throws Exception {
        int layers = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        try (World world = World.join()) {
            if (args[0].equals(GPU)) {
                // Several PEs share GPUs by the Multi-Process Service.
                try (Device device = Device.inTurn(world.localRank());
                        ShmemPe pe = ShmemPe.onGpu(world, device)) {
                    run(pe, layers, seed);
                    MoeGpuCases.runAll(pe, seed);
                }
            } else {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                    run(pe, layers, seed);
                }
            }
        }
    }

    private static void run(ShmemPe pe, int layers, long seed) {
        pe.timeout(WAIT);
        for (int i = 0; i < layers; i++) {
            MoeLayerCase layer = MoeLayerCase.random(pe.nPes(), seed + i);
            run("layer " + i, layer.toString(), () -> layer.run(pe, 3));
        }
        run("fused layer", "", () -> FusedLayer.run(pe, seed));
        run("by rank", "", () -> RankLayer.run(pe, seed));
    }

    static void run(String name, String what, Runnable body) {
        try {
            body.run();
        } catch (Throwable e) {
            // The others would wait for this one.
            new AssertionError(name + ": " + what, e).printStackTrace();
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
        System.out.println("passed " + name);
    }

    /** Runs a job of so many PEs; its output, and the exit code at its end. */
    static String job(int pes, String kind, int layers, long seed) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> words = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        if (kind.equals(GPU)) {
            words.addAll(Natives.passedOn(
                    "org.comm4j.nvshmem.library",
                    "org.comm4j.cuda.library",
                    "org.comm4j.nccl.library",
                    "org.comm4j.nvrtc.library",
                    "org.comm4j.nvvm.library",
                    "org.comm4j.nvjitlink.library",
                    "org.comm4j.libdevice",
                    "org.comm4j.device.include"));
        }
        words.addAll(List.of(MoeProgram.class.getName(), kind, Integer.toString(layers), Long.toString(seed)));
        Launcher launcher = Launcher.ranks(pes)
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(8))
                .output(output, output);
        if (kind.equals(GPU)) {
            environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
            environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
            environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        }
        int code = launcher.run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }

    private static void environment(Launcher launcher, String name, String value) {
        launcher.environment(name, System.getenv().getOrDefault(name, value));
    }
}
