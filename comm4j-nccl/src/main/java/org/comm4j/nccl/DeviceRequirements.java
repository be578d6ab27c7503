// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevCommRequirements;
import org.comm4j.ffi.nccl.NcclDevCommRequirementsV2_28_9;
import org.comm4j.ffi.nccl.NcclMultimemHandle;
import org.comm4j.ffi.nccl.NcclTeam;
import org.comm4j.ffi.nccl.NcclTeamRequirements;
import org.comm4j.nccl.ConfigStruct.Field;
import org.jspecify.annotations.Nullable;

/**
 * What kernels will need of a {@link DeviceCommunicator} ({@code ncclDevCommRequirements_t}), the same on all ranks.
 * What is not set is not needed. Immutable: each method returns a copy with one thing changed. The struct that is
 * written is that of the loaded NCCL; up to 2.28 it has nothing in common with later ones.
 */
public final class DeviceRequirements {

    /** A field of the struct, now and in 2.28. */
    private record Need(Field now, @Nullable Field in228) {}

    private static Need need(String name, long now, long in228) {
        return new Need(number(name, now, 0), number(name, in228, 0));
    }

    private static Field number(String name, long offset, int since) {
        return Field.number(name, offset, since).unset(0);
    }

    private static final int DEFAULT_CONTEXTS = 4;

    /**
     * More thread blocks than a GPU runs at a time, each with a barrier of its own; NCCL computes with sizes of 32
     * bits.
     */
    static final int MOST_BLOCKS = 1 << 16;

    private static Need blocks(String name, long now, long in228) {
        return new Need(
                number(name, now, 0).to(MOST_BLOCKS), number(name, in228, 0).to(MOST_BLOCKS));
    }

