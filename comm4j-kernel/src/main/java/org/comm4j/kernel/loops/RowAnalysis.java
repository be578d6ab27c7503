// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.loops.RowShape.Relation;
import org.comm4j.kernel.loops.RowShape.Uniform;
import org.comm4j.kernel.loops.RowShape.Window;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a kernel has a {@link RowShape}: by following the one way through it that a thread takes which has
 * something to do. A kernel has none if it loops, branches otherwise, or calls what does more than compute.
 */
final class RowAnalysis {
    private static final int MOST_WRITES = 8;
    private static final int MOST_WINDOWS = 24;
    private static final int MOST_GUARDS = 16;

    /** Operations of a thread that take less time than its memory. */
    private static final int LIGHT = 2;

    /**
     * Bytes that threads which read before any of them writes have together, for the largest type; more is not faster.
     */
    private static final int VECTOR = 32;

    private static final int LEAST_VECTOR = 16;

    /** The most nodes of the JIT compiler that these threads have in a loop which {@link RowWriter} unrolls. */
    private static final int NODES = 200;

    /** Bytes in each array that the JIT compiler unrolls a loop to. */
    private static final int UNROLLED = 64;

    /**
     * Reads and writes in the loop when it is unrolled, at most: the time to compile it grows with their square, and is
     * tenths of a second.
     */
    private static final int ACCESSES = 400;

