// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/** Stores of what goes along with rows: scales, payloads, and where a token goes to a PE once, choices and weights. */
@KernelLibrary
final class AlongRows {
    private AlongRows() {}

    /** Returns where a scale of a row is. */
    static I8Ptr scale(MoeSpace space, long place, int number) {
        return space.base().plus(space.distances().get(place >>> 32) + space.scale((int) place, number));
    }

    /** Sends scales and payloads of a token. */
    static void send(
            boolean quantize, MoeSpace space, Payloads.Along along, int token, long[] places, int half) {
        int choices = space.perToken();
        if (!quantize) {
            long first = token * along.scaleRow();
            // Neighbours store scales of one row, which go over a link together.
            for (int i = ThreadIdx.x(); i < space.scales() * choices; i += BlockDim.x()) {
                int k = i / space.scales();
                int number = i - k * space.scales();
                long place = places[half + k];
                if (place >= 0) {
                    long at = first + number * along.scaleStep();
                    I8Ptr to = scale(space, place, number);
                    if (space.scaleBytes() == 1) {
                        to.set(0, along.scales().get(at));
                    } else {
                        to.asI32().set(0, along.scales().asI32().get(at));
                    }
                }
            }
        }
        for (int p = 0; p < Payloads.MOST; p++) {
            Unroll.all();
            Payloads.One payload = along.payloads().at(p);
            int words = payload.bytes() / 4;
            for (int i = ThreadIdx.x(); i < words * choices; i += BlockDim.x()) {
                int k = i / words;
                long place = places[half + k];
                if (place >= 0) {
                    int word = i - k * words;
                    long row = space.distances().get(place >>> 32) + payload.to() + (place & 0xffff_ffffL) * 4 * words;
                    int data = payload.from().asI32().get((long) token * words + word);
                    space.base().plus(row).asI32().set(word, data);
                }
            }
        }
    }

    /** Sends local experts and weights of a token's choices to each PE that it goes to. */
    static void choices(MoeSpace space, F32Ptr weights, int token, long[] places, long[] experts, int half) {
        int choices = space.perToken();
        for (int i = ThreadIdx.x(); i < choices * choices; i += BlockDim.x()) {
            int to = i / choices;
            int k = i - to * choices;
            long place = places[half + to];
            if (place >= 0) {
                long expert = experts[half + k];
                boolean here = expert >= 0 && expert >>> 32 == place >>> 32;
                I8Ptr there = space.base().plus(space.distances().get(place >>> 32));
                long at = (place & 0xffff_ffffL) * choices + k;
                there.plus(space.rowChoices()).asI32().set(at, here ? (int) expert : -1);
                float weight = weights.get((long) token * choices + k);
                if (space.renormalize()) {
                    weight *= share(choices, weights.plus((long) token * choices), experts, half);
                }
                there.plus(space.rowWeights()).asF32().set(at, here ? weight : 0);
            }
        }
    }

    /** Returns the sum of a token's weights, divided by that of the choices that are not lost; 1 if that is 0. */
    private static float share(int choices, F32Ptr weights, long[] experts, int half) {
        float all = 0;
        float left = 0;
        for (int k = 0; k < choices; k++) {
            long expert = experts[half + k];
            all += expert != -1 ? weights.get(k) : 0;
            left += expert >= 0 ? weights.get(k) : 0;
        }
        return left == 0 ? 1 : all / left;
    }
}