    private static final Need RESOURCES = new Need(
            Field.pointer("resourceRequirementsList", NcclDevCommRequirements.resourceRequirementsList, 0),
            Field.pointer("resourceRequirementsList", NcclDevCommRequirementsV2_28_9.resourceRequirementsList, 0));
    private static final Need TEAMS = new Need(
            Field.pointer("teamRequirementsList", NcclDevCommRequirements.teamRequirementsList, 0),
            Field.pointer("teamRequirementsList", NcclDevCommRequirementsV2_28_9.teamRequirementsList, 0));
    private static final Need LSA_MULTIMEM = new Need(
            Field.flag("lsaMultimem", NcclDevCommRequirements.lsaMultimem, 0),
            Field.flag("lsaMultimem", NcclDevCommRequirementsV2_28_9.lsaMultimem, 0));
    private static final Need BARRIERS =
            blocks("barrierCount", NcclDevCommRequirements.barrierCount, NcclDevCommRequirementsV2_28_9.barrierCount);
    private static final Need LSA_BARRIERS = blocks(
            "lsaBarrierCount", NcclDevCommRequirements.lsaBarrierCount, NcclDevCommRequirementsV2_28_9.lsaBarrierCount);
    private static final Need RAIL_BARRIERS = blocks(
            "railGinBarrierCount",
            NcclDevCommRequirements.railGinBarrierCount,
            NcclDevCommRequirementsV2_28_9.railGinBarrierCount);
    private static final Need LL_A2A_BLOCKS = blocks(
            "lsaLLA2ABlockCount",
            NcclDevCommRequirements.lsaLLA2ABlockCount,
            NcclDevCommRequirementsV2_28_9.lsaLLA2ABlockCount);
    private static final Need LL_A2A_SLOTS = need(
            "lsaLLA2ASlotCount",
            NcclDevCommRequirements.lsaLLA2ASlotCount,
            NcclDevCommRequirementsV2_28_9.lsaLLA2ASlotCount);
    private static final Need GIN_FORCE = new Need(
            Field.flag("ginForceEnable", NcclDevCommRequirements.ginForceEnable, 0),
            Field.flag("ginForceEnable", NcclDevCommRequirementsV2_28_9.ginForceEnable, 0));
    private static final Need GIN_CONTEXTS = new Need(
            number("ginContextCount", NcclDevCommRequirements.ginContextCount, 0)
                    .unset(DEFAULT_CONTEXTS),
            number("ginContextCount", NcclDevCommRequirementsV2_28_9.ginContextCount, 0)
                    .unset(DEFAULT_CONTEXTS));
    private static final Need GIN_SIGNALS = need(
            "ginSignalCount", NcclDevCommRequirements.ginSignalCount, NcclDevCommRequirementsV2_28_9.ginSignalCount);
    private static final Need GIN_COUNTERS = need(
            "ginCounterCount", NcclDevCommRequirements.ginCounterCount, NcclDevCommRequirementsV2_28_9.ginCounterCount);
    private static final Need GIN_CONNECTION = new Need(
            number("ginConnectionType", NcclDevCommRequirements.ginConnectionType, 22907)
                    .to(LibNccl.NCCL_GIN_CONNECTION_CUSTOM_STRIDE),
            null);
    private static final Need GIN_EXCLUSIVE =
            new Need(Field.flag("ginExclusiveContexts", NcclDevCommRequirements.ginExclusiveContexts, 22907), null);
    private static final Need GIN_QUEUE_DEPTH =
            new Need(number("ginQueueDepth", NcclDevCommRequirements.ginQueueDepth, 22907), null);
    private static final Need GIN_TRAFFIC_CLASS =
            new Need(Field.number("ginTrafficClass", NcclDevCommRequirements.ginTrafficClass, 23003), null);
    private static final Need WORLD_BARRIERS = new Need(
            number("worldGinBarrierCount", NcclDevCommRequirements.worldGinBarrierCount, 23003)
                    .to(MOST_BLOCKS),
            null);
    private static final Need GIN_STRONG_SIGNALS = new Need(
            Field.flag("ginStrongSignalsRequired", NcclDevCommRequirements.ginStrongSignalsRequired, 23007)
                    .unset(1),
            null);
    private static final Need GIN_VA_SIGNALS = new Need(
            Field.flag("ginVaSignalsRequired", NcclDevCommRequirements.ginVaSignalsRequired, 23007)
                    .unset(1),
            null);
    private static final Need GIN_STRIDE = new Need(
            number("ginCustomStride", NcclDevCommRequirements.ginCustomStride, 23102)
                    .from(1)
                    .unset(1),
            null);
    private static final Need GIN_TYPE = new Need(number("ginType", NcclDevCommRequirements.ginType, 23102), null);
    private static final Need RUNTIME_VERSION =
            new Need(Field.flag("useRuntimeVersion", NcclDevCommRequirements.useRuntimeVersion, 23102), null);
    private static final Need CFT_CAPABILITIES = new Need(
            number("cftCaps", NcclDevCommRequirements.cftCaps, 23102).to(LibNccl.NCCL_CFT | LibNccl.NCCL_CFT_MULTIMEM),
            null);
    private static final Need CFT_BARRIERS = new Need(
            number("cftBarrierCount", NcclDevCommRequirements.cftBarrierCount, 23102)
                    .to(MOST_BLOCKS),
            null);

    private static final List<Need> NEEDS = List.of(
            RESOURCES,
            TEAMS,
            LSA_MULTIMEM,
            BARRIERS,
            LSA_BARRIERS,
            RAIL_BARRIERS,
            LL_A2A_BLOCKS,
            LL_A2A_SLOTS,
            GIN_FORCE,
            GIN_CONTEXTS,
            GIN_SIGNALS,
            GIN_COUNTERS,
            GIN_CONNECTION,
            GIN_EXCLUSIVE,
            GIN_QUEUE_DEPTH,
            GIN_TRAFFIC_CLASS,
            WORLD_BARRIERS,
            GIN_STRONG_SIGNALS,
            GIN_VA_SIGNALS,
            GIN_STRIDE,
            GIN_TYPE,
            RUNTIME_VERSION,
            CFT_CAPABILITIES,
            CFT_BARRIERS);

    /** From this version on the struct begins with its size. */
    private static final int HEADER_SINCE = 22900;

