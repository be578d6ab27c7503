// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Where everything of a dispatch is: for kernels as {@link MoeSpace}, for the program as views. */
final class MoePlaces {
    private final MoeSite pe;
    private final MoeShape shape;
    private final MoeOptions options;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final Members members;
    private final boolean near;
    /** Bytes from the places of routes to those that a combine reads. */
    private final long sumPlaces;
    /** The address of this PE's memory. */
    private final long start;

    /** @param staged what brings rows to PEs out of reach; null if there are none */
    MoePlaces(MoeSite pe, MoeMemory.Plan plan, MoeMachine machine, Members members, @Nullable FarRows staged) {
        this.pe = pe;
        this.shape = plan.shape();
        this.options = plan.options();
        this.plan = plan;
        this.machine = machine;
        this.members = members;
        this.near = staged == null;
        this.sumPlaces = staged == null ? 0 : staged.sumPlaces();
        this.start = machine.space().address();
    }

    /** Whether kernels look up where experts are. */
    boolean usesTable(ExpertPlacement placement) {
        return !placement.isEven() || !members.isComplete();
    }

    /** Returns a slot for a dispatch; {@code tokens} with payloads or destinations, or null. */
    MoeSlot slot(ExpertPlacement placement, int number, @Nullable Tokens tokens) {
        MoeSpace space = space(placement, number, tokens, 0);
        MoeSpace sums = sumPlaces == 0 ? space : space(placement, number, tokens, sumPlaces);
        Payloads payloads = tokens == null ? Payloads.none(space.base()) : payloads(space, tokens);
        return new MoeSlot(number, space, sums, views(placement, space, tokens), payloads, tokens);
    }

    private Payloads payloads(MoeSpace space, Tokens tokens) {
        Payloads.One[] all = new Payloads.One[Payloads.MOST];
        for (int i = 0; i < all.length; i++) {
            boolean is = i < shape.payloads().size();
            all[i] = is
                    ? new Payloads.One(
                            I8Ptr.of(tokens.payloads().get(i).view(DataType.INT8)),
                            shape.payloads().get(i),
                            space.slot() + plan.payload(i))
                    : new Payloads.One(space.base(), 0, 0);
        }
        return new Payloads(all[0], all[1], all[2], all[3], all[4], all[5]);
    }

    /** Where rows go to symmetric memory of the program or not. */
    private MoeSpace space(ExpertPlacement placement, int number, @Nullable Tokens tokens, long morePlaces) {
        long slot = plan.firstSlot() + number * plan.slot();
        Buffer into = tokens == null || !isDirect(tokens.into()) ? null : tokens.into();
        Buffer scalesInto = tokens == null || !isDirect(tokens.scalesInto()) ? null : tokens.scalesInto();
        return new MoeSpace(
                machine.base(),
                machine.distances(),
                machine.report(),
                pe.myPe(),
                pe.nPes(),
                members.living().length,
                members.isComplete() ? 0 : plan.peers(),
                shape.experts(),
                placement.slots(),
                counters(placement),
                usesTable(placement) ? plan.table() : 0,
                shape.perToken(),
                options.padding(),
                plan.maxRows(),
                plan.byRank() ? shape.tokens() : 0,
                plan.capacity(),
                plan.rowBytes(),
                options.group(),
                options.renormalize() && !members.isComplete(),
                plan.scales(),
                plan.scaleType().bytes(),
                plan.scalePeriod(),
                plan.meets(),
                plan.load(),
                slot,
                slot + plan.flags(),
                slot + plan.answers(),
                slot + plan.pending(),
                slot + plan.words(),
                slot + plan.came(),
                slot + plan.counts(),
                slot + plan.starts(),
                slot + plan.rowExperts(),
                slot + plan.rowChoices(),
                slot + plan.rowWeights(),
                slot + plan.places() + morePlaces,
                into == null ? slot + plan.rows() : offset(into),
                scalesInto == null ? slot + plan.rowScales() : offset(scalesInto),
                slot + plan.results(),
                slot + plan.resultScales());
    }

    /** Whether others store to an array of the program where it is. */
    boolean isDirect(@Nullable Buffer buffer) {
        return buffer != null && near && machine.isSymmetric(buffer);
    }

    /** Bytes from this PE's memory to symmetric memory of the program. */
    long offset(Buffer symmetric) {
        return symmetric.address() - start;
    }

    /** What a dispatch gives the program. */
    private Routed.Views views(ExpertPlacement placement, MoeSpace space, @Nullable Tokens tokens) {
        DataType type = options.results(shape);
        long rows = plan.capacity();
        Buffer into = tokens == null ? null : tokens.into();
        Buffer x = into == null ? view(space.rows(), rows * shape.hidden(), plan.rowType()) : into;
        Buffer scalesInto = tokens == null ? null : tokens.scalesInto();
        Buffer scales =
                scalesInto == null ? view(space.rowScales(), rows * plan.scales(), plan.scaleType()) : scalesInto;
        List<Buffer> payloads = new ArrayList<>();
        for (int i = 0; i < shape.payloads().size(); i++) {
            payloads.add(
                    view(space.slot() + plan.payload(i), rows * shape.payloads().get(i), DataType.INT8));
        }
        Buffer results = view(space.results(), rows * shape.hidden(), type);
        Buffer resultScales = view(space.resultScales(), rows * plan.answerScales(), DataType.FLOAT32);
        Buffer counts = view(space.counts(), areas(placement), DataType.INT32);
        Buffer starts = view(space.starts(), areas(placement) + 1, DataType.INT32);
        boolean ragged = options.layout() == ExpertLayout.RAGGED;
        Buffer rowExperts = view(space.rowExperts(), ragged ? rows : 0, DataType.INT32);
        long choices = plan.byRank() ? rows * shape.perToken() : 0;
        Buffer rowChoices = view(space.rowChoices(), choices, DataType.INT32);
        Buffer rowWeights = view(space.rowWeights(), choices, DataType.FLOAT32);
        RoutedRows kernel = new RoutedRows(space, areas(placement), shape.hidden(), shape.hidden() * type.bytes());
        return new Routed.Views(
                x, scales, payloads, results, resultScales, counts, starts, rowExperts, rowChoices, rowWeights, kernel);
    }

    /** Local experts, or sources. */
    private int areas(ExpertPlacement placement) {
        return plan.byRank() ? plan.groups() : placement.local(pe.myPe()).length;
    }

    /** Words of counts that a PE tells each other. */
    int counters(ExpertPlacement placement) {
        return plan.byRank() ? pe.nPes() : placement.slots();
    }

    Buffer view(long offset, long count, DataType type) {
        return machine.space().slice(offset, count * type.bytes()).view(type);
    }
}
