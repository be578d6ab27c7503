// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace feature_detail {
/** In a file that only is included. */
__device__ inline int base() {
    return 40;
}
} // namespace feature_detail
