// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws the source of kernels without races. Threads wait for each other: barriers and operations of warps in straight
 * lines, in loops and behind branches, with code between them that differs from thread to thread. Or they never do:
 * loops and branches that are the same for all threads, around loops over threads.
 */
final class RandomKernels {
    private final SplittableRandom random;
    private final int threads;
    private final StringBuilder text = new StringBuilder();
    /** Counters of the loops around, which are the same for all threads. */
    private final List<String> counters = new ArrayList<>(List.of("n"));

    /** Whether threads have an array; without one, and short, loops over threads are split where they can be. */
    private final boolean hasArray;

    /** Whether what is drawn comes before the variables that each thread has. */
    private boolean isBefore = true;

    private int names;

    private RandomKernels(long seed, int threads, boolean waits) {
        this.random = new SplittableRandom(seed);
        this.threads = threads;
        this.hasArray = waits || random.nextInt(4) == 0;
    }

    /**
     * Draws a kernel.
     *
     * @param name of the class; the kernel is {@code kernel(int n, I32Ptr given, I32Ptr ints, F32Ptr floats, I64Ptr
     *     longs, F64Ptr doubles)}, with 8 elements that are given, and one of the others for each thread
     * @param threads of a block
     * @param waits whether threads wait for each other
     */
    static String draw(long seed, String name, int threads, boolean waits) {
        return new RandomKernels(seed, threads, waits).draw(name, waits);
    }

    private String draw(String name, boolean waits) {
        text.append("package generated;\nimport org.comm4j.kernel.lang.*;\npublic final class ")
                .append(name)
                .append(" {\n  static final int[] TABLE = {3, -1, 7, 2147483647, 5, 17, 65, 8};\n")
                .append("  static int mix(int a, int b) { return a * 31 + (b >>> 3); }\n")
                .append("  static int pick(int a, int b, I32Ptr given) { return a > ")
                .append(random.nextInt(4))
                .append(" ? a * b : given.get(b & 7); }\n")
                .append("  static int swap(int[] s, int t, int v, int by) {\n    s[t] = v;\n    Block.sync();\n")
                .append("    int w = s[(t + by) % ")
                .append(threads)
                .append("];\n    Block.sync();\n    return w;\n  }\n")
                .append("  static int lane() { return (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x()")
                .append(" + ThreadIdx.x(); }\n")
                .append("  static int own() { return BlockIdx.x() * " + threads + " + lane(); }\n")
                .append("  @Kernel\n  public static void kernel(int n, I32Ptr given, I32Ptr ints, F32Ptr floats,")
                .append(" I64Ptr longs, F64Ptr doubles) {\n  int u = n;\n");
        if (!waits && random.nextInt(4) > 0) {
            loop(3);
        }
        isBefore = false;
        text.append("  int t = lane();\n  int i = own();\n");
        if (waits) {
            add("int[] s = Shared.i32(" + threads + ");");
            add("double[] d = Shared.f64(" + threads + ");");
        }
        text.append("  int v = ints.get(i); float f = floats.get(i); long w = longs.get(i);")
                .append(" double x = doubles.get(i);\n");
        if (hasArray) {
            add("int[] a = new int[4];");
        }
        int count = waits ? random.nextInt(4, 10) : random.nextInt(2);
        for (int k = 0; k < count; k++) {
            if (waits) {
                together(3);
            } else {
                apart(2);
            }
        }
        text.append("  ints.set(i, v" + (hasArray ? " + a[v & 3]" : "")
                + "); floats.set(i, f); longs.set(i, w + u); doubles.set(i, x);\n  }\n}\n");
        return text.toString();
    }

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    private void add(String line) {
        text.append("  ").append(line).append('\n');
    }

    private boolean isWhole() {
        return threads % 32 == 0;
    }

