// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.cpu.AccessPattern.Guard;
import org.comm4j.kernel.cpu.AccessPattern.Pointer;
import org.comm4j.kernel.cpu.AccessPattern.Replacement;
import org.comm4j.kernel.cpu.AccessPattern.Uniform;
import org.comm4j.kernel.cpu.AccessPattern.Window;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a kernel has a {@link AccessPattern}: by following its bytecode once from top to bottom, with what
 * is known about each value instead of the value. A kernel has none if it loops, calls what is not known to be pure, or
 * writes in some threads only that no guard tells apart.
 */
final class LoopVectorizer {
    /** What a thread may have done: the first bits are its writes. */
    static final int WRITES = 8;

    private static final int GUARDS = 16;
    private static final int WINDOWS = 24;

    /** Operations of a thread that take less time than its memory. */
    private static final int LIGHT = 2;

    /**
     * Bytes that threads which read before any of them writes have together, for the largest type; more is not faster.
     */
    private static final int VECTOR = 32;

    private static final int LEAST_VECTOR = 16;

    /** The most nodes of the JIT compiler that these threads have in a loop which {@link VectorLoopWriter} unrolls. */
    private static final int NODES = 200;

    /** Bytes in each array that the JIT compiler unrolls a loop to. */
    private static final int UNROLLED = 64;

    /**
     * Reads and writes in the loop when it is unrolled, at most: the time to compile it grows with their square, and is
     * tenths of a second.
     */
    private static final int ACCESSES = 400;

    private static final long ALL_WRITES = (1L << WRITES) - 1;

    /** It may have thrown something. */
    private static final long RISK = 1L << 63;

    private static final Set<String> PURE = Set.of(
            "java/lang/Math",
            "java/lang/StrictMath",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Short",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Boolean");

    /** Of these, what never throws anything. */
    private static final Set<String> SAFE = Set.of(
            "abs",
            "min",
            "max",
            "sqrt",
            "fma",
            "sin",
            "cos",
            "tan",
            "exp",
            "log",
            "pow",
            "rint",
            "signum",
            "bitCount",
            "reverse",
            "rotateLeft",
            "rotateRight",
            "floatToRawIntBits",
            "floatToIntBits",
            "intBitsToFloat",
            "doubleToRawLongBits",
            "doubleToLongBits",
            "longBitsToDouble");

    /** Of these, what is vector instructions. */
    private static final Set<String> VECTORS = Set.of("abs", "min", "max", "sqrt", "fma");

    static final String GLOBAL_IDX = "org/comm4j/kernel/lang/GlobalIdx";

