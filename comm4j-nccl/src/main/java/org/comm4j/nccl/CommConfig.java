// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclConfig;
import org.comm4j.nccl.ConfigStruct.Field;

/**
 * How a communicator is to be ({@code ncclConfig_t}). What is not set is left to NCCL. Immutable: each method returns a
 * copy with one thing changed. Setting what the loaded NCCL does not know is an {@link UnsupportedOperationException}
 * when the communicator is made.
 *
 * <pre>{@code
 * CommConfig config = CommConfig.DEFAULT.name("halo").minCtas(4);
 * }</pre>
 */
public final class CommConfig {
    private static final Comparator<Field> BY_OFFSET = Comparator.comparingInt(Field::offset);

    private static final Field BLOCKING = Field.number("blocking", NcclConfig.blocking, 0);
    private static final Field CGA_CLUSTER_SIZE =
            Field.number("cgaClusterSize", NcclConfig.cgaClusterSize, 0).to(8);
    private static final Field MIN_CTAS =
            Field.number("minCTAs", NcclConfig.minCTAs, 0).from(1);
    private static final Field MAX_CTAS =
            Field.number("maxCTAs", NcclConfig.maxCTAs, 0).from(1);
    private static final Field NET_NAME = Field.text("netName", NcclConfig.netName, 0);
    private static final Field SPLIT_SHARE = Field.number("splitShare", NcclConfig.splitShare, 0);
    private static final Field TRAFFIC_CLASS = Field.number("trafficClass", NcclConfig.trafficClass, 0);
    private static final Field COMM_NAME = Field.text("commName", NcclConfig.commName, 0);
    private static final Field COLLNET_ENABLE = Field.number("collnetEnable", NcclConfig.collnetEnable, 0);
    private static final Field CTA_POLICY = Field.number("CTAPolicy", NcclConfig.CTAPolicy, 0);
    private static final Field SHRINK_SHARE = Field.number("shrinkShare", NcclConfig.shrinkShare, 0);
    private static final Field NVLS_CTAS =
            Field.number("nvlsCTAs", NcclConfig.nvlsCTAs, 0).from(1);
    private static final Field CHANNELS_PER_NET_PEER = Field.number(
                    "nChannelsPerNetPeer", NcclConfig.nChannelsPerNetPeer, 0)
            .from(1);
    private static final Field NVLINK_CENTRIC_SCHED =
            Field.number("nvlinkCentricSched", NcclConfig.nvlinkCentricSched, 0);
    private static final Field GRAPH_USAGE_MODE =
            Field.number("graphUsageMode", NcclConfig.graphUsageMode, 22902).to(2);
    private static final Field NUM_RMA_CTX = Field.number("numRmaCtx", NcclConfig.numRmaCtx, 22902);
    private static final Field MAX_P2P_PEERS =
            Field.number("maxP2pPeers", NcclConfig.maxP2pPeers, 23003).from(1);
    private static final Field GRAPH_STREAM_ORDERING =
            Field.number("graphStreamOrdering", NcclConfig.graphStreamOrdering, 23005);
    private static final Field LAUNCH_ORDER_IMPLICIT =
            Field.number("launchOrderImplicit", NcclConfig.launchOrderImplicit, 23102);
    private static final Field NUM_RMA_SIG = Field.number("numRmaSig", NcclConfig.numRmaSig, 23102);
    private static final Field RMA_EAGER_INIT = Field.number("rmaEagerInit", NcclConfig.rmaEagerInit, 23102);
    private static final Field HOST_CFT_MODE = Field.number("hostCftMode", NcclConfig.hostCftMode, 23102)
            .from(LibNccl.ncclHostCftEnable)
            .to(LibNccl.ncclHostCftFallback);
    private static final Field NVLS_HOST_MODE = Field.number("nvlsHostMode", NcclConfig.nvlsHostMode, 23203);

    private static final String NAME = "CommConfig";