    private static final String NAME = "DeviceRequirements";
    static final ConfigStruct NOW =
            new ConfigStruct(NAME, NEEDS.stream().map(need -> need.now).toArray(Field[]::new));
    static final ConfigStruct IN_228 = new ConfigStruct(
            NAME,
            false,
            NEEDS.stream().map(need -> need.in228).filter(Objects::nonNull).toArray(Field[]::new));

    /** Nothing but the pointers of windows. */
    public static final DeviceRequirements NONE = new DeviceRequirements(Map.of(), List.of(), Map.of());

    private final Map<Need, Integer> needs;
    private final List<DeviceResource> resources;
    private final Map<RankTeam, Boolean> teams;

    private DeviceRequirements(Map<Need, Integer> needs, List<DeviceResource> resources, Map<RankTeam, Boolean> teams) {
        this.needs = needs;
        this.resources = resources;
        this.teams = teams;
    }

    private DeviceRequirements with(Need need, int value) {
        need.now.checked(NAME, value);
        Map<Need, Integer> copy = new LinkedHashMap<>(needs);
        copy.put(need, value);
        return new DeviceRequirements(copy, resources, teams);
    }

    private DeviceRequirements with(Need need, boolean value) {
        return with(need, value ? 1 : 0);
    }

    /**
     * NVLink SHARP addresses of windows, for the ranks that can load and store each other's memory ({@code
     * lsaMultimem}).
     */
    public DeviceRequirements multimem(boolean value) {
        return with(LSA_MULTIMEM, value);
    }

    /** Barriers of all ranks that combine memory and network ({@code barrierCount}). */
    public DeviceRequirements barriers(int count) {
        return with(BARRIERS, count);
    }

    /** Barriers of ranks that can load and store each other's memory ({@code lsaBarrierCount}). */
    public DeviceRequirements lsaBarriers(int count) {
        return with(LSA_BARRIERS, count);
    }

    /** Barriers over the network of the same GPU of other machines ({@code railGinBarrierCount}). */
    public DeviceRequirements railBarriers(int count) {
        return with(RAIL_BARRIERS, count);
    }

    /** Barriers over the network of all ranks ({@code worldGinBarrierCount}; NCCL 2.30.3). */
    public DeviceRequirements worldBarriers(int count) {
        return with(WORLD_BARRIERS, count);
    }

    /**
     * Low-latency exchange of all with all: blocks, and {@linkplain DeviceResource#lowLatencySlots slots} of each
     * ({@code lsaLLA2ABlockCount}, {@code lsaLLA2ASlotCount}).
     */
    public DeviceRequirements lowLatencyAllToAll(int blocks, int slots) {
        DeviceResource.checkExchange(NAME, blocks, slots);
        return with(LL_A2A_BLOCKS, blocks).with(LL_A2A_SLOTS, slots);
    }

    /**
     * Communication over the network from kernels, even where it is not needed to reach a rank ({@code
     * ginForceEnable}).
     */
    public DeviceRequirements forceNetwork(boolean value) {
        return with(GIN_FORCE, value);
    }

    /**
     * Contexts, signals and counters for the network ({@code ginContextCount} and so on). Contexts are a wish, 4 unless
     * set; signals and counters are numbered from 0. All ranks are reached unless {@link #networkConnection} says
     * which.
     */
    public DeviceRequirements network(int contexts, int signals, int counters) {
        return with(GIN_CONTEXTS, contexts).with(GIN_SIGNALS, signals).with(GIN_COUNTERS, counters);
    }

    /**
     * {@code ginConnectionType}: 0 none, 1 all ranks, 2 the same GPU of other machines, 3 every n-th rank (NCCL
     * 2.29.7).
     */
    public DeviceRequirements networkConnection(int type) {
        return with(GIN_CONNECTION, type);
    }

    /** Contexts that no other device communicator uses ({@code ginExclusiveContexts}; NCCL 2.29.7). */
    public DeviceRequirements exclusiveContexts(boolean value) {
        return with(GIN_EXCLUSIVE, value);
    }

