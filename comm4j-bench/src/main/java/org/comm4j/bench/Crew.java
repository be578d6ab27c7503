// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.host.Host;
import org.comm4j.host.HostCommunicator;
import org.jspecify.annotations.Nullable;

/**
 * How the threads of all processes of a measurement meet, without using what is measured: in shared memory where all
 * run on one machine, so that they go on within microseconds of each other, else through the world's rendezvous.
 */
final class Crew implements AutoCloseable {
    private static final String KEY = "bench.crew";

    private final World world;
    private final int threads;
    private final @Nullable HostCommunicator processes;
    private final HostArray word = HostArray.allocate(DataType.FLOAT64, 1);

    // The last thread that comes does what there is to do for all, and lets them go with the next round.
    private final double[] values;
    private final AtomicInteger arrived = new AtomicInteger();
    private double result;
    private volatile int round;
    private volatile @Nullable Throwable failure;

    /** Collective over the processes of {@code world}, each with as many threads. */
    Crew(World world, int threads) {
        this.world = world;
        this.threads = threads;
        this.values = new double[threads];
        this.processes = world.size() > 1 && world.localSize() == world.size() ? Host.communicator(world) : null;
    }

    int threads() {
        return threads;
    }

    /** Collective: what the values of all threads amount to. */
    double agree(int thread, double value, ReduceOp op) {
        values[thread] = value;
        int mine = round;
        if (arrived.incrementAndGet() == threads) {
            arrived.set(0);
            try {
                result = combined(op);
            } catch (RuntimeException e) {
                fail(e);
                throw e;
            }
            round = mine + 1;
        } else {
            for (int looks = 0; round == mine; looks++) {
                Throwable cause = failure;
                if (cause != null) {
                    throw new CommException("another thread of this process failed: " + cause.getMessage(), cause);
                }
                if (looks < 10_000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        }
        return result;
    }

    private double combined(ReduceOp op) {
        ReduceOp sum = op == ReduceOp.AVG ? ReduceOp.SUM : op;
        double mine =
                Arrays.stream(values).reduce((a, b) -> combined(sum, a, b)).orElseThrow();
        double all = world.size() == 1 ? mine : overProcesses(mine, sum);
        return op == ReduceOp.AVG ? all / (world.size() * threads) : all;
    }

    private double overProcesses(double mine, ReduceOp op) {
        if (processes != null) {
            word.setDouble(0, mine);
            processes.allReduce(word, word, op);
            return word.getDouble(0);
        }
        byte[] bytes = ByteBuffer.allocate(Double.BYTES).putDouble(mine).array();
        return world.exchange(KEY, bytes).stream()
                .map(each -> ByteBuffer.wrap(each).getDouble())
                .reduce((a, b) -> combined(op, a, b))
                .orElseThrow();
    }

    private static double combined(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> throw new AssertionError(op);
        };
    }

    /** Lets the other threads of this process know that this one does not come any more. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    @Override
    public void close() {
        if (processes != null) {
            processes.close();
        }
    }
}
