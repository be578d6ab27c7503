# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
"""Attention of "comm4j bench attention" beside PyTorch's scaled_dot_product_attention, in turns on the first GPU.

Arguments: lengths of heads; 4096 8192 16384 by default. COMM4J names the command to measure, ./comm4j by default;
ROUNDS (2) and OPTIONS of the command may be set in the environment. PyTorch's time is that of its fastest backend.
"""

import os
import shlex
import statistics
import subprocess
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

HEAD, QUERIES, MILLIS, REPEATS = 128, 262144, 100, 5
BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
}


def milliseconds(call, calls):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / calls


def theirs(length, causal):
    """The median of each backend that can do it, in microseconds."""
    shape = (1, max(1, QUERIES // length), length, HEAD)
    q, k, v = (torch.rand(shape, device="cuda").mul(2).sub(1).to(torch.bfloat16) for _ in range(3))
    times = {}
    for name, backend in BACKENDS.items():

        def call():
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(q, k, v, is_causal=causal)

        try:
            call()
        except RuntimeError as error:
            print(f"# {name}: {str(error).splitlines()[0]}", flush=True)
            continue
        calls = max(1, int(MILLIS / max(1e-3, milliseconds(call, 1))))
        times[name] = statistics.median(milliseconds(call, calls) for _ in range(REPEATS)) * 1e3
    torch.cuda.empty_cache()
    return times


def ours(length):
    """Microseconds and the worst error, by whether it is causal."""
    command = [os.environ.get("COMM4J", "./comm4j"), "bench", "attention", "-n", str(length)]
    command += ["--queries", str(QUERIES), *shlex.split(os.environ.get("OPTIONS", ""))]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in output.splitlines() if line and not line.startswith("#")]
    return {row[2] == "yes": (float(row[4]), row[6]) for row in rows}


def main():
    lengths = [int(word) for word in sys.argv[1:]] or [4096, 8192, 16384]
    print(f"# {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}")
    print("#  length causal    comm4j us  TFLOP/s   PyTorch us  TFLOP/s backend    share    worst")
    for length in lengths:
        mine, other = {False: [], True: []}, {False: [], True: []}
        worst = {}
        for _ in range(int(os.environ.get("ROUNDS", "2"))):
            measured = ours(length)
            for causal in (False, True):
                mine[causal].append(measured[causal][0])
                worst[causal] = measured[causal][1]
                other[causal].append(theirs(length, causal))
        for causal in (False, True):
            time = min(mine[causal])
            medians = {name: min(t[name] for t in other[causal] if name in t) for name in other[causal][0]}
            name = min(medians, key=medians.get)
            flops = 4 * QUERIES * length * HEAD * (0.5 if causal else 1)
            print(
                f"{length:9} {'yes' if causal else 'no':>6} {time:12.1f} {flops / time * 1e-6:8.1f}"
                f" {medians[name]:12.1f} {flops / medians[name] * 1e-6:8.1f} {name:10}"
                f" {medians[name] / time:5.3f} {worst[causal]:>8}",
                flush=True,
            )


main()