    /** Requests that a network queue holds; 0 for as many as NCCL likes ({@code ginQueueDepth}; NCCL 2.29.7). */
    public DeviceRequirements queueDepth(int depth) {
        return with(GIN_QUEUE_DEPTH, depth);
    }

    /** Traffic class of packets ({@code ginTrafficClass}; NCCL 2.30.3). */
    public DeviceRequirements trafficClass(int value) {
        return with(GIN_TRAFFIC_CLASS, value);
    }

    /**
     * Whether kernels use strong signals, and signals at any address; both true unless set ({@code
     * ginStrongSignalsRequired}, {@code ginVaSignalsRequired}; NCCL 2.30.7). Kernels that use what is not required do
     * what nobody knows.
     */
    public DeviceRequirements signals(boolean strong, boolean anywhere) {
        return with(GIN_STRONG_SIGNALS, strong).with(GIN_VA_SIGNALS, anywhere);
    }

    /** Every n-th rank, for {@link #networkConnection} 3 ({@code ginCustomStride}; NCCL 2.31.2). */
    public DeviceRequirements networkStride(int stride) {
        return with(GIN_STRIDE, stride);
    }

    /** {@code ginType}, how kernels reach the network; 0 lets NCCL choose (NCCL 2.31.2). */
    public DeviceRequirements networkType(int type) {
        return with(GIN_TYPE, type);
    }

    /**
     * The layout of the loaded NCCL, for kernels that are compiled with its headers ({@code useRuntimeVersion}; NCCL
     * 2.31.2).
     */
    public DeviceRequirements runtimeVersion(boolean value) {
        return with(RUNTIME_VERSION, value);
    }

    /**
     * Compute Fabric Transport from kernels ({@code cftCaps} and {@code cftBarrierCount}; NCCL 2.31.2).
     *
     * @param capabilities 1 for single ranks, 2 for several at once, 3 for both, 0 for none
     * @param barriers how many
     */
    public DeviceRequirements cft(int capabilities, int barriers) {
        return with(CFT_CAPABILITIES, capabilities).with(CFT_BARRIERS, barriers);
    }

    /**
     * More memory, signals and counters, found by {@link DeviceCommunicator#allocation} ({@code
     * resourceRequirementsList}).
     */
    public DeviceRequirements resource(DeviceResource resource) {
        nonNull(resource, "resource", "resource");
        if (resources.contains(resource)) {
            throw new IllegalArgumentException(NAME + ": " + resource + " is there already; make another one");
        }
        List<DeviceResource> copy = new ArrayList<>(resources);
        copy.add(resource);
        return new DeviceRequirements(needs, List.copyOf(copy), teams);
    }

    /**
     * A team of which kernels reach all at once ({@code teamRequirementsList}), if {@code multimem}: by NVLink SHARP,
     * at {@link Window#multimemAddress(DeviceCommunicator, RankTeam, long)}.
     */
    public DeviceRequirements team(RankTeam team, boolean multimem) {
        team.check(NAME);
        Map<RankTeam, Boolean> copy = new LinkedHashMap<>(teams);
        copy.put(team, multimem);
        return new DeviceRequirements(needs, resources, copy);
    }

    private int number(Need need) {
        return needs.getOrDefault(need, 0);
    }

    /** How many {@link #lsaBarriers(int)} are required. */
    public int lsaBarriers() {
        return number(LSA_BARRIERS);
    }

    /** Whether {@link #multimem(boolean)} is required, of a team too. */
    public boolean needsMultimem() {
        return number(LSA_MULTIMEM) != 0 || teams.containsValue(true);
    }

    /** Whether something is required that goes over the network. */
    public boolean needsNetwork() {
        return number(GIN_FORCE) + number(GIN_CONNECTION) != 0
                || number(BARRIERS) + number(RAIL_BARRIERS) + number(WORLD_BARRIERS) != 0
                || needsSignals();
    }

    private boolean needsSignals() {
        return number(GIN_SIGNALS) + number(GIN_COUNTERS) != 0
                || resources.stream().anyMatch(DeviceResource::needsNetwork);
    }

