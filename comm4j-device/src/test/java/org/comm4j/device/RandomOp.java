// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the PEs of a {@link RandomKernel} do together, each with a PE that is a number further: as the text of a kernel,
 * and as a plain loop over the memory of all of them, which is the oracle. The operations of a phase do not touch each
 * other's places, but for those that commute.
 */
sealed interface RandomOp {
    /** Threads of a PE, in one block. */
    int THREADS = 64;

    /** Symmetric memory, one for each type. */
    enum Bank {
        X("long"),
        Y("int"),
        F("float"),
        Z("byte");

        final String type;

        Bank(String type) {
            this.type = type;
        }

        String variable() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        String at(Object index) {
            return variable() + ".plus(" + index + ")";
        }

        /** A value as the type holds it; floats have small whole ones. */
        long cut(long value) {
            return switch (this) {
                case X -> value;
                case Y -> (int) value;
                case F -> (long) (float) value;
                case Z -> (byte) value;
            };
        }

        /** A literal of the type. */
        String literal(long value) {
            return this == X ? value + "L" : "(" + type + ") " + value;
        }
    }

    /** Who calls a function. */
    enum Scope {
        THREAD("Shmem", "t == 5"),
        WARP("ShmemWarp", "t / 32 == 1"),
        BLOCK("ShmemBlock", null);

        final String owner;
        private final @Nullable String guard;

        Scope(String owner, @Nullable String guard) {
            this.owner = owner;
            this.guard = guard;
        }

        String guarded(String statement) {
            return guard == null ? statement : "if (" + guard + ") {\n" + statement + "}\n";
        }
    }

    /** Memory of all PEs. */
    final class Memory {
        static final int WORDS = 256;
        static final int SIGNALS = 64;

        final long[][][] banks;
        final long[][] signals;

        Memory(int pes) {
            banks = new long[Bank.values().length][pes][WORDS];
            signals = new long[pes][SIGNALS];
        }

        int pes() {
            return signals.length;
        }

        long[] of(Bank bank, int pe) {
            return banks[bank.ordinal()][pe];
        }
    }

    /** Statements; {@code t}, {@code me} and {@code pes} are known there. */
    String source();

    /** The same, for all PEs or for those with a number of that remainder. */
    void run(Memory memory, int modulus, int remainder);

    /** Operations that are less than this one, but may fail as it does. */
    default List<RandomOp> smaller() {
        return List.of();
    }

    static String pe(int shift) {
        return "(me + " + shift + ") % pes";
    }

    private static boolean takesPart(int pe, int modulus, int remainder) {
        return pe % modulus == remainder;
    }

    /** Put or get. */
    record Move(
            Bank bank,
            boolean put,
            boolean nbi,
            Scope scope,
            int to,
            int from,
            int count,
            int toStride,
            int fromStride,
            int shift)
            implements RandomOp {
        private boolean strided() {
            return toStride > 1 || fromStride > 1;
        }

        @Override
        public String source() {
            String strides = strided() ? toStride + ", " + fromStride + ", " : "";
            String name = strided() ? put ? "iput" : "iget" : (put ? "put" : "get") + (nbi ? "Nbi" : "");
            return scope.guarded(scope.owner + "." + name + "(" + bank.at(to) + ", " + bank.at(from) + ", " + strides
                    + count + ", " + pe(shift) + ");\n");
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            for (int me = 0; me < memory.pes(); me++) {
                if (takesPart(me, modulus, remainder)) {
                    int other = (me + shift) % memory.pes();
                    long[] target = memory.of(bank, put ? other : me);
                    long[] source = memory.of(bank, put ? me : other);
                    for (int i = 0; i < count; i++) {
                        target[to + i * toStride] = source[from + i * fromStride];
                    }
                }
            }
        }

        @Override
        public List<RandomOp> smaller() {
            return count == 1
                    ? List.of()
                    : List.of(new Move(bank, put, nbi, scope, to, from, count / 2, toStride, fromStride, shift));
        }
    }

    /** How a thread reaches an element. */
    enum Way {
        P,
        G,
        STORE,
        LOAD,
        LOCAL
    }

