// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What is bound of each library, and where it goes. */
@SuppressWarnings("ImmutableEnumChecker") // nothing in it changes, its lists are not typed so
enum Library {
    CUDA(new Source(
            "CUDA",
            "cuda",
            "c",
            "#include <cuda.h>\n",
            """
            cuInit cuDriverGetVersion cuGetErrorString cuGetErrorName
            cuDeviceGet cuDeviceGetCount cuDeviceGetName cuDeviceGetUuid cuDeviceTotalMem cuDeviceGetAttribute cuDeviceGetByPCIBusId
            cuDeviceGetPCIBusId cuDeviceCanAccessPeer cuDeviceGetP2PAttribute
            cuDevicePrimaryCtxRetain cuDevicePrimaryCtxRelease cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxGetState
            cuDevicePrimaryCtxReset
            cuCtxSetCurrent cuCtxGetCurrent cuCtxPushCurrent cuCtxPopCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetId cuCtxSynchronize
            cuCtxSetLimit cuCtxGetLimit cuCtxGetStreamPriorityRange cuCtxEnablePeerAccess cuCtxDisablePeerAccess
            cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleUnload cuModuleGetFunction cuModuleGetGlobal
            cuModuleGetLoadingMode cuModuleGetFunctionCount cuModuleEnumerateFunctions
            cuLibraryLoadData cuLibraryLoadFromFile cuLibraryUnload cuLibraryGetKernel cuLibraryGetKernelCount
            cuLibraryEnumerateKernels cuLibraryGetModule cuLibraryGetGlobal cuKernelGetFunction cuKernelGetAttribute
            cuKernelSetAttribute cuKernelGetName cuKernelGetParamInfo
            cuFuncGetAttribute cuFuncSetAttribute cuFuncSetCacheConfig cuFuncGetModule cuFuncGetName cuFuncGetParamInfo cuFuncLoad
            cuMemGetInfo cuMemAlloc cuMemFree cuMemGetAddressRange cuMemAllocManaged
            cuMemHostAlloc cuMemFreeHost cuMemHostGetDevicePointer cuMemHostGetFlags cuMemHostRegister cuMemHostUnregister
            cuMemAllocAsync cuMemFreeAsync cuMemAllocFromPoolAsync
            cuMemPoolCreate cuMemPoolDestroy cuMemPoolTrimTo cuMemPoolSetAttribute cuMemPoolGetAttribute cuMemPoolSetAccess
            cuMemPoolGetAccess cuDeviceGetDefaultMemPool cuDeviceGetMemPool cuDeviceSetMemPool
            cuMemPoolExportToShareableHandle cuMemPoolImportFromShareableHandle cuMemPoolExportPointer cuMemPoolImportPointer
            cuMemcpy cuMemcpyAsync cuMemcpyHtoD cuMemcpyDtoH cuMemcpyDtoD cuMemcpyHtoDAsync cuMemcpyDtoHAsync cuMemcpyDtoDAsync
            cuMemcpyPeer cuMemcpyPeerAsync cuMemcpy2D cuMemcpy2DAsync
            cuMemsetD8 cuMemsetD16 cuMemsetD32 cuMemsetD8Async cuMemsetD16Async cuMemsetD32Async cuMemsetD2D8Async cuMemsetD2D32Async
            cuMemAdvise cuMemPrefetchAsync
            cuPointerGetAttribute cuPointerGetAttributes cuPointerSetAttribute
            cuMemAddressReserve cuMemAddressFree cuMemCreate cuMemRelease cuMemMap cuMemUnmap cuMemSetAccess cuMemGetAccess
            cuMemExportToShareableHandle cuMemImportFromShareableHandle cuMemGetAllocationGranularity
            cuMemGetAllocationPropertiesFromHandle cuMemRetainAllocationHandle cuMemGetHandleForAddressRange
            cuIpcGetEventHandle cuIpcOpenEventHandle cuIpcGetMemHandle cuIpcOpenMemHandle cuIpcCloseMemHandle
            cuStreamCreate cuStreamCreateWithPriority cuStreamDestroy cuStreamGetPriority cuStreamGetFlags cuStreamGetId
            cuStreamGetCtx cuStreamGetDevice cuStreamWaitEvent cuStreamQuery cuStreamSynchronize cuStreamWaitValue32
            cuStreamWriteValue32 cuStreamWaitValue64 cuStreamWriteValue64
            cuEventCreate cuEventRecord cuEventRecordWithFlags cuEventQuery cuEventSynchronize cuEventDestroy cuEventElapsedTime
            cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuLaunchHostFunc
            cuStreamBeginCapture cuStreamBeginCaptureToGraph cuStreamEndCapture cuStreamIsCapturing cuStreamGetCaptureInfo
            cuThreadExchangeStreamCaptureMode
            cuGraphCreate cuGraphDestroy cuGraphClone cuGraphGetNodes cuGraphNodeGetType cuGraphInstantiate cuGraphExecUpdate
            cuGraphExecDestroy cuGraphUpload cuGraphLaunch cuGraphDebugDotPrint cuGraphAddKernelNode cuGraphExecKernelNodeSetParams
            cuGraphKernelNodeGetParams cuGraphKernelNodeSetParams cuGraphAddChildGraphNode cuGraphAddEmptyNode cuGraphAddHostNode
            cuGraphAddDependencies cuGraphDestroyNode cuUserObjectCreate cuUserObjectRelease cuGraphRetainUserObject
            cuOccupancyMaxActiveBlocksPerMultiprocessor cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
            cuOccupancyMaxPotentialBlockSize cuOccupancyAvailableDynamicSMemPerBlock cuOccupancyMaxPotentialClusterSize
            cuOccupancyMaxActiveClusters
            cuMulticastCreate cuMulticastAddDevice cuMulticastBindMem cuMulticastBindAddr cuMulticastUnbind
            cuMulticastGetGranularity
            cuTensorMapEncodeTiled cuTensorMapEncodeIm2col
            """,
            "CU_(STREAM_(LEGACY|PER_THREAD)|MEMHOST(ALLOC|REGISTER)_\\w+|IPC_HANDLE_SIZE|LAUNCH_PARAM_\\w+|DEVICE_(CPU|INVALID))"
                    + "|CUDA_VERSION",
            List.of(
                    "CUctx_flags",
                    "CUstream_flags",
                    "CUevent_flags",
                    "CUevent_record_flags",
                    "CUevent_wait_flags",
                    "CUipcMem_flags",
                    "CUmemAttach_flags",
                    "CUoccupancy_flags",
                    "CUgraphInstantiate_flags",
                    "CUgraphDebugDot_flags",
                    "CUmemAllocationCompType",
                    "CUmemorytype",
                    "CUstreamWaitValue_flags",
                    "CUstreamWriteValue_flags",
                    "CUmemPool_attribute",
                    "CUuserObject_flags",
                    "CUuserObjectRetain_flags",
                    "CUaccessProperty"))),
    NCCL(new Source(
            "NCCL",
            "nccl",
            "c++",
            """
            #define NCCL_OS_LINUX 1
            #include <nccl.h>
            #include <nccl_device.h>
            #if NCCL_VERSION_CODE >= 23000
            // Exported on Linux but declared for Windows only.
            extern "C" ncclResult_t ncclGinOutboxCreateRequirement(
                    int nBlocks, int size_log2, struct ncclGinOutboxHandle* outHandle, ncclDevResourceRequirements_t* outReq);
            extern "C" ncclResult_t ncclGinInboxA2ACreateRequirement(
                    ncclTeam_t peers, int nBlocks, int size_log2, struct ncclGinInboxA2AHandle* outHandle,
                    ncclDevResourceRequirements_t* outReq);
            #endif
            """,
            "",
            "NCCL_(VERSION_CODE|UNIQUE_ID_BYTES|CONFIG_UNDEF_INT|SPLIT_NOCOLOR|API_MAGIC|WIN_\\w+|CTA_POLICY_\\w+|SHRINK_\\w+"
                    + "|REVOKE_\\w+|SUSPEND_\\w+|GIN_MAX_CONNECTIONS)",
            List.of(
                    "ncclHostCftMode_t",
                    "ncclNvlsHostMode_t",
                    "ncclCftCap_t",
                    "ncclEncryptionMode_t",
                    "ncclWindow_vidmem_t"))),
    NVSHMEM(new Source(
            "NVSHMEM",
            "nvshmem",
            "c++",
            """
            #define nvshmemx_uniqueid_v1 nvshmemx_uniqueid_t // two names of one struct
            #include <non_abi/nvshmem_version.h>
            #if NVSHMEM_VENDOR_MINOR_VERSION >= 8
            // Before the others: these declare the same as functions of C++.
            #include <cuda_runtime.h>
            #include <device/nvshmemx_collective_launch_apis.h>
            #endif
            #include <nvshmem_host.h>
            """,
            "",
            "NVSHMEM_(VENDOR_(MAJOR|MINOR|PATCH)_VERSION|MAX_NAME_LEN|TEAM_CONFIG_MASK_\\w+)",
            List.of(
                    "nvshmemx_status",
                    "flags",
                    "nvshmemx_init_status_t",
                    "nvshmemx_thread_support_t",
                    "nvshmemx_cmp_type_t",
                    "nvshmemx_signal_op_t",
                    "nvshmem_team_id_t",
                    "nvshmemx_qp_handle_index_t",
                    "nvshmem_pe_index_t",
                    "nvshmemx_region_hint_t"))),
    OPENSHMEM(new Source(
            "OpenSHMEM",
            "shmem",
            "c",
            // The latter is Open MPI's own, in a library that this one loads.
            "#include <shmem.h>\nvoid opal_progress(void);\n",
            """
            shmem_init_thread shmem_finalize shmem_my_pe shmem_n_pes shmem_info_get_version shmem_info_get_name
            shmem_align shmem_free shmem_ptr shmem_barrier_all shmem_long_test shmem_ctx_create shmem_ctx_destroy
            shmem_ctx_putmem shmem_ctx_getmem shmem_ctx_putmem_nbi shmem_ctx_getmem_nbi shmem_ctx_fence shmem_ctx_quiet
            shmem_ctx_int_atomic_fetch shmem_ctx_int_atomic_set shmem_ctx_int_atomic_swap
            shmem_ctx_int_atomic_fetch_add shmem_ctx_long_atomic_fetch shmem_ctx_long_atomic_set
            shmem_ctx_long_atomic_swap shmem_ctx_long_atomic_fetch_add shmem_ctx_long_atomic_compare_swap opal_progress
            """,
            "SHMEM_(MAJOR|MINOR)_VERSION|SHMEM_MAX_NAME_LEN",
            List.of())),
    NVRTC(new Source("NVRTC", "nvrtc", "c", "#include <stddef.h>\n#include <nvrtc.h>\n", "", "NVRTC_\\w+", List.of())),
    NVJITLINK(new Source("nvJitLink", "nvJitLink", "c", "#include <nvJitLink.h>\n", "", "NVJITLINK_\\w+", List.of())),
    NVVM(new Source("libNVVM", "nvvm", "c", "#include <stddef.h>\n#include <nvvm.h>\n", "", "NVVM_\\w+", List.of())),
    CUBLAS(new Source(
            "cuBLAS", "cublas", "c++", "#include <cublas_v2.h>\n#include <cublasLt.h>\n", """
            cublasCreate cublasDestroy cublasGetProperty cublasGetStatusString
            cublasSetStream cublasSetWorkspace cublasSetPointerMode
            cublasSgemv_64 cublasDgemv_64 cublasCgemv_64 cublasZgemv_64
            cublasSger_64 cublasDger_64 cublasCgeru_64 cublasZgeru_64 cublasCgerc_64 cublasZgerc_64
            cublasSgemvStridedBatched_64 cublasDgemvStridedBatched_64
            cublasCgemvStridedBatched_64 cublasZgemvStridedBatched_64
            cublasSgemm_64 cublasDgemm_64 cublasCgemm_64 cublasZgemm_64
            cublasSgemmStridedBatched_64 cublasDgemmStridedBatched_64
            cublasCgemmStridedBatched_64 cublasZgemmStridedBatched_64
            cublasGemmEx_64 cublasGemmGroupedBatchedEx_64
            cublasLtCreate cublasLtDestroy cublasLtMatmulDescCreate cublasLtMatmulDescDestroy
            cublasLtMatmulDescSetAttribute cublasLtMatrixLayoutCreate cublasLtMatrixLayoutDestroy
            cublasLtMatmulPreferenceCreate cublasLtMatmulPreferenceDestroy cublasLtMatmulPreferenceSetAttribute
            cublasLtMatmulAlgoGetHeuristic cublasLtMatmul
            """, "-", List.of())),
    CUFFT(new Source("cuFFT", "cufft", "c++", "#include <cufft.h>\n", """
            cufftCreate cufftDestroy cufftGetProperty cufftMakePlanMany64 cufftSetAutoAllocation cufftSetWorkArea
            cufftSetStream cufftExecC2C cufftExecR2C cufftExecC2R cufftExecZ2Z cufftExecD2Z cufftExecZ2D
            """, "-", List.of())),
    /**
     * The functions that the libraries have in common, declared here, as each has a header of its own. Their integers
     * have 32 or 64 bits. By the calling conventions of 64-bit Linux a callee that takes 32 of them ignores the rest,
     * so that 64 serve both.
     */
    CBLAS(new Source("CBLAS", "cblas", "c", """
            enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 };
            enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };
            void cblas_sgemv(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE trans, long long m, long long n,
                    float alpha, const float *a, long long lda, const float *x, long long incx, float beta,
                    float *y, long long incy);
            void cblas_sgemm(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE
                    transb, long long m, long long n, long long k, float alpha, const float *a, long long lda,
                    const float *b, long long ldb, float beta, float *c, long long ldc);
            void cblas_sger(enum CBLAS_LAYOUT layout, long long m, long long n, float alpha, const float *x,
                    long long incx, const float *y, long long incy, float *a, long long lda);
            void cblas_dgemv(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE trans, long long m, long long n,
                    double alpha, const double *a, long long lda, const double *x, long long incx, double beta,
                    double *y, long long incy);
            void cblas_dgemm(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE
                    transb, long long m, long long n, long long k, double alpha, const double *a, long long
                    lda, const double *b, long long ldb, double beta, double *c, long long ldc);
            void cblas_dger(enum CBLAS_LAYOUT layout, long long m, long long n, double alpha, const double *x,
                    long long incx, const double *y, long long incy, double *a, long long lda);
            void cblas_cgemv(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE trans, long long m, long long n,
                    const void * alpha, const void *a, long long lda, const void *x, long long incx, const void
                    * beta, void *y, long long incy);
            void cblas_cgemm(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE
                    transb, long long m, long long n, long long k, const void * alpha, const void *a, long long
                    lda, const void *b, long long ldb, const void * beta, void *c, long long ldc);
            void cblas_cgeru(enum CBLAS_LAYOUT layout, long long m, long long n, const void * alpha, const void
                    *x, long long incx, const void *y, long long incy, void *a, long long lda);
            void cblas_cgerc(enum CBLAS_LAYOUT layout, long long m, long long n, const void * alpha, const void
                    *x, long long incx, const void *y, long long incy, void *a, long long lda);
            void cblas_zgemv(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE trans, long long m, long long n,
                    const void * alpha, const void *a, long long lda, const void *x, long long incx, const void
                    * beta, void *y, long long incy);
            void cblas_zgemm(enum CBLAS_LAYOUT layout, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE
                    transb, long long m, long long n, long long k, const void * alpha, const void *a, long long
                    lda, const void *b, long long ldb, const void * beta, void *c, long long ldc);
            void cblas_zgeru(enum CBLAS_LAYOUT layout, long long m, long long n, const void * alpha, const void
                    *x, long long incx, const void *y, long long incy, void *a, long long lda);
            void cblas_zgerc(enum CBLAS_LAYOUT layout, long long m, long long n, const void * alpha, const void
                    *x, long long incx, const void *y, long long incy, void *a, long long lda);
            void openblas_set_num_threads(int threads);
            void MKL_Set_Num_Threads(int threads);
            void bli_thread_set_num_threads(long long threads);
            """, """
            cblas_sgemv cblas_sgemm cblas_sger cblas_dgemv cblas_dgemm cblas_dger cblas_cgemv cblas_cgemm
                    cblas_cgeru cblas_cgerc cblas_zgemv cblas_zgemm cblas_zgeru cblas_zgerc
                    openblas_set_num_threads MKL_Set_Num_Threads bli_thread_set_num_threads
            """, "-", List.of())),
    /**
     * Declared here, with all handles as integers of 64 bits: pointers in Open MPI and the standard ABI; of 32 bits in
     * MPICH, where a callee ignores the rest by the calling conventions of 64-bit Linux.
     */
    MPI(new Source("MPI", "mpi", "c", """
            int MPI_Init_thread(void *argc, void *argv, int required, void *provided);
            int MPI_Initialized(void *flag);
            int MPI_Finalized(void *flag);
            int MPI_Query_thread(void *provided);
            int MPI_Finalize(void);
            int MPI_Get_version(void *version, void *subversion);
            int MPI_Get_library_version(void *version, void *length);
            int MPI_Abi_get_version(void *major, void *minor);
            int MPI_Error_class(int code, void *class_of);
            int MPI_Error_string(int code, void *text, void *length);
            int MPI_Comm_set_errhandler(long comm, long handler);
            int MPI_Comm_rank(long comm, void *rank);
            int MPI_Comm_size(long comm, void *size);
            int MPI_Comm_split(long comm, int color, int key, void *result);
            int MPI_Comm_free(void *comm);
            int MPI_Reduce_local(const void *values, void *result, int count, long type, long op);
            int MPI_Test(void *request, void *flag, void *status);
            int MPI_Get_count(const void *status, long type, void *count);
            int MPI_Isend(const void *send, int count, long type, int to, int tag, long comm, void *request);
            int MPI_Irecv(void *recv, int count, long type, int from, int tag, long comm, void *request);
            int MPI_Iprobe(int from, int tag, long comm, void *flag, void *status);
            int MPI_Ibarrier(long comm, void *request);
            int MPI_Ibcast(void *data, int count, long type, int root, long comm, void *request);
            int MPI_Iallreduce(const void *send, void *recv, int count, long type, long op, long comm, void
                    *request);
            int MPI_Ireduce(const void *send, void *recv, int count, long type, long op, int root, long comm,
                    void *request);
            int MPI_Ireduce_scatter_block(const void *send, void *recv, int count, long type, long op, long
                    comm, void *request);
            int MPI_Iallgather(const void *send, int sends, long from, void *recv, int recvs, long into, long
                    comm, void *request);
            int MPI_Iallgatherv(const void *send, int sends, long from, void *recv, const void *counts, const
                    void *offsets, long into, long comm, void *request);
            int MPI_Ialltoall(const void *send, int sends, long from, void *recv, int recvs, long into, long
                    comm, void *request);
            int MPI_Ialltoallv(const void *send, const void *sends, const void *starts, long from, void *recv,
                    const void *recvs, const void *offsets, long into, long comm, void *request);
            int MPI_Igather(const void *send, int sends, long from, void *recv, int recvs, long into, int root,
                    long comm, void *request);
            int MPI_Iscatter(const void *send, int sends, long from, void *recv, int recvs, long into, int root,
                    long comm, void *request);
            int MPI_Win_create(void *base, long bytes, int unit, long info, long comm, void *win);
            int MPI_Win_allocate(long bytes, int unit, long info, long comm, void *base, void *win);
            int MPI_Win_allocate_shared(long bytes, int unit, long info, long comm, void *base, void *win);
            int MPI_Win_shared_query(long win, int rank, void *bytes, void *unit, void *base);
            int MPI_Win_free(void *win);
            int MPI_Win_get_attr(long win, int key, void *value, void *flag);
            int MPI_Win_set_errhandler(long win, long handler);
            int MPI_Win_lock(int kind, int rank, int mode, long win);
            int MPI_Win_unlock(int rank, long win);
            int MPI_Win_lock_all(int mode, long win);
            int MPI_Win_unlock_all(long win);
            int MPI_Win_flush(int rank, long win);
            int MPI_Win_flush_all(long win);
            int MPI_Win_flush_local(int rank, long win);
            int MPI_Win_flush_local_all(long win);
            int MPI_Win_sync(long win);
            int MPI_Win_fence(int mode, long win);
            int MPI_Put(const void *from, int count, long type, int rank, long at, int there, long into, long
                    win);
            int MPI_Get(void *into, int count, long type, int rank, long at, int there, long from, long win);
            int MPI_Rput(const void *from, int count, long type, int rank, long at, int there, long into, long
                    win, void *request);
            int MPI_Rget(void *into, int count, long type, int rank, long at, int there, long from, long win,
                    void *request);
            int MPI_Accumulate(const void *from, int count, long type, int rank, long at, int there, long into,
                    long op, long win);
            int MPI_Get_accumulate(const void *from, int count, long type, void *old, int olds, long old_type,
                    int rank, long at, int there, long into, long op, long win);
            int MPI_Fetch_and_op(const void *value, void *old, long type, int rank, long at, long op, long win);
            int MPI_Compare_and_swap(const void *value, const void *expected, void *old, long type, int rank,
                    long at, long win);
            int MPI_Info_create(void *info);
            int MPI_Info_set(long info, const void *key, const void *value);
            int MPI_Info_free(void *info);
            int MPI_Comm_split_type(long comm, int kind, int key, long info, void *result);
            int MPI_Comm_compare(long comm, long other, void *result);
            int MPI_Comm_group(long comm, void *result);
            int MPI_Comm_create_group(long comm, long group, int tag, void *result);
            int MPI_Group_incl(long group, int count, const void *ranks, void *result);
            int MPI_Group_free(void *group);
            int MPI_Group_translate_ranks(long group, int count, const void *ranks, long other, void *result);
            int MPIX_Comm_revoke(long comm);
            int MPIX_Query_cuda_support(void);
            int MPI_Type_contiguous(int count, long type, void *result);
            int MPI_Type_commit(void *type);
            int MPI_Type_free(void *type);
            int MPI_Op_create(const void *function, int commutes, void *op);
            int MPI_Op_free(void *op);
            int MPI_Wait(void *request, void *status);
            int MPI_Start(void *request);
            int MPI_Request_free(void *request);
            int MPI_Send(const void *send, int count, long type, int to, int tag, long comm);
            int MPI_Recv(void *recv, int count, long type, int from, int tag, long comm, void *status);
            int MPI_Barrier(long comm);
            int MPI_Bcast(void *data, int count, long type, int root, long comm);
            int MPI_Allreduce(const void *send, void *recv, int count, long type, long op, long comm);
            int MPI_Reduce(const void *send, void *recv, int count, long type, long op, int root, long comm);
            int MPI_Reduce_scatter_block(const void *send, void *recv, int count, long type, long op, long comm);
            int MPI_Allgather(const void *send, int sends, long from, void *recv, int recvs, long into, long comm);
            int MPI_Allgatherv(const void *send, int sends, long from, void *recv, const void *counts, const void
                    *offsets, long into, long comm);
            int MPI_Alltoall(const void *send, int sends, long from, void *recv, int recvs, long into, long comm);
            int MPI_Gather(const void *send, int sends, long from, void *recv, int recvs, long into, int root, long
                    comm);
            int MPI_Scatter(const void *send, int sends, long from, void *recv, int recvs, long into, int root, long
                    comm);
            int MPI_Iscan(const void *send, void *recv, int count, long type, long op, long comm, void *request);
            int MPI_Iexscan(const void *send, void *recv, int count, long type, long op, long comm, void *request);
            int MPI_Send_init(const void *send, int count, long type, int to, int tag, long comm, void *request);
            int MPI_Recv_init(void *recv, int count, long type, int from, int tag, long comm, void *request);
            int MPI_Barrier_init(long comm, long info, void *request);
            int MPI_Bcast_init(void *data, int count, long type, int root, long comm, long info, void *request);
            int MPI_Allreduce_init(const void *send, void *recv, int count, long type, long op, long comm, long info,
                    void *request);
            int MPI_Group_size(long group, void *size);
            int MPIX_Comm_get_failed(long comm, void *group);
            int MPIX_Comm_shrink(long comm, void *result);
            """, """
            MPI_Init_thread MPI_Initialized MPI_Finalized MPI_Query_thread MPI_Finalize MPI_Get_version
            MPI_Get_library_version MPI_Abi_get_version MPI_Error_class MPI_Error_string MPI_Comm_set_errhandler
            MPI_Comm_rank MPI_Comm_size MPI_Comm_split MPI_Comm_free MPI_Reduce_local
            MPI_Test MPI_Get_count MPI_Isend MPI_Irecv MPI_Iprobe
            MPI_Ibarrier MPI_Ibcast MPI_Iallreduce MPI_Ireduce MPI_Ireduce_scatter_block MPI_Iallgather
            MPI_Iallgatherv MPI_Ialltoall MPI_Ialltoallv MPI_Igather MPI_Iscatter
            MPI_Win_create MPI_Win_allocate MPI_Win_allocate_shared MPI_Win_shared_query MPI_Win_free
            MPI_Win_get_attr MPI_Win_set_errhandler MPI_Win_lock MPI_Win_unlock MPI_Win_lock_all
            MPI_Win_unlock_all MPI_Win_flush MPI_Win_flush_all MPI_Win_flush_local MPI_Win_flush_local_all
            MPI_Win_sync MPI_Win_fence MPI_Put MPI_Get MPI_Rput MPI_Rget MPI_Accumulate MPI_Get_accumulate
            MPI_Fetch_and_op MPI_Compare_and_swap MPI_Info_create MPI_Info_set MPI_Info_free
            MPI_Comm_split_type MPI_Comm_compare MPI_Comm_group MPI_Comm_create_group MPI_Group_incl MPI_Group_free
            MPI_Group_translate_ranks MPIX_Comm_revoke MPIX_Query_cuda_support MPI_Type_contiguous MPI_Type_commit
            MPI_Type_free MPI_Op_create MPI_Op_free MPI_Wait MPI_Start MPI_Request_free MPI_Send MPI_Recv MPI_Barrier
            MPI_Bcast MPI_Allreduce MPI_Reduce MPI_Reduce_scatter_block MPI_Allgather MPI_Allgatherv MPI_Alltoall
            MPI_Gather MPI_Scatter MPI_Iscan MPI_Iexscan MPI_Send_init MPI_Recv_init MPI_Barrier_init MPI_Bcast_init
            MPI_Allreduce_init MPI_Group_size MPIX_Comm_get_failed MPIX_Comm_shrink
            """, "-", List.of()));

    /** Functions that headers declare and no library exports. */
    static final Map<String, String> NOT_EXPORTED = Map.of("ncclCftBarrierCreateRequirement", "2.31 and 2.32");

    private final Source source;

    Library(Source source) {
        this.source = source;
    }

    Source source() {
        return source;
    }

    /**
     * What to read.
     *
     * @param language of the headers, as clang names it
     * @param text that includes them
     * @param functions to bind, empty for all that begin with the prefix
     * @param macros regular expression of the constants to bind
     * @param alsoTypes enums and structs that no signature mentions
     */
    record Source(
            String name,
            String prefix,
            String language,
            String text,
            String functions,
            String macros,
            List<String> alsoTypes) {
        Pattern macroNames() {
            return Pattern.compile(macros);
        }

        String tableFile() {
            return prefix + ".txt";
        }
    }
}
