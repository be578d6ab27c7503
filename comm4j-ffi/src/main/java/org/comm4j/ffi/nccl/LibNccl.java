// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.handle.NcclParamHandle;
import org.comm4j.ffi.handle.NcclWindow;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of NCCL, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibNccl {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.NCCL);

    private static final NativeFunction ncclMemAlloc = LIBRARY.function("ncclMemAlloc");
    private static final NativeFunction ncclMemFree = LIBRARY.function("ncclMemFree");
    private static final NativeFunction ncclGetVersion = LIBRARY.function("ncclGetVersion");
    private static final NativeFunction ncclGetUniqueId = LIBRARY.function("ncclGetUniqueId");
    private static final NativeFunction ncclCommInitRankConfig = LIBRARY.function("ncclCommInitRankConfig");
    private static final NativeFunction ncclCommInitRank = LIBRARY.function("ncclCommInitRank");
    private static final NativeFunction ncclCommInitAll = LIBRARY.function("ncclCommInitAll");
    private static final NativeFunction ncclCommFinalize = LIBRARY.function("ncclCommFinalize");
    private static final NativeFunction ncclCommDestroy = LIBRARY.function("ncclCommDestroy");
    private static final NativeFunction ncclCommAbort = LIBRARY.function("ncclCommAbort");
    private static final NativeFunction ncclCommRevoke = LIBRARY.function("ncclCommRevoke");
    private static final NativeFunction ncclCommSplit = LIBRARY.function("ncclCommSplit");
    private static final NativeFunction ncclCommShrink = LIBRARY.function("ncclCommShrink");
    private static final NativeFunction ncclCommGetUniqueId = LIBRARY.function("ncclCommGetUniqueId", "2.29.2");
    private static final NativeFunction ncclCommGrow = LIBRARY.function("ncclCommGrow", "2.29.2");
    private static final NativeFunction ncclCommInitRankScalable = LIBRARY.function("ncclCommInitRankScalable");
    private static final NativeFunction ncclGetErrorString = LIBRARY.function("ncclGetErrorString");
    private static final NativeFunction ncclGetLastError = LIBRARY.function("ncclGetLastError");
    private static final NativeFunction ncclResetDebugInit = LIBRARY.function("ncclResetDebugInit");
    private static final NativeFunction ncclCommGetAsyncError = LIBRARY.function("ncclCommGetAsyncError");
    private static final NativeFunction ncclCommCount = LIBRARY.function("ncclCommCount");
    private static final NativeFunction ncclCommCuDevice = LIBRARY.function("ncclCommCuDevice");
    private static final NativeFunction ncclCommUserRank = LIBRARY.function("ncclCommUserRank");
    private static final NativeFunction ncclCommRegister = LIBRARY.function("ncclCommRegister");
    private static final NativeFunction ncclCommDeregister = LIBRARY.function("ncclCommDeregister");
    private static final NativeFunction ncclCommSuspend = LIBRARY.function("ncclCommSuspend", "2.29.7");
    private static final NativeFunction ncclCommResume = LIBRARY.function("ncclCommResume", "2.29.7");
    private static final NativeFunction ncclCommMemStats = LIBRARY.function("ncclCommMemStats", "2.29.7");
    private static final NativeFunction ncclCommWindowRegister = LIBRARY.function("ncclCommWindowRegister");
    private static final NativeFunction ncclCommWindowDeregister = LIBRARY.function("ncclCommWindowDeregister");
    private static final NativeFunction ncclWinGetUserPtr = LIBRARY.function("ncclWinGetUserPtr", "2.29.2");
    private static final NativeFunction ncclRedOpCreatePreMulSum = LIBRARY.function("ncclRedOpCreatePreMulSum");
    private static final NativeFunction ncclRedOpDestroy = LIBRARY.function("ncclRedOpDestroy");
    private static final NativeFunction ncclReduce = LIBRARY.function("ncclReduce");
    private static final NativeFunction ncclBcast = LIBRARY.function("ncclBcast");
    private static final NativeFunction ncclBroadcast = LIBRARY.function("ncclBroadcast");
    private static final NativeFunction ncclAllReduce = LIBRARY.function("ncclAllReduce");
    private static final NativeFunction ncclReduceScatter = LIBRARY.function("ncclReduceScatter");
    private static final NativeFunction ncclAllGather = LIBRARY.function("ncclAllGather");
    private static final NativeFunction ncclAlltoAll = LIBRARY.function("ncclAlltoAll");
    private static final NativeFunction ncclGather = LIBRARY.function("ncclGather");
    private static final NativeFunction ncclScatter = LIBRARY.function("ncclScatter");
    private static final NativeFunction ncclAllReduceConfig = LIBRARY.function("ncclAllReduceConfig", "2.31.2");
    private static final NativeFunction ncclBroadcastConfig = LIBRARY.function("ncclBroadcastConfig", "2.31.2");
    private static final NativeFunction ncclReduceConfig = LIBRARY.function("ncclReduceConfig", "2.31.2");
    private static final NativeFunction ncclAllGatherConfig = LIBRARY.function("ncclAllGatherConfig", "2.31.2");
    private static final NativeFunction ncclReduceScatterConfig = LIBRARY.function("ncclReduceScatterConfig", "2.31.2");
    private static final NativeFunction ncclAlltoAllConfig = LIBRARY.function("ncclAlltoAllConfig", "2.31.2");
    private static final NativeFunction ncclGatherConfig = LIBRARY.function("ncclGatherConfig", "2.31.2");
    private static final NativeFunction ncclScatterConfig = LIBRARY.function("ncclScatterConfig", "2.31.2");
    private static final NativeFunction ncclSend = LIBRARY.function("ncclSend");
    private static final NativeFunction ncclRecv = LIBRARY.function("ncclRecv");
    private static final NativeFunction ncclPutSignal = LIBRARY.function("ncclPutSignal", "2.29.2");
    private static final NativeFunction ncclSignal = LIBRARY.function("ncclSignal", "2.29.2");
    private static final NativeFunction ncclWaitSignal = LIBRARY.function("ncclWaitSignal", "2.29.2");
    private static final NativeFunction ncclGroupStart = LIBRARY.function("ncclGroupStart");
    private static final NativeFunction ncclGroupEnd = LIBRARY.function("ncclGroupEnd");
    private static final NativeFunction ncclGroupSimulateEnd = LIBRARY.function("ncclGroupSimulateEnd");
    private static final NativeFunction ncclSetEncryption = LIBRARY.function("ncclSetEncryption", "2.32.3");
    private static final NativeFunction ncclParamBind = LIBRARY.function("ncclParamBind", "2.30.4");
    private static final NativeFunction ncclParamGetI8 = LIBRARY.function("ncclParamGetI8", "2.30.4");
    private static final NativeFunction ncclParamGetI16 = LIBRARY.function("ncclParamGetI16", "2.30.4");
    private static final NativeFunction ncclParamGetI32 = LIBRARY.function("ncclParamGetI32", "2.30.4");
    private static final NativeFunction ncclParamGetI64 = LIBRARY.function("ncclParamGetI64", "2.30.4");
    private static final NativeFunction ncclParamGetU8 = LIBRARY.function("ncclParamGetU8", "2.30.4");
    private static final NativeFunction ncclParamGetU16 = LIBRARY.function("ncclParamGetU16", "2.30.4");
    private static final NativeFunction ncclParamGetU32 = LIBRARY.function("ncclParamGetU32", "2.30.4");
    private static final NativeFunction ncclParamGetU64 = LIBRARY.function("ncclParamGetU64", "2.30.4");
    private static final NativeFunction ncclParamGetStr = LIBRARY.function("ncclParamGetStr", "2.30.4");
    private static final NativeFunction ncclParamGet = LIBRARY.function("ncclParamGet", "2.30.4");
    private static final NativeFunction ncclParamGetParameter = LIBRARY.function("ncclParamGetParameter", "2.30.4");
    private static final NativeFunction ncclParamGetAllParameterKeys =
            LIBRARY.function("ncclParamGetAllParameterKeys", "2.30.4");
    private static final NativeFunction ncclParamDumpAll = LIBRARY.function("ncclParamDumpAll", "2.30.4");
    private static final NativeFunction ncclCommQueryProperties = LIBRARY.function("ncclCommQueryProperties", "2.29.2");
    private static final NativeFunction ncclDevCommCreate = LIBRARY.function("ncclDevCommCreate");
    private static final NativeFunction ncclDevCommDestroy = LIBRARY.function("ncclDevCommDestroy");
    private static final NativeFunction ncclGetLsaMultimemDevicePointer =
            LIBRARY.function("ncclGetLsaMultimemDevicePointer", "2.29.2");
    private static final NativeFunction ncclGetMultimemDevicePointer =
            LIBRARY.function("ncclGetMultimemDevicePointer", "2.29.2");
    private static final NativeFunction ncclGetLsaDevicePointer = LIBRARY.function("ncclGetLsaDevicePointer", "2.29.2");
    private static final NativeFunction ncclGetPeerDevicePointer =
            LIBRARY.function("ncclGetPeerDevicePointer", "2.29.2");
    private static final NativeFunction ncclGetMultimemDeviceLeInfo =
            LIBRARY.function("ncclGetMultimemDeviceLeInfo", "2.31.2");
    private static final NativeFunction ncclGetCftDeviceLeInfo = LIBRARY.function("ncclGetCftDeviceLeInfo", "2.31.2");
    private static final NativeFunction ncclGetPeerDeviceLeInfo = LIBRARY.function("ncclGetPeerDeviceLeInfo", "2.31.2");
    private static final NativeFunction ncclTeamWorld = LIBRARY.function("ncclTeamWorld");
    private static final NativeFunction ncclTeamLsa = LIBRARY.function("ncclTeamLsa");
    private static final NativeFunction ncclTeamCft = LIBRARY.function("ncclTeamCft", "2.31.2");
    private static final NativeFunction ncclTeamCftMultimem = LIBRARY.function("ncclTeamCftMultimem", "2.31.2");
    private static final NativeFunction ncclTeamRankToWorld = LIBRARY.function("ncclTeamRankToWorld");
    private static final NativeFunction ncclTeamRankToLsa = LIBRARY.function("ncclTeamRankToLsa");
    private static final NativeFunction ncclTeamRail = LIBRARY.function("ncclTeamRail");
    private static final NativeFunction ncclLsaBarrierCreateRequirement =
            LIBRARY.function("ncclLsaBarrierCreateRequirement");
    private static final NativeFunction ncclGinBarrierCreateRequirement =
            LIBRARY.function("ncclGinBarrierCreateRequirement");
    private static final NativeFunction ncclLLA2ACalcSlots = LIBRARY.function("ncclLLA2ACalcSlots");
    private static final NativeFunction ncclLLA2ACreateRequirement = LIBRARY.function("ncclLLA2ACreateRequirement");
    private static final NativeFunction ncclGinOutboxCreateRequirement =
            LIBRARY.function("ncclGinOutboxCreateRequirement", "2.30.3");
    private static final NativeFunction ncclGinInboxA2ACreateRequirement =
            LIBRARY.function("ncclGinInboxA2ACreateRequirement", "2.30.3");

    // ncclResult_t

    public static final int ncclSuccess = 0;
    public static final int ncclUnhandledCudaError = 1;
    public static final int ncclSystemError = 2;
    public static final int ncclInternalError = 3;
    public static final int ncclInvalidArgument = 4;
    public static final int ncclInvalidUsage = 5;
    public static final int ncclRemoteError = 6;
    public static final int ncclInProgress = 7;
    public static final int ncclTimeout = 8;
    public static final int ncclNumResults = 9;

    // ncclCommMemStat_t

    public static final int ncclStatGpuMemSuspend = 0;
    public static final int ncclStatGpuMemSuspended = 1;
    public static final int ncclStatGpuMemPersist = 2;
    public static final int ncclStatGpuMemTotal = 3;

    // ncclRedOp_t

    public static final int ncclSum = 0;
    public static final int ncclProd = 1;
    public static final int ncclMax = 2;
    public static final int ncclMin = 3;
    public static final int ncclAvg = 4;
    public static final int ncclNumOps = 5;
    public static final int ncclMaxRedOp = 2147483647;

    // ncclDataType_t

    public static final int ncclInt8 = 0;
    public static final int ncclChar = 0;
    public static final int ncclUint8 = 1;
    public static final int ncclInt32 = 2;
    public static final int ncclInt = 2;
    public static final int ncclUint32 = 3;
    public static final int ncclInt64 = 4;
    public static final int ncclUint64 = 5;
    public static final int ncclFloat16 = 6;
    public static final int ncclHalf = 6;
    public static final int ncclFloat32 = 7;
    public static final int ncclFloat = 7;
    public static final int ncclFloat64 = 8;
    public static final int ncclDouble = 8;
    public static final int ncclBfloat16 = 9;
    public static final int ncclFloat8e4m3 = 10;
    public static final int ncclFloat8e5m2 = 11;
    public static final int ncclNumTypes = 12;

    // ncclScalarResidence_t

    public static final int ncclScalarDevice = 0;
    public static final int ncclScalarHostImmediate = 1;

    // ncclCftTeamMode_t

    public static final int NCCL_CFT_TEAM_FLAT = 0;
    public static final int NCCL_CFT_TEAM_HIER_MULTIMEM = 1;
    public static final int NCCL_CFT_TEAM_HIER_LSA = 2;

    // ncclHostCftMode_t

    public static final int ncclHostCftDefault = -2147483648;
    public static final int ncclHostCftEnable = 1;
    public static final int ncclHostCftDisable = 2;
    public static final int ncclHostCftFallback = 3;

    // ncclNvlsHostMode_t

    public static final int ncclNvlsHostModeDefault = -2147483648;
    public static final int ncclNvlsHostModeEnable = 0;
    public static final int ncclNvlsHostModeDisableTransport = 1;
    public static final int ncclNvlsHostModeDisableSymmetricMultimem = 2;
    public static final int ncclNvlsHostModeDisable = 2147483647;

    // ncclCftCap_t

    public static final int NCCL_CFT_NONE = 0;
    public static final int NCCL_CFT = 1;
    public static final int NCCL_CFT_MULTIMEM = 2;

    // ncclEncryptionMode_t

    public static final int NCCL_ENCRYPTION_MODE_NONE = 0;
    public static final int NCCL_ENCRYPTION_MODE_PSK = 1;

    // ncclGinType_t

    public static final int NCCL_GIN_TYPE_NONE = 0;
    public static final int NCCL_GIN_TYPE_PROXY = 2;
    public static final int NCCL_GIN_TYPE_GDAKI = 3;
    public static final int NCCL_GIN_TYPE_GPI = 4;
    public static final int NCCL_GIN_TYPE_EFA_GDA = 5;
    public static final int NCCL_GIN_MAX_TYPES = 6;

    // ncclGinConnectionType_t

    public static final int NCCL_GIN_CONNECTION_NONE = 0;
    public static final int NCCL_GIN_CONNECTION_FULL = 1;
    public static final int NCCL_GIN_CONNECTION_RAIL = 2;
    public static final int NCCL_GIN_CONNECTION_CUSTOM_STRIDE = 3;

    // CUmemLocationType

    public static final int CU_MEM_LOCATION_TYPE_INVALID = 0;
    public static final int CU_MEM_LOCATION_TYPE_NONE = 0;
    public static final int CU_MEM_LOCATION_TYPE_DEVICE = 1;
    public static final int CU_MEM_LOCATION_TYPE_HOST = 2;
    public static final int CU_MEM_LOCATION_TYPE_HOST_NUMA = 3;
    public static final int CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4;
    public static final int CU_MEM_LOCATION_TYPE_INVISIBLE = 5;
    public static final int CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN = 6;
    public static final int CU_MEM_LOCATION_TYPE_MAX = 2147483647;

    // macros

    public static final int NCCL_API_MAGIC = 0xcafebeef;
    public static final int NCCL_CONFIG_UNDEF_INT = -2147483648;
    public static final int NCCL_CTA_POLICY_DEFAULT = 0;
    public static final int NCCL_CTA_POLICY_EFFICIENCY = 1;
    public static final int NCCL_CTA_POLICY_ZERO = 2;
    public static final int NCCL_GIN_MAX_CONNECTIONS = 4;
    public static final int NCCL_REVOKE_DEFAULT = 0;
    public static final int NCCL_SHRINK_ABORT = 1;
    public static final int NCCL_SHRINK_DEFAULT = 0;
    public static final int NCCL_SPLIT_NOCOLOR = -1;
    public static final int NCCL_SUSPEND_MEM = 1;
    public static final int NCCL_UNIQUE_ID_BYTES = 128;
    public static final int NCCL_VERSION_CODE = 23203;
    public static final int NCCL_WIN_CFT_COUNTED = 8;
    public static final int NCCL_WIN_COLL_SYMMETRIC = 1;
    public static final int NCCL_WIN_DEFAULT = 0;
    public static final int NCCL_WIN_GIN_ONLY = 4;
    public static final int NCCL_WIN_REQUIRED_ALIGNMENT = 4096;
    public static final int NCCL_WIN_STRICT_ORDERING = 2;

    private LibNccl() {}

    /** The library as found and loaded, or why not. */
    public static NativeLibrary library() {
        return LIBRARY;
    }

    /**
     * Whether the loaded library has a function; false if there is no library.
     *
     * @throws IllegalArgumentException if this class has no function of that name
     */
    public static boolean has(String function) {
        return LIBRARY.has(function);
    }

    /**
     * {@code ncclResult_t ncclMemAlloc(void **ptr, size_t size)}
     *
     * <p>NCCL malloc and free function for all types of NCCL optimizations
     * (e.g. user buffer registration). The actual allocated size might
     * be larger than requested due to granularity requirement.
     */
    public static void ncclMemAlloc(MemorySegment ptr, long size) {
        check(ncclMemAlloc, Downcalls.callInt(ncclMemAlloc.address(), ptr, size));
    }

    /**
     * {@code ncclResult_t ncclMemFree(void *ptr)}
     */
    public static void ncclMemFree(long ptr) {
        check(ncclMemFree, Downcalls.callInt(ncclMemFree.address(), ptr));
    }

    /**
     * {@code ncclResult_t ncclGetVersion(int *version)}
     *
     * <p>Return the NCCL_VERSION_CODE of the NCCL library in the supplied integer.
     * This integer is coded with the MAJOR, MINOR and PATCH level of the
     * NCCL library
     */
    public static void ncclGetVersion(MemorySegment version) {
        check(ncclGetVersion, Downcalls.callInt(ncclGetVersion.address(), version));
    }

    /**
     * {@code ncclResult_t ncclGetUniqueId(ncclUniqueId *uniqueId)}
     *
     * <p>Generates an Id to be used in ncclCommInitRank. ncclGetUniqueId should be
     * called once and the Id should be distributed to all ranks in the
     * communicator before calling ncclCommInitRank.
     */
    public static void ncclGetUniqueId(MemorySegment uniqueId) {
        check(ncclGetUniqueId, Downcalls.callInt(ncclGetUniqueId.address(), uniqueId));
    }

    /**
     * {@code ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t *config)}
     *
     * <p>Create a new communicator (multi thread/process version) with a configuration
     * set by users.
     */
    public static void ncclCommInitRankConfig(
            MemorySegment comm, int nranks, MemorySegment commId, int rank, MemorySegment config) {
        check(
                ncclCommInitRankConfig,
                Downcalls.callIntWithNcclUniqueId(
                        ncclCommInitRankConfig.address(), comm, nranks, commId, rank, config));
    }

    /**
     * {@code ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank)}
     *
     * <p>Creates a new communicator (multi thread/process version).
     * rank must be between 0 and nranks-1 and unique within a communicator clique.
     * Each rank is associated to a CUDA device, which has to be set before calling
     * ncclCommInitRank.
     * ncclCommInitRank implicitly syncronizes with other ranks, so it must be
     * called by different threads/processes or use ncclGroupStart/ncclGroupEnd.
     */
    public static void ncclCommInitRank(MemorySegment comm, int nranks, MemorySegment commId, int rank) {
        check(
                ncclCommInitRank,
                Downcalls.callIntWithNcclUniqueId(ncclCommInitRank.address(), comm, nranks, commId, rank));
    }

    /**
     * {@code ncclResult_t ncclCommInitAll(ncclComm_t *comm, int ndev, const int *devlist)}
     *
     * <p>Creates a clique of communicators (single process version).
     * This is a convenience function to create a single-process communicator clique.
     * Returns an array of ndev newly initialized communicators in comm.
     * comm should be pre-allocated with size at least ndev*sizeof(ncclComm_t).
     * If devlist is NULL, the first ndev CUDA devices are used.
     * Order of devlist defines user-order of processors within the communicator.
     */
    public static void ncclCommInitAll(MemorySegment comm, int ndev, MemorySegment devlist) {
        check(ncclCommInitAll, Downcalls.callInt(ncclCommInitAll.address(), comm, ndev, devlist));
    }

    /**
     * {@code ncclResult_t ncclCommFinalize(ncclComm_t comm)}
     *
     * <p>Finalize a communicator. ncclCommFinalize flushes all issued communications,
     * and marks communicator state as ncclInProgress. The state will change to ncclSuccess
     * when the communicator is globally quiescent and related resources are freed; then,
     * calling ncclCommDestroy can locally free the rest of the resources (e.g. communicator
     * itself) without blocking.
     */
    public static void ncclCommFinalize(NcclComm comm) {
        check(ncclCommFinalize, Downcalls.callInt(ncclCommFinalize.address(), comm.address()));
    }

    /**
     * {@code ncclResult_t ncclCommDestroy(ncclComm_t comm)}
     *
     * <p>Frees local resources associated with communicator object.
     */
    public static void ncclCommDestroy(NcclComm comm) {
        check(ncclCommDestroy, Downcalls.callInt(ncclCommDestroy.address(), comm.address()));
    }

    /**
     * {@code ncclResult_t ncclCommAbort(ncclComm_t comm)}
     *
     * <p>Frees resources associated with communicator object and aborts any operations
     * that might still be running on the device.
     */
    public static void ncclCommAbort(NcclComm comm) {
        check(ncclCommAbort, Downcalls.callInt(ncclCommAbort.address(), comm.address()));
    }

    /**
     * {@code ncclResult_t ncclCommRevoke(ncclComm_t comm, int revokeFlags)}
     *
     * <p>Revoke a communicator. ncclCommRevoke stops all in-flight operations
     * and marks communicator state as ncclInProgress. The state will change to ncclSuccess
     * when the communicator is quiescent; then, management operations (destroy, split,
     * shrink) can proceed safely. Calling ncclCommFinalize after revoke is invalid.
     * Additionally, resource sharing via splitShare/shrinkShare is disabled while revoked.
     * revokeFlags must be NCCL_REVOKE_DEFAULT (0).
     */
    public static void ncclCommRevoke(NcclComm comm, int revokeFlags) {
        check(ncclCommRevoke, Downcalls.callInt(ncclCommRevoke.address(), comm.address(), revokeFlags));
    }

    /**
     * {@code ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *newcomm, ncclConfig_t *config)}
     *
     * <p>Creates one or more communicators from an existing one.
     * Ranks with the same color will end up in the same communicator.
     * Within the new communicator, key will be used to order ranks.
     * NCCL_SPLIT_NOCOLOR as color will indicate the rank will not be part of any group
     * and will therefore return a NULL communicator.
     * If config is NULL, the new communicator will inherit the original communicator's
     * configuration
     */
    public static void ncclCommSplit(NcclComm comm, int color, int key, MemorySegment newcomm, MemorySegment config) {
        check(ncclCommSplit, Downcalls.callInt(ncclCommSplit.address(), comm.address(), color, key, newcomm, config));
    }

    /**
     * {@code ncclResult_t ncclCommShrink(ncclComm_t comm, int *excludeRanksList, int excludeRanksCount, ncclComm_t *newcomm, ncclConfig_t *config, int shrinkFlags)}
     *
     * <p>Shrink existing communicator.
     * Ranks in excludeRanksList will be removed form the existing communicator.
     * Within the new communicator, ranks will be re-ordered to fill the gap of removed ones.
     * If config is NULL, the new communicator will inherit the original communicator's configuration
     * The flag enables NCCL to adapt to various states of the parent communicator, see NCCL_SHRINK flags.
     */
    public static void ncclCommShrink(
            NcclComm comm,
            MemorySegment excludeRanksList,
            int excludeRanksCount,
            MemorySegment newcomm,
            MemorySegment config,
            int shrinkFlags) {
        check(
                ncclCommShrink,
                Downcalls.callInt(
                        ncclCommShrink.address(),
                        comm.address(),
                        excludeRanksList,
                        excludeRanksCount,
                        newcomm,
                        config,
                        shrinkFlags));
    }

    /**
     * {@code ncclResult_t ncclCommGetUniqueId(ncclComm_t comm, ncclUniqueId *uniqueId)}
     *
     * <p>Generate per-communicator unique ID for grow.
     * Constraints:
     * - Cannot generate a new UID while a previous UID is unconsumed
     * - Each UID can only be used once (no reuse after consumption)
     * - Must wait for grow operation to complete before calling again
     *
     * @since NCCL 2.29.2
     */
    public static void ncclCommGetUniqueId(NcclComm comm, MemorySegment uniqueId) {
        check(ncclCommGetUniqueId, Downcalls.callInt(ncclCommGetUniqueId.address(), comm.address(), uniqueId));
    }

    /**
     * {@code ncclResult_t ncclCommGrow(ncclComm_t comm, int nRanks, const ncclUniqueId *uniqueId, int rank, ncclComm_t *newcomm, ncclConfig_t *config)}
     *
     * <p>Grow communicator by adding new ranks.
     * Parameter usage:
     * - Existing non-root: comm, uniqueId=NULL, rank=-1
     * - Existing root: comm, uniqueId=
     * &amp;id
     * , rank=-1
     * - New ranks: comm=NULL, uniqueId=
     * &amp;id
     * , rank=assigned
     * The UID is consumed upon successful grow and cannot be reused.
     *
     * @since NCCL 2.29.2
     */
    public static void ncclCommGrow(
            NcclComm comm, int nRanks, MemorySegment uniqueId, int rank, MemorySegment newcomm, MemorySegment config) {
        check(
                ncclCommGrow,
                Downcalls.callInt(ncclCommGrow.address(), comm.address(), nRanks, uniqueId, rank, newcomm, config));
    }

    /**
     * {@code ncclResult_t ncclCommInitRankScalable(ncclComm_t *newcomm, int nranks, int myrank, int nId, ncclUniqueId *commIds, ncclConfig_t *config)}
     *
     * <p>Creates a new communicator (multi thread/process version), similar to ncclCommInitRankConfig.
     * Allows to use more than one ncclUniqueId (up to one per rank), indicated by nId, to accelerate the init operation.
     * The number of ncclUniqueIds and their order must be the same for every rank.
     */
    public static void ncclCommInitRankScalable(
            MemorySegment newcomm, int nranks, int myrank, int nId, MemorySegment commIds, MemorySegment config) {
        check(
                ncclCommInitRankScalable,
                Downcalls.callInt(ncclCommInitRankScalable.address(), newcomm, nranks, myrank, nId, commIds, config));
    }

    /**
     * {@code const char *ncclGetErrorString(ncclResult_t result)}
     *
     * <p>Returns a string for each error code.
     */
    public static @Nullable String ncclGetErrorString(int result) {
        return NativeMemory.string(Downcalls.callLong(ncclGetErrorString.address(), result));
    }

    /**
     * {@code const char *ncclGetLastError(ncclComm_t comm)}
     *
     * <p>Returns a human-readable message of the last error that occurred.
     */
    public static @Nullable String ncclGetLastError(NcclComm comm) {
        return NativeMemory.string(Downcalls.callLong(ncclGetLastError.address(), comm.address()));
    }

    /**
     * {@code void ncclResetDebugInit()}
     *
     * <p>Reload environment variables that determine logging.
     */
    public static void ncclResetDebugInit() {
        Downcalls.callVoid(ncclResetDebugInit.address());
    }

    /**
     * {@code ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *asyncError)}
     *
     * <p>Checks whether the comm has encountered any asynchronous errors
     */
    public static void ncclCommGetAsyncError(NcclComm comm, MemorySegment asyncError) {
        check(ncclCommGetAsyncError, Downcalls.callInt(ncclCommGetAsyncError.address(), comm.address(), asyncError));
    }

    /**
     * {@code ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)}
     *
     * <p>Gets the number of ranks in the communicator clique.
     */
    public static void ncclCommCount(NcclComm comm, MemorySegment count) {
        check(ncclCommCount, Downcalls.callInt(ncclCommCount.address(), comm.address(), count));
    }

    /**
     * {@code ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)}
     *
     * <p>Returns the cuda device number associated with the communicator.
     */
    public static void ncclCommCuDevice(NcclComm comm, MemorySegment device) {
        check(ncclCommCuDevice, Downcalls.callInt(ncclCommCuDevice.address(), comm.address(), device));
    }

    /**
     * {@code ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)}
     *
     * <p>Returns the user-ordered "rank" associated with the communicator.
     */
    public static void ncclCommUserRank(NcclComm comm, MemorySegment rank) {
        check(ncclCommUserRank, Downcalls.callInt(ncclCommUserRank.address(), comm.address(), rank));
    }

    /**
     * {@code ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buff, size_t size, void **handle)}
     *
     * <p>Register CUDA buffer for zero-copy operation
     */
    public static void ncclCommRegister(NcclComm comm, long buff, long size, MemorySegment handle) {
        check(ncclCommRegister, Downcalls.callInt(ncclCommRegister.address(), comm.address(), buff, size, handle));
    }

    /**
     * {@code ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle)}
     *
     * <p>Deregister CUDA buffer
     */
    public static void ncclCommDeregister(NcclComm comm, long handle) {
        check(ncclCommDeregister, Downcalls.callInt(ncclCommDeregister.address(), comm.address(), handle));
    }

    /**
     * {@code ncclResult_t ncclCommSuspend(ncclComm_t comm, int flags)}
     *
     * <p>Suspend communicator operations to free resources.
     * The communicator cannot be used while suspended.
     * flags: NCCL_SUSPEND_MEM - Release dynamic GPU memory allocations
     *
     * @since NCCL 2.29.7
     */
    public static void ncclCommSuspend(NcclComm comm, int flags) {
        check(ncclCommSuspend, Downcalls.callInt(ncclCommSuspend.address(), comm.address(), flags));
    }

    /**
     * {@code ncclResult_t ncclCommResume(ncclComm_t comm)}
     *
     * <p>Resume all previously suspended communicator resources.
     *
     * @since NCCL 2.29.7
     */
    public static void ncclCommResume(NcclComm comm) {
        check(ncclCommResume, Downcalls.callInt(ncclCommResume.address(), comm.address()));
    }

    /**
     * {@code ncclResult_t ncclCommMemStats(ncclComm_t comm, ncclCommMemStat_t stat, uint64_t *value)}
     *
     * <p>Query communicator memory statistics.
     * stat: One of ncclCommMemStat_t values
     * value: Output pointer to receive the memory statistic value
     *
     * @since NCCL 2.29.7
     */
    public static void ncclCommMemStats(NcclComm comm, int stat, MemorySegment value) {
        check(ncclCommMemStats, Downcalls.callInt(ncclCommMemStats.address(), comm.address(), stat, value));
    }

    /**
     * {@code ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *buff, size_t size, ncclWindow_t *win, int winFlags)}
     *
     * <p>Register memory window
     */
    public static void ncclCommWindowRegister(NcclComm comm, long buff, long size, MemorySegment win, int winFlags) {
        check(
                ncclCommWindowRegister,
                Downcalls.callInt(ncclCommWindowRegister.address(), comm.address(), buff, size, win, winFlags));
    }

    /**
     * {@code ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t win)}
     *
     * <p>Deregister symmetric memory
     */
    public static void ncclCommWindowDeregister(NcclComm comm, NcclWindow win) {
        check(
                ncclCommWindowDeregister,
                Downcalls.callInt(ncclCommWindowDeregister.address(), comm.address(), win.address()));
    }

    /**
     * {@code ncclResult_t ncclWinGetUserPtr(ncclComm_t comm, ncclWindow_t win, void **outUserPtr)}
     *
     * <p>Get the user pointer from the window
     *
     * @since NCCL 2.29.2
     */
    public static void ncclWinGetUserPtr(NcclComm comm, NcclWindow win, MemorySegment outUserPtr) {
        check(
                ncclWinGetUserPtr,
                Downcalls.callInt(ncclWinGetUserPtr.address(), comm.address(), win.address(), outUserPtr));
    }

    /**
     * {@code ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t datatype, ncclScalarResidence_t residence, ncclComm_t comm)}
     *
     * <p>Creates a new reduction operator which pre-multiplies input values by a given
     * scalar locally before reducing them with peer values via summation. For use
     * only with collectives launched against *comm* and *datatype*. The
     * *residence* argument indicates how/when the memory pointed to by *scalar*
     * will be dereferenced. Upon return, the newly created operator's handle
     * is stored in *op*.
     */
    public static void ncclRedOpCreatePreMulSum(
            MemorySegment op, long scalar, int datatype, int residence, NcclComm comm) {
        check(
                ncclRedOpCreatePreMulSum,
                Downcalls.callInt(ncclRedOpCreatePreMulSum.address(), op, scalar, datatype, residence, comm.address()));
    }

    /**
     * {@code ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm)}
     *
     * <p>Destroys the reduction operator *op*. The operator must have been created by
     * ncclRedOpCreatePreMul with the matching communicator *comm*. An operator may be
     * destroyed as soon as the last NCCL function which is given that operator returns.
     */
    public static void ncclRedOpDestroy(int op, NcclComm comm) {
        check(ncclRedOpDestroy, Downcalls.callInt(ncclRedOpDestroy.address(), op, comm.address()));
    }

    /**
     * {@code ncclResult_t ncclReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Reduce
     * Reduces data arrays of length count in sendbuff into recvbuff using op
     * operation.
     * recvbuff may be NULL on all calls except for root device.
     * root is the rank (not the CUDA device) where data will reside after the
     * operation is complete.
     * In-place operation will happen if sendbuff == recvbuff.
     */
    public static void ncclReduce(
            long sendbuff, long recvbuff, long count, int datatype, int op, int root, NcclComm comm, CUstream stream) {
        check(
                ncclReduce,
                Downcalls.callInt(
                        ncclReduce.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        op,
                        root,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclBcast(void *buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>(deprecated) Broadcast (in-place)
     * Copies count values from root to all other devices.
     * root is the rank (not the CUDA device) where data resides before the
     * operation is started.
     * This operation is implicitely in place.
     */
    public static void ncclBcast(long buff, long count, int datatype, int root, NcclComm comm, CUstream stream) {
        check(
                ncclBcast,
                Downcalls.callInt(ncclBcast.address(), buff, count, datatype, root, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclBroadcast(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Broadcast
     * Copies count values from root to all other devices.
     * root is the rank (not the CUDA device) where data resides before the
     * operation is started.
     * In-place operation will happen if sendbuff == recvbuff.
     */
    public static void ncclBroadcast(
            long sendbuff, long recvbuff, long count, int datatype, int root, NcclComm comm, CUstream stream) {
        check(
                ncclBroadcast,
                Downcalls.callInt(
                        ncclBroadcast.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclAllReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>All-Reduce
     * Reduces data arrays of length count in sendbuff using op operation, and
     * leaves identical copies of result on each recvbuff.
     * In-place operation will happen if sendbuff == recvbuff.
     */
    public static void ncclAllReduce(
            long sendbuff, long recvbuff, long count, int datatype, int op, NcclComm comm, CUstream stream) {
        check(
                ncclAllReduce,
                Downcalls.callInt(
                        ncclAllReduce.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        op,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclReduceScatter(const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Reduce-Scatter
     * Reduces data in sendbuff using op operation and leaves reduced result
     * scattered over the devices so that recvbuff on rank i will contain the i-th
     * block of the result.
     * Assumes sendcount is equal to nranks*recvcount, which means that sendbuff
     * should have a size of at least nranks*recvcount elements.
     * In-place operations will happen if recvbuff == sendbuff + rank * recvcount.
     */
    public static void ncclReduceScatter(
            long sendbuff, long recvbuff, long recvcount, int datatype, int op, NcclComm comm, CUstream stream) {
        check(
                ncclReduceScatter,
                Downcalls.callInt(
                        ncclReduceScatter.address(),
                        sendbuff,
                        recvbuff,
                        recvcount,
                        datatype,
                        op,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclAllGather(const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>All-Gather
     * Each device gathers sendcount values from other GPUs into recvbuff,
     * receiving data from rank i at offset i*sendcount.
     * Assumes recvcount is equal to nranks*sendcount, which means that recvbuff
     * should have a size of at least nranks*sendcount elements.
     * In-place operations will happen if sendbuff == recvbuff + rank * sendcount.
     */
    public static void ncclAllGather(
            long sendbuff, long recvbuff, long sendcount, int datatype, NcclComm comm, CUstream stream) {
        check(
                ncclAllGather,
                Downcalls.callInt(
                        ncclAllGather.address(),
                        sendbuff,
                        recvbuff,
                        sendcount,
                        datatype,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclAlltoAll(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>All-to-All
     * Each device sends count values to all other devices and receives count values
     * from all other devices. Data to send to destination rank j is taken from
     * sendbuff+j*count and data received from source rank i is placed at
     * recvbuff+i*count.
     */
    public static void ncclAlltoAll(
            long sendbuff, long recvbuff, long count, int datatype, NcclComm comm, CUstream stream) {
        check(
                ncclAlltoAll,
                Downcalls.callInt(
                        ncclAlltoAll.address(), sendbuff, recvbuff, count, datatype, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclGather(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Gather
     * Each rank sends count elements from sendbuff to the root rank.
     * On the root rank, data from rank i is placed at recvbuff + i*count.
     * On non-root ranks, recvbuff is not used.
     * root is the rank where data will be gathered.
     * In-place operations will happen if sendbuff == recvbuff + root * count.
     */
    public static void ncclGather(
            long sendbuff, long recvbuff, long count, int datatype, int root, NcclComm comm, CUstream stream) {
        check(
                ncclGather,
                Downcalls.callInt(
                        ncclGather.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclScatter(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Scatter
     * On the root rank, count elements from sendbuff+i*count are sent to rank i.
     * On non-root ranks, sendbuff is not used.
     * Each rank receives count elements into recvbuff.
     * root is the rank that will distribute the data.
     * In-place operations will happen if recvbuff == sendbuff + root * count.
     */
    public static void ncclScatter(
            long sendbuff, long recvbuff, long count, int datatype, int root, NcclComm comm, CUstream stream) {
        check(
                ncclScatter,
                Downcalls.callInt(
                        ncclScatter.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclAllReduceConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * <p>nccl*Config: per-collective-config variant of every collective. It takes a trailing
     * ncclCollConfig_t describing per-call customization. Initialize the config with
     * NCCL_COLLCONFIG_INITIALIZER and set it identically on every rank. config == NULL is
     * equivalent to the plain API.
     *
     * @since NCCL 2.31.2
     */
    public static void ncclAllReduceConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            int op,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclAllReduceConfig,
                Downcalls.callInt(
                        ncclAllReduceConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        op,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclBroadcastConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclBroadcastConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            int root,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclBroadcastConfig,
                Downcalls.callInt(
                        ncclBroadcastConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclReduceConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclReduceConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            int op,
            int root,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclReduceConfig,
                Downcalls.callInt(
                        ncclReduceConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        op,
                        root,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclAllGatherConfig(const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclAllGatherConfig(
            long sendbuff,
            long recvbuff,
            long sendcount,
            int datatype,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclAllGatherConfig,
                Downcalls.callInt(
                        ncclAllGatherConfig.address(),
                        sendbuff,
                        recvbuff,
                        sendcount,
                        datatype,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclReduceScatterConfig(const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclReduceScatterConfig(
            long sendbuff,
            long recvbuff,
            long recvcount,
            int datatype,
            int op,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclReduceScatterConfig,
                Downcalls.callInt(
                        ncclReduceScatterConfig.address(),
                        sendbuff,
                        recvbuff,
                        recvcount,
                        datatype,
                        op,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclAlltoAllConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclAlltoAllConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclAlltoAllConfig,
                Downcalls.callInt(
                        ncclAlltoAllConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclGatherConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclGatherConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            int root,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclGatherConfig,
                Downcalls.callInt(
                        ncclGatherConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclScatterConfig(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t *config)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclScatterConfig(
            long sendbuff,
            long recvbuff,
            long count,
            int datatype,
            int root,
            NcclComm comm,
            CUstream stream,
            MemorySegment config) {
        check(
                ncclScatterConfig,
                Downcalls.callInt(
                        ncclScatterConfig.address(),
                        sendbuff,
                        recvbuff,
                        count,
                        datatype,
                        root,
                        comm.address(),
                        stream.address(),
                        config));
    }

    /**
     * {@code ncclResult_t ncclSend(const void *sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Send
     * Send data from sendbuff to rank peer.
     * Rank peer needs to call ncclRecv with the same datatype and the same count from this
     * rank.
     * This operation is blocking for the GPU. If multiple ncclSend and ncclRecv operations
     * need to progress concurrently to complete, they must be fused within a ncclGroupStart/
     * ncclGroupEnd section.
     */
    public static void ncclSend(long sendbuff, long count, int datatype, int peer, NcclComm comm, CUstream stream) {
        check(
                ncclSend,
                Downcalls.callInt(
                        ncclSend.address(), sendbuff, count, datatype, peer, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclRecv(void *recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)}
     */
    public static void ncclRecv(long recvbuff, long count, int datatype, int peer, NcclComm comm, CUstream stream) {
        check(
                ncclRecv,
                Downcalls.callInt(
                        ncclRecv.address(), recvbuff, count, datatype, peer, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclPutSignal(const void *localbuff, size_t count, ncclDataType_t datatype, int peer, ncclWindow_t peerWin, size_t peerWinOffset, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Put
     * One-sided communication operation that writes data from the local buffer to a
     * remote peer's registered memory window without explicit participation from the
     * target process.
     * Parameters:
     * localbuff    - Local source buffer containing data to be transferred
     * count        - Number of elements to transfer
     * datatype     - NCCL data type of each element
     * peer         - Target rank to write data to
     * peerWin      - Memory window object registered by the target peer
     * peerWinOffset- Offset in bytes from the start of peer's registered window
     * sigIdx       - Signal index identifier for the operation
     * ctx          - Context identifier for the operation
     * flags        - Reserved for future use
     * comm         - NCCL communicator
     * stream       - CUDA stream to enqueue the operation on
     * Returns:
     * ncclSuccess on successful enqueue, error code otherwise
     *
     * @since NCCL 2.29.2
     */
    public static void ncclPutSignal(
            long localbuff,
            long count,
            int datatype,
            int peer,
            NcclWindow peerWin,
            long peerWinOffset,
            int sigIdx,
            int ctx,
            int flags,
            NcclComm comm,
            CUstream stream) {
        check(
                ncclPutSignal,
                Downcalls.callInt(
                        ncclPutSignal.address(),
                        localbuff,
                        count,
                        datatype,
                        peer,
                        peerWin.address(),
                        peerWinOffset,
                        sigIdx,
                        ctx,
                        flags,
                        comm.address(),
                        stream.address()));
    }

    /**
     * {@code ncclResult_t ncclSignal(int peer, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Signal
     * Sends a signal to the specified peer without transferring data.
     * Parameters:
     * peer         - Target rank to send signal to
     * sigIdx       - Signal index identifier for the operation
     * ctx          - Context identifier for the operation
     * flags        - Reserved for future use
     * comm         - NCCL communicator
     * stream       - CUDA stream to enqueue the operation on
     * Returns:
     * ncclSuccess on successful signal enqueue, error code otherwise
     *
     * @since NCCL 2.29.2
     */
    public static void ncclSignal(int peer, int sigIdx, int ctx, int flags, NcclComm comm, CUstream stream) {
        check(
                ncclSignal,
                Downcalls.callInt(ncclSignal.address(), peer, sigIdx, ctx, flags, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclWaitSignal(int nDesc, ncclWaitSignalDesc_t *signalDescs, ncclComm_t comm, cudaStream_t stream)}
     *
     * <p>Wait Signal
     * Waits for signals as described in the signal descriptor array.
     * Parameters:
     * nDesc        - Number of signal descriptors in the array
     * signalDescs  - Array of descriptors specifying the signals to wait for.
     * Each descriptor indicates how many signals to expect from
     * a specific peer on a particular signal index and context.
     * comm         - NCCL communicator
     * stream       - CUDA stream to enqueue the operation on
     * Returns:
     * ncclSuccess when all required signals received, error code otherwise
     *
     * @since NCCL 2.29.2
     */
    public static void ncclWaitSignal(int nDesc, MemorySegment signalDescs, NcclComm comm, CUstream stream) {
        check(
                ncclWaitSignal,
                Downcalls.callInt(ncclWaitSignal.address(), nDesc, signalDescs, comm.address(), stream.address()));
    }

    /**
     * {@code ncclResult_t ncclGroupStart()}
     *
     * <p>Group Start
     * Start a group call. All calls to NCCL until ncclGroupEnd will be fused into
     * a single NCCL operation. Nothing will be started on the CUDA stream until
     * ncclGroupEnd.
     */
    public static void ncclGroupStart() {
        check(ncclGroupStart, Downcalls.callInt(ncclGroupStart.address()));
    }

    /**
     * {@code ncclResult_t ncclGroupEnd()}
     *
     * <p>Group End
     * End a group call. Start a fused NCCL operation consisting of all calls since
     * ncclGroupStart. Operations on the CUDA stream depending on the NCCL operations
     * need to be called after ncclGroupEnd.
     */
    public static void ncclGroupEnd() {
        check(ncclGroupEnd, Downcalls.callInt(ncclGroupEnd.address()));
    }

    /**
     * {@code ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t *simInfo)}
     *
     * <p>Group Simulate End
     * Simulate a ncclGroupEnd() call and return NCCL's simulation info in a struct.
     */
    public static void ncclGroupSimulateEnd(MemorySegment simInfo) {
        check(ncclGroupSimulateEnd, Downcalls.callInt(ncclGroupSimulateEnd.address(), simInfo));
    }

    /**
     * {@code ncclResult_t ncclSetEncryption(const ncclEncryptionConfig_t *config)}
     *
     * @since NCCL 2.32.3
     */
    public static void ncclSetEncryption(MemorySegment config) {
        check(ncclSetEncryption, Downcalls.callInt(ncclSetEncryption.address(), config));
    }

    /**
     * {@code ncclResult_t ncclParamBind(ncclParamHandle_t *out, const char *key)}
     *
     * <p>Look up the parameter identified by key and store a handle to it in
     * out. The returned handle is owned by the parameter system and must not
     * be freed by the caller.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamBind(MemorySegment out, MemorySegment key) {
        check(ncclParamBind, Downcalls.callInt(ncclParamBind.address(), out, key));
    }

    /**
     * {@code ncclResult_t ncclParamGetI8(ncclParamHandle_t h, int8_t *out)}
     *
     * <p>Read the value of the parameter bound to h as the type of out.
     * Function names are suffixed with I/U and 8/16/32/64 for 8-, 16-, 32- and 64-bit
     * signed and unsigned integers.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetI8(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetI8, Downcalls.callInt(ncclParamGetI8.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetI16(ncclParamHandle_t h, int16_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetI16(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetI16, Downcalls.callInt(ncclParamGetI16.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetI32(ncclParamHandle_t h, int32_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetI32(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetI32, Downcalls.callInt(ncclParamGetI32.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetI64(ncclParamHandle_t h, int64_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetI64(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetI64, Downcalls.callInt(ncclParamGetI64.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetU8(ncclParamHandle_t h, uint8_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetU8(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetU8, Downcalls.callInt(ncclParamGetU8.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetU16(ncclParamHandle_t h, uint16_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetU16(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetU16, Downcalls.callInt(ncclParamGetU16.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetU32(ncclParamHandle_t h, uint32_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetU32(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetU32, Downcalls.callInt(ncclParamGetU32.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetU64(ncclParamHandle_t h, uint64_t *out)}
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetU64(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetU64, Downcalls.callInt(ncclParamGetU64.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGetStr(ncclParamHandle_t h, const char **out)}
     *
     * <p>Read the value of the parameter bound to h as a string.
     * Returned pointer is owned by the parameter system and is valid until the
     * next ncclParamGetStr() call on the same thread.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetStr(NcclParamHandle h, MemorySegment out) {
        check(ncclParamGetStr, Downcalls.callInt(ncclParamGetStr.address(), h.address(), out));
    }

    /**
     * {@code ncclResult_t ncclParamGet(ncclParamHandle_t h, void *out, int maxLen, int *len)}
     *
     * <p>Read the value of the parameter bound to h as raw binary data.
     * The user needs to allocate a buffer for the result and the parameter value is copied
     * into user buffer as bytes.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGet(NcclParamHandle h, long out, int maxLen, MemorySegment len) {
        check(ncclParamGet, Downcalls.callInt(ncclParamGet.address(), h.address(), out, maxLen, len));
    }

    /**
     * {@code ncclResult_t ncclParamGetParameter(const char *key, const char **value, int *valueLen)}
     *
     * <p>Get parameter value as string by key. Returned pointer is owned by the
     * parameter system and is valid until the next ncclParamGetParameter() call
     * on the same thread.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetParameter(MemorySegment key, MemorySegment value, MemorySegment valueLen) {
        check(ncclParamGetParameter, Downcalls.callInt(ncclParamGetParameter.address(), key, value, valueLen));
    }

    /**
     * {@code ncclResult_t ncclParamGetAllParameterKeys(const char ***table, int *tableLen)}
     *
     * <p>Get all registered parameter keys. Returned pointer table is owned by the
     * parameter system and is valid until the next ncclParamGetAllParameterKeys()
     * call on the same thread. By default, the results include only parameters published
     * in NCCL documentation. Setting NCCL_PARAM_DUMP_ALL=true will include all parameters.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamGetAllParameterKeys(MemorySegment table, MemorySegment tableLen) {
        check(ncclParamGetAllParameterKeys, Downcalls.callInt(ncclParamGetAllParameterKeys.address(), table, tableLen));
    }

    /**
     * {@code void ncclParamDumpAll()}
     *
     * <p>Dump all parameters to log output. By default, the result includes only parameters published
     * in NCCL documentation. Setting NCCL_PARAM_DUMP_ALL=true will include all parameters.
     *
     * @since NCCL 2.30.4
     */
    public static void ncclParamDumpAll() {
        Downcalls.callVoid(ncclParamDumpAll.address());
    }

    /**
     * {@code ncclResult_t ncclCommQueryProperties(ncclComm_t comm, ncclCommProperties_t *props)}
     *
     * @since NCCL 2.29.2
     */
    public static void ncclCommQueryProperties(NcclComm comm, MemorySegment props) {
        check(ncclCommQueryProperties, Downcalls.callInt(ncclCommQueryProperties.address(), comm.address(), props));
    }

    /**
     * {@code ncclResult_t ncclDevCommCreate(ncclComm_t comm, const ncclDevCommRequirements_t *reqs, ncclDevComm_t *outDevComm)}
     */
    public static void ncclDevCommCreate(NcclComm comm, MemorySegment reqs, MemorySegment outDevComm) {
        check(ncclDevCommCreate, Downcalls.callInt(ncclDevCommCreate.address(), comm.address(), reqs, outDevComm));
    }

    /**
     * {@code ncclResult_t ncclDevCommDestroy(ncclComm_t comm, const ncclDevComm_t *devComm)}
     */
    public static void ncclDevCommDestroy(NcclComm comm, MemorySegment devComm) {
        check(ncclDevCommDestroy, Downcalls.callInt(ncclDevCommDestroy.address(), comm.address(), devComm));
    }

    /**
     * {@code ncclResult_t ncclGetLsaMultimemDevicePointer(ncclWindow_t window, size_t offset, void **outPtr)}
     *
     * <p>VA pointer based query functions for host code
     *
     * @since NCCL 2.29.2
     */
    public static void ncclGetLsaMultimemDevicePointer(NcclWindow window, long offset, MemorySegment outPtr) {
        check(
                ncclGetLsaMultimemDevicePointer,
                Downcalls.callInt(ncclGetLsaMultimemDevicePointer.address(), window.address(), offset, outPtr));
    }

    /**
     * {@code ncclResult_t ncclGetMultimemDevicePointer(ncclWindow_t window, size_t offset, ncclMultimemHandle_t multimem, void **outPtr)}
     *
     * @since NCCL 2.29.2
     */
    public static void ncclGetMultimemDevicePointer(
            NcclWindow window, long offset, MemorySegment multimem, MemorySegment outPtr) {
        check(
                ncclGetMultimemDevicePointer,
                Downcalls.callIntWithNcclMultimemHandle(
                        ncclGetMultimemDevicePointer.address(), window.address(), offset, multimem, outPtr));
    }

    /**
     * {@code ncclResult_t ncclGetLsaDevicePointer(ncclWindow_t window, size_t offset, int lsaRank, void **outPtr)}
     *
     * @since NCCL 2.29.2
     */
    public static void ncclGetLsaDevicePointer(NcclWindow window, long offset, int lsaRank, MemorySegment outPtr) {
        check(
                ncclGetLsaDevicePointer,
                Downcalls.callInt(ncclGetLsaDevicePointer.address(), window.address(), offset, lsaRank, outPtr));
    }

    /**
     * {@code ncclResult_t ncclGetPeerDevicePointer(ncclWindow_t window, size_t offset, int peer, void **outPtr)}
     *
     * @since NCCL 2.29.2
     */
    public static void ncclGetPeerDevicePointer(NcclWindow window, long offset, int peer, MemorySegment outPtr) {
        check(
                ncclGetPeerDevicePointer,
                Downcalls.callInt(ncclGetPeerDevicePointer.address(), window.address(), offset, peer, outPtr));
    }

    /**
     * {@code ncclResult_t ncclGetMultimemDeviceLeInfo(ncclWindow_t window, size_t offset, ncclCftLeId *leId, size_t *leOffset)}
     *
     * <p>CFT handle based query functions for host code
     *
     * @since NCCL 2.31.2
     */
    public static void ncclGetMultimemDeviceLeInfo(
            NcclWindow window, long offset, MemorySegment leId, MemorySegment leOffset) {
        check(
                ncclGetMultimemDeviceLeInfo,
                Downcalls.callInt(ncclGetMultimemDeviceLeInfo.address(), window.address(), offset, leId, leOffset));
    }

    /**
     * {@code ncclResult_t ncclGetCftDeviceLeInfo(ncclWindow_t window, size_t offset, int peerCft, ncclTeam_t cftTeam, ncclCftLeId *leId, size_t *leOffset)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclGetCftDeviceLeInfo(
            NcclWindow window,
            long offset,
            int peerCft,
            MemorySegment cftTeam,
            MemorySegment leId,
            MemorySegment leOffset) {
        check(
                ncclGetCftDeviceLeInfo,
                Downcalls.callIntWithNcclTeam(
                        ncclGetCftDeviceLeInfo.address(), window.address(), offset, peerCft, cftTeam, leId, leOffset));
    }

    /**
     * {@code ncclResult_t ncclGetPeerDeviceLeInfo(ncclWindow_t window, size_t offset, int peerWorld, ncclCftLeId *leId, size_t *leOffset)}
     *
     * @since NCCL 2.31.2
     */
    public static void ncclGetPeerDeviceLeInfo(
            NcclWindow window, long offset, int peerWorld, MemorySegment leId, MemorySegment leOffset) {
        check(
                ncclGetPeerDeviceLeInfo,
                Downcalls.callInt(
                        ncclGetPeerDeviceLeInfo.address(), window.address(), offset, peerWorld, leId, leOffset));
    }

    /**
     * {@code ncclTeam_t ncclTeamWorld(ncclComm_t comm)}
     */
    public static MemorySegment ncclTeamWorld(SegmentAllocator allocator, NcclComm comm) {
        return Downcalls.callNcclTeam(ncclTeamWorld.address(), allocator, comm.address());
    }

    /**
     * {@code ncclTeam_t ncclTeamLsa(ncclComm_t comm)}
     */
    public static MemorySegment ncclTeamLsa(SegmentAllocator allocator, NcclComm comm) {
        return Downcalls.callNcclTeam(ncclTeamLsa.address(), allocator, comm.address());
    }

    /**
     * {@code ncclTeam_t ncclTeamCft(ncclComm_t comm, ncclCftTeamMode_t mode)}
     *
     * @since NCCL 2.31.2
     */
    public static MemorySegment ncclTeamCft(SegmentAllocator allocator, NcclComm comm, int mode) {
        return Downcalls.callNcclTeam(ncclTeamCft.address(), allocator, comm.address(), mode);
    }

    /**
     * {@code ncclTeam_t ncclTeamCftMultimem(ncclComm_t comm)}
     *
     * @since NCCL 2.31.2
     */
    public static MemorySegment ncclTeamCftMultimem(SegmentAllocator allocator, NcclComm comm) {
        return Downcalls.callNcclTeam(ncclTeamCftMultimem.address(), allocator, comm.address());
    }

    /**
     * {@code int ncclTeamRankToWorld(ncclComm_t comm, ncclTeam_t team, int rank)}
     */
    public static int ncclTeamRankToWorld(NcclComm comm, MemorySegment team, int rank) {
        return Downcalls.callIntWithNcclTeam(ncclTeamRankToWorld.address(), comm.address(), team, rank);
    }

    /**
     * {@code int ncclTeamRankToLsa(ncclComm_t comm, ncclTeam_t team, int rank)}
     */
    public static int ncclTeamRankToLsa(NcclComm comm, MemorySegment team, int rank) {
        return Downcalls.callIntWithNcclTeam(ncclTeamRankToLsa.address(), comm.address(), team, rank);
    }

    /**
     * {@code ncclTeam_t ncclTeamRail(ncclComm_t comm)}
     */
    public static MemorySegment ncclTeamRail(SegmentAllocator allocator, NcclComm comm) {
        return Downcalls.callNcclTeam(ncclTeamRail.address(), allocator, comm.address());
    }

    /**
     * {@code ncclResult_t ncclLsaBarrierCreateRequirement(ncclTeam_t team, int nBarriers, ncclLsaBarrierHandle_t *outHandle, ncclDevResourceRequirements_t *outReq)}
     */
    public static void ncclLsaBarrierCreateRequirement(
            MemorySegment team, int nBarriers, MemorySegment outHandle, MemorySegment outReq) {
        check(
                ncclLsaBarrierCreateRequirement,
                Downcalls.callIntWithNcclTeam(
                        ncclLsaBarrierCreateRequirement.address(), team, nBarriers, outHandle, outReq));
    }

    /**
     * {@code ncclResult_t ncclGinBarrierCreateRequirement(ncclComm_t comm, ncclTeam_t team, int nBarriers, ncclGinBarrierHandle_t *outHandle, ncclDevResourceRequirements_t *outReq)}
     */
    public static void ncclGinBarrierCreateRequirement(
            NcclComm comm, MemorySegment team, int nBarriers, MemorySegment outHandle, MemorySegment outReq) {
        check(
                ncclGinBarrierCreateRequirement,
                Downcalls.callIntWithNcclTeam(
                        ncclGinBarrierCreateRequirement.address(), comm.address(), team, nBarriers, outHandle, outReq));
    }

    /**
     * {@code int ncclLLA2ACalcSlots(int maxElts, int maxEltSize)}
     */
    public static int ncclLLA2ACalcSlots(int maxElts, int maxEltSize) {
        return Downcalls.callInt(ncclLLA2ACalcSlots.address(), maxElts, maxEltSize);
    }

    /**
     * {@code ncclResult_t ncclLLA2ACreateRequirement(int nBlocks, int nSlots, ncclLLA2AHandle_t *outHandle, ncclDevResourceRequirements_t *outReq)}
     */
    public static void ncclLLA2ACreateRequirement(
            int nBlocks, int nSlots, MemorySegment outHandle, MemorySegment outReq) {
        check(
                ncclLLA2ACreateRequirement,
                Downcalls.callInt(ncclLLA2ACreateRequirement.address(), nBlocks, nSlots, outHandle, outReq));
    }

    /**
     * {@code ncclResult_t ncclGinOutboxCreateRequirement(int nBlocks, int size_log2, ncclGinOutboxHandle *outHandle, ncclDevResourceRequirements_t *outReq)}
     *
     * <p>Exported on Linux but declared for Windows only.
     *
     * @since NCCL 2.30.3
     */
    public static void ncclGinOutboxCreateRequirement(
            int nBlocks, int size_log2, MemorySegment outHandle, MemorySegment outReq) {
        check(
                ncclGinOutboxCreateRequirement,
                Downcalls.callInt(ncclGinOutboxCreateRequirement.address(), nBlocks, size_log2, outHandle, outReq));
    }

    /**
     * {@code ncclResult_t ncclGinInboxA2ACreateRequirement(ncclTeam_t peers, int nBlocks, int size_log2, ncclGinInboxA2AHandle *outHandle, ncclDevResourceRequirements_t *outReq)}
     *
     * @since NCCL 2.30.3
     */
    public static void ncclGinInboxA2ACreateRequirement(
            MemorySegment peers, int nBlocks, int size_log2, MemorySegment outHandle, MemorySegment outReq) {
        check(
                ncclGinInboxA2ACreateRequirement,
                Downcalls.callIntWithNcclTeam(
                        ncclGinInboxA2ACreateRequirement.address(), peers, nBlocks, size_log2, outHandle, outReq));
    }

    private static void check(NativeFunction function, int status) {
        if (status != ncclSuccess && status != ncclInProgress) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    /** The library's text for the status, and what it noted last: one text for the whole process, so perhaps of another thread. */
    private static @Nullable String words(int status) {
        String last = ncclGetLastError(NcclComm.NULL);
        String text = ncclGetErrorString(status);
        return last == null || last.isBlank() ? text : text + "; NCCL's last error: " + last.strip();
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case ncclSuccess -> "ncclSuccess";
            case ncclUnhandledCudaError -> "ncclUnhandledCudaError";
            case ncclSystemError -> "ncclSystemError";
            case ncclInternalError -> "ncclInternalError";
            case ncclInvalidArgument -> "ncclInvalidArgument";
            case ncclInvalidUsage -> "ncclInvalidUsage";
            case ncclRemoteError -> "ncclRemoteError";
            case ncclInProgress -> "ncclInProgress";
            case ncclTimeout -> "ncclTimeout";
            case ncclNumResults -> "ncclNumResults";

            default -> "status " + status;
        };
    }
}