    /** An element for each thread: {@code factor * source + summand + me}. */
    record Single(Bank bank, Way way, int to, int from, int count, int shift, int factor, int summand)
            implements RandomOp {
        @Override
        public String source() {
            String own = bank.variable() + ".get(" + from + " + t)";
            String read = way == Way.G
                    ? "Shmem.g(" + bank.at(from + " + t") + ", " + pe(shift) + ")"
                    : way == Way.LOAD
                            ? "Shmem.ptr(" + bank.variable() + ", " + pe(shift) + ").get(" + from + " + t)"
                            : own;
            String value = "(" + bank.type + ") (" + read + " * " + factor + " + " + summand + " + me)";
            String statement = switch (way) {
                case P -> "Shmem.p(" + bank.at(to + " + t") + ", " + value + ", " + pe(shift) + ");\n";
                case STORE ->
                    "Shmem.ptr(" + bank.variable() + ", " + pe(shift) + ").set(" + to + " + t, " + value + ");\n";
                default -> bank.variable() + ".set(" + to + " + t, " + value + ");\n";
            };
            return "if (t < " + count + ") {\n" + statement + "}\n";
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            for (int me = 0; me < memory.pes(); me++) {
                if (takesPart(me, modulus, remainder)) {
                    int other = (me + shift) % memory.pes();
                    long[] source = memory.of(bank, way == Way.G || way == Way.LOAD ? other : me);
                    long[] target = memory.of(bank, way == Way.P || way == Way.STORE ? other : me);
                    for (int t = 0; t < count; t++) {
                        target[to + t] = bank.cut(source[from + t] * factor + summand + me);
                    }
                }
            }
        }

        @Override
        public List<RandomOp> smaller() {
            return count == 1 ? List.of() : List.of(new Single(bank, way, to, from, count / 2, shift, factor, summand));
        }
    }

    /** Atomics whose order does not matter, from many threads and PEs at the same places. */
    record Commuting(
            Bank bank, String name, int at, int span, int count, int rounds, boolean one, int shift, int summand)
            implements RandomOp {
        @Override
        public String source() {
            String target = bank.at(at + " + (t + i) % " + span);
            String value = "(" + bank.type + ") (3 * t + i + me + " + summand + ")";
            String pe = one ? shift + " % pes" : pe(shift);
            return "if (t < " + count + ") {\nfor (int i = 0; i < " + rounds + "; i++) {\nShmem.atomic" + name + "("
                    + target + (name.equals("Inc") ? "" : ", " + value) + ", " + pe + ");\n}\n}\n";
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            for (int me = 0; me < memory.pes(); me++) {
                if (takesPart(me, modulus, remainder)) {
                    long[] target = memory.of(bank, (one ? shift : me + shift) % memory.pes());
                    for (int t = 0; t < count; t++) {
                        for (int i = 0; i < rounds; i++) {
                            int place = at + (t + i) % span;
                            long value = 3L * t + i + me + summand;
                            long old = target[place];
                            target[place] = bank.cut(
                                    switch (name) {
                                        case "Add" -> old + value;
                                        case "Inc" -> old + 1;
                                        case "And" -> old & value;
                                        case "Or" -> old | value;
                                        case "Xor" -> old ^ value;
                                        default -> throw new IllegalArgumentException(name);
                                    });
                        }
                    }
                }
            }
        }

        @Override
        public List<RandomOp> smaller() {
            return count == 1 && rounds == 1
                    ? List.of()
                    : List.of(
                            new Commuting(bank, name, at, span, Math.max(1, count / 2), rounds, one, shift, summand),
                            new Commuting(bank, name, at, span, count, 1, one, shift, summand));
        }
    }

