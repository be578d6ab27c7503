// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;

/**
 * {@link PeerCases}, and {@link PeerGpuCases} on GPUs, in one process of a job, which says of each what became of it.
 */
final class PeerProgram {
    private static final Duration WAIT = Duration.ofSeconds(60);

    /** Those that PEs that are processes go through on the CPU: {@link PeerThreadsTest} goes through all. */
    static final List<PeerCases> SOME =
            Nightly.isOn() ? List.of(PeerCases.values()) : List.of(PeerCases.ALL_REDUCE, PeerCases.MISUSE);

    private PeerProgram() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            if (args[0].equals(DeviceProgram.GPU)) {
                try (Device device = Gpus.of(world);
                        Nvshmem shmem = Nvshmem.init(world, device)) {
                    shmem.timeout(WAIT);
                    try (PeerPlace pe = PeerPlace.of(shmem)) {
                        runAll(pe, List.of(PeerCases.values()));
                        PeerGpuCases.runAll(pe, shmem);
                    }
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world)) {
                    shmem.timeout(WAIT);
                    try (PeerPlace pe = PeerPlace.of(shmem)) {
                        runAll(pe, SOME);
                    }
                }
            }
        }
    }

    private static void runAll(PeerPlace pe, List<PeerCases> cases) {
        for (PeerCases each : cases) {
            run(each.toString(), () -> each.run(pe));
        }
    }

    static void run(String name, Runnable body) {
        try {
            body.run();
        } catch (Throwable e) {
            // The others would wait for this one.
            new AssertionError(name, e).printStackTrace();
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
        System.out.println("passed " + name);
    }

    /** Runs a job of so many PEs; its output, and the exit code at its end. */
    static String job(int pes, String kind, List<String> jvmOptions) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(jvmOptions.toArray(String[]::new))
                .jvmOptions(Natives.passedOn(Nightly.PROPERTY).toArray(String[]::new))
                .java(DeviceContract.SEED_OPTION, PeerProgram.class.getName(), kind)
                .timeout(Duration.ofMinutes(8))
                .output(output, output);
        if (kind.equals(DeviceProgram.GPU)) {
            DeviceProgram.environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
            DeviceProgram.environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
            DeviceProgram.environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        }
        int code = launcher.run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }
}
