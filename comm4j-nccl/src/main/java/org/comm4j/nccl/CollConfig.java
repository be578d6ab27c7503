// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.cuda.Event;
import org.comm4j.ffi.nccl.NcclCollConfig;
import org.comm4j.ffi.nccl.NcclConfigExt;
import org.comm4j.nccl.ConfigStruct.Field;
import org.jspecify.annotations.Nullable;

/**
 * How a single collective is to be done ({@code ncclCollConfig_t}; NCCL 2.31.2): see {@link NcclCommunicator#with}. All
 * ranks pass the same; NCCL checks only its own rank's. What is not set is the communicator's. Environment variables
 * come before this, and this before the communicator's {@link CommConfig}. Immutable: each method returns a copy with
 * one thing changed.
 */
public final class CollConfig {
    private static final Comparator<Field> BY_OFFSET = Comparator.comparingInt(Field::offset);
    private static final String NAME = "CollConfig";

    private static final Field EXT = Field.pointer("ext", NcclCollConfig.ext, 0);
    private static final Field MIN_CTAS =
            Field.number("minCTAs", NcclCollConfig.minCTAs, 0).from(1);
    private static final Field MAX_CTAS =
            Field.number("maxCTAs", NcclCollConfig.maxCTAs, 0).from(1);
    private static final Field NVLS_CTAS =
            Field.number("nvlsCTAs", NcclCollConfig.nvlsCTAs, 0).from(1);
    private static final Field CGA_CLUSTER_SIZE =
            Field.number("cgaClusterSize", NcclCollConfig.cgaClusterSize, 0).to(8);
    private static final Field ALG_SELECTION = Field.text("algSelection", NcclCollConfig.algSelection, 0);
    private static final Field FORCE_ALG_SELECTION = Field.number(
                    "forceAlgSelection", NcclCollConfig.forceAlgSelection, 0)
            .unset(1);
    private static final Field CTA_POLICY = Field.number("CTAPolicy", NcclCollConfig.CTAPolicy, 0);
    private static final Field USER_PROFILER_TAG = Field.word("userProfilerTag", NcclCollConfig.userProfilerTag, 0);
    private static final Field LAUNCH_COMPLETION_EVENT =
            Field.word("launchCompletionEvent", NcclCollConfig.launchCompletionEvent, 23203);

    static final ConfigStruct STRUCT = new ConfigStruct(
            NAME,
            EXT,
            MIN_CTAS,
            MAX_CTAS,
            NVLS_CTAS,
            CGA_CLUSTER_SIZE,
            ALG_SELECTION,
            FORCE_ALG_SELECTION,
            CTA_POLICY,
            USER_PROFILER_TAG,
            LAUNCH_COMPLETION_EVENT);

    /** The first number that is too large for a vendor. */
    private static final int VENDORS = 1 << 24;

    /** Nothing set: as the communicator is configured. */
    public static final CollConfig DEFAULT = new CollConfig(Map.of(), Map.of(), null);

    /** What names an option of another maker's library. */
    private record Option(int vendor, int number) {}

    private final Map<Field, Object> values;
    private final Map<Option, Object> options;
    private final @Nullable Event launch;

    private CollConfig(Map<Field, Object> values, Map<Option, Object> options, @Nullable Event launch) {
        this.values = values;
        this.options = options;
        this.launch = launch;
    }

    private CollConfig with(Field field, Object value) {
        Map<Field, Object> copy = new TreeMap<>(BY_OFFSET);
        copy.putAll(values);
        copy.put(field, field.checked(NAME, nonNull(value, "CollConfig", field.name())));
        return new CollConfig(copy, options, launch);
    }

    private CollConfig with(int vendor, int option, Object value) {
        if (vendor < 1 || vendor >= VENDORS) {
            throw new IllegalArgumentException(
                    NAME + ": vendor " + vendor + " is not from 1 to " + (VENDORS - 1) + ", as NCCL's vendors are");
        }
        Map<Option, Object> copy = new LinkedHashMap<>(options);
        copy.put(new Option(vendor, option), nonNull(value, "vendorOption", "value"));
        return new CollConfig(values, copy, launch);
    }

    /** The least number of thread blocks, from 1 on, not above {@link #maxCtas} ({@code minCTAs}). */
    public CollConfig minCtas(int value) {
        return with(MIN_CTAS, value);
    }

    /** The largest number of thread blocks, from 1 to the communicator's own ({@code maxCTAs}). */
    public CollConfig maxCtas(int value) {
        return with(MAX_CTAS, value);
    }

    /** The number of thread blocks for NVLink SHARP, from 1 on ({@code nvlsCTAs}). */
    public CollConfig nvlsCtas(int value) {
        return with(NVLS_CTAS, value);
    }

    /** Thread blocks of a cluster, 0 to 8; the same for all calls of a group ({@code cgaClusterSize}). */
    public CollConfig cgaClusterSize(int value) {
        return with(CGA_CLUSTER_SIZE, value);
    }

    /**
     * Which algorithms may be used: prefixes of their names, with {@code ,} for or, {@code +} for and, {@code ^} for
     * not, as in {@code "tree,ring"} or {@code "^symk"} ({@code algSelection}). Not for allToAll, gather and scatter.
     */
    public CollConfig algorithms(String filter) {
        nonNull(filter, "algorithms", "filter");
        return with(ALG_SELECTION, filter);
    }

