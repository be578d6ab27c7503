// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
//
// What "comm4j bench nvshmem" measures and NVSHMEM's own perftests do not, in C with their options, defaults and tables:
//
//     mpirun -np 2 nvshmem-extra init | put_signal_on_stream | put_signal_ping_pong_on_stream [-b SIZE] [-e SIZE] [-f FACTOR] [-n N] [-w N]
//
// Build: nvcc -std=c++17 -O2 -I$NVSHMEM/include nvshmem-extra.cpp -L$NVSHMEM/lib -l:libnvshmem_host.so.3, with MPI's options.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <mpi.h>
#include <nvshmem.h>
#include <nvshmemx.h>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t status = (call);                                                     \
        if (status != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

static size_t scaled(const char* text) {
    char* end;
    double value = strtod(text, &end);
    const char* units = "KMG";
    const char* unit = *end ? strchr(units, *end & ~32) : nullptr;
    return (size_t) (value * (unit ? 1ULL << (10 * (unit - units + 1)) : 1));
}

static void table(const char* name, const char* metric, const std::vector<size_t>& sizes, const std::vector<double>& values) {
    char title[64];
    snprintf(title, sizeof title, "%s (us)", metric);
    printf("#%10s\n%-10s  %-8s  %-16s\n", name, "size(B)", "scope", title);
    for (size_t i = 0; i < sizes.size(); i++) {
        printf("%-10zu  %-8s  %-16.6lf\n", sizes[i], "None", values[i]);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const char* test = argc > 1 ? argv[1] : "";
    bool init = !strcmp(test, "init");
    bool put = !strcmp(test, "put_signal_on_stream");
    bool pingPong = !strcmp(test, "put_signal_ping_pong_on_stream");
    if (!init && !put && !pingPong) {
        fprintf(stderr, "nvshmem-extra: the first argument is init, put_signal_on_stream or put_signal_ping_pong_on_stream\n");
        return 2;
    }
    size_t min = 4, max = 4 << 20, factor = 2;
    int iterations = 10, warmup = 5;
    optind = 2;
    for (int c; (c = getopt(argc, argv, "b:e:f:n:w:")) != -1;) {
        switch (c) {
        case 'b': min = scaled(optarg); break;
        case 'e': max = scaled(optarg); break;
        case 'f': factor = scaled(optarg); break;
        case 'n': iterations = (int) scaled(optarg); break;
        case 'w': warmup = (int) scaled(optarg); break;
        default: return 2;
        }
    }
    int rank, size, devices;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));
    CHECK(cudaFree(nullptr));

    MPI_Barrier(MPI_COMM_WORLD);
    auto start = std::chrono::steady_clock::now();
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (rank == 0) {
        nvshmemx_get_uniqueid(&id);
    }
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    nvshmemx_set_attr_uniqueid_args(rank, size, &id, &attributes);
    int failed = nvshmemx_hostlib_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes);
    if (failed || nvshmemx_init_status() < NVSHMEM_STATUS_IS_INITIALIZED) {
        fprintf(stderr, "nvshmem-extra: no initialisation: %d, status %d\n", failed, nvshmemx_init_status());
        return 1;
    }
    auto end = std::chrono::steady_clock::now();

    std::vector<size_t> sizes;
    std::vector<double> values;
    if (init) {
        sizes.push_back(1);
        values.push_back(std::chrono::duration<double, std::micro>(end - start).count());
    } else if (size < 2) {
        fprintf(stderr, "nvshmem-extra: two processes at least\n");
        return 1;
    } else {
        char* source = (char*) nvshmem_calloc(1, max);
        char* destination = (char*) nvshmem_calloc(1, max);
        uint64_t* signal = (uint64_t*) nvshmem_calloc(1, sizeof(uint64_t));
        cudaStream_t stream;
        cudaEvent_t from, to;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
        CHECK(cudaDeviceSynchronize());
        uint64_t number = 0;
        for (size_t bytes = min; bytes <= max && rank < (pingPong ? 2 : 1); bytes *= factor) {
            for (int i = 0; i < iterations + warmup; i++) {
                if (i == warmup) {
                    CHECK(cudaEventRecord(from, stream));
                }
                number++;
                if (rank == 0) {
                    nvshmemx_putmem_signal_on_stream(destination, source, bytes, signal, number, NVSHMEM_SIGNAL_SET, 1, stream);
                }
                if (pingPong) {
                    nvshmemx_signal_wait_until_on_stream(signal, NVSHMEM_CMP_GE, number, stream);
                }
                if (rank == 1) {
                    nvshmemx_putmem_signal_on_stream(destination, source, bytes, signal, number, NVSHMEM_SIGNAL_SET, 0, stream);
                }
            }
            CHECK(cudaEventRecord(to, stream));
            CHECK(cudaEventSynchronize(to));
            float milliseconds;
            CHECK(cudaEventElapsedTime(&milliseconds, from, to));
            sizes.push_back(bytes);
            values.push_back(milliseconds * 1000.0 / iterations);
        }
        nvshmem_barrier_all();
        CHECK(cudaStreamDestroy(stream));
        nvshmem_free(source);
        nvshmem_free(destination);
        nvshmem_free(signal);
    }
    if (rank == 0) {
        table(test, init ? "time" : "latency", sizes, values);
    }
    nvshmemx_hostlib_finalize();
    MPI_Finalize();
    return 0;
}
