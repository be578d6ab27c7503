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
import org.comm4j.moe.nccl.NcclExperts;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.test.Natives;

/** {@link MoeLayerCase}s in one process of a job, which says of each what became of it. */
final class MoeProgram {
    static final String GPU = "gpu";
    /** By NCCL's messages, and as if no PE reached another one's memory. */
    static final String NCCL = "gpu-nccl";

    static final String NETWORK = "gpu-network";
    static final String CPU = "cpu";
    private static final Duration WAIT = Duration.ofSeconds(60);

    private MoeProgram() {}

    /** {@code gpu}, {@code gpu-nccl}, {@code gpu-network} or {@code cpu}, the number of layers, the seed. */
    public static void main(String[] args) throws Exception {
        int layers = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        try (World world = World.join()) {
            if (args[0].equals(NCCL) || args[0].equals(NETWORK)) {
                try (Device device = Device.inTurn(world.localRank());
                        ShmemPe pe = ShmemPe.onGpu(world, device)) {
                    pe.timeout(WAIT);
                    far(world, device, pe, args[0].equals(NCCL), layers, seed);
                }
            } else if (args[0].equals(GPU)) {
                // Several PEs share GPUs by the Multi-Process Service.
                try (Device device = Device.inTurn(world.localRank());
                        ShmemPe pe = ShmemPe.onGpu(world, device)) {
                    run(pe, layers, seed);
                    // Thousands of operations would take minutes under compute-sanitizer.
                    if (System.getProperty("org.comm4j.sanitizer") == null) {
                        MoeGpuCases.runAll(pe, seed);
                    }
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

    private static void far(World world, Device device, ShmemPe pe, boolean nccl, int layers, long seed) {
        try (NcclCommunicator communicator = nccl ? Nccl.communicator(world, device) : null) {
            RankLayer.Maker maker = (shape, options) -> communicator == null
                    ? ExpertParallel.of(pe, shape, options, 1)
                    : NcclExperts.counted(world, communicator, device, shape, options);
            for (int i = 0; i < layers; i++) {
                MoeLayerCase layer = MoeLayerCase.random(pe.nPes(), seed + i).alone();
                run("layer " + i, layer.toString(), () -> {
                    try (ExpertParallel ep = maker.make(layer.shape(), layer.options())) {
                        layer.run(pe, ep, 3, communicator == null ? 1 : 0);
                    }
                });
            }
            run("by rank", "", () -> RankLayer.run(pe, seed, false, maker));
            if (communicator != null) {
                run(
                        "padded",
                        "",
                        () -> RankLayer.run(
                                pe,
                                seed,
                                false,
                                (shape, options) -> NcclExperts.padded(world, communicator, device, shape, options)));
            }
        }
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
        int code = launcher(pes, kind, MoeProgram.class, kind, Integer.toString(layers), Long.toString(seed))
                .timeout(Duration.ofMinutes(8))
                .output(output, output)
                .run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }

    /** What starts a program on so many PEs of a kind. */
    static Launcher launcher(int pes, String kind, Class<?> program, String... arguments) {
        List<String> words = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        if (kind.startsWith(GPU)) {
            words.addAll(Natives.passedOn(
                    "org.comm4j.nvshmem.library",
                    "org.comm4j.cuda.library",
                    "org.comm4j.nccl.library",
                    "org.comm4j.nvrtc.library",
                    "org.comm4j.nvvm.library",
                    "org.comm4j.nvjitlink.library",
                    "org.comm4j.libdevice",
                    "org.comm4j.device.include",
                    "org.comm4j.device.direct"));
        }
        words.add(program.getName());
        words.addAll(List.of(arguments));
        Launcher launcher = Launcher.ranks(pes).java(words.toArray(String[]::new));
        if (kind.startsWith(GPU)) {
            environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
            environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
            environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        }
        if (kind.equals(NCCL)) {
            // So that ranks may share a GPU, from NCCL 2.32 on.
            environment(launcher, "NCCL_MULTI_RANK_GPU_ENABLE", "1");
            environment(launcher, "NCCL_RUNTIME_CONNECT", "0");
            environment(launcher, "CUDA_MODULE_LOADING", "EAGER");
        }
        return launcher;
    }

    private static void environment(Launcher launcher, String name, String value) {
        launcher.environment(name, System.getenv().getOrDefault(name, value));
    }
}
