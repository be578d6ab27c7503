// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.device.RandomOp.Bank;
import org.comm4j.device.RandomOp.Commuting;
import org.comm4j.device.RandomOp.Fetching;
import org.comm4j.device.RandomOp.Gathered;
import org.comm4j.device.RandomOp.Memory;
import org.comm4j.device.RandomOp.Move;
import org.comm4j.device.RandomOp.Scope;
import org.comm4j.device.RandomOp.Signalled;
import org.comm4j.device.RandomOp.Single;
import org.comm4j.device.RandomOp.Some;
import org.comm4j.device.RandomOp.Way;
import org.jspecify.annotations.Nullable;

/** A random kernel that communicates, for any number of PEs: phases of operations, and barriers between them. */
record RandomKernel(List<List<RandomOp>> phases, int barrier) {
    private static final String[] BARRIERS = {
        "ShmemBlock.barrierAll();\n",
        "Block.sync();\nif (t == 0) {\nShmem.barrierAll();\n}\nBlock.sync();\n",
        "Block.sync();\nif (t / 32 == 0) {\nShmemWarp.barrierAll();\n}\nBlock.sync();\n",
        "Shmem.quiet();\nBlock.sync();\nif (t == 0) {\nShmem.syncAll();\n}\nBlock.sync();\n"
    };

    // ---- what it is ----

