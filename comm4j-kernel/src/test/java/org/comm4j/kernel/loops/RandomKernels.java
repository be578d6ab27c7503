// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.SplittableRandom;

/**
 * Draws the source of kernels whose threads wait for each other: barriers and operations of warps in straight lines, in
 * loops and behind branches, with code between them that differs from thread to thread. Without races.
 */
final class RandomKernels {
    private final SplittableRandom random;
    private final int threads;
    private final StringBuilder text = new StringBuilder();
    private int names;

    private RandomKernels(long seed, int threads) {
        this.random = new SplittableRandom(seed);
        this.threads = threads;
    }

    /**
     * @param name of the class; the kernel is {@code kernel(int n, I32Ptr ints, F32Ptr floats, I64Ptr longs, F64Ptr
     *     doubles)}, with an element for each thread
     * @param threads of a block
     */
    static String draw(long seed, String name, int threads) {
        return new RandomKernels(seed, threads).draw(name);
    }

    private String draw(String name) {
        text.append("package generated;\nimport org.comm4j.kernel.lang.*;\npublic final class ")
                .append(name)
                .append(" {\n  static final int[] TABLE = {3, -1, 7, 2147483647, 5, 17, 65, 8};\n")
                .append("  static int mix(int a, int b) { return a * 31 + (b >>> 3); }\n")
                .append("  static int swap(int[] s, int t, int v, int by) {\n    s[t] = v;\n    Block.sync();\n")
                .append("    int w = s[(t + by) % ")
                .append(threads)
                .append("];\n    Block.sync();\n    return w;\n  }\n")
                .append("  @Kernel\n  public static void kernel(int n, I32Ptr ints, F32Ptr floats, I64Ptr longs,")
                .append(" F64Ptr doubles) {\n")
                .append("  int t = (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x();\n")
                .append("  int i = BlockIdx.x() * ")
                .append(threads)
                .append(" + t;\n  int[] s = Shared.i32(")
                .append(threads)
                .append(");\n  double[] d = Shared.f64(")
                .append(threads)
                .append(");\n  int v = ints.get(i); float f = floats.get(i); long w = longs.get(i);")
                .append(" double x = doubles.get(i); int u = n;\n  int[] a = new int[4];\n");
        int count = random.nextInt(4, 10);
        for (int k = 0; k < count; k++) {
            together(3);
        }
        text.append("  ints.set(i, v + a[v & 3]); floats.set(i, f); longs.set(i, w + u); doubles.set(i, x);\n  }\n}\n");
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
                add("v " + any("=", "+=", "^=") + " s[(t + " + random.nextInt(threads) + ") % " + threads + "];");
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

    /** What each thread does for itself. */
    private void alone(int depth) {
        switch (random.nextInt(depth > 0 ? 11 : 7)) {
            case 0 -> add("v = mix(v, t) + " + random.nextInt(100) + ";");
            case 1 -> add("f = f * 0.75f + (v & 255);");
            case 2 -> add("w = w * 31 + v / " + random.nextInt(1, 9) + ";");
            case 3 -> add("x = Math.sqrt(Math.abs(x)) + f;");
            case 4 -> add("a[v & 3] += t;");
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
