// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;

/**
 * {@link NcclCases} in one process of a job, which says of each what became of it; on the CPU some of them, as {@link
 * NcclThreadsTest} goes through all.
 */
final class NcclProgram {
    private static final Duration WAIT = Duration.ofSeconds(60);

    /** Those that ranks that are processes go through on the CPU. */
    static final List<NcclCases> SOME = some(NcclCases.values());

    static final List<GinCases> SOME_OF_THE_NETWORK = some(GinCases.values());

    private NcclProgram() {}

    /** All by night, else every sixth. */
    private static <T> List<T> some(T[] all) {
        return IntStream.range(0, all.length)
                .filter(i -> Nightly.isOn() || i % 6 == 0)
                .mapToObj(i -> all[i])
                .toList();
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            if (args[0].equals(DeviceProgram.GPU)) {
                try (Device device = Device.inTurn(world.localRank());
                        NcclCommunicator communicator = Nccl.communicator(world, device)) {
                    communicator.timeout(WAIT);
                    try (NcclPlace place = NcclPlace.of(communicator)) {
                        runAll(place);
                    }
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world)) {
                    shmem.timeout(WAIT);
                    try (NcclPlace place = NcclPlace.of(shmem)) {
                        SOME.forEach(each -> run(each, place));
                    }
                    try (NcclPlace place = NcclPlace.of(shmem)) {
                        SOME_OF_THE_NETWORK.forEach(each -> run(each, place));
                    }
                }
            }
        }
    }

    static void runAll(NcclPlace place) {
        for (NcclCases each : NcclCases.values()) {
            run(each, place);
        }
    }

    static void runNetwork(NcclPlace place) {
        for (GinCases each : GinCases.values()) {
            run(each, place);
        }
    }

    private static void run(NcclCases each, NcclPlace place) {
        PeerProgram.run(each.toString(), () -> each.run(place));
    }

    private static void run(GinCases each, NcclPlace place) {
        PeerProgram.run("network " + each, () -> each.run(place));
    }

    /** Runs a job of so many ranks; its output, and the exit code at its end. */
    static String job(int ranks, String kind, List<String> jvmOptions) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(ranks)
                .jvmOptions(jvmOptions.toArray(String[]::new))
                .jvmOptions(Natives.passedOn(Nightly.PROPERTY).toArray(String[]::new))
                .java(DeviceContract.SEED_OPTION, NcclProgram.class.getName(), kind)
                .timeout(Duration.ofMinutes(8))
                .output(output, output);
        if (kind.equals(DeviceProgram.GPU)) {
            // One host, whose fabric manager may not allow multicast.
            DeviceProgram.environment(launcher, "NCCL_NVLS_ENABLE", "0");
        }
        int code = launcher.run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }
}
