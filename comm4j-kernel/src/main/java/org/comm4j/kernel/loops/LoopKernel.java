// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.launch.Parts;
import org.jspecify.annotations.Nullable;

/** A kernel whose threads are loops in code that was made for it. */
public final class LoopKernel {
    /**
     * What makes loops different.
     *
     * @param polls whether loops look whether the launch is to end
     * @param checked whether races are found
     * @param shuffled whether the order of threads is drawn
     */
    public record Manner(boolean polls, boolean checked, boolean shuffled) {}

    private final LoopOutline outline;
    private final JavaMethods java;
    private final Supplier<Frontend.Result> source;
    private final LoopStore store;
    /** Its parts stay cut once they are; without steps as long as nothing had to be made of them. */
    private volatile Flat flat;

    private final Manner manner;
    /** For blocks with x alone, for others, and for rows; made when they are needed. */
    private final @Nullable LoopCode[] variants = new @Nullable LoopCode[3];
    /** Whether no thread waits, nor is asked for what it keeps. */
    private boolean hasRows;
    /** Whether races are looked for only if threads share memory of arguments; otherwise they are rows. */
    private final boolean isIndependent;

    private final long sharedBytes;
    /** The reason why a variant could not be made: its parts stay cut, and no other is made of them. */
    private @Nullable String unsupported;

    private static final int ROWS = 2;

    private LoopKernel(
            LoopOutline outline,
            Flat flat,
            JavaMethods java,
            Supplier<Frontend.Result> source,
            LoopStore store,
            Manner manner) {
        this.outline = outline;
        this.flat = flat;
        this.java = java;
        this.source = source;
        this.store = store;
        this.manner = manner;
        this.sharedBytes = flat.rooms().stream()
                .filter(room -> room.where == Room.Where.SHARED)
                .mapToLong(room -> room.count * room.element.bytes())
                .sum();
        this.hasRows = flat.stops().isEmpty() && flat.callees().stream().noneMatch(Callee::keeps);
        this.isIndependent = manner.checked
                && flat.callees().stream().noneMatch(Callee::changesMemory)
                && flat.rooms().stream()
                        .noneMatch(room -> room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC);
    }

    /**
     * Reads a kernel; its loops are made when a launch needs them.
     *
     * @param java answers about Java methods that it calls
     * @param store where loops are kept
     * @throws Unsupported if the kernel has something that loops do not do
     */
    public static LoopKernel of(Frontend.Result source, JavaMethods java, LoopStore store, Manner manner) {
        Flat flat = Flattener.of(source.program(), java);
        return new LoopKernel(LoopOutline.of(flat, source), flat, java, () -> source, store, manner);
    }

    /**
     * Returns a kernel that another process has read; null if the outline is none.
     *
     * @param outline as {@link #outline} has returned it
     * @param source reads it again, for loops that are not in the store
     */
    public static @Nullable LoopKernel again(
            byte[] outline, JavaMethods java, Supplier<Frontend.Result> source, LoopStore store, Manner manner) {
        try {
            LoopOutline known = LoopReader.outline(outline, java);
            return new LoopKernel(known, known.flat(), java, source, store, manner);
        } catch (IOException | IndexOutOfBoundsException | Unsupported damaged) {
            return null;
        }
    }

