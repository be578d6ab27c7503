// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.loops.Leaf.Plain;
import org.comm4j.kernel.loops.Leaf.Pointer;
import org.comm4j.kernel.loops.Stop.What;
import org.comm4j.kernel.loops.Val.Num;
import org.jspecify.annotations.Nullable;

/** A call of what the front end does not compile: where a thread is, where threads wait, Java methods. */
final class External {
    private static final String PACKAGE = "org/comm4j/kernel/lang/";

    private static final Map<String, Val.Place> PLACES = Map.ofEntries(
            Map.entry("ThreadIdx.x()I", Val.Place.TID_X),
            Map.entry("ThreadIdx.y()I", Val.Place.TID_Y),
            Map.entry("ThreadIdx.z()I", Val.Place.TID_Z),
            Map.entry("BlockIdx.x()I", Val.Place.CTAID_X),
            Map.entry("BlockIdx.y()I", Val.Place.CTAID_Y),
            Map.entry("BlockIdx.z()I", Val.Place.CTAID_Z),
            Map.entry("BlockDim.x()I", Val.Place.NTID_X),
            Map.entry("BlockDim.y()I", Val.Place.NTID_Y),
            Map.entry("BlockDim.z()I", Val.Place.NTID_Z),
            Map.entry("GridDim.x()I", Val.Place.NCTAID_X),
            Map.entry("GridDim.y()I", Val.Place.NCTAID_Y),
            Map.entry("GridDim.z()I", Val.Place.NCTAID_Z),
            Map.entry("Cluster.rank()I", Val.Place.CLUSTER_RANK),
            Map.entry("Cluster.size()I", Val.Place.CLUSTER_SIZE),
            Map.entry("Warp.laneId()I", Val.Place.LANE));

    private static final Map<String, What> STOPS = Map.ofEntries(
            Map.entry("Block.sync", What.SYNC_BLOCK),
            Map.entry("Block.syncCount", What.SYNC_COUNT),
            Map.entry("GridReductionExchange.add", What.BLOCK_ADD),
            Map.entry("GridReductionExchange.min", What.BLOCK_MIN),
            Map.entry("GridReductionExchange.max", What.BLOCK_MAX),
            Map.entry("Block.barrier", What.SYNC_NAMED),
            Map.entry("Block.arrive", What.ARRIVE_NAMED),
            Map.entry("Grid.arriveAndWait", What.SYNC_GRID),
            Map.entry("Cluster.sync", What.SYNC_CLUSTER),
            Map.entry("Warp.sync", What.SYNC_WARP),
            Map.entry("Warp.shuffle", What.SHUFFLE),
            Map.entry("Warp.shuffleUp", What.SHUFFLE_UP),
            Map.entry("Warp.shuffleDown", What.SHUFFLE_DOWN),
            Map.entry("Warp.shuffleXor", What.SHUFFLE_XOR),
            Map.entry("Warp.ballot", What.BALLOT),
            Map.entry("Warp.matchAny", What.MATCH_ANY),
            Map.entry("Warp.matchAll", What.MATCH_ALL),
            Map.entry("Warp.reduceAdd", What.REDUCE_ADD),
            Map.entry("Warp.reduceMin", What.REDUCE_MIN),
            Map.entry("Warp.reduceMax", What.REDUCE_MAX),
            Map.entry("Warp.reduceAnd", What.REDUCE_AND),
            Map.entry("Warp.reduceOr", What.REDUCE_OR),
            Map.entry("Warp.reduceXor", What.REDUCE_XOR));

    private final Flattener flat;
    private final Inliner inliner;
    private final Instruction.CallExternal call;

    External(Flattener flat, Inliner inliner, Instruction.CallExternal call) {
        this.flat = flat;
        this.inliner = inliner;
        this.call = call;
    }

    List<Leaf> translate() {
        String symbol = call.callee().symbol();
        if (symbol.startsWith(PACKAGE)) {
            String method = symbol.substring(PACKAGE.length());
            Val.Place place = PLACES.get(method);
            if (place != null) {
                return List.of(new Plain(place));
            }
            int open = method.indexOf('(');
            String name = open < 0 ? method : method.substring(0, open);
            What what = STOPS.get(name);
            if (what == What.SYNC_GRID) {
                inliner.stop(new Stop(flat.nextStop(), what, "Grid.sync", call.at(), List.of(), null));
                return List.of();
            }
            if (what != null) {
                return wait(
                        what,
                        name.replace("GridReductionExchange.add", "GridReduce.sum")
                                .replace("GridReductionExchange", "GridReduce"));
            }
            if (name.equals("Cluster.map")) {
                return ofOtherBlock();
            }
            int matrices = Matrices.count(name);
            if (matrices > 0 && inliner.leaves(call.arguments().getFirst()).getFirst() instanceof Pointer row) {
                return new Matrices(flat, inliner, name, call.at(), row).load(matrices);
            }
            if (name.equals("Warp.isLeader")) {
                return isFirstLane();
            }
        }
        Callee callee = flat.callees.find(call.callee());
        if (Callees.mayWait(symbol) || callee.pauses()) {
            inliner.pause(call.at());
        }
        List<Leaf> arguments = new ArrayList<>();
        call.arguments().forEach(each -> arguments.addAll(inliner.leaves(each)));
        arguments.forEach(each -> {
            if (each instanceof Pointer pointer) {
                pointer.room().needsMemory();
            }
        });
        if (callee.keeps()) {
            return kept(callee, arguments);
        }
        if (call.type() instanceof Type.Struct struct) {
            return components(struct, arguments);
        }
        Val.@Nullable Reg result = register();
        Op.Invoke op = inliner.add(new Op.Invoke(call.at(), callee, arguments, result));
        if (result == null) {
            return List.of();
        }
        result.by = op;
        return List.of(new Plain(result));
    }

