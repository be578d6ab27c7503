// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/** A thread of a kernel on the CPU, as the vocabulary sees it. */
public final class KernelThread {
    /** Where the value of a shuffle comes from. */
    public enum Shuffle {
        INDEX("shuffle"),
        UP("shuffleUp"),
        DOWN("shuffleDown"),
        XOR("shuffleXor");

        final String operation;

        Shuffle(String method) {
            this.operation = "Warp." + method;
        }
    }

    /** What a thread is doing. */
    enum State {
        READY,
        WAITING,
        ENDED
    }

    private static final ThreadLocal<@Nullable KernelThread> CURRENT = new ThreadLocal<>();

    public int threadX;
    public int threadY;
    public int threadZ;
    public int blockX;
    public int blockY;
    public int blockZ;
    public final int blockDimX;
    public final int blockDimY;
    public final int blockDimZ;
    public final int gridDimX;
    public final int gridDimY;
    public final int gridDimZ;

    /** The block that this thread belongs to; it changes where threads are a loop. */
    BlockState block;

    /** Number of the thread in its block, x first. */
    int index;

    /** What gives the thread its turn; null where threads are a loop. */
    final @Nullable Gang gang;

    State state = State.READY;

    /** What it waits for, in words. */
    @Nullable
    String waitsFor;

    /** Of a warp's operation that it waits in. */
    String operation = "";

    /** How that operation is answered, until it is. */
    WarpState.@Nullable Answer answering;

    /** What the operation ended with instead of an answer. */
    @Nullable
    RuntimeException refused;

    /** For the lanes of the warp, and from them. */
    @Nullable
    Object brought;

    @Nullable
    Object[] gathered = {};

    private final CopyGroups copies;
    private final CopyGroups bulkCopies;

    int mask;
    long operand;
    int source;
    int clamp;
    long answer;

    /** Where it waited when its gang was ended, or failed. */
    @Nullable
    StackTraceElement at;

    @Nullable
    Thread carrier;

    KernelThread(BlockState block, int index, @Nullable Gang gang) {
        this(block, index, gang, gang != null);
    }

    /** @param later whether copies happen when they are waited for, or at once */
    KernelThread(BlockState block, int index, @Nullable Gang gang, boolean later) {
        this.block = block;
        this.gang = gang;
        this.copies = new CopyGroups(later);
        this.bulkCopies = new CopyGroups(later);
        var config = block.launch.config;
        blockDimX = config.blockX();
        blockDimY = config.blockY();
        blockDimZ = config.blockZ();
        gridDimX = config.gridX();
        gridDimY = config.gridY();
        gridDimZ = config.gridZ();
        enter(block, index);
    }

    /** Becomes another one; where threads are a loop. */
    void enter(BlockState block, int index) {
        this.block = block;
        blockX = block.x;
        blockY = block.y;
        blockZ = block.z;
        this.index = index;
        threadX = index % blockDimX;
        threadY = index / blockDimX % blockDimY;
        threadZ = index / blockDimX / blockDimY;
    }

    /**
     * The thread that is calling.
     *
     * @throws IllegalStateException if it runs no kernel
     */
    public static KernelThread current() {
        KernelThread thread = CURRENT.get();
        if (thread == null) {
            throw new IllegalStateException("this can only be called inside a kernel: launch the method with"
                    + " KernelCompiler.cpu() or on a GPU");
        }
        return thread;
    }

    static void setCurrent(@Nullable KernelThread thread) {
        if (thread == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(thread);
        }
    }

    /** Where a loop that waits for another thread comes by: lets others run. Nothing outside of kernels. */
    public static void pause() {
        KernelThread thread = CURRENT.get();
        if (thread != null) {
            if (thread.gang != null) {
                thread.gang.pause(thread);
            } else {
                Thread.onSpinWait();
                thread.block.launch.checkTime();
            }
        }
    }

    public static void fence() {
        VarHandle.fullFence();
        KernelThread thread = CURRENT.get();
        if (thread != null && thread.block.loop != null) {
            thread.block.loop.fence(thread.index);
        }
    }

    public int lane() {
        return index % 32;
    }

    WarpState warp() {
        return block.warps[index / 32];
    }

