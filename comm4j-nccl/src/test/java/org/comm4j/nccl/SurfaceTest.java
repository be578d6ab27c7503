// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclCollConfig;
import org.comm4j.ffi.nccl.NcclCommProperties;
import org.comm4j.ffi.nccl.NcclConfig;
import org.comm4j.ffi.nccl.NcclDevCommRequirements;
import org.comm4j.ffi.nccl.NcclDevCommRequirementsV2_28_9;
import org.comm4j.ffi.nccl.NcclSimInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Everything that NCCL has is to be had here: each of its functions, each field of its structs. */
class SurfaceTest {
    /** What is left out on purpose, and why. */
    static final Map<String, String> LEFT_OUT = Map.of(
            "ncclBcast", "ncclBroadcast with one buffer for both does the same; NCCL keeps it for old programs",
            "ncclCommInitRank", "ncclCommInitRankScalable with one id does the same",
            "ncclCommInitRankConfig", "ncclCommInitRankScalable with one id does the same",
            "ncclGetErrorString", "LibNccl calls it for the message of every failure",
            "ncclResetDebugInit", "deprecated by NCCL, where it does nothing any more",
            "ncclGinOutboxCreateRequirement",
                    "its header is for Windows; nothing for kernels on Linux takes the handle",
            "ncclGinInboxA2ACreateRequirement", "as the outbox");

    private static final Set<String> HEADER = Set.of("BYTES", "size", "magic", "version");

    @BeforeAll
    static void beforeNcclIsLoaded() {
        Simulation.prepare();
    }

    @Test
    void everyFunctionIsCalledOrLeftOutForAReason() throws Exception {
        Set<String> functions = Arrays.stream(LibNccl.class.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .map(method -> method.getName())
                .filter(name -> name.startsWith("nccl"))
                .collect(toCollection(TreeSet::new));
        Set<String> called = calledFromHere();
        assertThat(called).contains("ncclAllReduce").isSubsetOf(functions);
        Set<String> missing = new TreeSet<>(functions);
        missing.removeAll(called);
        assertThat(missing).isEqualTo(new TreeSet<>(LEFT_OUT.keySet()));
    }

    /** The names of the methods of {@link LibNccl} to which this module's classes refer. */
    private static Set<String> calledFromHere() throws IOException, URISyntaxException {
        Path classes = Path.of(
                Nccl.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .flatMap(SurfaceTest::members)
                    .filter(member -> member.owner().asInternalName().equals("org/comm4j/ffi/nccl/LibNccl"))
                    .map(member -> member.name().stringValue())
                    .filter(name -> name.startsWith("nccl"))
                    .collect(toCollection(TreeSet::new));
        }
    }

    private static Stream<MemberRefEntry> members(Path file) {
        try {
            ClassModel model = ClassFile.of().parse(file);
            return StreamSupport.stream(model.constantPool().spliterator(), false)
                    .filter(MemberRefEntry.class::isInstance)
                    .map(MemberRefEntry.class::cast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- fields ----

    /** Names and offsets, as the bindings have them. */
    private static Map<String, Integer> fields(Class<?> struct) throws IllegalAccessException {
        Map<String, Integer> fields = new TreeMap<>();
        for (var field : struct.getFields()) {
            if (field.getType() == long.class && !HEADER.contains(field.getName())) {
                fields.put(field.getName(), (int) field.getLong(null));
            }
        }
        return fields;
    }

    @Test
    void everyFieldOfTheConfigurationsCanBeSet() throws Exception {
        assertThat(CommConfig.STRUCT.offsets()).isEqualTo(fields(NcclConfig.class));
        assertThat(CollConfig.STRUCT.offsets()).isEqualTo(fields(NcclCollConfig.class));
        assertThat(DeviceRequirements.NOW.offsets()).isEqualTo(fields(NcclDevCommRequirements.class));
        assertThat(DeviceRequirements.IN_228.offsets()).isEqualTo(fields(NcclDevCommRequirementsV2_28_9.class));
    }

    @Test
    void everyPropertyCanBeRead() throws Exception {
        List<String> components = Arrays.stream(CommProperties.class.getRecordComponents())
                .map(component -> component.getName())
                .toList();
        Map<String, String> ours = Map.ofEntries(
                Map.entry("rank", "rank"),
                Map.entry("nRanks", "size"),
                Map.entry("cudaDev", "cudaDevice"),
                Map.entry("nvmlDev", "nvmlDevice"),
                Map.entry("deviceApiSupport", "deviceApi"),
                Map.entry("multimemSupport", "multimem"),
                Map.entry("ginType", "ginType"),
                Map.entry("nLsaTeams", "lsaTeams"),
                Map.entry("hostRmaSupport", "hostRma"),
                Map.entry("railedGinType", "railedGinType"),
                Map.entry("commHash", "hash"),
                Map.entry("ginMinStride", "ginMinStride"),
                Map.entry("ginConnectionType", "ginConnection"),
                Map.entry("ginSupport", "ginTypes"),
                Map.entry("devCommRuntimeVersionSize", "deviceCommunicatorBytes"),
                Map.entry("cftSupport", "cft"),
                Map.entry("cftMulticastSupport", "cftMulticast"),
                Map.entry("cftCountedSupport", "cftCounted"));
        assertThat(ours.keySet()).isEqualTo(fields(NcclCommProperties.class).keySet());
        assertThat(components).containsExactlyInAnyOrderElementsOf(ours.values());
    }

    @Test
    void everyStatisticFlagAndModeHasAName() {
        assertThat(constants("ncclStatGpuMem")).hasSize(MemoryStatistics.class.getRecordComponents().length);
        assertThat(constants("NCCL_WIN_")).hasSize(Window.Flag.values().length + "DEFAULT ALIGNMENT".split(" ").length);
        assertThat(constants("NCCL_CTA_POLICY_")).hasSize(CtaPolicy.values().length);
        assertThat(constants("NCCL_SHRINK_")).hasSize(Shrink.values().length);
        assertThat(constants("NCCL_CFT_TEAM_")).hasSize(CftTeam.values().length);
    }

    @Test
    void allOfASimulationIsTold() throws Exception {
        assertThat(fields(NcclSimInfo.class)).containsOnlyKeys("estimatedTime");
    }

    private static List<String> constants(String prefix) {
        return Arrays.stream(LibNccl.class.getFields())
                .map(field -> field.getName())
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