    /** A call whose result the thread keeps, and takes apart; of one that may wait, when it has returned. */
    private List<Leaf> kept(Callee callee, List<Leaf> arguments) {
        inliner.add(new Op.Invoke(call.at(), callee, arguments, null));
        if (callee.later()) {
            String symbol = call.callee().symbol();
            String method = symbol.substring(0, symbol.indexOf('('));
            String name = method.substring(method.lastIndexOf('/') + 1);
            inliner.stop(new Stop(flat.nextStop(), What.CALL, name, call.at(), List.of(), null));
        }
        List<Leaf> all = new ArrayList<>();
        int part = 0;
        for (Flattener.Field field : Flattener.fields(call.type())) {
            if (field.type() instanceof Type.Scalar scalar) {
                all.add(new Plain(part(part++, Kind.of(scalar))));
            } else {
                Val which = part(part++, Kind.INT);
                all.add(new Pointer(Room.ANYWHERE, part(part++, Kind.LONG), null, 0, which));
            }
        }
        return all;
    }

    private Val.Reg part(int number, Kind kind) {
        Val.Reg result = flat.register(kind);
        result.by = inliner.add(new Op.Take(call.at(), number, result));
        return result;
    }

    /** Of a record as the result each component by a call of its own: the method only computes, or reads. */
    private List<Leaf> components(Type.Struct struct, List<Leaf> arguments) {
        List<Leaf> all = new ArrayList<>();
        for (int i = 0; i < struct.fields().size(); i++) {
            if (!(struct.fields().get(i) instanceof Type.Scalar scalar)) {
                throw new Unsupported(call.callee().symbol());
            }
            Val.Reg component = flat.register(Kind.of(scalar));
            component.by = inliner.add(
                    new Op.Invoke(call.at(), flat.callees.ofComponent(call.callee(), i), arguments, component));
            all.add(new Plain(component));
        }
        return all;
    }

    private Val.@Nullable Reg register() {
        return call.type() == Type.Scalar.VOID
                ? null
                : call.type() instanceof Type.Scalar scalar ? flat.register(Kind.of(scalar)) : none();
    }

    private static Val.Reg none() {
        throw new Unsupported("a struct as a result");
    }

    /** A place in the same memory of another block. */
    private List<Leaf> ofOtherBlock() {
        if (!(inliner.leaves(call.arguments().getFirst()).getFirst() instanceof Pointer pointer)
                || pointer.room().where == Room.Where.LOCAL) {
            throw new Unsupported(call.callee().symbol());
        }
        pointer.room().needsMemory();
        Val rank = inliner.number(call.arguments().get(1));
        Val next = inliner.binary(call.at(), Instruction.BinaryOp.ADD, Type.Scalar.I32, rank, Num.of(1));
        Val first = inliner.binary(call.at(), Instruction.BinaryOp.MUL, Type.Scalar.I32, next, Num.of(Room.MOST));
        Val which = inliner.binary(call.at(), Instruction.BinaryOp.ADD, Type.Scalar.I32, first, Inliner.which(pointer));
        return List.of(new Pointer(Room.ANYWHERE, pointer.bytes(), null, 0, which));
    }

    private List<Leaf> isFirstLane() {
        Value.Int zero = new Value.Int(Type.Scalar.I32, 0);
        Val.Reg result = flat.register(Kind.INT);
        result.by = inliner.add(new Op.Compute(
                new Instruction.Compare(-1, call.at(), Instruction.Comparison.EQ, zero, zero),
                Type.Scalar.I1,
                List.of(Val.Place.LANE, Val.Num.of(0)),
                result));
        return List.of(new Plain(result));
    }

    private List<Leaf> wait(What what, String name) {
        List<Val> arguments = call.arguments().stream().map(inliner::number).toList();
        Val.@Nullable Reg result = register();
        inliner.stop(new Stop(flat.nextStop(), what, name, call.at(), arguments, result));
        return result == null ? List.of() : List.of(new Plain(result));
    }
}
