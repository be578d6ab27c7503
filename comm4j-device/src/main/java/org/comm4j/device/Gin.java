// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * A way to the memory of other ranks over the network, in a kernel: NCCL's {@code ncclGin}, "GPU-initiated networking".
 * An argument by value, made by {@link NcclDevice#gin}.
 *
 * <p>Memory is named by its window and an offset in bytes; peers by their ranks in the team that this is of. What is
 * put is written there without that rank's doing, some time later; a <i>signal</i> there, a number of the peer that
 * only grows, tells it. A <i>counter</i> here tells that the source may be used again. What goes through different
 * contexts has no order.
 *
 * <p>{@code coop} is a constant; all threads of it call with the same arguments, and what they wrote before is what is
 * sent. One of them does the work. A rank, window's offset, signal or counter that there is not does nothing but to be
 * reported: {@link NcclDevice#check} throws.
 *
 * @param comm NCCL's struct; on the CPU, what takes its place
 * @param context the number of the way
 * @param rank of this GPU in the team
 * @param size of the team
 * @param stride from one rank of the team to the next, in the communicator
 * @param signals how many there are
 * @param counters how many there are
 * @param limit of waiting
 */
@KernelLibrary
public record Gin(I8Ptr comm, int context, int rank, int size, int stride, int signals, int counters, WaitLimit limit) {
    /** What a put does to a signal of the peer. */
    private static final int NOTHING = 0;

    private static final int INCREMENT = 1;
    private static final int ADD = 2;

    private static final int WITHOUT = -1;

    /** Counters have fewer bits than the numbers that tell them. */
    private static final int COUNTER_SHIFT = 8;

    // ---- put, get, signal ----

    /** Copies bytes of this rank's memory to a peer's ({@code ncclGin::put}). */
    public void put(Coop coop, int peer, GinWindow to, long toOffset, GinWindow from, long fromOffset, long bytes) {
        put(coop, peer, to, toOffset, from, fromOffset, bytes, NOTHING, 0, 0, WITHOUT);
    }

    /**
     * {@link #put}, and increments a counter of this rank when the source may be used again ({@code
     * ncclGin_CounterInc}).
     */
    public void putCounter(
            Coop coop,
            int peer,
            GinWindow to,
            long toOffset,
            GinWindow from,
            long fromOffset,
            long bytes,
            int counter) {
        put(coop, peer, to, toOffset, from, fromOffset, bytes, NOTHING, 0, 0, known(counter));
    }

    /**
     * {@link #put}, and increments a signal of the peer when it is there, and what was put to the same peer through
     * this context before ({@code ncclGin_SignalInc}). Between two resets a signal is only ever incremented, or only
     * ever added to.
     */
    public void putSignal(
            Coop coop, int peer, GinWindow to, long toOffset, GinWindow from, long fromOffset, long bytes, int signal) {
        put(coop, peer, to, toOffset, from, fromOffset, bytes, INCREMENT, signal, 1, WITHOUT);
    }

    /** {@link #putSignal}, with a number that is added ({@code ncclGin_SignalAdd}). */
    public void putSignalAdd(
            Coop coop,
            int peer,
            GinWindow to,
            long toOffset,
            GinWindow from,
            long fromOffset,
            long bytes,
            int signal,
            long value) {
        put(coop, peer, to, toOffset, from, fromOffset, bytes, ADD, signal, value, WITHOUT);
    }

    /** {@link #putSignal} and {@link #putCounter} in one. */
    public void putSignalCounter(
            Coop coop,
            int peer,
            GinWindow to,
            long toOffset,
            GinWindow from,
            long fromOffset,
            long bytes,
            int signal,
            int counter) {
        put(coop, peer, to, toOffset, from, fromOffset, bytes, INCREMENT, signal, 1, known(counter));
    }

    private void put(
            Coop coop,
            int peer,
            GinWindow to,
            long toOffset,
            GinWindow from,
            long fromOffset,
            long bytes,
            int op,
            int signal,
            long value,
            int counter) {
        coop.sync();
        if (coop.rank() == 0
                && isPeer(peer)
                && isInside(to, toOffset, bytes)
                && isInside(from, fromOffset, bytes)
                && (op == NOTHING || isSignal(signal))
                && (counter == WITHOUT || isCounter(counter))) {
            GinFunctions.put(
                    comm,
                    context,
                    size,
                    rank,
                    stride,
                    peer,
                    to.handle(),
                    toOffset,
                    from.handle(),
                    fromOffset,
                    bytes,
                    op,
                    signal,
                    value,
                    counter);
        }
        coop.sync();
    }

    /** Writes a number to a peer's memory, at a multiple of its size ({@code ncclGin::putValue}). */
    public void putValue(Coop coop, int peer, GinWindow to, long toOffset, int value) {
        putValue(coop, peer, to, toOffset, value, Integer.BYTES, NOTHING, 0, 0);
    }

    /** Writes a number to a peer's memory, at a multiple of its size ({@code ncclGin::putValue}). */
    public void putValue(Coop coop, int peer, GinWindow to, long toOffset, long value) {
        putValue(coop, peer, to, toOffset, value, Long.BYTES, NOTHING, 0, 0);
    }

    /** {@link #putValue(Coop, int, GinWindow, long, int)}, and increments a signal as {@link #putSignal} does. */
    public void putValueSignal(Coop coop, int peer, GinWindow to, long toOffset, int value, int signal) {
        putValue(coop, peer, to, toOffset, value, Integer.BYTES, INCREMENT, signal, 1);
    }

    /** {@link #putValue(Coop, int, GinWindow, long, long)}, and increments a signal as {@link #putSignal} does. */
    public void putValueSignal(Coop coop, int peer, GinWindow to, long toOffset, long value, int signal) {
        putValue(coop, peer, to, toOffset, value, Long.BYTES, INCREMENT, signal, 1);
    }

    private void putValue(
            Coop coop, int peer, GinWindow to, long toOffset, long bits, int bytes, int op, int signal, long value) {
        coop.sync();
        if (coop.rank() == 0 && isPeer(peer) && isInside(to, toOffset, bytes) && (op == NOTHING || isSignal(signal))) {
            GinFunctions.putValue(
                    comm, context, size, rank, stride, peer, to.handle(), toOffset, bits, bytes, op, signal, value);
        }
        coop.sync();
    }

    /**
     * Copies bytes of a peer's memory to this rank's; they are there after {@link #flush} ({@code ncclGin::get}; NCCL
     * 2.30.7).
     */
    public void get(Coop coop, int peer, GinWindow from, long fromOffset, GinWindow to, long toOffset, long bytes) {
        coop.sync();
        if (coop.rank() == 0 && isPeer(peer) && isInside(from, fromOffset, bytes) && isInside(to, toOffset, bytes)) {
            GinFunctions.get(
                    comm, context, size, rank, stride, peer, from.handle(), fromOffset, to.handle(), toOffset, bytes);
        }
        coop.sync();
    }

    /**
     * Increments a signal of a peer when all is there that was put to it through this context before ({@code
     * ncclGin::signal}, {@code ncclGin_SignalInc}).
     */
    public void signal(Coop coop, int peer, int signal) {
        signal(coop, peer, INCREMENT, signal, 1);
    }

    /** {@link #signal}, with a number that is added ({@code ncclGin_SignalAdd}). */
    public void signalAdd(Coop coop, int peer, int signal, long value) {
        signal(coop, peer, ADD, signal, value);
    }

    private void signal(Coop coop, int peer, int op, int signal, long value) {
        coop.sync();
        if (coop.rank() == 0 && isPeer(peer) && isSignal(signal)) {
            GinFunctions.signal(comm, context, size, rank, stride, peer, op, signal, value);
        }
        coop.sync();
    }

    /**
     * Waits until all sources of puts through this context may be used again, and what was got is there; what was put
     * need not be there yet ({@code ncclGin::flush}).
     */
    public void flush(Coop coop) {
        coop.sync();
        if (coop.rank() == 0) {
            GinFunctions.flush(comm, context);
        }
        coop.sync();
    }

    // ---- signals of this rank ----

    /** A signal of this rank; what was put before it is seen by this thread ({@code ncclGin::readSignal}). */
    public long readSignal(int signal) {
        return isSignal(signal) ? GinFunctions.readSignal(comm, context, signal) : 0;
    }

    /**
     * Waits until a signal of this rank is {@code least} or more ({@code ncclGin::waitSignal}); what was put before it
     * is seen by all threads of {@code coop}.
     *
     * @return whether it is; false when it was not in time, or there is no such signal, which {@link NcclDevice#check}
     *     then says
     */
    public boolean waitSignal(Coop coop, int signal, long least) {
        coop.sync();
        return coop.all(coop.rank() != 0 || isSignal(signal) && await(WaitLimit.SIGNAL, signal, least));
    }

    /**
     * {@link #waitSignal} until the signal is as much as its {@linkplain #shadow shadow}, or more ({@code
     * ncclGin::waitSignalMeetShadow}).
     */
    public boolean waitSignalMeetShadow(Coop coop, int signal) {
        coop.sync();
        return coop.all(coop.rank() != 0
                || isSignal(signal)
                        && await(WaitLimit.SIGNAL, signal, shadow(signal).get(0)));
    }

    /**
     * {@link #waitSignal} until the signal is more than its {@linkplain #shadow shadow}, by {@code leastDelta} or more;
     * then the shadow is what the signal is ({@code ncclGin::waitSignalFollowShadow}).
     *
     * @return by how much, to the thread of {@code coop} that comes first; to the others, and when it was not in time,
     *     0
     */
    public long waitSignalFollowShadow(Coop coop, int signal, long leastDelta) {
        coop.sync();
        long delta = 0;
        if (coop.rank() == 0 && isSignal(signal)) {
            I64Ptr shadow = shadow(signal);
            long before = shadow.get(0);
            if (await(WaitLimit.SIGNAL, signal, before + leastDelta)) {
                long now = GinFunctions.readSignal(comm, context, signal);
                shadow.set(0, now);
                delta = now - before;
            }
        }
        coop.sync();
        return delta;
    }

    /**
     * A number that goes with each signal, for the kernel's own use; most often up to where it has seen the signal
     * ({@code ncclGin::getSignalShadowPtr}).
     */
    public I64Ptr shadow(int signal) {
        return GinFunctions.shadow(comm, context, isSignal(signal) ? signal : 0);
    }

    /** Adds to the {@linkplain #shadow shadow} of a signal ({@code ncclGin::increaseSignalShadow}). */
    public void increaseShadow(int signal, long delta) {
        if (isSignal(signal)) {
            I64Ptr shadow = shadow(signal);
            shadow.set(0, shadow.get(0) + delta);
        }
    }

    /** Sets a signal of this rank and its shadow to 0, when nobody changes it ({@code ncclGin::resetSignal}). */
    public void resetSignal(int signal) {
        if (isSignal(signal)) {
            GinFunctions.resetSignal(comm, context, signal);
        }
    }

    // ---- counters of this rank ----

    /** How many puts with this counter have let go of their sources, in 56 bits ({@code ncclGin::readCounter}). */
    public long readCounter(int counter) {
        return isCounter(counter) ? GinFunctions.readCounter(comm, context, counter) : 0;
    }

    /**
     * Waits until a counter is {@code least} or more ({@code ncclGin::waitCounter}); returns what {@link #waitSignal}
     * does.
     */
    public boolean waitCounter(Coop coop, int counter, long least) {
        coop.sync();
        return coop.all(coop.rank() != 0 || isCounter(counter) && await(WaitLimit.COUNTER, counter, least));
    }

    /** Sets a counter to 0, when no put is under way that increments it ({@code ncclGin::resetCounter}). */
    public void resetCounter(int counter) {
        if (isCounter(counter)) {
            GinFunctions.resetCounter(comm, context, counter);
        }
    }

    // ---- how ----

    /** Of a signal or counter, which {@code what} says. */
    private boolean await(int what, int index, long least) {
        long start = 0;
        int polls = 0;
        // They may begin anew.
        while (what == WaitLimit.SIGNAL
                ? GinFunctions.readSignal(comm, context, index) - least < 0
                : GinFunctions.readCounter(comm, context, index) - least << COUNTER_SHIFT < 0) {
            if (++polls % WaitLimit.POLLS == 0) {
                start = limit.lookAround(start, what, index, rank);
                if (start < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A negative one is a wrong one, not none. */
    private static int known(int counter) {
        return counter < 0 ? Integer.MIN_VALUE : counter;
    }

    private boolean isPeer(int peer) {
        return is(peer >= 0 && peer < size, WaitLimit.NO_PEER, peer);
    }

    private boolean isSignal(int signal) {
        return is(signal >= 0 && signal < signals, WaitLimit.NO_SIGNAL, signal);
    }

    private boolean isCounter(int counter) {
        return is(counter >= 0 && counter < counters, WaitLimit.NO_COUNTER, counter);
    }

    private boolean isInside(GinWindow window, long offset, long bytes) {
        return is(offset >= 0 && bytes >= 0 && offset <= window.bytes() - bytes, WaitLimit.NOT_INSIDE, (int) offset);
    }

    private boolean is(boolean there, int what, int index) {
        if (!there) {
            limit.report(what, index, rank);
        }
        return there;
    }
}