    private Gang gang(String what) {
        return Objects.requireNonNull(gang, () -> what + " in a kernel whose threads are a loop");
    }

    // ---- barriers ----

    public void syncBlock() {
        gang("Block.sync").syncBlock(this, "Block.sync()", false);
    }

    public int syncBlockCount(boolean condition) {
        return gang("Block.syncCount").syncBlock(this, "Block.syncCount(boolean)", condition);
    }

    public void syncNamed(int id, int threads, boolean wait) {
        gang("Block.barrier").syncNamed(this, id, threads, wait);
    }

    public void syncGrid() {
        gang("Grid.sync").syncGrid(this);
    }

    public void syncCluster() {
        gang("Cluster.sync").syncCluster(this);
    }

    public void syncWarp(int mask) {
        warpOperation("Warp.sync", mask, 0, 0, 0, WarpState.Answer.NONE);
    }

    // ---- what one thread does for all ----

    /** As {@link org.comm4j.kernel.CpuContext#begin} has it. */
    public boolean begin(boolean ofBlock) {
        int first = ofBlock ? 0 : index - lane();
        int behind = ofBlock ? block.threads.length : Math.min(first + 32, block.threads.length);
        if (index == first && gang("CpuContext.begin").leads(this, behind)) {
            return true;
        }
        meet(ofBlock);
        return index == first;
    }

    /** As {@link org.comm4j.kernel.CpuContext#end} has it. */
    public void end(boolean ofBlock) {
        if (!gang("CpuContext.end").isLeading(this)) {
            meet(ofBlock);
        }
    }

    private void meet(boolean ofBlock) {
        if (ofBlock) {
            syncBlock();
        } else {
            syncWarp(-1);
        }
    }

    // ---- warps ----

    private long warpOperation(String name, int mask, long operand, int source, int clamp, WarpState.Answer answer) {
        return gang(name).warpOperation(this, name, mask, operand, source, clamp, answer);
    }

    public int shuffle(Shuffle kind, int value, int source, int clamp, int mask) {
        return (int) warpOperation(kind.operation, mask, value, source, clamp, (warp, thread, threads) -> {
            int lane = thread.lane();
            int group = thread.clamp >>> 8 & 31;
            int limit = lane & group | thread.clamp & 31 & ~group;
            int by = thread.source & 31;
            int from = switch (kind) {
                case INDEX -> lane & group | by & ~group;
                case UP -> lane - by;
                case DOWN -> lane + by;
                case XOR -> lane ^ by;
            };
            boolean inside = kind == Shuffle.UP ? from >= limit : from <= limit;
            return warp.operandOf(thread, inside ? from : lane, threads);
        });
    }

    public int ballot(boolean condition, int mask) {
        return (int) warpOperation("Warp.ballot", mask, condition ? 1 : 0, 0, 0, (warp, thread, threads) -> {
            int bits = 0;
            for (KernelThread other : threads) {
                bits |= (int) other.operand << other.lane();
            }
            return bits;
        });
    }

    public int matchAny(long value, int mask) {
        return (int) warpOperation("Warp.matchAny", mask, value, 0, 0, (warp, thread, threads) -> {
            int bits = 0;
            for (KernelThread other : threads) {
                bits |= other.operand == thread.operand ? 1 << other.lane() : 0;
            }
            return bits;
        });
    }

    public int matchAll(long value, int mask) {
        return (int) warpOperation("Warp.matchAll", mask, value, 0, 0, (warp, thread, threads) -> {
            int bits = 0;
            for (KernelThread other : threads) {
                if (other.operand != thread.operand) {
                    return 0;
                }
                bits |= 1 << other.lane();
            }
            return bits;
        });
    }

    public int reduce(String name, int value, int mask, IntBinaryOperator operator) {
        return (int) warpOperation("Warp." + name, mask, value, 0, 0, (warp, thread, threads) -> {
            int result = (int) threads.getFirst().operand;
            for (KernelThread other : threads.subList(1, threads.size())) {
                result = operator.applyAsInt(result, (int) other.operand);
            }
            return result;
        });
    }