    /** Returns what another process needs for {@link #again}. */
    public byte[] outline() {
        return LoopWriter.write(outline);
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

    private @Nullable LoopCode variant(LaunchConfig config) {
        boolean oneDimensional = config.blockY() == 1 && config.blockZ() == 1;
        int which = oneDimensional ? 0 : 1;
        synchronized (variants) {
            LoopCode rows = manner.checked || manner.shuffled ? null : ofRows(config);
            if (rows != null) {
                return rows;
            }
            if (variants[which] == null && unsupported == null) {
                try {
                    LoopCode code =
                            code(new Form(oneDimensional, manner.polls, manner.checked, manner.shuffled, false));
                    // What was cut stays so.
                    flat = code.flat();
                    variants[which] = code;
                } catch (Unsupported e) {
                    unsupported = String.valueOf(e.getMessage());
                }
            }
            return variants[which];
        }
    }

    /** Returns what runs rows of threads; null if they wait, or are too long for that. */
    private @Nullable LoopCode ofRows(LaunchConfig config) {
        synchronized (variants) {
            if (!hasRows || !flat.stops().isEmpty() || config.clusterBlocks() > 1 || config.cooperative()) {
                return null;
            }
            if (variants[ROWS] == null) {
                try {
                    variants[ROWS] = code(new Form(true, manner.polls, false, false, true));
                } catch (Unsupported e) {
                    // Threads of what is too long wait where it is cut.
                    hasRows = false;
                }
            }
            return variants[ROWS];
        }
    }

    /**
     * Returns loops from the store, or makes them.
     *
     * @throws Unsupported if there are none of this form
     */
    private LoopCode code(Form form) {
        String name = form.rows() ? "rows" : form.oneDimensional() ? "one" : "three";
        LoopCode known = kept(name);
        if (known == null) {
            try (LoopStore.Turn _ = store.turn(name)) {
                known = kept(name);
                if (known == null) {
                    known = make(name, form);
                }
            }
        }
        return known;
    }

    /** @throws Unsupported if it was found out that there are none of this form */
    private @Nullable LoopCode kept(String name) {
        byte[] kept = store.get(name);
        try {
            return kept == null ? null : LoopReader.code(kept, java);
        } catch (IOException | IndexOutOfBoundsException | LinkageError damaged) {
            return null;
        }
    }

    /** @throws Unsupported if there are none of this form */
    private LoopCode make(String name, Form form) {
        if (!flat.hasSteps()) {
            flat = Flattener.of(source.get().program(), java);
        }
        try {
            LoopCode made = LoopCode.of(flat, form);
            store.put(name, LoopWriter.write(made, null));
            return made;
        } catch (Unsupported e) {
            store.put(name, LoopWriter.write(null, e.getMessage()));
            throw e;
        }
    }

    /**
     * Returns what runs launches, one after the other.
     *
     * @param seed of the order of threads
     * @param type the package of the kernel, for names of lines
     * @param poll is called now and then; what it throws ends a block
     */
    public Work work(long seed, String type, Runnable poll) {
        return new Work(seed, type, poll);
    }

    /** Launches, one after the other, each for as many workers as like. */
    public final class Work {
        private final Parts parts;
        private final long seed;
        private final String type;
        private final Runnable poll;
        private @Nullable LaunchConfig config;
        private @Nullable LoopCode code;
        private @Nullable LoopRaces races;

        private Work(long seed, String type, Runnable poll) {
            this.seed = seed;
            this.type = type;
            this.poll = poll;
            this.parts = new Parts(
                    flat.arguments().size(),
                    outline.parameters().stream().mapToInt(Integer::intValue).toArray());
        }

        /** Returns what launches put their arguments into. */
        public Parts parts() {
            return parts;
        }

        /**
         * Begins a launch, of which there are the arguments.
         *
         * @param shape the same object as long as it is the same
         * @return whether what has run blocks of the launch before runs those of this one, too
         */
        @SuppressWarnings("ReferenceEquality") // the caller has compared
        public boolean begin(LaunchConfig shape) {
            boolean isSame = shape == config;
            if (isSame && !manner.checked) {
                return true;
            }
            LoopRaces found = manner.checked ? new LoopRaces(type) : null;
            boolean isShared =
                    found == null || found.memory(parts.memory(), outline.unit(), some -> isShared(shape, some));
            LoopCode rows = isIndependent && !isShared ? ofRows(shape) : null;
            LoopCode chosen = rows == null ? Objects.requireNonNull(variant(shape)) : rows;
            isSame &= chosen == code;
            config = shape;
            code = chosen;
            races = rows == null ? found : null;
            return isSame;
        }

        private boolean isShared(LaunchConfig shape, List<Integer> some) {
            BitSet rooms = new BitSet();
            for (int number : some) {
                rooms.set(Objects.requireNonNull(flat.arguments().get(number).room()).number);
            }
            return !outline.sharing().isNone(rooms, shape);
        }

        /** Returns whether no thread waits, so that {@link #rows} runs blocks. */
        public boolean isOfRows() {
            return code().form().rows();
        }

        /**
         * Returns what runs blocks on one processor.
         *
         * @param asked hears which thread calls a method that asks for it
         * @param before what this has returned for launches of another shape; null if nothing
         */
        public LoopBlock block(LoopThreads asked, @Nullable LoopBlock before) {
            return new LoopBlock(state(asked, before == null ? null : before.state()), code(), poll, asked);
        }

        /**
         * Returns what runs the rows of blocks on one processor.
         *
         * @param asked hears which thread calls a method that asks for it
         * @param before what this has returned for launches of another shape; null if nothing
         */
        @SuppressWarnings("ReferenceEquality") // states are themselves
        public LoopRows rows(LoopThreads asked, @Nullable LoopRows before) {
            LoopState state = state(asked, before == null ? null : before.state());
            return before != null && before.state() == state ? before : new LoopRows(state, code(), poll);
        }

        private LoopCode code() {
            return Objects.requireNonNull(code);
        }

        private LoopState state(LoopThreads asked, @Nullable LoopState before) {
            LoopState state = before != null && before.isOf(code()) ? before : code().newState();
            state.shape(code(), parts.bits(), Objects.requireNonNull(config), seed, poll, asked);
            return state;
        }

        /** Gives a block the memory of the launch. */
        public void enter(LoopBlock block) {
            block.state().enter(parts, races);
        }

        /** Gives rows the memory of the launch, in the thread that runs them. */
        public void enter(LoopRows rows) {
            rows.state().enter(parts, races);
            rows.begin();
        }

        /** Takes the memory of the launch from a block. */
        public void leave(LoopBlock block) {
            block.state().leave();
        }

        /** Takes the memory of the launch from rows. */
        public void leave(LoopRows rows) {
            rows.end();
            rows.state().leave();
        }

        /** Notes that blocks have met, each of whose threads had met by themselves. */
        public void meet(List<Long> blocks) {
            if (races != null) {
                races.meet(blocks);
            }
        }

        /** Ends the launch: nothing of it runs any more. */
        public void end() {
            parts.clear();
            if (races != null) {
                races.release();
            }
        }
    }
}
