// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.loops.LoopBlock;
import org.comm4j.kernel.loops.LoopBlock.Progress;
import org.comm4j.kernel.loops.LoopFault;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopRaces;
import org.comm4j.kernel.loops.LoopStuck;

/** Blocks that run at the same time on one processor, by turns: each goes on to where it waits for others. */
final class LoopGroup {
    private static final int SPINS = 256;

    /** What runs a block, and its threads for who asks. */
    record Running(LoopBlock loops, CallingThreads threads) {}

    private final Launch launch;
    private final LoopKernel.Work work;
    private final String type;
    private final List<Running> blocks = new ArrayList<>();
    /** The number of a block that runs alone. */
    private final long[] alone = new long[1];

    private long[] numbers = {};
    private Progress[] progress = {};

    LoopGroup(Launch launch, LoopKernel.Work work, String type) {
        this.launch = launch;
        this.work = work;
        this.type = type;
    }

    /** Gets ready for launches of another shape. */
    void shape() {
        for (int i = 0; i < blocks.size(); i++) {
            CallingThreads threads = new CallingThreads(launch);
            blocks.set(i, new Running(work.block(threads, blocks.get(i).loops), threads));
        }
    }

    /** Gets ready for a launch. */
    void enter() {
        for (int i = 0; i < blocks.size(); i++) {
            work.enter(blocks.get(i).loops);
        }
    }

    /** Ends a launch. */
    void leave() {
        for (int i = 0; i < blocks.size(); i++) {
            blocks.get(i).threads.close();
            work.leave(blocks.get(i).loops);
        }
    }

    private void begin(long... some) {
        numbers = some;
        if (progress.length != some.length) {
            progress = new Progress[some.length];
        }
        while (blocks.size() < numbers.length) {
            CallingThreads threads = new CallingThreads(launch);
            Running added = new Running(work.block(threads, null), threads);
            work.enter(added.loops);
            blocks.add(added);
        }
        LaunchConfig c = launch.config;
        for (int i = 0; i < numbers.length; i++) {
            Running block = blocks.get(i);
            int x = (int) (numbers[i] % c.gridX());
            int y = (int) (numbers[i] / c.gridX() % c.gridY());
            block.loops.begin(numbers[i], x, y, (int) (numbers[i] / c.gridX() / c.gridY()));
            block.threads.begin(numbers[i], block.loops);
        }
        if (c.clusterBlocks() > 1) {
            joinClusters();
        }
        Arrays.fill(progress, Progress.PAUSED);
    }

    private void joinClusters() {
        Map<Long, LoopBlock[]> clusters = new HashMap<>();
        for (int i = 0; i < numbers.length; i++) {
            BlockState state = new BlockState(launch, numbers[i]);
            clusters.computeIfAbsent(state.cluster(), _ -> new LoopBlock[launch.config.clusterBlocks()])[
                            state.rankInCluster()] =
                    blocks.get(i).loops;
        }
        clusters.values().forEach(cluster -> LoopBlock.join(List.of(cluster)));
    }

    /** Runs a block to its end. */
    void runAlone(long number) {
        alone[0] = number;
        run(alone);
    }

    /** Runs blocks to their end, by their numbers in the grid. */
    void run(long... some) {
        begin(some);
        int alive = numbers.length;
        for (int turn = 1; alive > 0; turn++) {
            boolean moves = false;
            boolean pauses = true;
            for (int i = 0; i < numbers.length && !launch.isStopping(); i++) {
                if (progress[i] == Progress.ENDED) {
                    continue;
                }
                progress[i] = go(i);
                moves |= progress[i] != Progress.BLOCKED;
                pauses &= progress[i] != Progress.ENDED;
                alive -= progress[i] == Progress.ENDED ? 1 : 0;
            }
            launch.checkStopped();
            moves |= alive > 0 && release();
            if (!moves && alive > 0) {
                stuck();
                return;
            }
            if (pauses && turn % SPINS == 0) {
                Thread.yield();
            }
        }
    }

    private Progress go(int i) {
        LoopBlock block = blocks.get(i).loops;
        try {
            return block.run();
        } catch (LoopFault fault) {
            launch.fail(failure(launch, type, fault, numbers[i]));
        } catch (LoopStuck stuck) {
            launch.fail(launch.stuck(List.of(told(stuck.threads(), i))));
        }
        return Progress.ENDED;
    }

    /** Lets blocks go on that have come together. */
    private boolean release() {
        boolean released = false;
        long threads = launch.config.threadsPerBlock();
        Map<Long, List<Integer>> clusters = new HashMap<>();
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            if (progress[i] == Progress.BLOCKED) {
                if (blocks.get(i).loops.waiting(true) == threads) {
                    clusters.computeIfAbsent(BlockState.cluster(launch.config, numbers[i]), _ -> new ArrayList<>())
                            .add(i);
                } else if (blocks.get(i).loops.waiting(false) > 0) {
                    checkCooperative(i);
                    all.add(i);
                }
            }
        }
        for (List<Integer> cluster : clusters.values()) {
            if (cluster.size() == launch.config.clusterBlocks()) {
                release(cluster, true);
                released = true;
            }
        }
        if (all.size() == numbers.length) {
            release(all, false);
            released = true;
        }
        return released;
    }

    private void checkCooperative(int i) {
        if (!launch.config.cooperative()) {
            RuntimeException why =
                    new IllegalStateException("Grid.sync() needs a cooperative launch: LaunchConfig.cooperatively()");
            launch.fail(failure(launch, type, blocks.get(i).loops.refused(why, false), numbers[i]));
            launch.checkStopped();
        }
    }

    private void release(List<Integer> some, boolean ofCluster) {
        work.meet(some.stream().map(i -> numbers[i]).toList());
        some.forEach(i -> {
            blocks.get(i).loops.release(ofCluster);
            progress[i] = Progress.PAUSED;
        });
    }

    /**
     * Says what a thread of a block has thrown.
     *
     * @throws Launch.Stopped if that is what it was
     */
    static KernelException failure(Launch launch, String type, LoopFault fault, long block) {
        if (fault.cause() instanceof Launch.Stopped stopped) {
            throw stopped;
        }
        KernelThread thread = new KernelThread(new BlockState(launch, block), fault.thread(), null);
        KernelFault told = new KernelFault(fault.cause());
        List<Position> lines = new ArrayList<>(List.of(fault.at()));
        lines.addAll(fault.calls());
        for (Position line : lines) {
            StackTraceElement at = LoopRaces.element(type, line);
            told.add(at.getClassName(), at.getMethodName(), at.getLineNumber());
        }
        return launch.failure(thread.toString(), told);
    }

    private void stuck() {
        List<BlockState> all = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            all.add(told(blocks.get(i).loops.waiting(), i));
        }
        launch.fail(launch.stuck(all));
    }

    private BlockState told(List<LoopStuck.Waiting> threads, int i) {
        BlockState block = new BlockState(launch, numbers[i]);
        block.populate(null);
        for (int k = 0; k < block.threads.length; k++) {
            LoopStuck.Waiting waiting = threads.get(k);
            block.threads[k].waitsFor = waiting.what();
            Position at = waiting.at();
            block.threads[k].at = at == null ? null : LoopRaces.element(type, at);
        }
        return block;
    }
}
