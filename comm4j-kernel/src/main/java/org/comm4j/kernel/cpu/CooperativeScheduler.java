// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.cpu.KernelThread.State;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that run together. Each of their threads is a virtual thread, and one at a time has its turn: it passes it on
 * where it waits. So everything here, and shared arrays too, is as if there was one thread only, and what happens is a
 * function of the order in which turns are given: as they come, or drawn with a seed.
 */
final class CooperativeScheduler implements Gang {
    private final Launch launch;
    private final List<BlockState> blocks;
    private final @Nullable SplittableRandom random;

    /** Those that could go on; a ring, or, with a random order, a bag. */
    private final KernelThread[] ready;

    private int first;
    private int count;
    private int alive;
    private volatile @Nullable KernelThread running;

    private final Thread owner = Thread.currentThread();
    private volatile boolean done;

    /** Set when all that wait are to end because it makes no sense to go on. */
    private boolean ending;

    private boolean stuck;
    private @Nullable Throwable failure;
    private @Nullable KernelThread failed;
    private final List<KernelThread> atGridBarrier = new ArrayList<>();
    private final Map<Long, List<KernelThread>> atClusterBarrier = new HashMap<>();
    private final Map<Place, List<Runnable>> copies = new HashMap<>();
    private int polls;

    /** What ends threads that wait. */
    static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ended() {
            super(null, null, false, false);
        }
    }

    CooperativeScheduler(Launch launch, List<BlockState> blocks) {
        this.launch = launch;
        this.blocks = blocks;
        this.random = launch.options.isShuffled()
                ? new SplittableRandom(launch.options.seed() * 31 + blocks.getFirst().number)
                : null;
        for (BlockState block : blocks) {
            block.populate(this);
            alive += block.threads.length;
        }
        ready = new KernelThread[alive];
        for (BlockState block : blocks) {
            for (KernelThread thread : block.threads) {
                enqueue(thread);
            }
        }
    }

    /** Runs all threads to their end, by turns. */
    void run() {
        pass();
        while (!done) {
            LockSupport.park(this);
        }
        if (failure != null && failed != null) {
            throw launch.failure(failed.toString(), failure);
        }
        if (stuck) {
            throw launch.stuck(blocks);
        }
    }

    // ---- turns ----

    private void enqueue(KernelThread thread) {
        thread.state = State.READY;
        ready[(first + count) % ready.length] = thread;
        count++;
    }

    private KernelThread next() {
        if (random != null) {
            int drawn = (first + random.nextInt(count)) % ready.length;
            KernelThread thread = ready[first];
            ready[first] = ready[drawn];
            ready[drawn] = thread;
        }
        KernelThread thread = ready[first];
        first = (first + 1) % ready.length;
        count--;
        return thread;
    }

    /** Gives the turn to the next; with none left, to who started it all. */
    private void pass() {
        if (count == 0 && alive > 0) {
            // Nobody can ever go on: all that wait are woken to say where, and to end.
            stuck |= !ending;
            ending = true;
            for (BlockState block : blocks) {
                for (KernelThread thread : block.threads) {
                    if (thread.state == State.WAITING) {
                        enqueue(thread);
                    }
                }
            }
        }
        while (count > 0) {
            KernelThread next = next();
            Thread carrier = next.carrier;
            if (carrier != null) {
                running = next;
                LockSupport.unpark(carrier);
                return;
            }
            if (!ending && start(next)) {
                return;
            }
            next.state = State.ENDED;
            alive--;
        }
        running = null;
        done = true;
        LockSupport.unpark(owner);
    }

    /** Lets a thread begin; false if the JVM cannot, which ends the others. */
    private boolean start(KernelThread thread) {
        running = thread;
        try {
            thread.carrier = Thread.ofVirtual().name("kernel ", thread.index).unstarted(() -> live(thread));
            thread.carrier.start();
            return true;
        } catch (Throwable e) {
            fail(thread, e);
            return false;
        }
    }

    private void live(KernelThread thread) {
        launch.begin();
        KernelThread.setCurrent(thread);
        try {
            if (!ending) {
                launch.body.run();
            }
        } catch (Ended e) {
            // Said by who ended it.
        } catch (Launch.Stopped e) {
            end();
        } catch (Throwable e) {
            fail(thread, e);
        } finally {
            thread.state = State.ENDED;
            alive--;
            if (!ending) {
                // What the others wait in may have waited for this one alone.
                for (KernelThread caller : thread.warp().lanes) {
                    completeWarp(thread.warp(), caller);
                }
            }
            KernelThread.setCurrent(null);
            pass();
        }
    }

    private void fail(KernelThread thread, Throwable e) {
        if (failure == null) {
            failure = e;
            failed = thread;
        }
        end();
    }

    private void end() {
        ending = true;
        for (BlockState block : blocks) {
            for (KernelThread other : block.threads) {
                if (other.state == State.WAITING) {
                    enqueue(other);
                }
            }
        }
    }

    /** Ends the thread if it makes no sense to go on: another one has failed, or the launch is to end. */
    private void checkEnding() {
        if (!ending) {
            launch.checkStopped();
        }
        if (ending) {
            throw new Ended();
        }
    }

    /** Waits until somebody has made the thread ready. */
    private void await(KernelThread thread, String what) {
        thread.waitsFor = what;
        thread.state = State.WAITING;
        yieldTurn(thread);
        if (ending) {
            thread.at = SourceLines.here();
        }
        checkEnding();
        thread.waitsFor = null;
    }

    private void yieldTurn(KernelThread thread) {
        if (count == 1 && ready[first] == thread) {
            first = (first + 1) % ready.length;
            count = 0;
            return;
        }
        pass();
        while (running != thread) {
            LockSupport.park(this);
        }
    }

    /** Lets others go first. */
    @Override
    public void pause(KernelThread thread) {
        if ((++polls & 0xff) == 0) {
            launch.checkTime();
            if (alive == 1 || count == 0) {
                Thread.yield();
            }
        }
        enqueue(thread);
        yieldTurn(thread);
        checkEnding();
    }

    private void release(List<KernelThread> threads) {
        for (KernelThread thread : threads) {
            enqueue(thread);
        }
        threads.clear();
    }

    // ---- barriers ----

    /** How many of the block's threads came with {@code condition}. */
    @Override
    public int syncBlock(KernelThread thread, String what, boolean condition) {
        BlockState block = thread.block;
        var waiting = block.barrier.waiting;
        thread.operand = condition ? 1 : 0;
        thread.operation = what;
        if (!waiting.isEmpty() && !what.equals(waiting.getFirst().operation)) {
            throw new IllegalStateException(what + " meets " + waiting.getFirst().operation + " of "
                    + waiting.getFirst() + ": all threads of a block come to the same barrier");
        }
        waiting.add(thread);
        if (waiting.size() == block.threads.length) {
            int sum = 0;
            for (KernelThread other : waiting) {
                sum += (int) other.operand;
            }
            for (KernelThread other : waiting) {
                other.answer = sum;
            }
            waiting.sort((a, b) -> Integer.compare(a.index, b.index));
            release(waiting);
            thread.state = State.READY;
            yieldTurn(thread);
            checkEnding();
        } else {
            await(thread, what);
        }
        return (int) thread.answer;
    }

    @Override
    public void syncNamed(KernelThread thread, int id, int threads, boolean wait) {
        BlockState block = thread.block;
        String what = "Block." + (wait ? "barrier(" : "arrive(") + id + ", " + threads + ")";
        if (id < 0 || id > 15 || threads <= 0 || threads % 32 != 0 || threads > (block.threads.length + 31) / 32 * 32) {
            throw new IllegalArgumentException(
                    what + ": a barrier is 0 to 15, for a multiple of 32 threads, of which the block has "
                            + block.threads.length);
        }
        var barrier = block.named.computeIfAbsent(id, i -> new BlockState.Barrier());
        if (barrier.arrived > 0 && barrier.expected != threads) {
            throw new IllegalStateException(
                    what + ": others came to this barrier for " + barrier.expected + " threads");
        }
        barrier.expected = threads;
        barrier.arrived++;
        if (barrier.arrived == Math.min(threads, block.threads.length)) {
            barrier.arrived = 0;
            release(barrier.waiting);
        } else if (wait) {
            barrier.waiting.add(thread);
            await(thread, what);
        }
    }

    @Override
    public void syncGrid(KernelThread thread) {
        if (!launch.config.cooperative()) {
            throw new IllegalStateException("Grid.sync() needs a cooperative launch: LaunchConfig.cooperatively()");
        }
        atGridBarrier.add(thread);
        if (atGridBarrier.size() == blocks.size()) {
            atGridBarrier.remove(thread);
            release(atGridBarrier);
        } else {
            await(thread, "Grid.sync()");
        }
    }

    @Override
    public void syncCluster(KernelThread thread) {
        var waiting = atClusterBarrier.computeIfAbsent(thread.block.cluster(), c -> new ArrayList<>());
        waiting.add(thread);
        if (waiting.size() == thread.block.threads.length * launch.config.clusterBlocks()) {
            waiting.remove(thread);
            release(waiting);
        } else {
            await(thread, "Cluster.sync()");
        }
    }

    @Override
    public MemorySegment map(KernelThread thread, MemorySegment shared, int rank) {
        if (rank < 0 || rank >= launch.config.clusterBlocks()) {
            throw new IndexOutOfBoundsException(
                    "block " + rank + " of a cluster of " + launch.config.clusterBlocks() + " blocks");
        }
        for (BlockState block : blocks) {
            if (block.cluster() == thread.block.cluster() && block.rankInCluster() == rank) {
                return block.counterpart(thread.block, shared);
            }
        }
        throw new IllegalStateException("block " + rank + " of the cluster does not run");
    }

    // ---- barriers in shared memory ----

    /** Where an mbarrier is: the array, or null, and the address. */
    private record Place(@Nullable Object array, long address) {
        static Place of(MemorySegment memory, long offset) {
            return new Place(memory.heapBase().orElse(null), memory.address() + offset);
        }
    }

    @Override
    public void arrived(KernelThread thread, MemorySegment memory, long offset) {}

    @Override
    public void copyToBarrier(MemorySegment memory, long offset, Runnable copy) {
        copies.computeIfAbsent(Place.of(memory, offset), p -> new ArrayList<>()).add(copy);
    }

    /** Whether the phase of this parity has ended; the copies that this barrier counts are made now. */
    @Override
    public boolean testBarrier(KernelThread thread, MemorySegment memory, long offset, int parity) {
        Place place = Place.of(memory, offset);
        List<Runnable> waiting = copies.remove(place);
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
        return BarrierWord.read(memory, offset).parity() != (parity & 1);
    }

    // ---- warps ----

    @Override
    public long warpOperation(
            KernelThread thread, String name, int mask, long operand, int source, int clamp, WarpState.Answer answer) {
        WarpState warp = thread.warp();
        int lane = thread.lane();
        int existing = warp.all();
        if ((mask >>> lane & 1) == 0) {
            throw new IllegalArgumentException(name + ": the mask 0x" + Integer.toHexString(mask)
                    + " does not have lane " + lane + ", which calls it");
        }
        if (mask != -1 && (mask & ~existing) != 0) {
            throw new IllegalArgumentException(name + ": the mask 0x" + Integer.toHexString(mask)
                    + " has lanes that do not exist: the warp has " + warp.lanes.length + " threads");
        }
        thread.operation = name;
        thread.mask = mask;
        thread.operand = operand;
        thread.source = source;
        thread.clamp = clamp;
        thread.answering = answer;
        for (KernelThread other : warp.lanes) {
            if (other != thread
                    && other.answering != null
                    && other.state == State.WAITING
                    && (mask >>> other.lane() & 1) != 0
                    && (other.mask >>> lane & 1) != 0
                    && (other.mask != mask || !name.equals(other.operation))) {
                throw new IllegalStateException(name + " with the mask 0x" + Integer.toHexString(mask) + " meets "
                        + other.operation + " with the mask 0x" + Integer.toHexString(other.mask) + " of " + other
                        + ": each waits for the other");
            }
        }
        thread.state = State.WAITING;
        completeWarp(warp, thread);
        if (thread.state == State.READY) {
            yieldTurn(thread);
            checkEnding();
        } else {
            await(thread, name + " with the mask 0x" + Integer.toHexString(mask));
        }
        if (thread.refused != null) {
            throw thread.refused;
        }
        return thread.answer;
    }

    /** Answers the operation that {@code caller} waits in, if it does and all of its threads have come to it. */
    private void completeWarp(WarpState warp, KernelThread caller) {
        if (caller.state != State.WAITING || caller.answering == null) {
            return;
        }
        List<KernelThread> threads = new ArrayList<>(warp.lanes.length);
        for (KernelThread other : warp.lanes) {
            if ((caller.mask >>> other.lane() & 1) != 0 && other.state != State.ENDED) {
                if (other.state != State.WAITING
                        || other.answering == null
                        || other.mask != caller.mask
                        || !other.operation.equals(caller.operation)) {
                    return;
                }
                threads.add(other);
            }
        }
        for (KernelThread thread : threads) {
            try {
                thread.answer = Objects.requireNonNull(thread.answering).of(warp, thread, threads);
            } catch (IllegalStateException e) {
                thread.refused = e;
            }
        }
        for (KernelThread thread : threads) {
            thread.answering = null;
            enqueue(thread);
        }
    }
}
