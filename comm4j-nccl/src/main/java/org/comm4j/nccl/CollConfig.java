// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.comm4j.cuda.Event;
import org.comm4j.ffi.nccl.NcclCollConfig;
import org.comm4j.nccl.ConfigStruct.Field;

/**
 * How a single collective is to be done ({@code ncclCollConfig_t}; NCCL 2.31.2): see {@link NcclCommunicator#with}. All ranks
 * pass the same. What is not set is the communicator's. Immutable: each method returns a copy with one thing changed.
 */
public final class CollConfig {
    private static final Comparator<Field> BY_OFFSET = Comparator.comparingInt(Field::offset);

    private static final Field MIN_CTAS = Field.number("minCTAs", NcclCollConfig.minCTAs, 0);
    private static final Field MAX_CTAS = Field.number("maxCTAs", NcclCollConfig.maxCTAs, 0);
    private static final Field NVLS_CTAS = Field.number("nvlsCTAs", NcclCollConfig.nvlsCTAs, 0);
    private static final Field CGA_CLUSTER_SIZE = Field.number("cgaClusterSize", NcclCollConfig.cgaClusterSize, 0);
    private static final Field ALG_SELECTION = Field.text("algSelection", NcclCollConfig.algSelection, 0);
    private static final Field FORCE_ALG_SELECTION = Field.number(
                    "forceAlgSelection", NcclCollConfig.forceAlgSelection, 0)
            .unset(1);
    private static final Field CTA_POLICY = Field.number("CTAPolicy", NcclCollConfig.CTAPolicy, 0);
    private static final Field USER_PROFILER_TAG = Field.word("userProfilerTag", NcclCollConfig.userProfilerTag, 0);
    private static final Field LAUNCH_COMPLETION_EVENT =
            Field.word("launchCompletionEvent", NcclCollConfig.launchCompletionEvent, 23203);

    static final ConfigStruct STRUCT = new ConfigStruct(
            "CollConfig",
            MIN_CTAS,
            MAX_CTAS,
            NVLS_CTAS,
            CGA_CLUSTER_SIZE,
            ALG_SELECTION,
            FORCE_ALG_SELECTION,
            CTA_POLICY,
            USER_PROFILER_TAG,
            LAUNCH_COMPLETION_EVENT);

    /** Nothing set: as the communicator is configured. */
    public static final CollConfig DEFAULT = new CollConfig(Map.of());

    private final Map<Field, Object> values;

    private CollConfig(Map<Field, Object> values) {
        this.values = values;
    }

    private CollConfig with(Field field, Object value) {
        Map<Field, Object> copy = new TreeMap<>(BY_OFFSET);
        copy.putAll(values);
        copy.put(field, Objects.requireNonNull(value, field.name()));
        return new CollConfig(copy);
    }

    /** The least number of thread blocks. */
    public CollConfig minCtas(int value) {
        return with(MIN_CTAS, value);
    }

    /** The largest number of thread blocks. */
    public CollConfig maxCtas(int value) {
        return with(MAX_CTAS, value);
    }

    /** The number of thread blocks for NVLink SHARP. */
    public CollConfig nvlsCtas(int value) {
        return with(NVLS_CTAS, value);
    }

    /** Thread blocks of a cluster; the same for all calls of a group. */
    public CollConfig cgaClusterSize(int value) {
        return with(CGA_CLUSTER_SIZE, value);
    }

    /**
     * Which algorithms may be used: prefixes of their names, with {@code ,} for or, {@code +} for and, {@code ^} for not, as
     * in {@code "tree,ring"} or {@code "^symk"}. Not for allToAll, gather and scatter.
     */
    public CollConfig algorithms(String filter) {
        return with(ALG_SELECTION, filter);
    }

    /** Whether it is an error that no algorithm fits {@link #algorithms}, true unless set; else NCCL chooses another. */
    public CollConfig forceAlgorithms(boolean value) {
        return with(FORCE_ALG_SELECTION, value ? 1 : 0);
    }

    /** How NCCL trades GPU resources for speed. */
    public CollConfig ctaPolicy(CtaPolicy value) {
        return with(CTA_POLICY, value.code());
    }

    /** A number that a profiler plugin gets with the call. */
    public CollConfig profilerTag(long value) {
        return with(USER_PROFILER_TAG, value);
    }

    /**
     * Is recorded when the kernel is launched, which is not when it is done; an event without timing, on all ranks or on none,
     * one for each communicator in a group (NCCL 2.32.3). Copy engines and one-sided communication do not record it.
     */
    public CollConfig launchEvent(Event event) {
        return with(LAUNCH_COMPLETION_EVENT, event.handle().address());
    }

    MemorySegment write(int version, SegmentAllocator allocator) {
        return STRUCT.write(values, version, allocator);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("CollConfig[");
        values.forEach((field, value) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append(field.name())
                .append(' ')
                .append(value));
        return text.append(']').toString();
    }
}