    /** An atomic with its result, alone at its place. */
    record Fetching(Bank bank, String name, int at, int to, int shift, int value, boolean known) implements RandomOp {
        @Override
        public String source() {
            String target = bank.at(at);
            String pe = pe(shift);
            String literal = bank.literal(value);
            String arguments = switch (name) {
                case "Fetch", "FetchInc" -> "";
                case "CompareSwap" -> ", " + (known ? "Shmem.g(" + target + ", " + pe + ")" : literal) + ", " + literal;
                default -> ", " + literal;
            };
            String call = "Shmem.atomic" + name + "(" + target + arguments + ", " + pe + ")";
            return "if (t == 7) {\n"
                    + (name.equals("Set") ? call + ";\n" : bank.variable() + ".set(" + to + ", " + call + ");\n")
                    + "}\n";
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            for (int me = 0; me < memory.pes(); me++) {
                if (takesPart(me, modulus, remainder)) {
                    long[] target = memory.of(bank, (me + shift) % memory.pes());
                    long old = target[at];
                    target[at] = bank.cut(
                            switch (name) {
                                case "Fetch" -> old;
                                case "FetchInc" -> old + 1;
                                case "FetchAdd" -> old + value;
                                case "FetchAnd" -> old & value;
                                case "FetchOr" -> old | value;
                                case "FetchXor" -> old ^ value;
                                case "Swap", "Set" -> value;
                                case "CompareSwap" -> known || old == value ? value : old;
                                default -> throw new IllegalArgumentException(name);
                            });
                    if (!name.equals("Set")) {
                        memory.of(bank, me)[to] = old;
                    }
                }
            }
        }
    }

    /** Data with a signal, or before a flag; who gets it waits for that and works with the data at once. */
    record Signalled(
            Bank bank,
            boolean flag,
            boolean nbi,
            Scope scope,
            int to,
            int from,
            int out,
            int count,
            int shift,
            int word)
            implements RandomOp {
        @Override
        public String source() {
            String pe = pe(shift);
            int value = word + 100;
            String send = flag
                    ? "if (t == 5) {\nfor (int i = 0; i < " + count + "; i++) {\nShmem.p(" + bank.at(to + " + i") + ", "
                            + bank.variable() + ".get(" + from + " + i), " + pe
                            + ");\n}\nShmem.fence();\nShmem.p(s.plus("
                            + word + "), " + value + "L, " + pe + ");\n}\n"
                    : scope.guarded(scope.owner + ".putSignal" + (nbi ? "Nbi" : "") + "(" + bank.at(to) + ", "
                            + bank.at(from) + ", " + count + ", s.plus(" + word + "), " + value + "L, SignalOp."
                            + (nbi ? "ADD" : "SET") + ", " + pe + ");\n");
            String wait = flag
                    ? "Shmem.waitUntil(s.plus(" + word + "), Comparison.EQ, " + value + "L);\n"
                    : "Shmem.signalWaitUntil(s.plus(" + word + "), Comparison.GE, " + value + "L);\n";
            return send + "if (t == 0) {\n" + wait + "}\nBlock.sync();\nif (t < " + count + ") {\n" + bank.variable()
                    + ".set(" + out + " + t, (" + bank.type + ") (" + bank.variable() + ".get(" + to
                    + " + t) + 1));\n}\n";
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            for (int me = 0; me < memory.pes(); me++) {
                int previous = Math.floorMod(me - shift, memory.pes());
                for (int i = 0; i < count; i++) {
                    long value = memory.of(bank, previous)[from + i];
                    memory.of(bank, me)[to + i] = value;
                    memory.of(bank, me)[out + i] = bank.cut(value + 1);
                }
                memory.signals[me][word] = word + 100L;
            }
        }

        @Override
        public List<RandomOp> smaller() {
            return count == 1
                    ? List.of()
                    : List.of(new Signalled(bank, flag, nbi, scope, to, from, out, count / 2, shift, word));
        }
    }

    /** All PEs tell one, which waits for all of them. */
    record Gathered(int word, int root) implements RandomOp {
        @Override
        public String source() {
            return "if (t == 1) {\nShmem.signal(s.plus(" + word + "), me + 1, SignalOp.ADD, " + root
                    + " % pes);\nif (me == " + root + " % pes) {\nShmem.signalWaitUntil(s.plus(" + word
                    + "), Comparison.EQ, pes * (pes + 1) / 2);\n}\n}\n";
        }

        @Override
        public void run(Memory memory, int modulus, int remainder) {
            int pes = memory.pes();
            memory.signals[root % pes][word] = (long) pes * (pes + 1) / 2;
        }
    }

    /** On some PEs only. */
    record Some(RandomOp op, int modulus, int remainder) implements RandomOp {
        @Override
        public String source() {
            return "if (me % " + modulus + " == " + remainder + ") {\n" + op.source() + "}\n";
        }

        @Override
        public void run(Memory memory, int ignoredModulus, int ignoredRemainder) {
            op.run(memory, modulus, remainder);
        }

        @Override
        public List<RandomOp> smaller() {
            return List.of(op);
        }
    }
}
