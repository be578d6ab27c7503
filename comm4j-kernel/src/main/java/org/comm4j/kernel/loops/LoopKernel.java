// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.launch.Components;
import org.jspecify.annotations.Nullable;

/** A kernel whose threads are loops in code that was made for it. */
public final class LoopKernel {
    private static final MemorySegment NOWHERE = MemorySegment.NULL;

    private final Frontend.Result source;
    private volatile Flat flat;
    private final boolean polls;
    private final boolean checked;
    private final boolean shuffled;
    /** For blocks with x alone, and for others; made when they are needed. */
    private final @Nullable Variant[] variants = new @Nullable Variant[2];
    /** The reason why a variant could not be made: its parts stay cut, and no other is made of them. */
    private @Nullable String unsupported;

    private record Variant(LoopCode code, ConcurrentLinkedQueue<LoopState> states) {}

    private LoopKernel(Frontend.Result source, Flat flat, boolean polls, boolean checked, boolean shuffled) {
        this.source = source;
        this.flat = flat;
        this.polls = polls;
        this.checked = checked;
        this.shuffled = shuffled;
    }

    /**
     * Reads a kernel; its loops are made when a launch needs them.
     *
     * @param java answers about Java methods that it calls
     * @param polls whether loops in it look whether the launch is to end
     * @param checked whether races are found
     * @param shuffled whether the order of threads is drawn
     * @throws Unsupported if the kernel has something that loops do not do
     */
    public static LoopKernel of(
            Frontend.Result source, JavaMethods java, boolean polls, boolean checked, boolean shuffled) {
        return new LoopKernel(source, Flattener.of(source.program(), java), polls, checked, shuffled);
    }

    /** Returns whether threads call Java methods that may wait. */
    public boolean waitsInCalls() {
        return flat.callees().stream().anyMatch(Callee::later);
    }

    /** The bytes of a block's arrays in shared memory. */
    public long sharedBytes() {
        return flat.rooms().stream()
                .filter(room -> room.where == Room.Where.SHARED)
                .mapToLong(room -> room.count * room.element.bytes())
                .sum();
    }

    /** Returns what loops do not do in launches of a shape; null if they do all of it. */
    public @Nullable String refusal(LaunchConfig config) {
        return variant(config) == null ? unsupported : null;
    }

    private @Nullable Variant variant(LaunchConfig config) {
        boolean oneDimensional = config.blockY() == 1 && config.blockZ() == 1;
        int which = oneDimensional ? 0 : 1;
        synchronized (variants) {
            if (variants[which] == null && unsupported == null) {
                try {
                    LoopCode code = LoopCode.of(flat, new Form(oneDimensional, polls, checked, shuffled));
                    // What was cut stays so.
                    flat = code.flat();
                    variants[which] = new Variant(code, new ConcurrentLinkedQueue<>());
                } catch (Unsupported e) {
                    unsupported = String.valueOf(e.getMessage());
                }
            }
            return variants[which];
        }
    }

    /** A launch, for as many workers as like. */
    public final class Work {
        private final Variant variant;
        private final LaunchConfig config;
        private final long[] bits;
        private final MemorySegment[] memory;
        private final String[] names;
        private final long seed;
        private final @Nullable LoopRaces races;

        private Work(LaunchConfig config, long seed, String type, Object... arguments) {
            this.seed = seed;
            this.variant = Objects.requireNonNull(variant(config));
            this.config = config;
            int count = flat.arguments().size();
            bits = new long[count];
            memory = new MemorySegment[count];
            names = new String[count];
            List<Object> leaves = new ArrayList<>();
            source.parameters().forEach(parameter -> flatten(arguments[parameter.index()], leaves));
            for (int i = 0; i < count; i++) {
                memory[i] = NOWHERE;
                bits[i] = bits(leaves.get(i));
                if (leaves.get(i) instanceof Ptr pointer) {
                    memory[i] = pointer.allMemory();
                    names[i] = pointer.buffer() == null ? "global memory" : String.valueOf(pointer.buffer());
                }
            }
            races = checked ? new LoopRaces(type) : null;
            if (races != null) {
                races.memory(memory, variant.code.unit());
            }
        }

        /**
         * Returns what runs blocks in the calling thread, until it is {@linkplain #end given back}.
         *
         * @param poll is called now and then; what it throws ends the block
         * @param asked hears which thread calls a method that asks for it
         */
        public LoopBlock begin(Runnable poll, LoopThreads asked) {
            LoopState state = variant.states.poll();
            if (state == null) {
                try {
                    state = (LoopState) variant.code.constructor().invokeExact();
                } catch (Throwable e) {
                    throw new IllegalStateException("no memory for the loops of a kernel", e);
                }
            }
            state.enter(
                    variant.code,
                    bits,
                    memory,
                    names,
                    new int[] {
                        config.blockX(),
                        config.blockY(),
                        config.blockZ(),
                        config.gridX(),
                        config.gridY(),
                        config.gridZ()
                    },
                    config.sharedBytes(),
                    seed,
                    races,
                    poll,
                    asked);
            return new LoopBlock(state, variant.code, poll, asked);
        }

        /** Notes that blocks have met, each of whose threads had met by themselves. */
        public void meet(List<Long> blocks) {
            if (races != null) {
                races.meet(blocks);
            }
        }

        /** Ends the launch: nothing of it runs any more. */
        public void close() {
            if (races != null) {
                races.release();
            }
        }

        /** Gives back what {@link #begin} has given. */
        public void end(LoopBlock block) {
            block.state().leave();
            variant.states.add(block.state());
        }
    }

    /**
     * Begins a launch.
     *
     * @param seed of the order of threads
     * @param type the package of the kernel, for names of lines
     * @param arguments of all parameters of the method
     */
    public Work launch(LaunchConfig config, long seed, String type, Object... arguments) {
        return new Work(config, seed, type, arguments);
    }

    private static void flatten(Object value, List<Object> leaves) {
        if (value instanceof Record record) {
            Components components = Components.of(record);
            for (int i = 0; i < components.count(); i++) {
                flatten(components.value(record, i, () -> "argument"), leaves);
            }
        } else {
            leaves.add(value);
        }
    }

    private static long bits(Object value) {
        return switch (value) {
            case Ptr pointer -> pointer.address() - pointer.allMemory().address();
            case Float number -> Float.floatToRawIntBits(number);
            case Double number -> Double.doubleToRawLongBits(number);
            case Number number -> number.longValue();
            case Boolean truth -> truth ? 1 : 0;
            case Character character -> character;
            case Enum<?> constant -> constant.ordinal();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }
}