    /** What is not a row. */
    private static final class Unsuited extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsuited() {
            super(null, null, false, false);
        }
    }

    /** @param displacement in elements; null for none */
    private record Moved(Pointer pointer, @Nullable AffineExpr displacement) {}

    /** Of two {@code long}s. */
    private record Comparison(
            @Nullable AffineExpr left, @Nullable AffineExpr right) {}

    /** What is known about a value: something, or only what type it has. */
    private record Entry(
            TypeKind type,
            @Nullable AffineExpr term,
            @Nullable Moved moved,
            @Nullable Comparison comparison) {
        static Entry of(TypeKind type) {
            return new Entry(type.asLoadable(), null, null, null);
        }

        static Entry of(TypeKind type, @Nullable AffineExpr term) {
            return new Entry(type.asLoadable(), term, null, null);
        }
    }

    /** Before an instruction. */
    private static final class State {
        final @Nullable Entry[] locals;
        final List<Entry> stack;
        long must;
        long may;

        State(@Nullable Entry[] locals, List<Entry> stack, long must, long may) {
            this.locals = locals;
            this.stack = stack;
            this.must = must;
            this.may = may;
        }

        State copy() {
            return new State(locals.clone(), new ArrayList<>(stack), must, may);
        }

        void push(Entry entry) {
            stack.add(entry);
        }

        Entry pop() {
            return stack.removeLast();
        }

        void join(State other) {
            must &= other.must;
            may |= other.may;
            for (int i = 0; i < locals.length; i++) {
                locals[i] = join(locals[i], other.locals[i]);
            }
            for (int i = 0; i < stack.size(); i++) {
                Entry joined = join(stack.get(i), other.stack.get(i));
                if (joined == null) {
                    throw new Unsuited();
                }
                stack.set(i, joined);
            }
        }

        private static @Nullable Entry join(@Nullable Entry a, @Nullable Entry b) {
            if (a == null || b == null || a.type != b.type) {
                return null;
            }
            return a.equals(b) ? a : Entry.of(a.type);
        }
    }

    private final List<CodeElement> code;
    private final Map<Label, Integer> labels = new HashMap<>();
    private final @Nullable State[] before;
    private final List<AffineExpr> terms = new ArrayList<>();
    private final List<Guard> guards = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final List<Uniform> uniform = new ArrayList<>();
    private final List<Window> writes = new ArrayList<>();
    private final Map<Integer, Replacement> replaced = new HashMap<>();

    private boolean merges = true;

    /** Operations with floating-point numbers. */
    private int work;

    /** Operations with numbers that are no indices. */
    private int operations;

    /** Whether something throws that is not an index. */
    private boolean throwing;

    /** Whether something is done of which the JIT compiler makes no vectors in groups of threads. */
    private boolean singly;

    /** What has happened wherever it returns. */
    private long always = -1;

    private LoopVectorizer(List<CodeElement> code) {
        this.code = code;
        before = new State[code.size() + 1];
    }

    /**
     * The shape of a kernel.
     *
     * @param code of the kernel, as {@link GlobalIndex} has recognised it
     * @return null if it has none
     */
    static @Nullable AccessPattern of(List<CodeElement> code, MethodTypeDesc kernel, int maxLocals) {
        try {
            return new LoopVectorizer(code).analyse(kernel, maxLocals);
        } catch (Unsuited e) {
            return null;
        }
    }

    private AccessPattern analyse(MethodTypeDesc kernel, int maxLocals) {
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof LabelTarget target) {
                labels.put(target.label(), i);
            }
        }
        before[0] = new State(parameters(kernel, maxLocals), new ArrayList<>(), 0, 0);
        for (int i = 0; i < code.size(); i++) {
            State state = before[i];
            if (state != null) {
                step(i, state.copy());
            }
        }
        long all = (1L << writes.size()) - 1 | ((1L << guards.size()) - 1) << WRITES;
        if (writes.isEmpty() || (always & all) != all) {
            throw new Unsuited();
        }
        boolean inPlace = writes.size() == 1 && windows.stream().allMatch(writes.getFirst()::equals);
        if (inPlace
                && uniform.isEmpty()
                && !throwing
                && !windows.isEmpty()
                && isWhole(writes.getFirst().pointer().kind())) {
            throw new Unsuited(); // of whole numbers in one place the JIT compiler makes vectors by itself
        }
        int lanes = lanes(inPlace);
        if (lanes == 0 && AccessPattern.isWide(writes)) {
            throw new Unsuited();
        }
        for (Window write : lanes == 0 ? List.<Window>of() : writes) {
            if (!windows.contains(write)) {
                windows.add(write);
            }
        }
        // Views are checked by each thread in the other loop, which costs more than this one.
        boolean light =
                work <= LIGHT && writes.stream().noneMatch(w -> w.pointer().view());
        return new AccessPattern(terms, guards, windows, uniform, writes, lanes, light, merges, replaced);
    }

    /** {@link AccessPattern#lanes}. */
    private int lanes(boolean inPlace) {
        if (!uniform.isEmpty() || throwing || windows.size() + writes.size() > WINDOWS) {
            return 0;
        }
        if (inPlace) {
            return 1;
        }
        if (singly || windows.stream().anyMatch(Window::late)) {
            return 0;
        }
        int most = 1;
        int least = Long.BYTES;
        for (List<Window> some : List.of(windows, writes)) {
            for (Window window : some) {
                most = Math.max(most, window.pointer().kind().bytes);
                least = Math.min(least, window.pointer().kind().bytes);
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

    private static @Nullable Entry[] parameters(MethodTypeDesc kernel, int maxLocals) {
        @Nullable Entry[] locals = new @Nullable Entry[maxLocals + 2];
        int slot = 0;
        for (int i = 0; i < kernel.parameterCount(); i++) {
            ClassDesc type = kernel.parameterType(i);
            TypeKind kind = TypeKind.from(type).asLoadable();
            Entry entry = Entry.of(kind);
            if (kind == TypeKind.INT || kind == TypeKind.LONG) {
                entry = Entry.of(kind, new AffineExpr.Argument(i, kind == TypeKind.LONG));
            } else if (type.isClassOrInterface()) {
                String name = type.descriptorString()
                        .substring(1, type.descriptorString().length() - 1);
                ElementKind pointer = ElementKind.ofPointer(name);
                ElementKind view = ElementKind.ofView(name);
                if (pointer != null || view != null) {
                    Pointer what =
                            new Pointer(i, view != null, pointer != null ? pointer : Objects.requireNonNull(view));
                    entry = new Entry(kind, null, new Moved(what, null), null);
                }
            }
            locals[slot] = entry;
            slot += kind.slotSize();
        }
        return locals;
    }

    // ---- the way through the code ----

    private void flow(int from, int to, State state) {
        if (to <= from) {
            throw new Unsuited(); // a loop
        }
        State there = before[to];
        if (there == null) {
            before[to] = state.copy();
        } else {
            there.join(state);
        }
    }

    private int target(BranchInstruction branch) {
        return Objects.requireNonNull(labels.get(branch.target()));
    }

    private void step(int at, State state) {
        CodeElement element = code.get(at);
        switch (element) {
            case ReturnInstruction _ -> {
                if (!state.stack.isEmpty()) {
                    throw new Unsuited();
                }
                always &= state.must;
                return;
            }
            case ThrowInstruction _ -> {
                throwing = true;
                return;
            }
            case BranchInstruction branch -> {
                branch(at, branch, state);
                return;
            }
            case ExceptionCatch _ -> throw new Unsuited();
            case PseudoInstruction _, NopInstruction _ -> {}
            case Instruction instruction -> execute(at, instruction, state);
            default -> {}
        }
        flow(at, at + 1, state);
    }

    private void branch(int at, BranchInstruction branch, State state) {
        int target = target(branch);
        Opcode opcode = branch.opcode();
        if (opcode == Opcode.GOTO || opcode == Opcode.GOTO_W) {
            flow(at, target, state);
            return;
        }
        boolean two = opcode.name().startsWith("IF_");
        Entry right = two ? state.pop() : Entry.of(TypeKind.INT, new AffineExpr.Constant(0, false));
        Entry left = state.pop();
        boolean leaves = isEnd(target);
        if ((state.may & ALL_WRITES) == 0 && leaves != isEnd(at + 1)) {
            guard(leaves ? inverse(opcode) : opcode, two, left, right, state);
            replaced.put(at, new Replacement.Drop(two ? 2 : 1, !leaves));
            flow(at, leaves ? at + 1 : target, state);
        } else {
            singly = true;
            flow(at, at + 1, state);
            flow(at, target, state);
        }
    }

    /** Whether a thread that comes here has nothing left to do. */
    private boolean isEnd(int at) {
        for (int i = at; i < code.size(); i++) {
            CodeElement element = code.get(i);
            if (element instanceof ReturnInstruction) {
                return true;
            }
            if (element instanceof BranchInstruction branch && branch.opcode() == Opcode.GOTO) {
                int target = target(branch);
                if (target <= i) {
                    return false;
                }
                i = target;
            } else if (element instanceof Instruction) {
                return false;
            }
        }
        return false;
    }

    private void guard(Opcode relation, boolean two, Entry left, Entry right, State state) {
        AffineExpr a = left.term;
        AffineExpr b = right.term;
        Comparison comparison = left.comparison;
        if (comparison != null && !two) {
            a = comparison.left;
            b = comparison.right;
        }
        // Threads that only would have thrown something are not to be left out.
        if (a == null || b == null || (state.may & RISK) != 0 || guards.size() == GUARDS) {
            throw new Unsuited();
        }
        long bit = 1L << WRITES + guards.size();
        guards.add(new Guard(ofInts(relation), track(a), track(b)));
        state.must |= bit;
        state.may |= bit;
    }

    private static Opcode ofInts(Opcode opcode) {
        return switch (opcode) {
            case IFEQ, IF_ICMPEQ -> Opcode.IF_ICMPEQ;
            case IFNE, IF_ICMPNE -> Opcode.IF_ICMPNE;
            case IFLT, IF_ICMPLT -> Opcode.IF_ICMPLT;
            case IFLE, IF_ICMPLE -> Opcode.IF_ICMPLE;
            case IFGT, IF_ICMPGT -> Opcode.IF_ICMPGT;
            case IFGE, IF_ICMPGE -> Opcode.IF_ICMPGE;
            default -> throw new Unsuited();
        };
    }

    private static Opcode inverse(Opcode opcode) {
        return switch (ofInts(opcode)) {
            case IF_ICMPEQ -> Opcode.IF_ICMPNE;
            case IF_ICMPNE -> Opcode.IF_ICMPEQ;
            case IF_ICMPLT -> Opcode.IF_ICMPGE;
            case IF_ICMPLE -> Opcode.IF_ICMPGT;
            case IF_ICMPGT -> Opcode.IF_ICMPLE;
            default -> Opcode.IF_ICMPLT;
        };
    }

    /**
     * The term's number; and the ints in it that become longs are looked at, too, since the sum of a row's length may
     * have no room in them.
     */
    private int track(AffineExpr term) {
        if (term instanceof AffineExpr.Operation operation) {
            if (operation.opcode() == Opcode.I2L && operation.slope() != 0) {
                track(operation.left());
            }
            for (AffineExpr operand : new @Nullable AffineExpr[] {operation.left(), operation.right()}) {
                if (operand instanceof AffineExpr.Operation inner && inner.slope() != 0) {
                    trackInside(inner);
                }
            }
        }
        int known = terms.indexOf(term);
        if (known < 0) {
            terms.add(term);
            known = terms.size() - 1;
        }
        return known;
    }

    private void trackInside(AffineExpr.Operation operation) {
        if (operation.opcode() == Opcode.I2L) {
            track(operation);
        } else {
            for (AffineExpr operand : new @Nullable AffineExpr[] {operation.left(), operation.right()}) {
                if (operand instanceof AffineExpr.Operation inner && inner.slope() != 0) {
                    trackInside(inner);
                }
            }
        }
    }

    // ---- instructions ----

    private void execute(int at, Instruction element, State state) {
        switch (element) {
            case LoadInstruction load -> {
                Entry entry = state.locals[load.slot()];
                state.push(entry == null ? Entry.of(load.typeKind()) : entry);
            }
            case StoreInstruction store -> {
                state.locals[store.slot()] = state.pop();
                if (store.typeKind().slotSize() == 2) {
                    state.locals[store.slot() + 1] = null;
                }
            }
            case IncrementInstruction increment -> {
                Entry entry = state.locals[increment.slot()];
                state.locals[increment.slot()] = Entry.of(
                        TypeKind.INT,
                        AffineExpr.of(
                                Opcode.IADD,
                                entry == null ? null : entry.term,
                                new AffineExpr.Constant(increment.constant(), false),
                                false));
            }
            case ConstantInstruction constant -> state.push(constant(constant));
            case OperatorInstruction operator -> operator(operator.opcode(), operator.typeKind(), state);
            case ConvertInstruction convert -> {
                Entry from = state.pop();
                boolean known = convert.opcode() == Opcode.I2L || convert.opcode() == Opcode.L2I;
                AffineExpr term = known ? AffineExpr.of(convert.opcode(), from.term, null, true) : null;
                computes(term, from);
                state.push(Entry.of(convert.toType(), term));
            }
            case StackInstruction stack -> stack(stack.opcode(), state);
            case ArrayLoadInstruction load -> {
                state.pop();
                state.pop();
                state.push(Entry.of(load.typeKind()));
                risk(state);
            }
            case FieldInstruction field
            when field.opcode() == Opcode.GETSTATIC -> state.push(Entry.of(TypeKind.from(field.typeSymbol())));
            case NewObjectInstruction created
            when isFailure(created.className().asInternalName()) -> state.push(Entry.of(TypeKind.REFERENCE));
            case InvokeInstruction call -> call(at, call, state);
            default -> throw new Unsuited();
        }
    }

    private static Entry constant(ConstantInstruction constant) {
        return switch (constant.constantValue()) {
            case Integer i -> Entry.of(TypeKind.INT, new AffineExpr.Constant(i, false));
            case Long l -> Entry.of(TypeKind.LONG, new AffineExpr.Constant(l, true));
            default -> Entry.of(constant.typeKind());
        };
    }

    private void risk(State state) {
        state.may |= RISK;
        throwing = true;
    }

    private void operator(Opcode opcode, TypeKind type, State state) {
        work += type == TypeKind.FLOAT || type == TypeKind.DOUBLE ? 1 : 0;
        switch (opcode) {
            case ARRAYLENGTH -> {
                state.pop();
                state.push(Entry.of(TypeKind.INT));
                risk(state);
            }
            case INEG, LNEG, FNEG, DNEG -> {
                Entry entry = state.pop();
                AffineExpr term = AffineExpr.of(opcode, entry.term, null, true);
                computes(term, entry);
                state.push(Entry.of(type, term));
            }
            case LCMP -> {
                Entry right = state.pop();
                Entry left = state.pop();
                state.push(new Entry(TypeKind.INT, null, null, new Comparison(left.term, right.term)));
            }
            case FCMPL, FCMPG, DCMPL, DCMPG -> {
                state.pop();
                state.pop();
                state.push(Entry.of(TypeKind.INT));
                singly = true;
            }
            default -> {
                Entry right = state.pop();
                Entry left = state.pop();
                boolean divides = switch (opcode) {
                    case IDIV, IREM, LDIV, LREM -> true;
                    default -> false;
                };
                if (divides && !(right.term instanceof AffineExpr.Constant(long by, boolean _) && by != 0)) {
                    risk(state);
                }
                singly |= divides;
                AffineExpr term = AffineExpr.of(opcode, left.term, right.term, false);
                computes(term, left, right);
                state.push(Entry.of(type, term));
            }
        }
    }

    /** An operation, with the place in memory that it is if it is one. */
    private void computes(@Nullable AffineExpr place, Entry... operands) {
        if (place == null) {
            operations++;
            for (Entry operand : operands) {
                singly |= operand.term != null && operand.term.slope() != 0;
            }
        }
    }

    private static void stack(Opcode opcode, State state) {
        switch (opcode) {
            case POP -> state.pop();
            case POP2 -> {
                if (state.pop().type.slotSize() == 1) {
                    state.pop();
                }
            }
            case DUP -> state.push(state.stack.getLast());
            case DUP2 -> {
                Entry top = state.stack.getLast();
                if (top.type.slotSize() == 1) {
                    state.push(state.stack.get(state.stack.size() - 2));
                }
                state.push(top);
            }
            case DUP_X1 -> {
                Entry top = state.pop();
                Entry below = state.pop();
                state.stack.addAll(Arrays.asList(top, below, top));
            }
            default -> throw new Unsuited();
        }
    }

    /** What is made to be thrown. */
    private static boolean isFailure(String type) {
        return type.startsWith("java/lang/") && (type.endsWith("Error") || type.endsWith("Exception"));
    }

    private void call(int at, InvokeInstruction call, State state) {
        MethodRef called = MethodRef.of(call);
        MethodTypeDesc type = call.typeSymbol();
        Index index = Index.of(called);
        if (index != null) {
            merges &= index != Index.THREAD_X && index != Index.BLOCK_X;
            state.push(Entry.of(TypeKind.INT, new AffineExpr.Place(index)));
            return;
        }
        if (called.owner().equals(GLOBAL_IDX)) {
            AffineExpr global = global(called.name());
            state.push(Entry.of(TypeKind.from(type.returnType()), global));
            return;
        }
        List<Entry> arguments = new ArrayList<>();
        for (int i = 0; i < type.parameterCount(); i++) {
            arguments.addFirst(state.pop());
        }
        switch (call.opcode()) {
            case INVOKESTATIC -> {
                if (!PURE.contains(called.owner())
                        || type.parameterList().stream().anyMatch(p -> !p.isPrimitive())
                        || !type.returnType().isPrimitive()) {
                    throw new Unsuited();
                }
                work += LIGHT + 1;
                singly |= !VECTORS.contains(called.name());
                computes(null, arguments.toArray(Entry[]::new));
                if (called.name().equals("sqrt") && before(at) == Opcode.F2D) {
                    operations -= 2; // with the conversions one instruction
                }
                if (!SAFE.contains(called.name())) {
                    risk(state);
                }
            }
            case INVOKESPECIAL -> {
                state.pop();
                if (!isFailure(called.owner()) || !called.name().equals("<init>")) {
                    throw new Unsuited();
                }
                return;
            }
            default -> {
                Entry receiver = state.pop();
                if (receiver.moved == null) {
                    throw new Unsuited();
                }
                access(at, called, receiver.moved, arguments, state);
                return;
            }
        }
        if (TypeKind.from(type.returnType()) != TypeKind.VOID) {
            state.push(Entry.of(TypeKind.from(type.returnType())));
        }
    }

    /** The instruction before another; null if it is where branches lead to. */
    private @Nullable Opcode before(int at) {
        int i = at - 1;
        while (i >= 0 && code.get(i) instanceof PseudoInstruction p && !(p instanceof LabelTarget)) {
            i--;
        }
        return i >= 0 && code.get(i) instanceof Instruction instruction ? instruction.opcode() : null;
    }

    private static @Nullable AffineExpr global(String name) {
        Index[] parts = switch (name.charAt(0)) {
            case 'x' -> new Index[] {Index.GLOBAL_X};
            case 'y' -> new Index[] {Index.BLOCK_Y, Index.BLOCK_DIM_Y, Index.THREAD_Y};
            case 'z' -> new Index[] {Index.BLOCK_Z, Index.BLOCK_DIM_Z, Index.THREAD_Z};
            default -> throw new Unsuited();
        };
        @Nullable AffineExpr[] places = new @Nullable AffineExpr[parts.length];
        for (int i = 0; i < parts.length; i++) {
            AffineExpr place = new AffineExpr.Place(parts[i]);
            places[i] = name.endsWith("Long") ? AffineExpr.of(Opcode.I2L, place, null, true) : place;
        }
        boolean wide = name.endsWith("Long");
        return parts.length == 1
                ? places[0]
                : AffineExpr.of(
                        wide ? Opcode.LADD : Opcode.IADD,
                        AffineExpr.of(wide ? Opcode.LMUL : Opcode.IMUL, places[0], places[1], false),
                        places[2],
                        false);
    }

    // ---- pointers and views ----

    private void access(int at, MethodRef called, Moved moved, List<Entry> arguments, State state) {
        Pointer pointer = moved.pointer;
        ElementKind kind = pointer.kind();
        String descriptor = called.descriptor();
        if (called.name().equals("get") && descriptor.equals(kind.getter())) {
            read(at, moved, arguments.getFirst().term, state);
            state.push(Entry.of(kind.type));
        } else if (called.name().equals("set") && descriptor.equals(kind.setter())) {
            AffineExpr value = arguments.getLast().term;
            singly |= value != null && value.slope() != 0;
            write(at, moved, arguments.getFirst().term, state);
        } else if (called.name().equals("plus") && !pointer.view()) {
            AffineExpr by = arguments.getFirst().term;
            if (by == null) {
                throw new Unsuited();
            }
            state.push(new Entry(TypeKind.REFERENCE, null, new Moved(pointer, plus(moved.displacement, by)), null));
        } else if (called.name().equals("length") && pointer.view()) {
            state.push(Entry.of(TypeKind.LONG, new AffineExpr.Length(pointer.argument(), kind)));
        } else if (called.name().equals("pointer") && pointer.view()) {
            Pointer inside = new Pointer(pointer.argument(), false, kind);
            state.push(new Entry(TypeKind.REFERENCE, null, new Moved(inside, null), null));
        } else {
            throw new Unsuited();
        }
    }

    private static @Nullable AffineExpr plus(@Nullable AffineExpr displacement, @Nullable AffineExpr index) {
        return displacement == null ? index : AffineExpr.of(Opcode.LADD, displacement, index, false);
    }

    private void read(int at, Moved moved, @Nullable AffineExpr index, State state) {
        boolean late = (state.may & ALL_WRITES) != 0;
        AffineExpr element = plus(moved.displacement, index);
        if (element == null || element.slope() != 0 && element.slope() != 1 || windows.size() == WINDOWS) {
            throw new Unsuited(); // no vector instruction loads it
        }
        if (element.slope() == 1) {
            Window window = new Window(moved.pointer, track(element), late);
            int number = windows.indexOf(window);
            if (number < 0) {
                windows.add(window);
                number = windows.size() - 1;
            }
            replaced.put(at, new Replacement.Read(number));
        } else {
            Uniform reads = new Uniform(moved.pointer, late);
            if (!uniform.contains(reads)) {
                uniform.add(reads);
            }
        }
        state.may |= RISK;
    }

    private void write(int at, Moved moved, @Nullable AffineExpr index, State state) {
        AffineExpr element = plus(moved.displacement, index);
        if (element == null || element.slope() != 1 || writes.size() == WRITES) {
            throw new Unsuited();
        }
        long bit = 1L << writes.size();
        writes.add(new Window(moved.pointer, track(element), false));
        replaced.put(at, new Replacement.Write(writes.size() - 1));
        state.must |= bit;
        state.may |= bit | RISK;
    }
}