    static final ConfigStruct STRUCT = new ConfigStruct(
            NAME,
            BLOCKING,
            CGA_CLUSTER_SIZE,
            MIN_CTAS,
            MAX_CTAS,
            NET_NAME,
            SPLIT_SHARE,
            TRAFFIC_CLASS,
            COMM_NAME,
            COLLNET_ENABLE,
            CTA_POLICY,
            SHRINK_SHARE,
            NVLS_CTAS,
            CHANNELS_PER_NET_PEER,
            NVLINK_CENTRIC_SCHED,
            GRAPH_USAGE_MODE,
            NUM_RMA_CTX,
            MAX_P2P_PEERS,
            GRAPH_STREAM_ORDERING,
            LAUNCH_ORDER_IMPLICIT,
            NUM_RMA_SIG,
            RMA_EAGER_INIT,
            HOST_CFT_MODE,
            NVLS_HOST_MODE);

    /** Nothing set: all is left to NCCL and its environment variables. */
    public static final CommConfig DEFAULT = new CommConfig(Map.of());

    private final Map<Field, Object> values;

    private CommConfig(Map<Field, Object> values) {
        this.values = values;
    }

    private CommConfig with(Field field, Object value) {
        Map<Field, Object> copy = new TreeMap<>(BY_OFFSET);
        copy.putAll(values);
        copy.put(field, field.checked(NAME, nonNull(value, "CommConfig", field.name())));
        return new CommConfig(copy);
    }

    private CommConfig with(Field field, boolean value) {
        return with(field, (Object) (value ? 1 : 0));
    }

    /**
     * Whether NCCL's calls may block the calling thread; true unless set. A communicator with {@code blocking(false)}
     * can be given up wherever it is stuck, so that {@linkplain NcclCommunicator#timeout() timeouts} also end the
     * making of it and the setting up of connections in the first collectives; but NCCL starts a thread for each of its
     * calls (or groups of calls), which costs some ten microseconds.
     */
    public CommConfig blocking(boolean value) {
        return with(BLOCKING, value);
    }

    /** Thread blocks of a cluster, 0 to 8 ({@code cgaClusterSize}). */
    public CommConfig cgaClusterSize(int value) {
        return with(CGA_CLUSTER_SIZE, value);
    }

    /** The least number of thread blocks of a collective, from 1 on, not above {@link #maxCtas} ({@code minCTAs}). */
    public CommConfig minCtas(int value) {
        return with(MIN_CTAS, value);
    }

    /** The largest number of thread blocks of a collective, from 1 on ({@code maxCTAs}). */
    public CommConfig maxCtas(int value) {
        return with(MAX_CTAS, value);
    }

    /** The network to use, such as {@code Socket} or {@code IB} ({@code netName}). */
    public CommConfig netName(String value) {
        nonNull(value, "netName", "value");
        return with(NET_NAME, value);
    }

    /**
     * Whether the results of {@link NcclCommunicator#split} share resources with this communicator ({@code
     * splitShare}).
     */
    public CommConfig splitShare(boolean value) {
        return with(SPLIT_SHARE, value);
    }

    /** The traffic class of network packets ({@code trafficClass}). */
    public CommConfig trafficClass(int value) {
        return with(TRAFFIC_CLASS, value);
    }

    /** A name for NCCL's messages and profilers ({@code commName}). */
    public CommConfig name(String value) {
        nonNull(value, "name", "value");
        return with(COMM_NAME, value);
    }

    /** Whether reductions in the network are used ({@code collnetEnable}). */
    public CommConfig collnet(boolean value) {
        return with(COLLNET_ENABLE, value);
    }

    /** How NCCL trades GPU resources for speed ({@code CTAPolicy}); several together from NCCL 2.29.2 on. */
    public CommConfig ctaPolicy(CtaPolicy... values) {
        nonNull(values, "ctaPolicy", "values");
        return with(CTA_POLICY, CtaPolicy.code(values));
    }

    /**
     * Whether the results of {@link NcclCommunicator#shrink} share resources with this communicator ({@code
     * shrinkShare}).
     */
    public CommConfig shrinkShare(boolean value) {
        return with(SHRINK_SHARE, value);
    }

    /** The number of thread blocks for NVLink SHARP ({@code nvlsCTAs}). */
    public CommConfig nvlsCtas(int value) {
        return with(NVLS_CTAS, value);
    }

