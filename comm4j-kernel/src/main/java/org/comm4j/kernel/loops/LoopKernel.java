// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
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
    /** For blocks with x alone, for others, and for rows; made when they are needed. */
    private final @Nullable Variant[] variants = new @Nullable Variant[3];
    /** Whether no thread waits, nor is asked for what it keeps. */
    private boolean hasRows;
    /** Whether races are looked for only if threads share memory of arguments; otherwise they are rows. */
    private final boolean isIndependent;

    private final Sharing sharing;

    private final long sharedBytes;
    /** The reason why a variant could not be made: its parts stay cut, and no other is made of them. */
    private @Nullable String unsupported;

    private static final int ROWS = 2;

    /**
     * Code, and what runs it.
     *
     * @param spare what has run it last, so that one launch after the other makes nothing
     */
    private record Variant(
            LoopCode code, AtomicReference<@Nullable LoopState> spare, ConcurrentLinkedQueue<LoopState> states) {
        Variant(LoopCode code) {
            this(code, new AtomicReference<>(), new ConcurrentLinkedQueue<>());
        }

        @Nullable
        LoopState take() {
            LoopState state = spare.getAndSet(null);
            return state == null ? states.poll() : state;
        }

        void give(LoopState state) {
            if (!spare.compareAndSet(null, state)) {
                states.add(state);
            }
        }
    }

    private LoopKernel(Frontend.Result source, Flat flat, boolean polls, boolean checked, boolean shuffled) {
        this.source = source;
        this.flat = flat;
        this.polls = polls;
        this.checked = checked;
        this.shuffled = shuffled;
        this.sharedBytes = flat.rooms().stream()
                .filter(room -> room.where == Room.Where.SHARED)
                .mapToLong(room -> room.count * room.element.bytes())
                .sum();
        this.hasRows = flat.stops().isEmpty() && flat.callees().stream().noneMatch(Callee::keeps);
        this.isIndependent = checked
                && flat.callees().stream().noneMatch(Callee::changesMemory)
                && flat.rooms().stream()
                        .noneMatch(room -> room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC);
        this.sharing = new Sharing(flat);
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
        return sharedBytes;
    }

    /** Returns what loops do not do in launches of a shape; null if they do all of it. */
    public @Nullable String refusal(LaunchConfig config) {
        return variant(config) == null ? unsupported : null;
    }

    private @Nullable Variant variant(LaunchConfig config) {
        boolean oneDimensional = config.blockY() == 1 && config.blockZ() == 1;
        int which = oneDimensional ? 0 : 1;
        synchronized (variants) {
            Variant rows = checked || shuffled ? null : ofRows(config);
            if (rows != null) {
                return rows;
            }
            if (variants[which] == null && unsupported == null) {
                try {
                    LoopCode code = LoopCode.of(flat, new Form(oneDimensional, polls, checked, shuffled, false));
                    // What was cut stays so.
                    flat = code.flat();
                    variants[which] = new Variant(code);
                } catch (Unsupported e) {
                    unsupported = String.valueOf(e.getMessage());
                }
            }
            return variants[which];
        }
    }

    /** Returns what runs rows of threads; null if they wait, or are too long for that. */
    private @Nullable Variant ofRows(LaunchConfig config) {
        synchronized (variants) {
            if (!hasRows || !flat.stops().isEmpty() || config.clusterBlocks() > 1 || config.cooperative()) {
                return null;
            }
            if (variants[ROWS] == null) {
                try {
                    LoopCode code = LoopCode.of(flat, new Form(true, polls, false, false, true));
                    variants[ROWS] = new Variant(code);
                } catch (Unsupported e) {
                    // Threads of what is too long wait where it is cut.
                    hasRows = false;
                }
            }
            return variants[ROWS];
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
            this.config = config;
            int count = flat.arguments().size();
            bits = new long[count];
            memory = new MemorySegment[count];
            names = new String[checked ? count : 0];
            int next = 0;
            for (var parameter : source.parameters()) {
                next = put(arguments[parameter.index()], next);
            }
            LoopRaces found = checked ? new LoopRaces(type) : null;
            boolean isShared = found == null || found.memory(memory, LoopCode.unit(flat), some -> isShared(some));
            Variant rows = isIndependent && !isShared ? ofRows(config) : null;
            variant = rows == null ? Objects.requireNonNull(variant(config)) : rows;
            races = rows == null ? found : null;
        }

        private boolean isShared(List<Integer> some) {
            List<Room> rooms = new ArrayList<>();
            for (int number : some) {
                rooms.add(Objects.requireNonNull(flat.arguments().get(number).room()));
            }
            return !sharing.isNone(rooms, config);
        }

        /** Puts the scalar parts of an argument from a number on; returns the next number. */
        private int put(Object value, int from) {
            if (value instanceof Record record) {
                Components components = Components.of(record);
                int next = from;
                for (int i = 0; i < components.count(); i++) {
                    next = put(components.value(record, i, () -> "argument"), next);
                }
                return next;
            }
            memory[from] = NOWHERE;
            bits[from] = bits(value);
            if (value instanceof Ptr pointer) {
                memory[from] = pointer.allMemory();
                if (checked) {
                    names[from] = pointer.buffer() == null ? "global memory" : String.valueOf(pointer.buffer());
                }
            }
            return from + 1;
        }

        /**
         * Returns what runs blocks in the calling thread, until it is {@linkplain #end given back}.
         *
         * @param poll is called now and then; what it throws ends the block
         * @param asked hears which thread calls a method that asks for it
         */
        public LoopBlock begin(Runnable poll, LoopThreads asked) {
            return new LoopBlock(state(poll, asked), variant.code, poll, asked);
        }

        /** Returns whether no thread waits, so that {@link #rows} runs blocks. */
        public boolean isOfRows() {
            return variant.code.form().rows();
        }

        /**
         * Returns what runs the rows of blocks in the calling thread, until it is {@linkplain #end given back}.
         *
         * @param poll is called now and then; what it throws ends the block
         * @param asked hears which thread calls a method that asks for it
         */
        public LoopRows rows(Runnable poll, LoopThreads asked) {
            LoopState state = state(poll, asked);
            LoopRows rows = state.rows;
            if (rows == null) {
                rows = new LoopRows(state, variant.code);
                state.rows = rows;
            }
            rows.begin(poll);
            return rows;
        }

        private LoopState state(Runnable poll, LoopThreads asked) {
            LoopState state = variant.take();
            if (state == null) {
                try {
                    state = (LoopState) variant.code.constructor().invokeExact();
                } catch (Throwable e) {
                    throw new IllegalStateException("no memory for the loops of a kernel", e);
                }
            }
            state.enter(variant.code, bits, memory, names, config, seed, races, poll, asked);
            return state;
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
            end(block.state());
        }

        /** Gives back what {@link #rows} has given. */
        public void end(LoopRows rows) {
            rows.end();
            end(rows.state());
        }

        private void end(LoopState state) {
            state.leave();
            variant.give(state);
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