    /** What is no row. */
    private static final class Unsuited extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsuited() {
            super(null, null, false, false);
        }
    }

    private final Layout layout;
    private final List<Op> path = new ArrayList<>();
    private final RowTerms terms;
    private final List<Relation> guards = new ArrayList<>();
    private final List<Relation> checks = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final List<Uniform> uniform = new ArrayList<>();
    private final List<Window> writes = new ArrayList<>();
    private final IdentityHashMap<Op, Integer> places = new IdentityHashMap<>();
    /** Whether a thread may have thrown something, or written. */
    private boolean mayHaveFailed;

    /** Operations with floating-point numbers. */
    private int work;

    /** Operations with numbers that are no indices. */
    private int operations;

    /** Whether something throws that is not an index. */
    private boolean isThrowing;

    /** Whether something is done of which the JIT compiler makes no vectors in groups of threads. */
    private boolean isSingly;

    RowAnalysis(Layout layout) {
        this.layout = layout;
        this.terms = new RowTerms(layout.form);
    }

    /** Returns the shape of what begins with a part; null if it has none. */
    @Nullable
    RowShape shape(Part first) {
        try {
            walk(first);
            return shape();
        } catch (Unsuited e) {
            return null;
        }
    }

    private RowShape shape() {
        if (writes.isEmpty()) {
            throw new Unsuited();
        }
        boolean inPlace = writes.size() == 1 && windows.stream().allMatch(writes.getFirst()::equals);
        if (inPlace
                && uniform.isEmpty()
                && !isThrowing
                && !windows.isEmpty()
                && isWhole(writes.getFirst().kind())) {
            throw new Unsuited(); // of whole numbers in one place the JIT compiler makes vectors by itself
        }
        RowPath whole = new RowPath(path, places);
        whole.slice(new HashSet<>(), true).forEach(this::count);
        int lanes = lanes(inPlace);
        if (lanes == 0 && RowShape.isWide(writes)) {
            throw new Unsuited();
        }
        for (Window write : lanes == 0 ? List.<Window>of() : writes) {
            if (!windows.contains(write)) {
                windows.add(write);
            }
        }
        // Checks of each thread in the other loop cost more than this one.
        boolean isLight = work <= LIGHT && checks.isEmpty();
        return new RowShape(
                whole, terms.all(), terms.slopes(), guards, checks, windows, uniform, writes, lanes, isLight);
    }

    /** {@link RowShape#lanes}. */
    private int lanes(boolean inPlace) {
        if (!uniform.isEmpty() || isThrowing || windows.size() + writes.size() > MOST_WINDOWS) {
            return 0;
        }
        if (inPlace) {
            return 1;
        }
        if (isSingly || windows.stream().anyMatch(Window::late)) {
            return 0;
        }
        int most = 1;
        int least = Long.BYTES;
        for (List<Window> some : List.of(windows, writes)) {
            for (Window window : some) {
                most = Math.max(most, window.kind().bytes);
                least = Math.min(least, window.kind().bytes);
            }
        }
        if (least < Integer.BYTES) {
            return 0; // it takes seconds to compile
        }
        int accesses = windows.size() + writes.size();
        int nodes = 2 * accesses + operations; // an access is an address as well
        int lanes = VECTOR / most;
        while (lanes * nodes > NODES || lanes * accesses * UNROLLED / most > ACCESSES) {
            lanes /= 2;
        }
        return lanes * most < LEAST_VECTOR ? 0 : lanes;
    }

    private static boolean isWhole(ElementKind kind) {
        return kind != ElementKind.F32 && kind != ElementKind.F64;
    }

    // ---- the way through the parts ----

    private void walk(Part first) {
        Set<Part> seen = new HashSet<>();
        for (Part part = first; ; ) {
            if (!seen.add(part)) {
                throw new Unsuited();
            }
            for (Op op : part.ops) {
                if (layout.analysis.isNeeded(op)) {
                    path.add(op);
                    step(op);
                }
            }
            switch (part.end()) {
                case Part.End.Jump jump -> part = jump.target();
                case Part.End.Branch branch -> part = branch(branch);
                case Part.End.Return _ -> {
                    return;
                }
                default -> throw new Unsuited();
            }
        }
    }

    private Part branch(Part.End.Branch branch) {
        if (hasNothingToDo(branch.ifTrue())) {
            guard(branch.condition(), false);
            return branch.ifFalse();
        }
        if (hasNothingToDo(branch.ifFalse())) {
            guard(branch.condition(), true);
            return branch.ifTrue();
        }
        if (branch.ifFalse().end() instanceof Part.End.Fail) {
            check(branch.condition());
            mayHaveFailed = true;
            return branch.ifTrue();
        }
        throw new Unsuited();
    }

    /** Whether a thread that comes to a part ends. */
    private boolean hasNothingToDo(Part from) {
        Set<Part> seen = new HashSet<>();
        for (Part part = from; seen.add(part); ) {
            if (part.ops.stream().anyMatch(layout.analysis::isNeeded)) {
                return false;
            }
            switch (part.end()) {
                case Part.End.Return _ -> {
                    return true;
                }
                case Part.End.Jump jump -> part = jump.target();
                default -> {
                    return false;
                }
            }
        }
        return false;
    }

    private void guard(Val condition, boolean wanted) {
        Op.Compute compare = comparison(condition);
        // Threads that only would have thrown something are not to be left out.
        if (compare == null || mayHaveFailed || guards.size() == MOST_GUARDS) {
            throw new Unsuited();
        }
        Comparison how = ((Instruction.Compare) compare.from()).op();
        guards.add(new Relation(
                wanted ? signed(how) : inverse(signed(how)),
                track(compare.arguments().getFirst()),
                track(compare.arguments().get(1))));
    }

    private static Comparison signed(Comparison how) {
        return switch (how) {
            case EQ, NE, LT, LE, GT, GE -> how;
            default -> throw new Unsuited();
        };
    }

    private static Comparison inverse(Comparison how) {
        return switch (how) {
            case EQ -> Comparison.NE;
            case NE -> Comparison.EQ;
            case LT -> Comparison.GE;
            case LE -> Comparison.GT;
            case GT -> Comparison.LE;
            default -> Comparison.LT;
        };
    }

    /** Of whole numbers. */
    private Op.@Nullable Compute comparison(Val condition) {
        return terms.source(condition) instanceof Val.Reg register
                        && register.by instanceof Op.Compute compute
                        && compute.from() instanceof Instruction.Compare
                        && isWhole(compute.arguments().getFirst())
                ? compute
                : null;
    }

    static boolean isWhole(Val value) {
        return value.kind() == Kind.INT || value.kind() == Kind.LONG;
    }

    /** Relations that are enough for a condition to be true. */
    private void check(Val condition) {
        if (terms.source(condition) instanceof Val.Reg register
                && register.by instanceof Op.Compute both
                && both.from() instanceof Instruction.Binary binary
                && binary.op() == BinaryOp.AND
                && both.type() == Type.Scalar.I1) {
            both.arguments().forEach(this::check);
            return;
        }
        Op.Compute compare = comparison(condition);
        if (compare == null) {
            throw new Unsuited();
        }
        Comparison how = signed(((Instruction.Compare) compare.from()).op());
        Val left = compare.arguments().getFirst();
        Val right = compare.arguments().get(1);
        Val index = unsigned(left);
        Val length = unsigned(right);
        if (how == Comparison.LT && index != null && length != null) {
            // Of unsigned numbers; of two that are no negative ones it is the same.
            int zero = track(index.kind() == Kind.LONG ? Val.Num.of(0L) : Val.Num.of(0));
            checks.add(new Relation(Comparison.GE, track(index), zero));
            checks.add(new Relation(Comparison.LT, track(index), track(length)));
        } else {
            checks.add(new Relation(how, track(left), track(right)));
        }
    }

    /** The number of which a comparison of unsigned numbers has another form; null if there is none. */
    private @Nullable Val unsigned(Val value) {
        if (terms.source(value) instanceof Val.Num number) {
            long lowest = number.kind() == Kind.LONG ? Long.MIN_VALUE : Integer.MIN_VALUE;
            return number.kind() == Kind.LONG
                    ? Val.Num.of(number.bits() ^ lowest)
                    : Val.Num.of((int) (number.bits() ^ lowest));
        }
        if (!(terms.source(value) instanceof Val.Reg register) || !(register.by instanceof Op.Compute compute)) {
            return null;
        }
        Val first = compute.arguments().getFirst();
        return switch (compute.from()) {
            case Instruction.Binary binary
            when binary.op() == BinaryOp.XOR
                    && compute.arguments().get(1) instanceof Val.Num number
                    && number.bits() == (number.kind() == Kind.LONG ? Long.MIN_VALUE : Integer.MIN_VALUE) -> first;
            case Instruction.Convert convert
            when convert.kind() == Conversion.ZERO_EXTEND && convert.value().type() == Type.Scalar.I32 -> first;
            default -> null;
        };
    }

    private int track(Val value) {
        int number = terms.track(value);
        if (number < 0) {
            throw new Unsuited();
        }
        return number;
    }

    // ---- steps ----

    private void step(Op op) {
        switch (op) {
            case Op.SetVariable set -> terms.set(set);
            case Op.GetVariable get -> {
                if (!terms.get(get)) {
                    throw new Unsuited();
                }
            }
            case Op.Scale scale -> terms.scale(scale);
            case Op.Compute compute -> compute(compute);
            case Op.Load load -> load(load);
            case Op.Store store -> store(store);
            case Op.Invoke invoke -> invoke(invoke);
            case Op.Aligned _, Op.Take _ -> throw new Unsuited();
        }
    }

    private void compute(Op.Compute op) {
        if (Analysis.mayFail(op)) {
            fails();
        }
        terms.compute(op);
    }

    /** Counts a step that what is written comes of. */
    private void count(Op op) {
        switch (op) {
            case Op.Store store -> use(store.value());
            case Op.Invoke invoke -> count(invoke);
            case Op.Compute compute -> {
                boolean divides = compute.from() instanceof Instruction.Binary binary
                        && (binary.op() == BinaryOp.DIV || binary.op() == BinaryOp.REM)
                        && compute.type().isInteger();
                isSingly |= divides
                        || compute.from() instanceof Instruction.Select
                        || compute.from() instanceof Instruction.Compare
                        || compute.from() instanceof Instruction.Order;
                if (terms.slope(compute.result()) == null) {
                    work += isWhole(compute.result()) || compute.from() instanceof Instruction.Convert ? 0 : 1;
                    operations++;
                    compute.arguments().forEach(this::use);
                }
            }
            default -> {}
        }
    }

    private void count(Op.Invoke invoke) {
        work += LIGHT + 1;
        operations++;
        for (Leaf argument : invoke.arguments()) {
            use(((Leaf.Plain) argument).value());
        }
        String symbol = invoke.callee().symbol();
        isSingly |= !JdkCalls.isVector(symbol);
        if (symbol.contains(".sqrt(")
                && invoke.arguments().getFirst() instanceof Leaf.Plain number
                && terms.source(number.value()) instanceof Val.Reg register
                && register.by instanceof Op.Compute compute
                && compute.from() instanceof Instruction.Convert) {
            operations -= 2; // with the conversions one instruction
        }
    }

    /** Notes that what is no place is computed of a value. */
    private void use(Val value) {
        Long slope = terms.slope(value);
        isSingly |= slope != null && slope != 0;
    }

    private void fails() {
        mayHaveFailed = true;
        isThrowing = true;
    }

    private void invoke(Op.Invoke invoke) {
        Callee callee = invoke.callee();
        if (!JdkCalls.computes(callee.symbol())
                || callee.changesMemory()
                || callee.fence()
                || callee.asks()
                || callee.keeps()
                || invoke.result() == null) {
            throw new Unsuited();
        }
        for (Leaf argument : invoke.arguments()) {
            if (!(argument instanceof Leaf.Plain)) {
                throw new Unsuited();
            }
        }
        if (!JdkCalls.isSafe(callee.symbol())) {
            fails();
        }
    }

    private void load(Op.Load load) {
        Room room = load.pointer().room();
        ElementKind kind = ElementKind.of(load.type());
        Long slope = terms.slope(load.pointer().bytes());
        if (load.isVolatile()
                || room.where != Room.Where.ARGUMENT
                || load.pointer().which() != null
                || kind == null
                || slope == null
                || slope != 0 && slope != kind.bytes
                || windows.size() == MOST_WINDOWS) {
            throw new Unsuited(); // no vector instruction loads it
        }
        boolean isLate = !writes.isEmpty();
        if (slope == 0) {
            Uniform reads = new Uniform(room, isLate);
            if (!uniform.contains(reads)) {
                uniform.add(reads);
            }
        } else {
            Window window = new Window(room, kind, track(load.pointer().bytes()), isLate);
            int number = windows.indexOf(window);
            if (number < 0) {
                windows.add(window);
                number = windows.size() - 1;
            }
            places.put(load, number);
        }
        mayHaveFailed = true;
    }

    private void store(Op.Store store) {
        Room room = store.pointer().room();
        ElementKind kind = ElementKind.of(store.type());
        Long slope = terms.slope(store.pointer().bytes());
        if (store.isVolatile()
                || room.where != Room.Where.ARGUMENT
                || store.pointer().which() != null
                || kind == null
                || slope == null
                || slope != kind.bytes
                || writes.size() == MOST_WRITES) {
            throw new Unsuited();
        }
        places.put(store, writes.size());
        writes.add(new Window(room, kind, track(store.pointer().bytes()), false));
        mayHaveFailed = true;
    }
}