    /** Channels to each peer over the network ({@code nChannelsPerNetPeer}). */
    public CommConfig channelsPerNetPeer(int value) {
        return with(CHANNELS_PER_NET_PEER, value);
    }

    /** NVLink-centric scheduling of messages ({@code nvlinkCentricSched}). */
    public CommConfig nvlinkCentricScheduling(boolean value) {
        return with(NVLINK_CENTRIC_SCHED, value);
    }

    /**
     * How graphs are used: 0 not at all, 1 one at a time, 2 several, or mixed with plain calls ({@code graphUsageMode};
     * NCCL 2.29.2).
     */
    public CommConfig graphUsageMode(int value) {
        return with(GRAPH_USAGE_MODE, value);
    }

    /** Contexts for one-sided communication ({@code numRmaCtx}; NCCL 2.29.2). */
    public CommConfig rmaContexts(int value) {
        return with(NUM_RMA_CTX, value);
    }

    /** The largest number of peers to send to and receive from ({@code maxP2pPeers}; NCCL 2.30.3). */
    public CommConfig maxP2pPeers(int value) {
        return with(MAX_P2P_PEERS, value);
    }

    /** Whether collectives of a graph keep the order of their streams ({@code graphStreamOrdering}; NCCL 2.30.5). */
    public CommConfig graphStreamOrdering(boolean value) {
        return with(GRAPH_STREAM_ORDERING, value);
    }

    /** Whether NCCL orders launches of several communicators on a device ({@code launchOrderImplicit}; NCCL 2.31.2). */
    public CommConfig launchOrderImplicit(boolean value) {
        return with(LAUNCH_ORDER_IMPLICIT, value);
    }

    /** Signals of a context for one-sided communication ({@code numRmaSig}; NCCL 2.31.2). */
    public CommConfig rmaSignals(int value) {
        return with(NUM_RMA_SIG, value);
    }

    /**
     * Whether one-sided communication is set up at once, to signal before any window exists ({@code rmaEagerInit}; NCCL
     * 2.31.2).
     */
    public CommConfig rmaEagerInit(boolean value) {
        return with(RMA_EAGER_INIT, value);
    }

    /**
     * Compute Fabric Transport in collectives ({@code hostCftMode}; NCCL 2.31.2): 1 on, 2 off, 3 on with a fallback.
     */
    public CommConfig hostCftMode(int value) {
        return with(HOST_CFT_MODE, value);
    }

    /**
     * What of NVLink SHARP the host side does without, as a sum ({@code nvlsHostMode}; NCCL 2.32.3): 0 nothing, 1
     * transport and registered buffers, 2 multimem in symmetric kernels and copies, {@link Integer#MAX_VALUE} all of
     * it.
     */
    public CommConfig nvlsHostMode(int value) {
        return with(NVLS_HOST_MODE, value);
    }

    /** Whether calls may block; what is not set counts as true. */
    boolean isBlocking() {
        return !Integer.valueOf(0).equals(values.get(BLOCKING));
    }

    /** Whether {@link CtaPolicy#ZERO} was asked for, or the environment, which goes before, asks for a policy. */
    boolean mayUseCopyEngines() {
        return System.getenv("NCCL_CTA_POLICY") != null
                || (values.get(CTA_POLICY) instanceof Integer policy && (policy & LibNccl.NCCL_CTA_POLICY_ZERO) != 0);
    }

    MemorySegment write(int version, SegmentAllocator allocator) {
        ConfigStruct.checkOrder(NAME, MIN_CTAS, MAX_CTAS, values);
        Map<Field, Object> complete = new HashMap<>(values);
        if (values.containsKey(MIN_CTAS)) {
            // NCCL refuses a lower bound without an upper one, and takes any upper one for the largest that it has.
            complete.putIfAbsent(MAX_CTAS, Integer.MAX_VALUE);
        }
        return STRUCT.write(complete, version, allocator);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("CommConfig[");
        values.forEach((field, value) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append(field.name())
                .append(' ')
                .append(value));
        return text.append(']').toString();
    }
}