    /**
     * Whether it is an error that no algorithm fits {@link #algorithms}, true unless set; else NCCL chooses another
     * ({@code forceAlgSelection}).
     */
    public CollConfig forceAlgorithms(boolean value) {
        return with(FORCE_ALG_SELECTION, value ? 1 : 0);
    }

    /** How NCCL trades GPU resources for speed; several together ({@code CTAPolicy}). */
    public CollConfig ctaPolicy(CtaPolicy... values) {
        nonNull(values, "ctaPolicy", "values");
        return with(CTA_POLICY, CtaPolicy.code(values));
    }

    /**
     * A number that a profiler plugin gets with the call, 0 unless set; NCCL keeps negative ones for itself ({@code
     * userProfilerTag}).
     */
    public CollConfig profilerTag(long value) {
        return with(USER_PROFILER_TAG, value);
    }

    /**
     * Is recorded when the kernel is launched, which is not when it is done ({@code launchCompletionEvent}; NCCL
     * 2.32.3). An event without timing of the communicator's GPU, on all ranks or on none, one for each communicator in
     * a group. It stays open until everything that waits for it is done, and as long as a graph that was captured with
     * it is used. Copy engines and one-sided communication do not record it.
     *
     * @throws IllegalArgumentException if the event measures time
     */
    public CollConfig launchEvent(Event event) {
        nonNull(event, "launchEvent", "event");
        if (event.measuresTime()) {
            throw new IllegalArgumentException(NAME + ": " + event + " measures time; use one of Device.newEvent()");
        }
        CollConfig copy = with(LAUNCH_COMPLETION_EVENT, event.handle().address());
        return new CollConfig(copy.values, options, event);
    }

    /**
     * An option of another maker's library of NCCL's interface; NVIDIA's takes no notice of it ({@code
     * ncclConfigExt_t}). Setting one again replaces it.
     *
     * @param vendor the maker's number, from 1 to 2^24 - 1
     * @param option the maker's number for the option
     */
    public CollConfig vendorOption(int vendor, int option, int value) {
        return with(vendor, option, value);
    }

    /** {@link #vendorOption(int, int, int)} with a text for value. */
    public CollConfig vendorOption(int vendor, int option, String value) {
        nonNull(value, "vendorOption", "value");
        return with(vendor, option, value);
    }

    /**
     * {@link #vendorOption(int, int, int)} with the address of {@code value}, which the caller keeps alive, for value.
     */
    public CollConfig vendorOption(int vendor, int option, MemorySegment value) {
        nonNull(value, "vendorOption", "value");
        if (!value.isNative()) {
            throw new IllegalArgumentException(NAME + ": " + value + " is on the Java heap, where NCCL cannot read it");
        }
        return with(vendor, option, value);
    }

    /** What {@link #launchEvent} set. */
    @Nullable
    Event launch() {
        return launch;
    }

    /** What NCCL cannot do in one group: two launch events of a communicator, two sizes of clusters. */
    void checkTogether(CollConfig other, boolean sameCommunicator) {
        if (sameCommunicator && launch != null && other.launch != null && launch != other.launch) {
            throw new IllegalArgumentException("group: " + this + " and " + other
                    + " have different launch events; NCCL records one for each communicator");
        }
        Object cluster = values.get(CGA_CLUSTER_SIZE);
        Object otherCluster = other.values.get(CGA_CLUSTER_SIZE);
        if (cluster != null && otherCluster != null && !cluster.equals(otherCluster)) {
            throw new IllegalArgumentException(
                    "group: " + this + " and " + other + " have different cluster sizes, which NCCL leaves undefined");
        }
    }

    MemorySegment write(int version, SegmentAllocator allocator) {
        ConfigStruct.checkOrder(NAME, MIN_CTAS, MAX_CTAS, values);
        Map<Field, Object> all = new HashMap<>(values);
        all.put(EXT, writeOptions(allocator));
        return STRUCT.write(all, version, allocator);
    }

    /** The list of options, whose order has no meaning. */
    private MemorySegment writeOptions(SegmentAllocator allocator) {
        MemorySegment next = MemorySegment.NULL;
        for (Map.Entry<Option, Object> each : options.entrySet()) {
            MemorySegment option = allocator.allocate(NcclConfigExt.LAYOUT).fill((byte) 0);
            option.set(ADDRESS, NcclConfigExt.next, next);
            option.set(JAVA_INT, NcclConfigExt.key_vendorId, each.getKey().vendor());
            option.set(JAVA_INT, NcclConfigExt.key_optionId, each.getKey().number());
            switch (each.getValue()) {
                case Integer number -> option.set(JAVA_INT, NcclConfigExt.val_i, number);
                case String text -> option.set(ADDRESS, NcclConfigExt.val_s, allocator.allocateFrom(text));
                case MemorySegment raw -> option.set(ADDRESS, NcclConfigExt.val_raw, raw);
                default -> throw new IllegalStateException(each.toString());
            }
            next = option;
        }
        return next;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("CollConfig[");
        values.forEach((field, value) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append(field.name())
                .append(' ')
                .append(value));
        options.forEach((option, value) -> text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                .append("option ")
                .append(option.vendor())
                .append('/')
                .append(option.number())
                .append(' ')
                .append(value));
        return text.append(']').toString();
    }
}
