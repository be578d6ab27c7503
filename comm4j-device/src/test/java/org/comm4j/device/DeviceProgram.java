// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;

/** All cases in one process of a job, which says of each what became of it. */
final class DeviceProgram {
    static final String GPU = "gpu";
    static final String CPU = "cpu";

    private static final Duration WAIT = Duration.ofSeconds(60);

    /** Those that PEs that are processes go through on the CPU: {@link CpuThreadsTest} goes through all. */
    static final List<DeviceCase> SOME = Nightly.again(List.of(DeviceCase.values()));

    private DeviceProgram() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            if (args[0].equals(GPU)) {
                try (Device device = Gpus.of(world);
                        Nvshmem shmem = Nvshmem.init(world, device);
                        TestPe pe = TestPe.of(shmem)) {
                    shmem.timeout(WAIT);
                    runAll(pe, List.of(DeviceCase.values()));
                    if (CommunicationFaults.TOOL != null) {
                        CommunicationFaults.run(CommunicationFaults.TOOL, pe, device);
                    }
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world);
                        TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                    shmem.timeout(WAIT);
                    runAll(pe, SOME);
                }
            }
        }
    }

    private static void runAll(TestPe pe, List<DeviceCase> cases) {
        for (DeviceCase each : cases) {
            try {
                each.run(pe);
            } catch (Throwable e) {
                // The others would wait for this one.
                new AssertionError(each.toString(), e).printStackTrace();
                System.out.flush();
                Runtime.getRuntime().halt(1);
            }
            System.out.println("passed " + each);
        }
    }

    /** Runs a job of so many PEs; its output, and the exit code at its end. */
    static String run(int pes, String kind, String... jvmOptions) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> words = new ArrayList<>(List.of(jvmOptions));
        words.add(DeviceContract.SEED_OPTION);
        words.add("-D" + Nightly.PROPERTY + "=" + Nightly.isOn());
        words.add(DeviceProgram.class.getName());
        words.add(kind);
        Launcher launcher = Launcher.ranks(pes)
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(20))
                .output(output, output);
        if (kind.equals(GPU)) {
            launcher.jvmOptions(gpuOptions());
            // One host, whose fabric manager may not allow multicast.
            environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
            environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
            environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        }
        int code = launcher.run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }

    /** Where this process has been told that libraries and headers are. */
    static String[] gpuOptions() {
        return Natives.passedOn(
                        "org.comm4j.nvshmem.library",
                        "org.comm4j.cuda.library",
                        "org.comm4j.nccl.library",
                        "org.comm4j.nvrtc.library",
                        "org.comm4j.nvvm.library",
                        "org.comm4j.nvjitlink.library",
                        "org.comm4j.libdevice",
                        Headers.PROPERTY,
                        CollectiveCases.ALL,
                        ShmemCompiler.DIRECT,
                        "comm4j.device.litmus")
                .toArray(String[]::new);
    }

    static void environment(Launcher launcher, String name, String value) {
        launcher.environment(name, System.getenv().getOrDefault(name, value));
    }

    /** Throws if a PE has not passed the case. */
    static void judge(String output, int pes, DeviceCase deviceCase) {
        for (int pe = 0; pe < pes; pe++) {
            if (!output.contains("[" + pe + "] passed " + deviceCase + "\n")) {
                throw new AssertionError(output);
            }
        }
    }
}