    /** What each lane of the warp has brought; null for lanes that do not exist. */
    public @Nullable Object[] gather(String name, Object mine) {
        brought = mine;
        warpOperation(name, -1, 0, 0, 0, (warp, thread, threads) -> {
            if (thread == threads.getFirst()) {
                @Nullable Object[] all = new @Nullable Object[32];
                for (KernelThread other : threads) {
                    all[other.lane()] = other.brought;
                    other.gathered = all;
                }
            }
            return 0;
        });
        return gathered;
    }

    // ---- asynchronous copies ----

    /** Of this thread's copies to shared memory. */
    public CopyGroups copies() {
        return copies;
    }

    /** Of this thread's bulk copies from shared memory. */
    public CopyGroups bulkCopies() {
        return bulkCopies;
    }

    public static void initBarrier(MemorySegment memory, long offset, int count) {
        if (count < 1 || count > BarrierWord.MOST) {
            throw new IllegalArgumentException("an mbarrier for " + count + " arrivals: 1 to " + BarrierWord.MOST);
        }
        new BarrierWord(count, count, 0, 0).write(memory, offset);
    }

    public static void invalidateBarrier(MemorySegment memory, long offset) {
        BarrierWord.read(memory, offset);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, 0);
    }

    /** Announces bytes. */
    public static void expect(MemorySegment memory, long offset, int bytes) {
        BarrierWord.read(memory, offset).expect(bytes).write(memory, offset);
    }

    /** Announces bytes, and arrives. */
    public void arrive(MemorySegment memory, long offset, int bytes) {
        BarrierWord.read(memory, offset).expect(bytes).arrive().write(memory, offset);
        if (gang != null) {
            gang.arrived(this, memory, offset);
        } else if (block.loop != null) {
            block.loop.arrived(memory, offset, index);
        }
    }

    /**
     * This thread, or the copy engine in the name of those who wait for it, has written shared memory that it copied
     * to.
     */
    public void copied(MemorySegment memory, long offset, long bytes, boolean byEngine) {
        if (block.loop != null) {
            block.loop.copied(memory, offset, bytes, index, byEngine);
        }
    }

    /** Starts a copy whose bytes an mbarrier counts. */
    public void copyToBarrier(MemorySegment memory, long offset, int bytes, Runnable copy) {
        BarrierWord.read(memory, offset);
        Runnable complete = () -> {
            copy.run();
            BarrierWord.read(memory, offset).expect(-bytes).next().write(memory, offset);
        };
        if (gang == null) {
            complete.run();
        } else {
            gang.copyToBarrier(memory, offset, complete);
        }
    }

    /** Whether the phase of this parity has ended. */
    public boolean testBarrier(MemorySegment memory, long offset, int parity) {
        pause();
        if (gang == null && block.loop != null) {
            boolean ended = BarrierWord.read(memory, offset).parity() != (parity & 1);
            if (ended) {
                block.loop.passed(memory, offset, index);
            }
            return ended;
        }
        return gang("Mbarrier.test").testBarrier(this, memory, offset, parity);
    }

    // ---- memory ----

    /** The array of the place in the kernel that calls {@code Shared}. */
    public <A> A shared(Class<A> type, int length) {
        return block.shared(type, length, SourceLines.callerOfShared());
    }

    public MemorySegment dynamicShared() {
        return block.dynamic;
    }

    public int clusterRank() {
        return block.rankInCluster();
    }

    public int clusterSize() {
        return block.launch.config.clusterBlocks();
    }

    public MemorySegment map(MemorySegment shared, int rank) {
        return gang("Cluster.map").map(this, shared, rank);
    }

    // ---- the rest ----

    /** What the launch found in {@link org.comm4j.kernel.CpuContext}. */
    public @Nullable Object context() {
        return block.launch.context;
    }

    public void print(String text) {
        block.launch.print(text);
    }

    @SuppressWarnings("DoNotCallSuggester") // kernels may
    public void trap() {
        throw new KernelTrap();
    }

    /** {@code (3, 0, 0)}. */
    String place() {
        return "(" + threadX + ", " + threadY + ", " + threadZ + ")";
    }

    @Override
    public String toString() {
        return "thread " + place() + " of block " + block;
    }
}
