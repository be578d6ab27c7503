// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.util.Objects;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.moe.ExpertExchange;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.GatheredExperts;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.moe.PendingSums;
import org.comm4j.moe.Routed;
import org.comm4j.moe.Sums;
import org.comm4j.moe.Tokens;
import org.comm4j.moe.nccl.NcclExperts;
import org.comm4j.nccl.NcclCommunicator;
import org.jspecify.annotations.Nullable;

/** {@link ExpertParallel}, by kernels that communicate or by NCCL. */
final class KernelsWay implements MoeWay {
    private final ExpertExchange exchange;
    /** Null where tokens are gathered. */
    private final @Nullable ExpertParallel ep;

    private final LaunchConfig blocks;
    private final boolean scaled;
    private final boolean split;
    private final MoeTokens tokens;
    private final boolean byRank;
    private final int hidden;
    private final CompiledKernel echo;
    private @Nullable Routed routed;
    private @Nullable PendingSums pending;

    /** Collective: by kernels that communicate. */
    KernelsWay(ShmemPe pe, MoeSettings settings, MoeTokens tokens) {
        this(pe, settings, tokens, ExpertParallel.of(pe, settings.shape(tokens.count), settings.options()), true);
    }

    /** Collective: by NCCL, whose communicator stays the caller's. */
    static KernelsWay byNccl(
            World world,
            ShmemPe pe,
            NcclCommunicator communicator,
            MoeSettings settings,
            MoeTokens tokens,
            MoeSettings.Way way) {
        Device device = pe.nvshmem().device();
        MoeShape shape = settings.shape(tokens.count);
        MoeOptions options = settings.options();
        ExpertExchange exchange = switch (way) {
            case NCCL_PADDED -> NcclExperts.padded(world, communicator, device, shape, options);
            case NCCL_GATHER -> NcclExperts.gathered(world, communicator, device, shape, options);
            default -> NcclExperts.counted(world, communicator, device, shape, options);
        };
        return new KernelsWay(pe, settings, tokens, exchange, false);
    }

    private KernelsWay(ShmemPe pe, MoeSettings settings, MoeTokens tokens, ExpertExchange exchange, boolean split) {
        this.exchange = exchange;
        this.ep = exchange instanceof ExpertParallel parallel ? parallel : null;
        this.split = split;
        this.tokens = tokens;
        byRank = settings.layout() == ExpertLayout.BY_RANK;
        hidden = settings.hidden();
        if (settings.blocks() > 0 && ep != null) {
            ep.blocks(settings.blocks());
        }
        blocks = exchange instanceof GatheredExperts gathered
                ? gathered.blocks()
                : Objects.requireNonNull(ep).blocks();
        scaled = settings.shape(tokens.count).scales() > 0;
        boolean eight = settings.input() != MoeSettings.Input.BF16;
        echo = pe.compiler().compile(EchoKernels::echo, eight, byRank);
    }

    private Tokens given(int round) {
        Tokens given = Tokens.of(tokens.x, tokens.chosen[round % tokens.chosen.length], tokens.count);
        if (scaled) {
            given = given.scales(tokens.scales);
        }
        return byRank ? given.weights(tokens.weights) : given;
    }

    private Sums sums() {
        Sums sums = Sums.into(tokens.sums);
        return byRank ? sums : sums.weights(tokens.weights);
    }

    @Override
    public void dispatch(int round, @Nullable Stream stream) {
        routed = stream == null ? exchange.dispatch(given(round)) : exchange.dispatch(given(round), stream);
    }

    @Override
    public void combine(@Nullable Stream stream) {
        Routed rows = Objects.requireNonNull(routed);
        if (stream == null) {
            exchange.combine(sums(), rows);
        } else {
            exchange.combine(sums(), rows, stream);
        }
    }

    @Override
    public boolean isSplit() {
        return split;
    }

    @Override
    public void dispatchSend(int round, @Nullable Stream stream) {
        ExpertParallel halves = Objects.requireNonNull(ep);
        routed = stream == null ? halves.dispatchSend(given(round)) : halves.dispatchSend(given(round), stream);
    }

    @Override
    public void dispatchReceive(@Nullable Stream stream) {
        Routed rows = Objects.requireNonNull(routed);
        if (stream == null) {
            rows.receive();
        } else {
            rows.receive(stream);
        }
    }

    @Override
    public void combineSend(@Nullable Stream stream) {
        Routed rows = Objects.requireNonNull(routed);
        ExpertParallel halves = Objects.requireNonNull(ep);
        pending = stream == null ? halves.combineSend(sums(), rows) : halves.combineSend(sums(), rows, stream);
    }

    @Override
    public void combineReceive(@Nullable Stream stream) {
        PendingSums sums = Objects.requireNonNull(pending);
        if (stream == null) {
            sums.receive();
        } else {
            sums.receive(stream);
        }
    }

    @Override
    public long wrong(int round, @Nullable Stream stream) {
        tokens.sums.fill(-99);
        dispatch(round, stream);
        Routed rows = Objects.requireNonNull(routed);
        if (stream == null) {
            echo.launch(blocks, rows.rows(), hidden);
        } else {
            ((GpuKernel) echo).launch(blocks, stream, rows.rows(), hidden);
        }
        combine(stream);
        if (stream != null) {
            stream.synchronize();
        }
        exchange.check();
        return tokens.wrong();
    }

    @Override
    public void close() {
        echo.close();
        exchange.close();
    }
}
