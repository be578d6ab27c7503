// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/* The simulated GPUs with NVSHMEM, and kernels of dispatch and combine that do nothing there. */

#include "../../../../comm4j-nvshmem/src/test/c/simulation.c"

int SendKernels_dispatch_parameters = 15;
void SendKernels_dispatch(void** arguments) {}

int PullKernels_combine_parameters = 10;
void PullKernels_combine(void** arguments) {}