    /** What all threads of a block come to. */
    private void together(int depth) {
        switch (random.nextInt(depth > 0 ? 13 : 9)) {
            case 0 -> {
                add("s[t] = " + any("v", "mix(v, t)", "(int) w") + "; Block.sync();");
                int by = random.nextInt(threads);
                add(any(
                        "v " + any("=", "+=", "^=") + " s[(t + " + by + ") % " + threads + "];",
                        "v = t < " + by + " ? " + any("0", "v") + " : s[t - " + by + "];",
                        "if (t + " + by + " < " + threads + ") { v += s[t + " + by + "] - s[t]; }"));
                add("Block.sync();");
            }
            case 1 -> add("v += swap(s, t, v, " + random.nextInt(threads) + ");");
            case 2 -> add(any("v", "u") + " += Block.syncCount((v & " + random.nextInt(1, 8) + ") == 0);");
            case 3 -> add("if (Block.syncOr((v & 31) == " + random.nextInt(32) + ")) { u++; } else { v--; }");
            case 4 -> {
                add("d[t] = x; Block.sync();");
                add("if (t < " + random.nextInt(threads + 1) + ") { x += d[" + threads + " - 1 - t] * 0.5; }");
                add("Block.sync();");
            }
            case 5, 6 -> warp();
            case 7, 8 -> alone(2);
            case 9 -> {
                String k = "k" + names++;
                add("for (int " + k + " = 0; " + k + " < " + any("3", "u % 4", "(n & 3) + 1") + "; " + k + "++) {");
                together(depth - 1);
                add("v += " + k + ";");
                together(depth - 1);
                add("}");
            }
            case 10 -> {
                String k = "k" + names++;
                add("for (int " + k + " = " + any("16", "8", "4") + "; " + k + " > 0; " + k + " /= 2) {");
                if (isWhole()) {
                    add("f += Warp.shuffle" + any("Xor", "Down", "Up") + "(f, " + k + ");");
                }
                together(depth - 1);
                add("}");
            }
            case 11 -> {
                add("if ((u & " + random.nextInt(1, 4) + ") != 0) {");
                together(depth - 1);
                add("} else {");
                together(depth - 1);
                add("}");
            }
            default -> {
                // Whole warps go their own way.
                add("if (t / 32 % 2 == " + random.nextInt(2) + ") {");
                warp();
                alone(1);
                warp();
                add("}");
            }
        }
    }

    /** What all threads of a warp come to. */
    private void warp() {
        int by = random.nextInt(32);
        if (isWhole()) {
            String width = any("", ", 8", ", 16");
            switch (random.nextInt(8)) {
                case 0 -> add("v += Warp.shuffleXor(v, " + by % 8 + width + ");");
                case 1 -> add("x += Warp.shuffleDown(x, " + by % 8 + width + ") * 0.25;");
                case 2 -> add("w ^= Warp.shuffleUp(w, " + by % 8 + width + ");");
                case 3 -> add("f = Warp.shuffle(f, " + any("v & 31", "" + by, "u & 7") + width + ");");
                case 4 -> {
                    add("if (Warp.laneId() < 16) {");
                    add("v ^= Warp.shuffleXor(v, " + by % 16 + ", 32, 0xffff);");
                    alone(1);
                    add("} else { v += Warp.reduceMax(v, 0xffff0000); }");
                }
                default -> vote();
            }
        } else {
            vote();
        }
    }

    private void vote() {
        switch (random.nextInt(6)) {
            case 0 -> add("v += Warp.ballot((v & " + random.nextInt(1, 8) + ") != 0);");
            case 1 -> add("v ^= Warp.matchAny(v & 3);");
            case 2 -> add("v += Warp.matchAll(u);");
            case 3 -> add("v += Warp.reduce" + any("Add", "Min", "Max", "And", "Or", "Xor") + "(v);");
            case 4 -> add("if (Warp.any(v > " + random.nextInt(100) + ")) { w += 3; }");
            default -> add("Warp.sync();");
        }
    }

