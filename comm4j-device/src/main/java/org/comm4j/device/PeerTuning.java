// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.Arrays;
import java.util.Locale;

/**
 * From which size on {@link PeerCollectives} go which way, and in which shape. The defaults for 2 and 4 PEs are what
 * was fastest on H200s with NVLink ({@code docs/results/device-collectives.md}), of the ways that were measured; those
 * for 8 were not measured.
 */
public final class PeerTuning {
    /** What can be chosen, with its defaults for up to 2, 4 and 8 PEs. */
    public enum Setting {
        /**
         * The largest one-shot reduction of floating-point elements that goes in words with epochs, in bytes to a PE.
         */
        WORD_BYTES(0, 0, 0),
        /** The largest {@code allReduce} that is one-shot, in bytes. */
        ONE_SHOT_BYTES(2 << 20, 256 << 10, 64 << 10),
        /** The largest {@code allReduce} that is pushed in two shots, in bytes. */
        TWO_SHOT_BYTES(2 << 20, 8 << 20, 8 << 20),
        /**
         * The largest direct {@code allReduce} that is one kernel; larger ones are a {@code reduceScatter} and an
         * {@code allGather}, so that not all read and write at the same time, in bytes.
         */
        DIRECT_BYTES(Long.MAX_VALUE, 16 << 20, 16 << 20),
        /** The largest part of a {@code reduceScatter} that is pushed, in bytes. */
        SCATTER_BYTES(1 << 20, 2 << 20, 1 << 20),
        /** The largest part of an {@code allGather} or {@code allToAll} that goes in words with epochs, in bytes. */
        MOVE_BYTES(128 << 10, 128 << 10, 64 << 10),
        /**
         * The least threads of a block of what is not direct: as many as there is work for in all blocks, but not
         * fewer.
         */
        LEAST_THREADS(256, 256, 256),
        /** The most threads of a block of what goes in words with epochs. */
        WORD_THREADS(256, 256, 256),
        /** The most threads of a block of what is pushed. */
        PUSH_THREADS(512, 512, 512),
        /** Blocks of what is direct. */
        DIRECT_BLOCKS(128, 128, 128),
        /** Threads of such a block. */
        DIRECT_THREADS(256, 256, 256),
        /** How often such a thread reads from each PE before it writes: 1, 2 or 4. */
        DIRECT_UNROLL(4, 4, 2),
        /** Whether kernels begin while the one before them in the stream ends; 0 or 1. */
        OVERLAP(1, 1, 1);

        private final long two;
        private final long four;
        private final long eight;

        Setting(long two, long four, long eight) {
            this.two = two;
            this.four = four;
            this.eight = eight;
        }

        /**
         * That of a name in any case, with hyphens or underscores.
         *
         * @throws IllegalArgumentException if there is none; the message lists those that there are
         */
        public static Setting named(String name) {
            String wanted = name.replace('-', '_');
            for (Setting each : values()) {
                if (each.name().equalsIgnoreCase(wanted)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("there is no setting '" + name + "'; there are "
                    + Arrays.toString(values()).toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }

    private final long[] values;

    private PeerTuning(long[] values) {
        this.values = values;
    }

    /** The defaults for so many PEs. */
    public static PeerTuning of(int pes) {
        return new PeerTuning(Arrays.stream(Setting.values())
                .mapToLong(each -> pes <= 2 ? each.two : pes <= 4 ? each.four : each.eight)
                .toArray());
    }

    /** The same with another value. */
    public PeerTuning with(Setting setting, long value) {
        boolean fits = switch (setting) {
            case LEAST_THREADS, WORD_THREADS -> value >= 32 && value <= PeerSpace.THREADS && value % 32 == 0;
            case PUSH_THREADS -> value >= 32 && value <= PeerSpace.PUSH_THREADS && value % 32 == 0;
            case DIRECT_THREADS -> value >= 32 && value <= PeerSpace.DIRECT_THREADS && value % 32 == 0;
            case DIRECT_BLOCKS -> value >= 1 && value <= PeerSpace.BLOCKS;
            case DIRECT_UNROLL -> value == 1 || value == 2 || value == 4;
            case OVERLAP -> value == 0 || value == 1;
            default -> value >= 0;
        };
        if (!fits) {
            throw new IllegalArgumentException(setting + " cannot be " + value);
        }
        long[] changed = values.clone();
        changed[setting.ordinal()] = value;
        return new PeerTuning(changed);
    }

    public long get(Setting setting) {
        return values[setting.ordinal()];
    }

    int count(Setting setting) {
        return (int) get(setting);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("PeerTuning[");
        for (Setting each : Setting.values()) {
            text.append(each.ordinal() == 0 ? "" : ", ")
                    .append(each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .append('=')
                    .append(get(each));
        }
        return text.append(']').toString();
    }
}