    /** A class with the method {@code kernel}. */
    String source(String name) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < phases.size(); i++) {
            body.append("// phase ").append(i).append('\n');
            phases.get(i).forEach(op -> body.append(op.source()));
            body.append(BARRIERS[barrier]);
        }
        return """
            package generated;

            import org.comm4j.core.*;
            import org.comm4j.device.*;
            import org.comm4j.kernel.lang.*;

            public final class $name {
                @Kernel
                public static void kernel(I64Ptr x, I32Ptr y, F32Ptr f, I8Ptr z, I64Ptr s) {
                    int t = ThreadIdx.x();
                    int me = Shmem.myPe();
                    int pes = Shmem.nPes();
            $body    }
            }
            """.replace("$name", name).replace("$body", body.toString().indent(8));
    }

    /** What is in memory before. */
    static Memory initial(long seed, int pes) {
        Memory memory = new Memory(pes);
        for (int pe = 0; pe < pes; pe++) {
            SplittableRandom random = new SplittableRandom(seed * 31 + pe);
            for (Bank bank : Bank.values()) {
                long[] words = memory.of(bank, pe);
                for (int i = 0; i < words.length; i++) {
                    words[i] = bank == Bank.F ? random.nextInt(1000) : bank.cut(random.nextLong());
                }
            }
        }
        return memory;
    }

    /** The oracle: one operation after the other, for all PEs. */
    Memory expected(long seed, int pes) {
        Memory memory = initial(seed, pes);
        phases.forEach(phase -> phase.forEach(op -> op.run(memory, 1, 0)));
        return memory;
    }

    /** Kernels that are less than this one, the smallest first. */
    List<RandomKernel> smaller() {
        List<RandomKernel> all = new ArrayList<>();
        for (int phase = 0; phase < phases.size(); phase++) {
            if (phases.size() > 1) {
                List<List<RandomOp>> rest = new ArrayList<>(phases);
                rest.remove(phase);
                all.add(new RandomKernel(rest, barrier));
            }
        }
        for (int phase = 0; phase < phases.size(); phase++) {
            for (int i = 0; i < phases.get(phase).size(); i++) {
                if (phases.get(phase).size() > 1) {
                    List<RandomOp> rest = new ArrayList<>(phases.get(phase));
                    rest.remove(i);
                    all.add(with(phase, rest));
                }
                RandomOp op = phases.get(phase).get(i);
                for (RandomOp less : op.smaller()) {
                    if (less.equals(op)) {
                        continue;
                    }
                    List<RandomOp> changed = new ArrayList<>(phases.get(phase));
                    changed.set(i, less);
                    all.add(with(phase, changed));
                }
            }
        }
        if (barrier > 0) {
            all.add(new RandomKernel(phases, 0));
        }
        return all;
    }

    private RandomKernel with(int phase, List<RandomOp> ops) {
        List<List<RandomOp>> changed = new ArrayList<>(phases);
        changed.set(phase, ops);
        return new RandomKernel(changed, barrier);
    }

    // ---- how it is drawn ----

    static RandomKernel draw(long seed) {
        return new Drawing(new SplittableRandom(seed)).kernel();
    }

    /** What operations of a phase do with a place. */
    private static final class Drawing {
        private static final String READ = "read";
        private static final String WRITE = "write";

        private final SplittableRandom random;
        private int words;
        /** Of each place of each bank, what the phase does there. */
        private @Nullable String[][] uses = new String[0][];

        Drawing(SplittableRandom random) {
            this.random = random;
        }

        RandomKernel kernel() {
            List<List<RandomOp>> phases = new ArrayList<>();
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                uses = new String[Bank.values().length][Memory.WORDS];
                List<RandomOp> phase = new ArrayList<>();
                int ops = 1 + random.nextInt(7);
                while (phase.size() < ops) {
                    RandomOp op = op();
                    if (op != null) {
                        phase.add(op);
                    }
                }
                phases.add(phase);
            }
            return new RandomKernel(phases, random.nextInt(BARRIERS.length));
        }

        private boolean chance(int percent) {
            return random.nextInt(100) < percent;
        }

        private <T> T one(T[] all) {
            return all[random.nextInt(all.length)];
        }

        /** A place for so many elements that nobody in the phase uses otherwise; below 0 if there is none. */
        private int place(Bank bank, int count, int stride, String use) {
            for (int attempt = 0; attempt < 20; attempt++) {
                int from = random.nextInt(Memory.WORDS - (count - 1) * stride);
                boolean free = true;
                for (int i = 0; i < count && free; i++) {
                    String known = uses[bank.ordinal()][from + i * stride];
                    free = known == null || known.equals(use) && !use.equals(WRITE);
                }
                if (free) {
                    for (int i = 0; i < count; i++) {
                        uses[bank.ordinal()][from + i * stride] = use;
                    }
                    return from;
                }
            }
            return -1;
        }

        private @Nullable RandomOp op() {
            RandomOp op = switch (random.nextInt(9)) {
                case 0, 1 -> move();
                case 2, 3 -> single();
                case 4, 5 -> commuting();
                case 6 -> fetching();
                case 7 -> signalled();
                default -> words < Memory.SIGNALS && chance(30) ? new Gathered(words++, random.nextInt(8)) : null;
            };
            boolean waits = op instanceof Signalled || op instanceof Gathered;
            if (op == null || waits || !chance(25)) {
                return op;
            }
            int modulus = 2 + random.nextInt(2);
            return new Some(op, modulus, random.nextInt(modulus));
        }

        private @Nullable RandomOp move() {
            Bank bank = one(Bank.values());
            boolean strided = chance(30);
            int count = 1 + random.nextInt(strided ? 12 : 40);
            int toStride = strided ? 1 + random.nextInt(4) : 1;
            int fromStride = strided ? 1 + random.nextInt(4) : 1;
            int from = place(bank, count, fromStride, READ);
            int to = from < 0 ? -1 : place(bank, count, toStride, WRITE);
            return to < 0
                    ? null
                    : new Move(
                            bank,
                            chance(50),
                            chance(40),
                            one(Scope.values()),
                            to,
                            from,
                            count,
                            toStride,
                            fromStride,
                            random.nextInt(8));
        }

        private @Nullable RandomOp single() {
            Bank bank = one(Bank.values());
            int count = 1 + random.nextInt(RandomOp.THREADS);
            int from = place(bank, count, 1, READ);
            int to = from < 0 ? -1 : place(bank, count, 1, WRITE);
            int factor = bank == Bank.F ? 1 : 1 + random.nextInt(5);
            return to < 0
                    ? null
                    : new Single(
                            bank, one(Way.values()), to, from, count, random.nextInt(8), factor, random.nextInt(100));
        }

        private @Nullable RandomOp commuting() {
            Bank bank = one(new Bank[] {Bank.X, Bank.Y, Bank.F});
            String name = bank == Bank.F ? "Add" : one(new String[] {"Add", "Inc", "And", "Or", "Xor"});
            int span = 1 + random.nextInt(8);
            int at = place(bank, span, 1, name.equals("Inc") ? "Add" : name);
            return at < 0
                    ? null
                    : new Commuting(
                            bank,
                            name,
                            at,
                            span,
                            1 + random.nextInt(RandomOp.THREADS),
                            1 + random.nextInt(3),
                            chance(40),
                            random.nextInt(8),
                            random.nextInt(50));
        }

        private @Nullable RandomOp fetching() {
            Bank bank = chance(50) ? Bank.X : Bank.Y;
            int at = place(bank, 1, 1, WRITE);
            int to = at < 0 ? -1 : place(bank, 1, 1, WRITE);
            String name = one(new String[] {
                "Fetch", "FetchInc", "FetchAdd", "FetchAnd", "FetchOr", "FetchXor", "Swap", "Set", "CompareSwap"
            });
            return to < 0 ? null : new Fetching(bank, name, at, to, random.nextInt(8), random.nextInt(), chance(50));
        }

        private @Nullable RandomOp signalled() {
            Bank bank = one(Bank.values());
            int count = 1 + random.nextInt(32);
            int from = place(bank, count, 1, READ);
            int to = from < 0 ? -1 : place(bank, count, 1, WRITE);
            int out = to < 0 ? -1 : place(bank, count, 1, WRITE);
            return out < 0 || words == Memory.SIGNALS
                    ? null
                    : new Signalled(
                            bank,
                            chance(30),
                            chance(40),
                            one(Scope.values()),
                            to,
                            from,
                            out,
                            count,
                            random.nextInt(8),
                            words++);
        }
    }
}