    /** What is the same for all threads, as a loop's bounds and what is computed before a loop over threads. */
    private String uniform() {
        String one = counters.get(random.nextInt(counters.size()));
        String other = counters.get(random.nextInt(counters.size()));
        return any(
                one,
                one + " * 7 + " + other,
                "pick(" + one + ", " + other + ", given)",
                "pick(" + other + ", " + one + ", given)",
                "given.get(" + one + " & 7)",
                "TABLE[" + one + " & 7]");
    }

    /** What threads do that never wait; at the beginning, where nothing yet is a thread's own, with memory. */
    private void apart(int depth) {
        switch (random.nextInt(depth > 0 ? 10 : 5)) {
            case 0, 1 -> {
                if (isBefore || random.nextBoolean()) {
                    add("u " + any("=", "+=", "^=") + " " + uniform() + ";");
                } else {
                    alone(2);
                }
            }
            case 2, 3, 4 -> {
                String j = "j" + names++;
                String value = any("u", uniform()) + " * 16 + " + j;
                add("for (int " + j + " = lane(); " + j + " < " + any("n", "" + 2 * threads, "(u & 31)") + "; " + j
                        + " += " + threads + ") {");
                if (isBefore) {
                    add("ints.set(own(), mix(ints.get(own()), " + value + "));");
                } else {
                    add("v = mix(v, " + value + ");");
                    alone(0);
                }
                add("}");
            }
            case 5, 6, 7 -> loop(depth);
            default -> {
                add("if ((" + any("u", uniform()) + " & " + random.nextInt(1, 4) + ") != 0) {");
                apart(depth - 1);
                add("} else {");
                apart(depth - 1);
                add("}");
            }
        }
    }

    /** A loop that is the same for all threads; those that come first in a kernel are in others. */
    private void loop(int depth) {
        String k = "k" + names++;
        String begin = uniform();
        String blocks = " = BlockIdx.x(); " + k + " < 5; " + k + " += GridDim.x()) {";
        String some = " = 0; " + k + " < (" + begin + " & 3); " + k + "++) {";
        String from = " = " + begin + "; " + k + " < " + begin + " + (given.get(" + k + " & 7) & 3); " + k + "++) {";
        add("for (int " + k + (depth == 3 ? any(blocks, blocks, some, from) : any(some, from, from)));
        counters.add(k);
        if (isBefore && depth == 3) {
            loop(1);
        } else {
            apart(depth - 1);
        }
        if (!isBefore) {
            apart(depth - 1);
        }
        counters.removeLast();
        add("}");
    }

    /** What each thread does for itself. */
    private void alone(int depth) {
        switch (random.nextInt(depth > 0 ? 11 : 7)) {
            case 0 -> add("v = mix(v, t) + " + random.nextInt(100) + ";");
            case 1 -> add("f = f * 0.75f + (v & 255);");
            case 2 -> add("w = w * 31 + v / " + random.nextInt(1, 9) + ";");
            case 3 -> add("x = Math.sqrt(Math.abs(x)) + f;");
            case 4 -> add(hasArray ? "a[v & 3] += t;" : "v -= t;");
            case 5 -> add("v += TABLE[" + any("v & 7", "t & 7", "3") + "];");
            case 6 -> add("v = " + any("(byte) v", "(short) v", "(char) v", "(int) f", "(int) (w >>> 7)") + ";");
            case 7 -> {
                add("if (" + any("(v & 1) == 0", "t > " + threads / 3, "t == 5", "5 >= t", "f < x", "t != 0") + ") {");
                alone(depth - 1);
                alone(depth - 1);
                add("} else {");
                alone(depth - 1);
                add("}");
            }
            case 8 -> {
                String k = "k" + names++;
                add("for (int " + k + " = 0; " + k + " < (v & 7); " + k + "++) {");
                alone(depth - 1);
                add("w += " + k + ";");
                add("}");
            }
            case 9 -> add("switch (v & 3) { case 0 -> v++; case 1 -> { w--; f++; } default -> x++; }");
            default -> {
                String k = "k" + names++;
                add("for (int " + k + " = t; " + k + " < n; " + k + " += 7) { v += " + k + " ^ u; }");
            }
        }
    }
}
