// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.KernelLibrary;
import org.comm4j.kernel.Ptr;

/** Which function of NVSHMEM reduces elements of a type. Type and operation are constants in kernels, so that one of them is linked. */
@KernelLibrary
final class WarpReductions {
    private WarpReductions() {}

    private static int none(String what) {
        throw new IllegalArgumentException(what);
    }

    static <P extends Ptr> int reduce(int team, P destination, P source, long count, ReduceOp op) {
        return switch (destination.elementType()) {
            case INT8 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_int8_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_int8_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_int8_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_int8_max_reduce_warp(team, destination, source, count);
                    case BAND -> NvshmemFunctions.nvshmemx_int8_and_reduce_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int8_or_reduce_warp(team, destination, source, count);
                    case BXOR -> NvshmemFunctions.nvshmemx_int8_xor_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT8");
                };
            case INT16 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_int16_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_int16_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_int16_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_int16_max_reduce_warp(team, destination, source, count);
                    case BAND -> NvshmemFunctions.nvshmemx_int16_and_reduce_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int16_or_reduce_warp(team, destination, source, count);
                    case BXOR -> NvshmemFunctions.nvshmemx_int16_xor_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT16");
                };
            case INT32 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_int32_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_int32_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_int32_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_int32_max_reduce_warp(team, destination, source, count);
                    case BAND -> NvshmemFunctions.nvshmemx_int32_and_reduce_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int32_or_reduce_warp(team, destination, source, count);
                    case BXOR -> NvshmemFunctions.nvshmemx_int32_xor_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT32");
                };
            case INT64 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_int64_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_int64_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_int64_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_int64_max_reduce_warp(team, destination, source, count);
                    case BAND -> NvshmemFunctions.nvshmemx_int64_and_reduce_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int64_or_reduce_warp(team, destination, source, count);
                    case BXOR -> NvshmemFunctions.nvshmemx_int64_xor_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT64");
                };
            case FLOAT16 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_half_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_half_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_half_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_half_max_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT16");
                };
            case BFLOAT16 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_bfloat16_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_bfloat16_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_bfloat16_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_bfloat16_max_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of BFLOAT16");
                };
            case FLOAT32 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_float_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_float_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_float_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_float_max_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT32");
                };
            case FLOAT64 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_double_sum_reduce_warp(team, destination, source, count);
                    case PROD -> NvshmemFunctions.nvshmemx_double_prod_reduce_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_double_min_reduce_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_double_max_reduce_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT64");
                };
            default -> none("NVSHMEM does not reduce these elements");
        };
    }

    static <P extends Ptr> int reduceScatter(int team, P destination, P source, long count, ReduceOp op) {
        return switch (destination.elementType()) {
            case INT8 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_int8_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_int8_prod_reducescatter_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_int8_min_reducescatter_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_int8_max_reducescatter_warp(team, destination, source, count);
                    case BAND ->
                        NvshmemFunctions.nvshmemx_int8_and_reducescatter_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int8_or_reducescatter_warp(team, destination, source, count);
                    case BXOR ->
                        NvshmemFunctions.nvshmemx_int8_xor_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT8");
                };
            case INT16 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_int16_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_int16_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_int16_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_int16_max_reducescatter_warp(team, destination, source, count);
                    case BAND ->
                        NvshmemFunctions.nvshmemx_int16_and_reducescatter_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int16_or_reducescatter_warp(team, destination, source, count);
                    case BXOR ->
                        NvshmemFunctions.nvshmemx_int16_xor_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT16");
                };
            case INT32 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_int32_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_int32_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_int32_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_int32_max_reducescatter_warp(team, destination, source, count);
                    case BAND ->
                        NvshmemFunctions.nvshmemx_int32_and_reducescatter_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int32_or_reducescatter_warp(team, destination, source, count);
                    case BXOR ->
                        NvshmemFunctions.nvshmemx_int32_xor_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT32");
                };
            case INT64 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_int64_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_int64_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_int64_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_int64_max_reducescatter_warp(team, destination, source, count);
                    case BAND ->
                        NvshmemFunctions.nvshmemx_int64_and_reducescatter_warp(team, destination, source, count);
                    case BOR -> NvshmemFunctions.nvshmemx_int64_or_reducescatter_warp(team, destination, source, count);
                    case BXOR ->
                        NvshmemFunctions.nvshmemx_int64_xor_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of INT64");
                };
            case FLOAT16 ->
                switch (op) {
                    case SUM -> NvshmemFunctions.nvshmemx_half_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_half_prod_reducescatter_warp(team, destination, source, count);
                    case MIN -> NvshmemFunctions.nvshmemx_half_min_reducescatter_warp(team, destination, source, count);
                    case MAX -> NvshmemFunctions.nvshmemx_half_max_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT16");
                };
            case BFLOAT16 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_bfloat16_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_bfloat16_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_bfloat16_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_bfloat16_max_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of BFLOAT16");
                };
            case FLOAT32 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_float_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_float_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_float_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_float_max_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT32");
                };
            case FLOAT64 ->
                switch (op) {
                    case SUM ->
                        NvshmemFunctions.nvshmemx_double_sum_reducescatter_warp(team, destination, source, count);
                    case PROD ->
                        NvshmemFunctions.nvshmemx_double_prod_reducescatter_warp(team, destination, source, count);
                    case MIN ->
                        NvshmemFunctions.nvshmemx_double_min_reducescatter_warp(team, destination, source, count);
                    case MAX ->
                        NvshmemFunctions.nvshmemx_double_max_reducescatter_warp(team, destination, source, count);
                    default -> none("NVSHMEM has no such reduction of FLOAT64");
                };
            default -> none("NVSHMEM does not reduce these elements");
        };
    }
}