    /** How many contexts for the network are wished for: 4 unless set. */
    public int networkContexts() {
        return needs.getOrDefault(GIN_CONTEXTS, DEFAULT_CONTEXTS);
    }

    /** Signals of {@link #network}, numbered from 0; those of resources come behind. */
    public int networkSignals() {
        return number(GIN_SIGNALS);
    }

    /** Counters of {@link #network}, numbered from 0; those of resources come behind. */
    public int networkCounters() {
        return number(GIN_COUNTERS);
    }

    /** Those of {@link #resource}, in their order. */
    public List<DeviceResource> resources() {
        return resources;
    }

    boolean asksForRuntimeVersion() {
        return Integer.valueOf(1).equals(needs.get(RUNTIME_VERSION));
    }

    /** What NCCL reads, and where it writes. */
    record Written(
            MemorySegment struct,
            boolean runtimeVersion,
            Map<DeviceResource, DeviceResource.Cells> resources,
            Map<RankTeam, MemorySegment> teams) {}

    /** @param comm for which it is, NULL if no resource asks for it */
    Written write(int version, SegmentAllocator allocator, NcclComm comm) {
        boolean header = version >= HEADER_SINCE;
        Map<Field, Object> values = new HashMap<>();
        needs.forEach((need, value) -> values.put(field(need, header), value));
        if (version >= GIN_CONNECTION.now.since() && needsSignals() && !needs.containsKey(GIN_CONNECTION)) {
            // NCCL's own default is that none is reached. Before, there was no choice.
            values.put(GIN_CONNECTION.now, LibNccl.NCCL_GIN_CONNECTION_FULL);
        }
        Map<DeviceResource, DeviceResource.Cells> cells = new HashMap<>();
        MemorySegment next = MemorySegment.NULL;
        for (DeviceResource resource : resources.reversed()) {
            DeviceResource.Cells written = resource.write(comm, next, allocator);
            cells.put(resource, written);
            next = written.struct();
        }
        values.put(field(RESOURCES, header), next);
        Map<RankTeam, MemorySegment> handles = new HashMap<>();
        next = MemorySegment.NULL;
        for (Map.Entry<RankTeam, Boolean> each : teams.entrySet()) {
            MemorySegment handle = allocator.allocate(NcclMultimemHandle.LAYOUT).fill((byte) 0);
            next = writeTeam(each.getKey(), each.getValue(), handle, next, allocator);
            handles.put(each.getKey(), handle);
        }
        values.put(field(TEAMS, header), next);
        MemorySegment struct = (header ? NOW : IN_228).write(values, version, allocator);
        return new Written(struct, asksForRuntimeVersion(), cells, handles);
    }

    private static MemorySegment writeTeam(
            RankTeam team, boolean multimem, MemorySegment handle, MemorySegment next, SegmentAllocator allocator) {
        MemorySegment struct = allocator.allocate(NcclTeamRequirements.LAYOUT).fill((byte) 0);
        struct.set(ADDRESS, NcclTeamRequirements.next, next);
        struct.asSlice(NcclTeamRequirements.team, NcclTeam.BYTES).copyFrom(team.write(allocator));
        struct.set(JAVA_BOOLEAN, NcclTeamRequirements.multimem, multimem);
        struct.set(ADDRESS, NcclTeamRequirements.outMultimemHandle, handle);
        return struct;
    }

    private static Field field(Need need, boolean header) {
        Field field = header ? need.now : need.in228;
        if (field == null) {
            throw new UnsupportedOperationException(NAME + ": " + need.now.name() + " needs NCCL "
                    + NcclVersion.of(need.now.since()) + " or newer; loaded: " + Library.describe());
        }
        return field;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(NAME + "[");
        needs.forEach((need, value) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append(need.now.name())
                .append(' ')
                .append(value));
        resources.forEach(resource ->
                text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ").append(resource));
        teams.forEach((team, multimem) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append(team)
                .append(multimem ? " at once" : ""));
        return text.append(']').toString();
    }
}
