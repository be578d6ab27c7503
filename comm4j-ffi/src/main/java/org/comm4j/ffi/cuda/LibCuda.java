// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.CUcontext;
import org.comm4j.ffi.handle.CUevent;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUgraph;
import org.comm4j.ffi.handle.CUgraphExec;
import org.comm4j.ffi.handle.CUgraphNode;
import org.comm4j.ffi.handle.CUkernel;
import org.comm4j.ffi.handle.CUlibrary;
import org.comm4j.ffi.handle.CUmemoryPool;
import org.comm4j.ffi.handle.CUmodule;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.CUuserObject;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of CUDA, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibCuda {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.CUDA);

    private static final NativeFunction cuInit = LIBRARY.function("cuInit", "2.0");
    private static final NativeFunction cuDriverGetVersion = LIBRARY.function("cuDriverGetVersion", "2.2");
    private static final NativeFunction cuGetErrorString = LIBRARY.function("cuGetErrorString", "6.0");
    private static final NativeFunction cuGetErrorName = LIBRARY.function("cuGetErrorName", "6.0");
    private static final NativeFunction cuDeviceGet = LIBRARY.function("cuDeviceGet", "2.0");
    private static final NativeFunction cuDeviceGetCount = LIBRARY.function("cuDeviceGetCount", "2.0");
    private static final NativeFunction cuDeviceGetName = LIBRARY.function("cuDeviceGetName", "2.0");
    private static final NativeFunction cuDeviceGetUuid =
            LIBRARY.function("cuDeviceGetUuid", "9.2", "cuDeviceGetUuid_v2", "cuDeviceGetUuid");
    private static final NativeFunction cuDeviceTotalMem =
            LIBRARY.function("cuDeviceTotalMem", "3.2", "cuDeviceTotalMem_v2");
    private static final NativeFunction cuDeviceGetAttribute = LIBRARY.function("cuDeviceGetAttribute", "2.0");
    private static final NativeFunction cuDeviceGetByPCIBusId = LIBRARY.function("cuDeviceGetByPCIBusId", "4.1");
    private static final NativeFunction cuDeviceGetPCIBusId = LIBRARY.function("cuDeviceGetPCIBusId", "4.1");
    private static final NativeFunction cuDeviceCanAccessPeer = LIBRARY.function("cuDeviceCanAccessPeer", "4.0");
    private static final NativeFunction cuDeviceGetP2PAttribute = LIBRARY.function("cuDeviceGetP2PAttribute", "8.0");
    private static final NativeFunction cuDevicePrimaryCtxRetain = LIBRARY.function("cuDevicePrimaryCtxRetain", "7.0");
    private static final NativeFunction cuDevicePrimaryCtxRelease = LIBRARY.function(
            "cuDevicePrimaryCtxRelease", "7.0", "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease");
    private static final NativeFunction cuDevicePrimaryCtxSetFlags = LIBRARY.function(
            "cuDevicePrimaryCtxSetFlags", "7.0", "cuDevicePrimaryCtxSetFlags_v2", "cuDevicePrimaryCtxSetFlags");
    private static final NativeFunction cuDevicePrimaryCtxGetState =
            LIBRARY.function("cuDevicePrimaryCtxGetState", "7.0");
    private static final NativeFunction cuDevicePrimaryCtxReset =
            LIBRARY.function("cuDevicePrimaryCtxReset", "7.0", "cuDevicePrimaryCtxReset_v2", "cuDevicePrimaryCtxReset");
    private static final NativeFunction cuCtxSetCurrent = LIBRARY.function("cuCtxSetCurrent", "4.0");
    private static final NativeFunction cuCtxGetCurrent = LIBRARY.function("cuCtxGetCurrent", "4.0");
    private static final NativeFunction cuCtxPushCurrent =
            LIBRARY.function("cuCtxPushCurrent", "2.0", "cuCtxPushCurrent_v2", "cuCtxPushCurrent");
    private static final NativeFunction cuCtxPopCurrent =
            LIBRARY.function("cuCtxPopCurrent", "2.0", "cuCtxPopCurrent_v2", "cuCtxPopCurrent");
    private static final NativeFunction cuCtxGetDevice = LIBRARY.function("cuCtxGetDevice", "13.0");
    private static final NativeFunction cuCtxGetFlags = LIBRARY.function("cuCtxGetFlags", "7.0");
    private static final NativeFunction cuCtxGetId = LIBRARY.function("cuCtxGetId", "12.0");
    private static final NativeFunction cuCtxSynchronize = LIBRARY.function("cuCtxSynchronize", "13.0");
    private static final NativeFunction cuCtxSetLimit = LIBRARY.function("cuCtxSetLimit", "3.1");
    private static final NativeFunction cuCtxGetLimit = LIBRARY.function("cuCtxGetLimit", "3.1");
    private static final NativeFunction cuCtxGetStreamPriorityRange =
            LIBRARY.function("cuCtxGetStreamPriorityRange", "5.5");
    private static final NativeFunction cuCtxEnablePeerAccess = LIBRARY.function("cuCtxEnablePeerAccess", "4.0");
    private static final NativeFunction cuCtxDisablePeerAccess = LIBRARY.function("cuCtxDisablePeerAccess", "4.0");
    private static final NativeFunction cuModuleLoad = LIBRARY.function("cuModuleLoad", "2.0");
    private static final NativeFunction cuModuleLoadData = LIBRARY.function("cuModuleLoadData", "2.0");
    private static final NativeFunction cuModuleLoadDataEx = LIBRARY.function("cuModuleLoadDataEx", "2.1");
    private static final NativeFunction cuModuleUnload = LIBRARY.function("cuModuleUnload", "2.0");
    private static final NativeFunction cuModuleGetFunction = LIBRARY.function("cuModuleGetFunction", "2.0");
    private static final NativeFunction cuModuleGetGlobal =
            LIBRARY.function("cuModuleGetGlobal", "3.2", "cuModuleGetGlobal_v2");
    private static final NativeFunction cuModuleGetLoadingMode = LIBRARY.function("cuModuleGetLoadingMode", "11.7");
    private static final NativeFunction cuModuleGetFunctionCount = LIBRARY.function("cuModuleGetFunctionCount", "12.4");
    private static final NativeFunction cuModuleEnumerateFunctions =
            LIBRARY.function("cuModuleEnumerateFunctions", "12.4");
    private static final NativeFunction cuLibraryLoadData = LIBRARY.function("cuLibraryLoadData", "12.0");
    private static final NativeFunction cuLibraryLoadFromFile = LIBRARY.function("cuLibraryLoadFromFile", "12.0");
    private static final NativeFunction cuLibraryUnload = LIBRARY.function("cuLibraryUnload", "12.0");
    private static final NativeFunction cuLibraryGetKernel = LIBRARY.function("cuLibraryGetKernel", "12.0");
    private static final NativeFunction cuLibraryGetKernelCount = LIBRARY.function("cuLibraryGetKernelCount", "12.4");
    private static final NativeFunction cuLibraryEnumerateKernels =
            LIBRARY.function("cuLibraryEnumerateKernels", "12.4");
    private static final NativeFunction cuLibraryGetModule = LIBRARY.function("cuLibraryGetModule", "12.0");
    private static final NativeFunction cuLibraryGetGlobal = LIBRARY.function("cuLibraryGetGlobal", "12.0");
    private static final NativeFunction cuKernelGetFunction = LIBRARY.function("cuKernelGetFunction", "12.0");
    private static final NativeFunction cuKernelGetAttribute = LIBRARY.function("cuKernelGetAttribute", "12.0");
    private static final NativeFunction cuKernelSetAttribute = LIBRARY.function("cuKernelSetAttribute", "12.0");
    private static final NativeFunction cuKernelGetName = LIBRARY.function("cuKernelGetName", "12.3");
    private static final NativeFunction cuKernelGetParamInfo = LIBRARY.function("cuKernelGetParamInfo", "12.4");
    private static final NativeFunction cuFuncGetAttribute = LIBRARY.function("cuFuncGetAttribute", "2.2");
    private static final NativeFunction cuFuncSetAttribute = LIBRARY.function("cuFuncSetAttribute", "9.0");
    private static final NativeFunction cuFuncSetCacheConfig = LIBRARY.function("cuFuncSetCacheConfig", "3.0");
    private static final NativeFunction cuFuncGetModule = LIBRARY.function("cuFuncGetModule", "11.0");
    private static final NativeFunction cuFuncGetName = LIBRARY.function("cuFuncGetName", "12.3");
    private static final NativeFunction cuFuncGetParamInfo = LIBRARY.function("cuFuncGetParamInfo", "12.4");
    private static final NativeFunction cuFuncLoad = LIBRARY.function("cuFuncLoad", "12.4");
    private static final NativeFunction cuMemGetInfo = LIBRARY.function("cuMemGetInfo", "3.2", "cuMemGetInfo_v2");
    private static final NativeFunction cuMemAlloc = LIBRARY.function("cuMemAlloc", "3.2", "cuMemAlloc_v2");
    private static final NativeFunction cuMemFree = LIBRARY.function("cuMemFree", "3.2", "cuMemFree_v2");
    private static final NativeFunction cuMemGetAddressRange =
            LIBRARY.function("cuMemGetAddressRange", "3.2", "cuMemGetAddressRange_v2");
    private static final NativeFunction cuMemAllocManaged = LIBRARY.function("cuMemAllocManaged", "6.0");
    private static final NativeFunction cuMemHostAlloc = LIBRARY.function("cuMemHostAlloc", "2.2");
    private static final NativeFunction cuMemFreeHost = LIBRARY.function("cuMemFreeHost", "2.0");
    private static final NativeFunction cuMemHostGetDevicePointer =
            LIBRARY.function("cuMemHostGetDevicePointer", "3.2", "cuMemHostGetDevicePointer_v2");
    private static final NativeFunction cuMemHostGetFlags = LIBRARY.function("cuMemHostGetFlags", "2.3");
    private static final NativeFunction cuMemHostRegister =
            LIBRARY.function("cuMemHostRegister", "4.0", "cuMemHostRegister_v2", "cuMemHostRegister");
    private static final NativeFunction cuMemHostUnregister = LIBRARY.function("cuMemHostUnregister", "4.0");
    private static final NativeFunction cuMemAllocAsync = LIBRARY.function("cuMemAllocAsync", "11.2");
    private static final NativeFunction cuMemFreeAsync = LIBRARY.function("cuMemFreeAsync", "11.2");
    private static final NativeFunction cuMemAllocFromPoolAsync = LIBRARY.function("cuMemAllocFromPoolAsync", "11.2");
    private static final NativeFunction cuMemPoolCreate = LIBRARY.function("cuMemPoolCreate", "11.2");
    private static final NativeFunction cuMemPoolDestroy = LIBRARY.function("cuMemPoolDestroy", "11.2");
    private static final NativeFunction cuMemPoolTrimTo = LIBRARY.function("cuMemPoolTrimTo", "11.2");
    private static final NativeFunction cuMemPoolSetAttribute = LIBRARY.function("cuMemPoolSetAttribute", "11.2");
    private static final NativeFunction cuMemPoolGetAttribute = LIBRARY.function("cuMemPoolGetAttribute", "11.2");
    private static final NativeFunction cuMemPoolSetAccess = LIBRARY.function("cuMemPoolSetAccess", "11.2");
    private static final NativeFunction cuMemPoolGetAccess = LIBRARY.function("cuMemPoolGetAccess", "11.2");
    private static final NativeFunction cuDeviceGetDefaultMemPool =
            LIBRARY.function("cuDeviceGetDefaultMemPool", "11.2");
    private static final NativeFunction cuDeviceGetMemPool = LIBRARY.function("cuDeviceGetMemPool", "11.2");
    private static final NativeFunction cuDeviceSetMemPool = LIBRARY.function("cuDeviceSetMemPool", "11.2");
    private static final NativeFunction cuMemPoolExportToShareableHandle =
            LIBRARY.function("cuMemPoolExportToShareableHandle", "11.2");
    private static final NativeFunction cuMemPoolImportFromShareableHandle =
            LIBRARY.function("cuMemPoolImportFromShareableHandle", "11.2");
    private static final NativeFunction cuMemPoolExportPointer = LIBRARY.function("cuMemPoolExportPointer", "11.2");
    private static final NativeFunction cuMemPoolImportPointer = LIBRARY.function("cuMemPoolImportPointer", "11.2");
    private static final NativeFunction cuMemcpy = LIBRARY.function("cuMemcpy", "4.0");
    private static final NativeFunction cuMemcpyAsync = LIBRARY.function("cuMemcpyAsync", "4.0");
    private static final NativeFunction cuMemcpyHtoD = LIBRARY.function("cuMemcpyHtoD", "3.2", "cuMemcpyHtoD_v2");
    private static final NativeFunction cuMemcpyDtoH = LIBRARY.function("cuMemcpyDtoH", "3.2", "cuMemcpyDtoH_v2");
    private static final NativeFunction cuMemcpyDtoD = LIBRARY.function("cuMemcpyDtoD", "3.2", "cuMemcpyDtoD_v2");
    private static final NativeFunction cuMemcpyHtoDAsync =
            LIBRARY.function("cuMemcpyHtoDAsync", "3.2", "cuMemcpyHtoDAsync_v2");
    private static final NativeFunction cuMemcpyDtoHAsync =
            LIBRARY.function("cuMemcpyDtoHAsync", "3.2", "cuMemcpyDtoHAsync_v2");
    private static final NativeFunction cuMemcpyDtoDAsync =
            LIBRARY.function("cuMemcpyDtoDAsync", "3.2", "cuMemcpyDtoDAsync_v2");
    private static final NativeFunction cuMemcpyPeer = LIBRARY.function("cuMemcpyPeer", "4.0");
    private static final NativeFunction cuMemcpyPeerAsync = LIBRARY.function("cuMemcpyPeerAsync", "4.0");
    private static final NativeFunction cuMemcpy2D = LIBRARY.function("cuMemcpy2D", "3.2", "cuMemcpy2D_v2");
    private static final NativeFunction cuMemcpy2DAsync =
            LIBRARY.function("cuMemcpy2DAsync", "3.2", "cuMemcpy2DAsync_v2");
    private static final NativeFunction cuMemsetD8 = LIBRARY.function("cuMemsetD8", "3.2", "cuMemsetD8_v2");
    private static final NativeFunction cuMemsetD16 = LIBRARY.function("cuMemsetD16", "3.2", "cuMemsetD16_v2");
    private static final NativeFunction cuMemsetD32 = LIBRARY.function("cuMemsetD32", "3.2", "cuMemsetD32_v2");
    private static final NativeFunction cuMemsetD8Async = LIBRARY.function("cuMemsetD8Async", "3.2");
    private static final NativeFunction cuMemsetD16Async = LIBRARY.function("cuMemsetD16Async", "3.2");
    private static final NativeFunction cuMemsetD32Async = LIBRARY.function("cuMemsetD32Async", "3.2");
    private static final NativeFunction cuMemsetD2D8Async = LIBRARY.function("cuMemsetD2D8Async", "3.2");
    private static final NativeFunction cuMemsetD2D32Async = LIBRARY.function("cuMemsetD2D32Async", "3.2");
    private static final NativeFunction cuMemAdvise = LIBRARY.function("cuMemAdvise", "12.2", "cuMemAdvise_v2");
    private static final NativeFunction cuMemPrefetchAsync =
            LIBRARY.function("cuMemPrefetchAsync", "12.2", "cuMemPrefetchAsync_v2");
    private static final NativeFunction cuPointerGetAttribute = LIBRARY.function("cuPointerGetAttribute", "4.0");
    private static final NativeFunction cuPointerGetAttributes = LIBRARY.function("cuPointerGetAttributes", "7.0");
    private static final NativeFunction cuPointerSetAttribute = LIBRARY.function("cuPointerSetAttribute", "6.0");
    private static final NativeFunction cuMemAddressReserve = LIBRARY.function("cuMemAddressReserve", "10.2");
    private static final NativeFunction cuMemAddressFree = LIBRARY.function("cuMemAddressFree", "10.2");
    private static final NativeFunction cuMemCreate = LIBRARY.function("cuMemCreate", "10.2");
    private static final NativeFunction cuMemRelease = LIBRARY.function("cuMemRelease", "10.2");
    private static final NativeFunction cuMemMap = LIBRARY.function("cuMemMap", "10.2");
    private static final NativeFunction cuMemUnmap = LIBRARY.function("cuMemUnmap", "10.2");
    private static final NativeFunction cuMemSetAccess = LIBRARY.function("cuMemSetAccess", "10.2");
    private static final NativeFunction cuMemGetAccess = LIBRARY.function("cuMemGetAccess", "10.2");
    private static final NativeFunction cuMemExportToShareableHandle =
            LIBRARY.function("cuMemExportToShareableHandle", "10.2");
    private static final NativeFunction cuMemImportFromShareableHandle =
            LIBRARY.function("cuMemImportFromShareableHandle", "10.2");
    private static final NativeFunction cuMemGetAllocationGranularity =
            LIBRARY.function("cuMemGetAllocationGranularity", "10.2");
    private static final NativeFunction cuMemGetAllocationPropertiesFromHandle =
            LIBRARY.function("cuMemGetAllocationPropertiesFromHandle", "10.2");
    private static final NativeFunction cuMemRetainAllocationHandle =
            LIBRARY.function("cuMemRetainAllocationHandle", "11.0");
    private static final NativeFunction cuMemGetHandleForAddressRange =
            LIBRARY.function("cuMemGetHandleForAddressRange", "11.7");
    private static final NativeFunction cuIpcGetEventHandle = LIBRARY.function("cuIpcGetEventHandle", "4.1");
    private static final NativeFunction cuIpcOpenEventHandle = LIBRARY.function("cuIpcOpenEventHandle", "4.1");
    private static final NativeFunction cuIpcGetMemHandle = LIBRARY.function("cuIpcGetMemHandle", "4.1");
    private static final NativeFunction cuIpcOpenMemHandle =
            LIBRARY.function("cuIpcOpenMemHandle", "4.1", "cuIpcOpenMemHandle_v2", "cuIpcOpenMemHandle");
    private static final NativeFunction cuIpcCloseMemHandle = LIBRARY.function("cuIpcCloseMemHandle", "4.1");
    private static final NativeFunction cuStreamCreate = LIBRARY.function("cuStreamCreate", "2.0");
    private static final NativeFunction cuStreamCreateWithPriority =
            LIBRARY.function("cuStreamCreateWithPriority", "5.5");
    private static final NativeFunction cuStreamDestroy =
            LIBRARY.function("cuStreamDestroy", "2.0", "cuStreamDestroy_v2", "cuStreamDestroy");
    private static final NativeFunction cuStreamGetPriority = LIBRARY.function("cuStreamGetPriority", "5.5");
    private static final NativeFunction cuStreamGetFlags = LIBRARY.function("cuStreamGetFlags", "5.5");
    private static final NativeFunction cuStreamGetId = LIBRARY.function("cuStreamGetId", "12.0");
    private static final NativeFunction cuStreamGetCtx = LIBRARY.function("cuStreamGetCtx", "12.5");
    private static final NativeFunction cuStreamGetDevice = LIBRARY.function("cuStreamGetDevice", "12.8");
    private static final NativeFunction cuStreamWaitEvent = LIBRARY.function("cuStreamWaitEvent", "3.2");
    private static final NativeFunction cuStreamQuery = LIBRARY.function("cuStreamQuery", "2.0");
    private static final NativeFunction cuStreamSynchronize = LIBRARY.function("cuStreamSynchronize", "2.0");
    private static final NativeFunction cuStreamWaitValue32 =
            LIBRARY.function("cuStreamWaitValue32", "8.0", "cuStreamWaitValue32_v2", "cuStreamWaitValue32");
    private static final NativeFunction cuStreamWriteValue32 =
            LIBRARY.function("cuStreamWriteValue32", "8.0", "cuStreamWriteValue32_v2", "cuStreamWriteValue32");
    private static final NativeFunction cuStreamWaitValue64 =
            LIBRARY.function("cuStreamWaitValue64", "9.0", "cuStreamWaitValue64_v2", "cuStreamWaitValue64");
    private static final NativeFunction cuStreamWriteValue64 =
            LIBRARY.function("cuStreamWriteValue64", "9.0", "cuStreamWriteValue64_v2", "cuStreamWriteValue64");
    private static final NativeFunction cuEventCreate = LIBRARY.function("cuEventCreate", "2.0");
    private static final NativeFunction cuEventRecord = LIBRARY.function("cuEventRecord", "2.0");
    private static final NativeFunction cuEventRecordWithFlags = LIBRARY.function("cuEventRecordWithFlags", "11.1");
    private static final NativeFunction cuEventQuery = LIBRARY.function("cuEventQuery", "2.0");
    private static final NativeFunction cuEventSynchronize = LIBRARY.function("cuEventSynchronize", "2.0");
    private static final NativeFunction cuEventDestroy =
            LIBRARY.function("cuEventDestroy", "2.0", "cuEventDestroy_v2", "cuEventDestroy");
    private static final NativeFunction cuEventElapsedTime =
            LIBRARY.function("cuEventElapsedTime", "2.0", "cuEventElapsedTime_v2", "cuEventElapsedTime");
    private static final NativeFunction cuLaunchKernel = LIBRARY.function("cuLaunchKernel", "4.0");
    private static final NativeFunction cuLaunchKernelEx = LIBRARY.function("cuLaunchKernelEx", "11.6");
    private static final NativeFunction cuLaunchCooperativeKernel =
            LIBRARY.function("cuLaunchCooperativeKernel", "9.0");
    private static final NativeFunction cuLaunchHostFunc = LIBRARY.function("cuLaunchHostFunc", "13.1");
    private static final NativeFunction cuStreamBeginCapture =
            LIBRARY.function("cuStreamBeginCapture", "10.1", "cuStreamBeginCapture_v2");
    private static final NativeFunction cuStreamBeginCaptureToGraph =
            LIBRARY.function("cuStreamBeginCaptureToGraph", "12.3");
    private static final NativeFunction cuStreamEndCapture = LIBRARY.function("cuStreamEndCapture", "10.0");
    private static final NativeFunction cuStreamIsCapturing = LIBRARY.function("cuStreamIsCapturing", "10.0");
    private static final NativeFunction cuStreamGetCaptureInfo =
            LIBRARY.function("cuStreamGetCaptureInfo", "12.3", "cuStreamGetCaptureInfo_v3");
    private static final NativeFunction cuThreadExchangeStreamCaptureMode =
            LIBRARY.function("cuThreadExchangeStreamCaptureMode", "10.1");
    private static final NativeFunction cuGraphCreate = LIBRARY.function("cuGraphCreate", "10.0");
    private static final NativeFunction cuGraphDestroy = LIBRARY.function("cuGraphDestroy", "10.0");
    private static final NativeFunction cuGraphClone = LIBRARY.function("cuGraphClone", "10.0");
    private static final NativeFunction cuGraphGetNodes = LIBRARY.function("cuGraphGetNodes", "10.0");
    private static final NativeFunction cuGraphNodeGetType = LIBRARY.function("cuGraphNodeGetType", "10.0");
    private static final NativeFunction cuGraphInstantiate =
            LIBRARY.function("cuGraphInstantiate", "11.0", "cuGraphInstantiateWithFlags");
    private static final NativeFunction cuGraphExecUpdate =
            LIBRARY.function("cuGraphExecUpdate", "12.0", "cuGraphExecUpdate_v2");
    private static final NativeFunction cuGraphExecDestroy = LIBRARY.function("cuGraphExecDestroy", "10.0");
    private static final NativeFunction cuGraphUpload = LIBRARY.function("cuGraphUpload", "11.1");
    private static final NativeFunction cuGraphLaunch = LIBRARY.function("cuGraphLaunch", "10.0");
    private static final NativeFunction cuGraphDebugDotPrint = LIBRARY.function("cuGraphDebugDotPrint", "11.3");
    private static final NativeFunction cuGraphAddKernelNode =
            LIBRARY.function("cuGraphAddKernelNode", "12.0", "cuGraphAddKernelNode_v2");
    private static final NativeFunction cuGraphExecKernelNodeSetParams =
            LIBRARY.function("cuGraphExecKernelNodeSetParams", "12.0", "cuGraphExecKernelNodeSetParams_v2");
    private static final NativeFunction cuGraphKernelNodeGetParams =
            LIBRARY.function("cuGraphKernelNodeGetParams", "12.0", "cuGraphKernelNodeGetParams_v2");
    private static final NativeFunction cuGraphKernelNodeSetParams =
            LIBRARY.function("cuGraphKernelNodeSetParams", "12.0", "cuGraphKernelNodeSetParams_v2");
    private static final NativeFunction cuGraphAddChildGraphNode = LIBRARY.function("cuGraphAddChildGraphNode", "10.0");
    private static final NativeFunction cuGraphAddEmptyNode = LIBRARY.function("cuGraphAddEmptyNode", "10.0");
    private static final NativeFunction cuGraphAddHostNode = LIBRARY.function("cuGraphAddHostNode", "10.0");
    private static final NativeFunction cuGraphAddDependencies =
            LIBRARY.function("cuGraphAddDependencies", "12.3", "cuGraphAddDependencies_v2");
    private static final NativeFunction cuGraphDestroyNode = LIBRARY.function("cuGraphDestroyNode", "10.0");
    private static final NativeFunction cuUserObjectCreate = LIBRARY.function("cuUserObjectCreate", "11.3");
    private static final NativeFunction cuUserObjectRelease = LIBRARY.function("cuUserObjectRelease", "11.3");
    private static final NativeFunction cuGraphRetainUserObject = LIBRARY.function("cuGraphRetainUserObject", "11.3");
    private static final NativeFunction cuOccupancyMaxActiveBlocksPerMultiprocessor =
            LIBRARY.function("cuOccupancyMaxActiveBlocksPerMultiprocessor", "6.5");
    private static final NativeFunction cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags =
            LIBRARY.function("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "7.0");
    private static final NativeFunction cuOccupancyMaxPotentialBlockSize =
            LIBRARY.function("cuOccupancyMaxPotentialBlockSize", "6.5");
    private static final NativeFunction cuOccupancyAvailableDynamicSMemPerBlock =
            LIBRARY.function("cuOccupancyAvailableDynamicSMemPerBlock", "10.2");
    private static final NativeFunction cuOccupancyMaxPotentialClusterSize =
            LIBRARY.function("cuOccupancyMaxPotentialClusterSize", "11.7");
    private static final NativeFunction cuOccupancyMaxActiveClusters =
            LIBRARY.function("cuOccupancyMaxActiveClusters", "11.7");
    private static final NativeFunction cuMulticastCreate = LIBRARY.function("cuMulticastCreate", "12.1");
    private static final NativeFunction cuMulticastAddDevice = LIBRARY.function("cuMulticastAddDevice", "12.1");
    private static final NativeFunction cuMulticastBindMem = LIBRARY.function("cuMulticastBindMem", "13.1");
    private static final NativeFunction cuMulticastBindAddr = LIBRARY.function("cuMulticastBindAddr", "13.1");
    private static final NativeFunction cuMulticastUnbind = LIBRARY.function("cuMulticastUnbind", "12.1");
    private static final NativeFunction cuMulticastGetGranularity =
            LIBRARY.function("cuMulticastGetGranularity", "12.1");
    private static final NativeFunction cuTensorMapEncodeTiled = LIBRARY.function("cuTensorMapEncodeTiled", "12.0");
    private static final NativeFunction cuTensorMapEncodeIm2col = LIBRARY.function("cuTensorMapEncodeIm2col", "12.0");

    // CUresult

    public static final int CUDA_SUCCESS = 0;
    public static final int CUDA_ERROR_INVALID_VALUE = 1;
    public static final int CUDA_ERROR_OUT_OF_MEMORY = 2;
    public static final int CUDA_ERROR_NOT_INITIALIZED = 3;
    public static final int CUDA_ERROR_DEINITIALIZED = 4;
    public static final int CUDA_ERROR_PROFILER_DISABLED = 5;
    public static final int CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6;
    public static final int CUDA_ERROR_PROFILER_ALREADY_STARTED = 7;
    public static final int CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8;
    public static final int CUDA_ERROR_STUB_LIBRARY = 34;
    public static final int CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36;
    public static final int CUDA_ERROR_DEVICE_UNAVAILABLE = 46;
    public static final int CUDA_ERROR_MULTICAST_RESOURCE_FULL = 47;
    public static final int CUDA_ERROR_NO_DEVICE = 100;
    public static final int CUDA_ERROR_INVALID_DEVICE = 101;
    public static final int CUDA_ERROR_DEVICE_NOT_LICENSED = 102;
    public static final int CUDA_ERROR_INVALID_IMAGE = 200;
    public static final int CUDA_ERROR_INVALID_CONTEXT = 201;
    public static final int CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202;
    public static final int CUDA_ERROR_MAP_FAILED = 205;
    public static final int CUDA_ERROR_UNMAP_FAILED = 206;
    public static final int CUDA_ERROR_ARRAY_IS_MAPPED = 207;
    public static final int CUDA_ERROR_ALREADY_MAPPED = 208;
    public static final int CUDA_ERROR_NO_BINARY_FOR_GPU = 209;
    public static final int CUDA_ERROR_ALREADY_ACQUIRED = 210;
    public static final int CUDA_ERROR_NOT_MAPPED = 211;
    public static final int CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212;
    public static final int CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213;
    public static final int CUDA_ERROR_ECC_UNCORRECTABLE = 214;
    public static final int CUDA_ERROR_UNSUPPORTED_LIMIT = 215;
    public static final int CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216;
    public static final int CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217;
    public static final int CUDA_ERROR_INVALID_PTX = 218;
    public static final int CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219;
    public static final int CUDA_ERROR_NVLINK_UNCORRECTABLE = 220;
    public static final int CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221;
    public static final int CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222;
    public static final int CUDA_ERROR_JIT_COMPILATION_DISABLED = 223;
    public static final int CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224;
    public static final int CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225;
    public static final int CUDA_ERROR_CONTAINED = 226;
    public static final int CUDA_ERROR_INSUFFICIENT_LOADER_VERSION = 227;
    public static final int CUDA_ERROR_INVALID_SOURCE = 300;
    public static final int CUDA_ERROR_FILE_NOT_FOUND = 301;
    public static final int CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302;
    public static final int CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303;
    public static final int CUDA_ERROR_OPERATING_SYSTEM = 304;
    public static final int CUDA_ERROR_INVALID_HANDLE = 400;
    public static final int CUDA_ERROR_ILLEGAL_STATE = 401;
    public static final int CUDA_ERROR_LOSSY_QUERY = 402;
    public static final int CUDA_ERROR_NOT_FOUND = 500;
    public static final int CUDA_ERROR_NOT_READY = 600;
    public static final int CUDA_ERROR_ILLEGAL_ADDRESS = 700;
    public static final int CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701;
    public static final int CUDA_ERROR_LAUNCH_TIMEOUT = 702;
    public static final int CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703;
    public static final int CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704;
    public static final int CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705;
    public static final int CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708;
    public static final int CUDA_ERROR_CONTEXT_IS_DESTROYED = 709;
    public static final int CUDA_ERROR_ASSERT = 710;
    public static final int CUDA_ERROR_TOO_MANY_PEERS = 711;
    public static final int CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712;
    public static final int CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713;
    public static final int CUDA_ERROR_HARDWARE_STACK_ERROR = 714;
    public static final int CUDA_ERROR_ILLEGAL_INSTRUCTION = 715;
    public static final int CUDA_ERROR_MISALIGNED_ADDRESS = 716;
    public static final int CUDA_ERROR_INVALID_ADDRESS_SPACE = 717;
    public static final int CUDA_ERROR_INVALID_PC = 718;
    public static final int CUDA_ERROR_LAUNCH_FAILED = 719;
    public static final int CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720;
    public static final int CUDA_ERROR_TENSOR_MEMORY_LEAK = 721;
    public static final int CUDA_ERROR_NOT_PERMITTED = 800;
    public static final int CUDA_ERROR_NOT_SUPPORTED = 801;
    public static final int CUDA_ERROR_SYSTEM_NOT_READY = 802;
    public static final int CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803;
    public static final int CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804;
    public static final int CUDA_ERROR_MPS_CONNECTION_FAILED = 805;
    public static final int CUDA_ERROR_MPS_RPC_FAILURE = 806;
    public static final int CUDA_ERROR_MPS_SERVER_NOT_READY = 807;
    public static final int CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808;
    public static final int CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809;
    public static final int CUDA_ERROR_MPS_CLIENT_TERMINATED = 810;
    public static final int CUDA_ERROR_CDP_NOT_SUPPORTED = 811;
    public static final int CUDA_ERROR_CDP_VERSION_MISMATCH = 812;
    public static final int CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900;
    public static final int CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901;
    public static final int CUDA_ERROR_STREAM_CAPTURE_MERGE = 902;
    public static final int CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903;
    public static final int CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904;
    public static final int CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905;
    public static final int CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906;
    public static final int CUDA_ERROR_CAPTURED_EVENT = 907;
    public static final int CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908;
    public static final int CUDA_ERROR_TIMEOUT = 909;
    public static final int CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910;
    public static final int CUDA_ERROR_EXTERNAL_DEVICE = 911;
    public static final int CUDA_ERROR_INVALID_CLUSTER_SIZE = 912;
    public static final int CUDA_ERROR_FUNCTION_NOT_LOADED = 913;
    public static final int CUDA_ERROR_INVALID_RESOURCE_TYPE = 914;
    public static final int CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915;
    public static final int CUDA_ERROR_KEY_ROTATION = 916;
    public static final int CUDA_ERROR_STREAM_DETACHED = 917;
    public static final int CUDA_ERROR_GRAPH_RECAPTURE_FAILURE = 918;
    public static final int CUDA_ERROR_FABRIC_NOT_READY = 919;
    public static final int CUDA_ERROR_UNKNOWN = 999;

    // CUdevice_attribute

    public static final int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8;
    public static final int CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8;
    public static final int CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9;
    public static final int CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12;
    public static final int CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12;
    public static final int CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13;
    public static final int CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15;
    public static final int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16;
    public static final int CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17;
    public static final int CU_DEVICE_ATTRIBUTE_INTEGRATED = 18;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19;
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29;
    public static final int CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30;
    public static final int CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31;
    public static final int CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32;
    public static final int CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33;
    public static final int CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34;
    public static final int CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35;
    public static final int CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36;
    public static final int CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37;
    public static final int CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39;
    public static final int CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40;
    public static final int CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49;
    public static final int CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50;
    public static final int CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74;
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75;
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76;
    public static final int CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77;
    public static final int CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78;
    public static final int CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79;
    public static final int CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82;
    public static final int CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83;
    public static final int CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84;
    public static final int CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86;
    public static final int CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87;
    public static final int CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88;
    public static final int CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89;
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94;
    public static final int CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95;
    public static final int CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99;
    public static final int CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100;
    public static final int CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101;
    public static final int CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102;
    public static final int CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102;
    public static final int CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103;
    public static final int CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104;
    public static final int CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106;
    public static final int CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110;
    public static final int CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111;
    public static final int CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112;
    public static final int CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113;
    public static final int CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114;
    public static final int CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118;
    public static final int CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119;
    public static final int CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120;
    public static final int CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122;
    public static final int CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123;
    public static final int CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124;
    public static final int CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125;
    public static final int CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126;
    public static final int CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127;
    public static final int CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128;
    public static final int CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129;
    public static final int CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130;
    public static final int CU_DEVICE_ATTRIBUTE_NUMA_ID = 131;
    public static final int CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132;
    public static final int CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134;
    public static final int CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135;
    public static final int CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136;
    public static final int CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137;
    public static final int CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED = 144;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145;
    public static final int CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146;
    public static final int CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED = 147;
    public static final int CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED = 148;
    public static final int CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT = 149;
    public static final int CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK = 150;
    public static final int CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED = 151;
    public static final int CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED = 152;
    public static final int CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED = 153;
    public static final int CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED = 154;
    public static final int CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED = 155;
    public static final int CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED = 156;
    public static final int CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT = 157;
    public static final int CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES = 158;
    public static final int CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED = 159;
    public static final int CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE = 160;
    public static final int CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED = 161;
    public static final int CU_DEVICE_ATTRIBUTE_MAX = 162;

    // CUdevice_P2PAttribute

    public static final int CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1;
    public static final int CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2;
    public static final int CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3;
    public static final int CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = 4;
    public static final int CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4;
    public static final int CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 5;

    // CUlimit

    public static final int CU_LIMIT_STACK_SIZE = 0;
    public static final int CU_LIMIT_PRINTF_FIFO_SIZE = 1;
    public static final int CU_LIMIT_MALLOC_HEAP_SIZE = 2;
    public static final int CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3;
    public static final int CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4;
    public static final int CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5;
    public static final int CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6;
    public static final int CU_LIMIT_SHMEM_SIZE = 7;
    public static final int CU_LIMIT_CIG_ENABLED = 8;
    public static final int CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9;
    public static final int CU_LIMIT_PER_BLOCK_MEMORY_SIZE = 10;
    public static final int CU_LIMIT_MAX = 11;

    // CUjit_option

    public static final int CU_JIT_MAX_REGISTERS = 0;
    public static final int CU_JIT_THREADS_PER_BLOCK = 1;
    public static final int CU_JIT_WALL_TIME = 2;
    public static final int CU_JIT_INFO_LOG_BUFFER = 3;
    public static final int CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4;
    public static final int CU_JIT_ERROR_LOG_BUFFER = 5;
    public static final int CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;
    public static final int CU_JIT_OPTIMIZATION_LEVEL = 7;
    public static final int CU_JIT_TARGET_FROM_CUCONTEXT = 8;
    public static final int CU_JIT_TARGET = 9;
    public static final int CU_JIT_FALLBACK_STRATEGY = 10;
    public static final int CU_JIT_GENERATE_DEBUG_INFO = 11;
    public static final int CU_JIT_LOG_VERBOSE = 12;
    public static final int CU_JIT_GENERATE_LINE_INFO = 13;
    public static final int CU_JIT_CACHE_MODE = 14;
    public static final int CU_JIT_NEW_SM3X_OPT = 15;
    public static final int CU_JIT_FAST_COMPILE = 16;
    public static final int CU_JIT_GLOBAL_SYMBOL_NAMES = 17;
    public static final int CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18;
    public static final int CU_JIT_GLOBAL_SYMBOL_COUNT = 19;
    public static final int CU_JIT_LTO = 20;
    public static final int CU_JIT_FTZ = 21;
    public static final int CU_JIT_PREC_DIV = 22;
    public static final int CU_JIT_PREC_SQRT = 23;
    public static final int CU_JIT_FMA = 24;
    public static final int CU_JIT_REFERENCED_KERNEL_NAMES = 25;
    public static final int CU_JIT_REFERENCED_KERNEL_COUNT = 26;
    public static final int CU_JIT_REFERENCED_VARIABLE_NAMES = 27;
    public static final int CU_JIT_REFERENCED_VARIABLE_COUNT = 28;
    public static final int CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29;
    public static final int CU_JIT_POSITION_INDEPENDENT_CODE = 30;
    public static final int CU_JIT_MIN_CTA_PER_SM = 31;
    public static final int CU_JIT_MAX_THREADS_PER_BLOCK = 32;
    public static final int CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33;
    public static final int CU_JIT_SPLIT_COMPILE = 34;
    public static final int CU_JIT_BINARY_LOADER_THREAD_COUNT = 35;
    public static final int CU_JIT_NUM_OPTIONS = 36;

    // CUmoduleLoadingMode

    public static final int CU_MODULE_EAGER_LOADING = 1;
    public static final int CU_MODULE_LAZY_LOADING = 2;

    // CUlibraryOption

    public static final int CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0;
    public static final int CU_LIBRARY_BINARY_IS_PRESERVED = 1;
    public static final int CU_LIBRARY_NUM_OPTIONS = 2;

    // CUfunction_attribute

    public static final int CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0;
    public static final int CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1;
    public static final int CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2;
    public static final int CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3;
    public static final int CU_FUNC_ATTRIBUTE_NUM_REGS = 4;
    public static final int CU_FUNC_ATTRIBUTE_PTX_VERSION = 5;
    public static final int CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6;
    public static final int CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7;
    public static final int CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
    public static final int CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9;
    public static final int CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10;
    public static final int CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11;
    public static final int CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12;
    public static final int CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13;
    public static final int CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;
    public static final int CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15;
    public static final int CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED = 16;
    public static final int CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE = 17;
    public static final int CU_FUNC_ATTRIBUTE_MAX = 18;

    // CUfunc_cache

    public static final int CU_FUNC_CACHE_PREFER_NONE = 0;
    public static final int CU_FUNC_CACHE_PREFER_SHARED = 1;
    public static final int CU_FUNC_CACHE_PREFER_L1 = 2;
    public static final int CU_FUNC_CACHE_PREFER_EQUAL = 3;

    // CUmemPool_attribute

    public static final int CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1;
    public static final int CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2;
    public static final int CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3;
    public static final int CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4;
    public static final int CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5;
    public static final int CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6;
    public static final int CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7;
    public static final int CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8;
    public static final int CU_MEMPOOL_ATTR_ALLOCATION_TYPE = 9;
    public static final int CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES = 10;
    public static final int CU_MEMPOOL_ATTR_LOCATION_ID = 11;
    public static final int CU_MEMPOOL_ATTR_LOCATION_TYPE = 12;
    public static final int CU_MEMPOOL_ATTR_MAX_POOL_SIZE = 13;
    public static final int CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED = 14;
    public static final int CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID = 15;

    // CUmemAccess_flags

    public static final int CU_MEM_ACCESS_FLAGS_PROT_NONE = 0;
    public static final int CU_MEM_ACCESS_FLAGS_PROT_READ = 1;
    public static final int CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3;
    public static final int CU_MEM_ACCESS_FLAGS_PROT_MAX = 2147483647;

    // CUmemAllocationHandleType

    public static final int CU_MEM_HANDLE_TYPE_NONE = 0;
    public static final int CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1;
    public static final int CU_MEM_HANDLE_TYPE_WIN32 = 2;
    public static final int CU_MEM_HANDLE_TYPE_WIN32_KMT = 4;
    public static final int CU_MEM_HANDLE_TYPE_FABRIC = 8;
    public static final int CU_MEM_HANDLE_TYPE_MAX = 2147483647;

    // CUmem_advise

    public static final int CU_MEM_ADVISE_SET_READ_MOSTLY = 1;
    public static final int CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2;
    public static final int CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3;
    public static final int CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4;
    public static final int CU_MEM_ADVISE_SET_ACCESSED_BY = 5;
    public static final int CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6;

    // CUpointer_attribute

    public static final int CU_POINTER_ATTRIBUTE_CONTEXT = 1;
    public static final int CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2;
    public static final int CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3;
    public static final int CU_POINTER_ATTRIBUTE_HOST_POINTER = 4;
    public static final int CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5;
    public static final int CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6;
    public static final int CU_POINTER_ATTRIBUTE_BUFFER_ID = 7;
    public static final int CU_POINTER_ATTRIBUTE_IS_MANAGED = 8;
    public static final int CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9;
    public static final int CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10;
    public static final int CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11;
    public static final int CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12;
    public static final int CU_POINTER_ATTRIBUTE_MAPPED = 13;
    public static final int CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14;
    public static final int CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15;
    public static final int CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16;
    public static final int CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17;
    public static final int CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18;
    public static final int CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19;
    public static final int CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20;
    public static final int CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21;
    public static final int CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL = 22;

    // CUmemAllocationGranularity_flags

    public static final int CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0;
    public static final int CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1;

    // CUmemRangeHandleType

    public static final int CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 1;
    public static final int CU_MEM_RANGE_HANDLE_TYPE_MAX = 2147483647;

    // CUstreamCaptureMode

    public static final int CU_STREAM_CAPTURE_MODE_GLOBAL = 0;
    public static final int CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1;
    public static final int CU_STREAM_CAPTURE_MODE_RELAXED = 2;

    // CUstreamCaptureStatus

    public static final int CU_STREAM_CAPTURE_STATUS_NONE = 0;
    public static final int CU_STREAM_CAPTURE_STATUS_ACTIVE = 1;
    public static final int CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2;

    // CUgraphNodeType

    public static final int CU_GRAPH_NODE_TYPE_KERNEL = 0;
    public static final int CU_GRAPH_NODE_TYPE_MEMCPY = 1;
    public static final int CU_GRAPH_NODE_TYPE_MEMSET = 2;
    public static final int CU_GRAPH_NODE_TYPE_HOST = 3;
    public static final int CU_GRAPH_NODE_TYPE_GRAPH = 4;
    public static final int CU_GRAPH_NODE_TYPE_EMPTY = 5;
    public static final int CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6;
    public static final int CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7;
    public static final int CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8;
    public static final int CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9;
    public static final int CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10;
    public static final int CU_GRAPH_NODE_TYPE_MEM_FREE = 11;
    public static final int CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12;
    public static final int CU_GRAPH_NODE_TYPE_CONDITIONAL = 13;
    public static final int CU_GRAPH_NODE_TYPE_MEMCPY_BATCH = 14;
    public static final int CU_GRAPH_NODE_TYPE_RESERVED_16 = 16;
    public static final int CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE = 17;
    public static final int CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH = 18;

    // CUmulticastGranularity_flags

    public static final int CU_MULTICAST_GRANULARITY_MINIMUM = 0;
    public static final int CU_MULTICAST_GRANULARITY_RECOMMENDED = 1;

    // CUtensorMapDataType

    public static final int CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0;
    public static final int CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1;
    public static final int CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2;
    public static final int CU_TENSOR_MAP_DATA_TYPE_INT32 = 3;
    public static final int CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4;
    public static final int CU_TENSOR_MAP_DATA_TYPE_INT64 = 5;
    public static final int CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6;
    public static final int CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7;
    public static final int CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8;
    public static final int CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9;
    public static final int CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10;
    public static final int CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11;
    public static final int CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12;
    public static final int CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13;
    public static final int CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14;
    public static final int CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15;

    // CUtensorMapInterleave

    public static final int CU_TENSOR_MAP_INTERLEAVE_NONE = 0;
    public static final int CU_TENSOR_MAP_INTERLEAVE_16B = 1;
    public static final int CU_TENSOR_MAP_INTERLEAVE_32B = 2;

    // CUtensorMapSwizzle

    public static final int CU_TENSOR_MAP_SWIZZLE_NONE = 0;
    public static final int CU_TENSOR_MAP_SWIZZLE_32B = 1;
    public static final int CU_TENSOR_MAP_SWIZZLE_64B = 2;
    public static final int CU_TENSOR_MAP_SWIZZLE_128B = 3;
    public static final int CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4;
    public static final int CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5;
    public static final int CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6;

    // CUtensorMapL2promotion

    public static final int CU_TENSOR_MAP_L2_PROMOTION_NONE = 0;
    public static final int CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1;
    public static final int CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2;
    public static final int CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3;

    // CUtensorMapFloatOOBfill

    public static final int CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0;
    public static final int CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1;

    // CUctx_flags

    public static final int CU_CTX_SCHED_AUTO = 0;
    public static final int CU_CTX_SCHED_SPIN = 1;
    public static final int CU_CTX_SCHED_YIELD = 2;
    public static final int CU_CTX_SCHED_BLOCKING_SYNC = 4;
    public static final int CU_CTX_BLOCKING_SYNC = 4;
    public static final int CU_CTX_SCHED_MASK = 7;
    public static final int CU_CTX_MAP_HOST = 8;
    public static final int CU_CTX_LMEM_RESIZE_TO_MAX = 16;
    public static final int CU_CTX_COREDUMP_ENABLE = 32;
    public static final int CU_CTX_USER_COREDUMP_ENABLE = 64;
    public static final int CU_CTX_SYNC_MEMOPS = 128;
    public static final int CU_CTX_FLAGS_MASK = 255;

    // CUstream_flags

    public static final int CU_STREAM_DEFAULT = 0;
    public static final int CU_STREAM_NON_BLOCKING = 1;

    // CUevent_flags

    public static final int CU_EVENT_DEFAULT = 0;
    public static final int CU_EVENT_BLOCKING_SYNC = 1;
    public static final int CU_EVENT_DISABLE_TIMING = 2;
    public static final int CU_EVENT_INTERPROCESS = 4;

    // CUevent_record_flags

    public static final int CU_EVENT_RECORD_DEFAULT = 0;
    public static final int CU_EVENT_RECORD_EXTERNAL = 1;

    // CUevent_wait_flags

    public static final int CU_EVENT_WAIT_DEFAULT = 0;
    public static final int CU_EVENT_WAIT_EXTERNAL = 1;

    // CUipcMem_flags

    public static final int CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1;

    // CUmemAttach_flags

    public static final int CU_MEM_ATTACH_GLOBAL = 1;
    public static final int CU_MEM_ATTACH_HOST = 2;
    public static final int CU_MEM_ATTACH_SINGLE = 4;

    // CUoccupancy_flags

    public static final int CU_OCCUPANCY_DEFAULT = 0;
    public static final int CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 1;

    // CUgraphInstantiate_flags

    public static final int CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1;
    public static final int CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2;
    public static final int CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4;
    public static final int CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8;

    // CUgraphDebugDot_flags

    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 1;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 2;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS = 4;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS = 8;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS = 16;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS = 32;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS = 64;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS = 128;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS = 256;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES = 512;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES = 1024;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS = 2048;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS = 4096;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS = 8192;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO = 16384;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS = 32768;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS = 65536;
    public static final int CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS = 131072;

    // CUmemAllocationCompType

    public static final int CU_MEM_ALLOCATION_COMP_NONE = 0;
    public static final int CU_MEM_ALLOCATION_COMP_GENERIC = 1;

    // CUmemorytype

    public static final int CU_MEMORYTYPE_HOST = 1;
    public static final int CU_MEMORYTYPE_DEVICE = 2;
    public static final int CU_MEMORYTYPE_ARRAY = 3;
    public static final int CU_MEMORYTYPE_UNIFIED = 4;

    // CUstreamWaitValue_flags

    public static final int CU_STREAM_WAIT_VALUE_GEQ = 0;
    public static final int CU_STREAM_WAIT_VALUE_EQ = 1;
    public static final int CU_STREAM_WAIT_VALUE_AND = 2;
    public static final int CU_STREAM_WAIT_VALUE_NOR = 3;
    public static final int CU_STREAM_WAIT_VALUE_FLUSH = 1073741824;

    // CUstreamWriteValue_flags

    public static final int CU_STREAM_WRITE_VALUE_DEFAULT = 0;
    public static final int CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1;

    // CUuserObject_flags

    public static final int CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1;

    // CUuserObjectRetain_flags

    public static final int CU_GRAPH_USER_OBJECT_MOVE = 1;

    // CUaccessProperty

    public static final int CU_ACCESS_PROPERTY_NORMAL = 0;
    public static final int CU_ACCESS_PROPERTY_STREAMING = 1;
    public static final int CU_ACCESS_PROPERTY_PERSISTING = 2;

    // CUmemAllocationType

    public static final int CU_MEM_ALLOCATION_TYPE_INVALID = 0;
    public static final int CU_MEM_ALLOCATION_TYPE_PINNED = 1;
    public static final int CU_MEM_ALLOCATION_TYPE_MANAGED = 2;
    public static final int CU_MEM_ALLOCATION_TYPE_MAX = 2147483647;

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

    // CUgraphExecUpdateResult

    public static final int CU_GRAPH_EXEC_UPDATE_SUCCESS = 0;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR = 1;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7;
    public static final int CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8;

    // CUlaunchAttributeID

    public static final int CU_LAUNCH_ATTRIBUTE_IGNORE = 0;
    public static final int CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1;
    public static final int CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2;
    public static final int CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3;
    public static final int CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4;
    public static final int CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5;
    public static final int CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6;
    public static final int CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7;
    public static final int CU_LAUNCH_ATTRIBUTE_PRIORITY = 8;
    public static final int CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9;
    public static final int CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10;
    public static final int CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11;
    public static final int CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12;
    public static final int CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13;
    public static final int CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14;
    public static final int CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING = 16;
    public static final int CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE = 17;
    public static final int CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE = 18;

    // CUsynchronizationPolicy

    public static final int CU_SYNC_POLICY_AUTO = 1;
    public static final int CU_SYNC_POLICY_SPIN = 2;
    public static final int CU_SYNC_POLICY_YIELD = 3;
    public static final int CU_SYNC_POLICY_BLOCKING_SYNC = 4;

    // CUclusterSchedulingPolicy

    public static final int CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0;
    public static final int CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1;
    public static final int CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2;
    public static final int CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY = 3;

    // CUlaunchMemSyncDomain

    public static final int CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0;
    public static final int CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1;

    // CUlaunchAttributePortableClusterMode

    public static final int CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT = 0;
    public static final int CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE = 1;
    public static final int CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE = 2;

    // CUsharedMemoryMode

    public static final int CU_SHARED_MEMORY_MODE_DEFAULT = 0;
    public static final int CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE = 1;
    public static final int CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE = 2;
    public static final int CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY = 3;
    public static final int CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY = 4;

    // macros

    public static final int CUDA_VERSION = 13050;
    public static final int CU_DEVICE_CPU = -1;
    public static final int CU_DEVICE_INVALID = -2;
    public static final int CU_IPC_HANDLE_SIZE = 64;
    public static final int CU_LAUNCH_PARAM_BUFFER_POINTER = 1;
    public static final int CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT = 1;
    public static final int CU_LAUNCH_PARAM_BUFFER_SIZE = 2;
    public static final int CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT = 2;
    public static final int CU_LAUNCH_PARAM_END = 0;
    public static final int CU_LAUNCH_PARAM_END_AS_INT = 0;
    public static final int CU_MEMHOSTALLOC_DEVICEMAP = 2;
    public static final int CU_MEMHOSTALLOC_PORTABLE = 1;
    public static final int CU_MEMHOSTALLOC_WRITECOMBINED = 4;
    public static final int CU_MEMHOSTREGISTER_DEVICEMAP = 2;
    public static final int CU_MEMHOSTREGISTER_IOMEMORY = 4;
    public static final int CU_MEMHOSTREGISTER_PORTABLE = 1;
    public static final int CU_MEMHOSTREGISTER_READ_ONLY = 8;
    public static final int CU_STREAM_LEGACY = 1;
    public static final int CU_STREAM_PER_THREAD = 2;

    private LibCuda() {}

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
     * {@code CUresult cuInit(unsigned int Flags)}
     *
     * @since CUDA 2.0
     */
    public static void cuInit(int Flags) {
        check(cuInit, Downcalls.callInt(cuInit.address(), Flags));
    }

    /**
     * {@code CUresult cuDriverGetVersion(int *driverVersion)}
     *
     * @since CUDA 2.2
     */
    public static void cuDriverGetVersion(MemorySegment driverVersion) {
        check(cuDriverGetVersion, Downcalls.callInt(cuDriverGetVersion.address(), driverVersion));
    }

    /**
     * {@code CUresult cuGetErrorString(CUresult error, const char **pStr)}
     *
     * @since CUDA 6.0
     */
    public static void cuGetErrorString(int error, MemorySegment pStr) {
        check(cuGetErrorString, Downcalls.callInt(cuGetErrorString.address(), error, pStr));
    }

    /**
     * {@code CUresult cuGetErrorName(CUresult error, const char **pStr)}
     *
     * @since CUDA 6.0
     */
    public static void cuGetErrorName(int error, MemorySegment pStr) {
        check(cuGetErrorName, Downcalls.callInt(cuGetErrorName.address(), error, pStr));
    }

    /**
     * {@code CUresult cuDeviceGet(CUdevice *device, int ordinal)}
     *
     * @since CUDA 2.0
     */
    public static void cuDeviceGet(MemorySegment device, int ordinal) {
        check(cuDeviceGet, Downcalls.callInt(cuDeviceGet.address(), device, ordinal));
    }

    /**
     * {@code CUresult cuDeviceGetCount(int *count)}
     *
     * @since CUDA 2.0
     */
    public static void cuDeviceGetCount(MemorySegment count) {
        check(cuDeviceGetCount, Downcalls.callInt(cuDeviceGetCount.address(), count));
    }

    /**
     * {@code CUresult cuDeviceGetName(char *name, int len, CUdevice dev)}
     *
     * @since CUDA 2.0
     */
    public static void cuDeviceGetName(MemorySegment name, int len, int dev) {
        check(cuDeviceGetName, Downcalls.callInt(cuDeviceGetName.address(), name, len, dev));
    }

    /**
     * {@code CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)}
     *
     * @since CUDA 9.2
     */
    public static void cuDeviceGetUuid(MemorySegment uuid, int dev) {
        check(cuDeviceGetUuid, Downcalls.callInt(cuDeviceGetUuid.address(), uuid, dev));
    }

    /**
     * {@code CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)}
     *
     * @since CUDA 3.2
     */
    public static void cuDeviceTotalMem(MemorySegment bytes, int dev) {
        check(cuDeviceTotalMem, Downcalls.callInt(cuDeviceTotalMem.address(), bytes, dev));
    }

    /**
     * {@code CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)}
     *
     * @since CUDA 2.0
     */
    public static void cuDeviceGetAttribute(MemorySegment pi, int attrib, int dev) {
        check(cuDeviceGetAttribute, Downcalls.callInt(cuDeviceGetAttribute.address(), pi, attrib, dev));
    }

    /**
     * {@code CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)}
     *
     * @since CUDA 4.1
     */
    public static void cuDeviceGetByPCIBusId(MemorySegment dev, MemorySegment pciBusId) {
        check(cuDeviceGetByPCIBusId, Downcalls.callInt(cuDeviceGetByPCIBusId.address(), dev, pciBusId));
    }

    /**
     * {@code CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)}
     *
     * @since CUDA 4.1
     */
    public static void cuDeviceGetPCIBusId(MemorySegment pciBusId, int len, int dev) {
        check(cuDeviceGetPCIBusId, Downcalls.callInt(cuDeviceGetPCIBusId.address(), pciBusId, len, dev));
    }

    /**
     * {@code CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)}
     *
     * @since CUDA 4.0
     */
    public static void cuDeviceCanAccessPeer(MemorySegment canAccessPeer, int dev, int peerDev) {
        check(cuDeviceCanAccessPeer, Downcalls.callInt(cuDeviceCanAccessPeer.address(), canAccessPeer, dev, peerDev));
    }

    /**
     * {@code CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice)}
     *
     * @since CUDA 8.0
     */
    public static void cuDeviceGetP2PAttribute(MemorySegment value, int attrib, int srcDevice, int dstDevice) {
        check(
                cuDeviceGetP2PAttribute,
                Downcalls.callInt(cuDeviceGetP2PAttribute.address(), value, attrib, srcDevice, dstDevice));
    }

    /**
     * {@code CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)}
     *
     * @since CUDA 7.0
     */
    public static void cuDevicePrimaryCtxRetain(MemorySegment pctx, int dev) {
        check(cuDevicePrimaryCtxRetain, Downcalls.callInt(cuDevicePrimaryCtxRetain.address(), pctx, dev));
    }

    /**
     * {@code CUresult cuDevicePrimaryCtxRelease(CUdevice dev)}
     *
     * @since CUDA 7.0
     */
    public static void cuDevicePrimaryCtxRelease(int dev) {
        check(cuDevicePrimaryCtxRelease, Downcalls.callInt(cuDevicePrimaryCtxRelease.address(), dev));
    }

    /**
     * {@code CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)}
     *
     * @since CUDA 7.0
     */
    public static void cuDevicePrimaryCtxSetFlags(int dev, int flags) {
        check(cuDevicePrimaryCtxSetFlags, Downcalls.callInt(cuDevicePrimaryCtxSetFlags.address(), dev, flags));
    }

    /**
     * {@code CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)}
     *
     * @since CUDA 7.0
     */
    public static void cuDevicePrimaryCtxGetState(int dev, MemorySegment flags, MemorySegment active) {
        check(cuDevicePrimaryCtxGetState, Downcalls.callInt(cuDevicePrimaryCtxGetState.address(), dev, flags, active));
    }

    /**
     * {@code CUresult cuDevicePrimaryCtxReset(CUdevice dev)}
     *
     * @since CUDA 7.0
     */
    public static void cuDevicePrimaryCtxReset(int dev) {
        check(cuDevicePrimaryCtxReset, Downcalls.callInt(cuDevicePrimaryCtxReset.address(), dev));
    }

    /**
     * {@code CUresult cuCtxSetCurrent(CUcontext ctx)}
     *
     * @since CUDA 4.0
     */
    public static void cuCtxSetCurrent(CUcontext ctx) {
        check(cuCtxSetCurrent, Downcalls.callInt(cuCtxSetCurrent.address(), ctx.address()));
    }

    /**
     * {@code CUresult cuCtxGetCurrent(CUcontext *pctx)}
     *
     * @since CUDA 4.0
     */
    public static void cuCtxGetCurrent(MemorySegment pctx) {
        check(cuCtxGetCurrent, Downcalls.callInt(cuCtxGetCurrent.address(), pctx));
    }

    /**
     * {@code CUresult cuCtxPushCurrent(CUcontext ctx)}
     *
     * @since CUDA 2.0
     */
    public static void cuCtxPushCurrent(CUcontext ctx) {
        check(cuCtxPushCurrent, Downcalls.callInt(cuCtxPushCurrent.address(), ctx.address()));
    }

    /**
     * {@code CUresult cuCtxPopCurrent(CUcontext *pctx)}
     *
     * @since CUDA 2.0
     */
    public static void cuCtxPopCurrent(MemorySegment pctx) {
        check(cuCtxPopCurrent, Downcalls.callInt(cuCtxPopCurrent.address(), pctx));
    }

    /**
     * {@code CUresult cuCtxGetDevice(CUdevice *device)}
     *
     * @since CUDA 13.0
     */
    public static void cuCtxGetDevice(MemorySegment device) {
        check(cuCtxGetDevice, Downcalls.callInt(cuCtxGetDevice.address(), device));
    }

    /**
     * {@code CUresult cuCtxGetFlags(unsigned int *flags)}
     *
     * @since CUDA 7.0
     */
    public static void cuCtxGetFlags(MemorySegment flags) {
        check(cuCtxGetFlags, Downcalls.callInt(cuCtxGetFlags.address(), flags));
    }

    /**
     * {@code CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)}
     *
     * @since CUDA 12.0
     */
    public static void cuCtxGetId(CUcontext ctx, MemorySegment ctxId) {
        check(cuCtxGetId, Downcalls.callInt(cuCtxGetId.address(), ctx.address(), ctxId));
    }

    /**
     * {@code CUresult cuCtxSynchronize()}
     *
     * @since CUDA 13.0
     */
    public static void cuCtxSynchronize() {
        check(cuCtxSynchronize, Downcalls.callInt(cuCtxSynchronize.address()));
    }

    /**
     * {@code CUresult cuCtxSetLimit(CUlimit limit, size_t value)}
     *
     * @since CUDA 3.1
     */
    public static void cuCtxSetLimit(int limit, long value) {
        check(cuCtxSetLimit, Downcalls.callInt(cuCtxSetLimit.address(), limit, value));
    }

    /**
     * {@code CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)}
     *
     * @since CUDA 3.1
     */
    public static void cuCtxGetLimit(MemorySegment pvalue, int limit) {
        check(cuCtxGetLimit, Downcalls.callInt(cuCtxGetLimit.address(), pvalue, limit));
    }

    /**
     * {@code CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)}
     *
     * @since CUDA 5.5
     */
    public static void cuCtxGetStreamPriorityRange(MemorySegment leastPriority, MemorySegment greatestPriority) {
        check(
                cuCtxGetStreamPriorityRange,
                Downcalls.callInt(cuCtxGetStreamPriorityRange.address(), leastPriority, greatestPriority));
    }

    /**
     * {@code CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)}
     *
     * @since CUDA 4.0
     */
    public static void cuCtxEnablePeerAccess(CUcontext peerContext, int Flags) {
        check(cuCtxEnablePeerAccess, Downcalls.callInt(cuCtxEnablePeerAccess.address(), peerContext.address(), Flags));
    }

    /**
     * {@code CUresult cuCtxDisablePeerAccess(CUcontext peerContext)}
     *
     * @since CUDA 4.0
     */
    public static void cuCtxDisablePeerAccess(CUcontext peerContext) {
        check(cuCtxDisablePeerAccess, Downcalls.callInt(cuCtxDisablePeerAccess.address(), peerContext.address()));
    }

    /**
     * {@code CUresult cuModuleLoad(CUmodule *module, const char *fname)}
     *
     * @since CUDA 2.0
     */
    public static void cuModuleLoad(MemorySegment module, MemorySegment fname) {
        check(cuModuleLoad, Downcalls.callInt(cuModuleLoad.address(), module, fname));
    }

    /**
     * {@code CUresult cuModuleLoadData(CUmodule *module, const void *image)}
     *
     * @since CUDA 2.0
     */
    public static void cuModuleLoadData(MemorySegment module, long image) {
        check(cuModuleLoadData, Downcalls.callInt(cuModuleLoadData.address(), module, image));
    }

    /**
     * {@code CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues)}
     *
     * @since CUDA 2.1
     */
    public static void cuModuleLoadDataEx(
            MemorySegment module, long image, int numOptions, MemorySegment options, MemorySegment optionValues) {
        check(
                cuModuleLoadDataEx,
                Downcalls.callInt(cuModuleLoadDataEx.address(), module, image, numOptions, options, optionValues));
    }

    /**
     * {@code CUresult cuModuleUnload(CUmodule hmod)}
     *
     * @since CUDA 2.0
     */
    public static void cuModuleUnload(CUmodule hmod) {
        check(cuModuleUnload, Downcalls.callInt(cuModuleUnload.address(), hmod.address()));
    }

    /**
     * {@code CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)}
     *
     * @since CUDA 2.0
     */
    public static void cuModuleGetFunction(MemorySegment hfunc, CUmodule hmod, MemorySegment name) {
        check(cuModuleGetFunction, Downcalls.callInt(cuModuleGetFunction.address(), hfunc, hmod.address(), name));
    }

    /**
     * {@code CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)}
     *
     * @since CUDA 3.2
     */
    public static void cuModuleGetGlobal(MemorySegment dptr, MemorySegment bytes, CUmodule hmod, MemorySegment name) {
        check(cuModuleGetGlobal, Downcalls.callInt(cuModuleGetGlobal.address(), dptr, bytes, hmod.address(), name));
    }

    /**
     * {@code CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)}
     *
     * @since CUDA 11.7
     */
    public static void cuModuleGetLoadingMode(MemorySegment mode) {
        check(cuModuleGetLoadingMode, Downcalls.callInt(cuModuleGetLoadingMode.address(), mode));
    }

    /**
     * {@code CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)}
     *
     * @since CUDA 12.4
     */
    public static void cuModuleGetFunctionCount(MemorySegment count, CUmodule mod) {
        check(cuModuleGetFunctionCount, Downcalls.callInt(cuModuleGetFunctionCount.address(), count, mod.address()));
    }

    /**
     * {@code CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod)}
     *
     * @since CUDA 12.4
     */
    public static void cuModuleEnumerateFunctions(MemorySegment functions, int numFunctions, CUmodule mod) {
        check(
                cuModuleEnumerateFunctions,
                Downcalls.callInt(cuModuleEnumerateFunctions.address(), functions, numFunctions, mod.address()));
    }

    /**
     * {@code CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryLoadData(
            MemorySegment library,
            long code,
            MemorySegment jitOptions,
            MemorySegment jitOptionsValues,
            int numJitOptions,
            MemorySegment libraryOptions,
            MemorySegment libraryOptionValues,
            int numLibraryOptions) {
        check(
                cuLibraryLoadData,
                Downcalls.callInt(
                        cuLibraryLoadData.address(),
                        library,
                        code,
                        jitOptions,
                        jitOptionsValues,
                        numJitOptions,
                        libraryOptions,
                        libraryOptionValues,
                        numLibraryOptions));
    }

    /**
     * {@code CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryLoadFromFile(
            MemorySegment library,
            MemorySegment fileName,
            MemorySegment jitOptions,
            MemorySegment jitOptionsValues,
            int numJitOptions,
            MemorySegment libraryOptions,
            MemorySegment libraryOptionValues,
            int numLibraryOptions) {
        check(
                cuLibraryLoadFromFile,
                Downcalls.callInt(
                        cuLibraryLoadFromFile.address(),
                        library,
                        fileName,
                        jitOptions,
                        jitOptionsValues,
                        numJitOptions,
                        libraryOptions,
                        libraryOptionValues,
                        numLibraryOptions));
    }

    /**
     * {@code CUresult cuLibraryUnload(CUlibrary library)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryUnload(CUlibrary library) {
        check(cuLibraryUnload, Downcalls.callInt(cuLibraryUnload.address(), library.address()));
    }

    /**
     * {@code CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryGetKernel(MemorySegment pKernel, CUlibrary library, MemorySegment name) {
        check(cuLibraryGetKernel, Downcalls.callInt(cuLibraryGetKernel.address(), pKernel, library.address(), name));
    }

    /**
     * {@code CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)}
     *
     * @since CUDA 12.4
     */
    public static void cuLibraryGetKernelCount(MemorySegment count, CUlibrary lib) {
        check(cuLibraryGetKernelCount, Downcalls.callInt(cuLibraryGetKernelCount.address(), count, lib.address()));
    }

    /**
     * {@code CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib)}
     *
     * @since CUDA 12.4
     */
    public static void cuLibraryEnumerateKernels(MemorySegment kernels, int numKernels, CUlibrary lib) {
        check(
                cuLibraryEnumerateKernels,
                Downcalls.callInt(cuLibraryEnumerateKernels.address(), kernels, numKernels, lib.address()));
    }

    /**
     * {@code CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryGetModule(MemorySegment pMod, CUlibrary library) {
        check(cuLibraryGetModule, Downcalls.callInt(cuLibraryGetModule.address(), pMod, library.address()));
    }

    /**
     * {@code CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)}
     *
     * @since CUDA 12.0
     */
    public static void cuLibraryGetGlobal(
            MemorySegment dptr, MemorySegment bytes, CUlibrary library, MemorySegment name) {
        check(
                cuLibraryGetGlobal,
                Downcalls.callInt(cuLibraryGetGlobal.address(), dptr, bytes, library.address(), name));
    }

    /**
     * {@code CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)}
     *
     * @since CUDA 12.0
     */
    public static void cuKernelGetFunction(MemorySegment pFunc, CUkernel kernel) {
        check(cuKernelGetFunction, Downcalls.callInt(cuKernelGetFunction.address(), pFunc, kernel.address()));
    }

    /**
     * {@code CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)}
     *
     * @since CUDA 12.0
     */
    public static void cuKernelGetAttribute(MemorySegment pi, int attrib, CUkernel kernel, int dev) {
        check(
                cuKernelGetAttribute,
                Downcalls.callInt(cuKernelGetAttribute.address(), pi, attrib, kernel.address(), dev));
    }

    /**
     * {@code CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)}
     *
     * @since CUDA 12.0
     */
    public static void cuKernelSetAttribute(int attrib, int val, CUkernel kernel, int dev) {
        check(
                cuKernelSetAttribute,
                Downcalls.callInt(cuKernelSetAttribute.address(), attrib, val, kernel.address(), dev));
    }

    /**
     * {@code CUresult cuKernelGetName(const char **name, CUkernel hfunc)}
     *
     * @since CUDA 12.3
     */
    public static void cuKernelGetName(MemorySegment name, CUkernel hfunc) {
        check(cuKernelGetName, Downcalls.callInt(cuKernelGetName.address(), name, hfunc.address()));
    }

    /**
     * {@code CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize)}
     *
     * @since CUDA 12.4
     */
    public static void cuKernelGetParamInfo(
            CUkernel kernel, long paramIndex, MemorySegment paramOffset, MemorySegment paramSize) {
        check(
                cuKernelGetParamInfo,
                Downcalls.callInt(
                        cuKernelGetParamInfo.address(), kernel.address(), paramIndex, paramOffset, paramSize));
    }

    /**
     * {@code CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)}
     *
     * @since CUDA 2.2
     */
    public static void cuFuncGetAttribute(MemorySegment pi, int attrib, CUfunction hfunc) {
        check(cuFuncGetAttribute, Downcalls.callInt(cuFuncGetAttribute.address(), pi, attrib, hfunc.address()));
    }

    /**
     * {@code CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)}
     *
     * @since CUDA 9.0
     */
    public static void cuFuncSetAttribute(CUfunction hfunc, int attrib, int value) {
        check(cuFuncSetAttribute, Downcalls.callInt(cuFuncSetAttribute.address(), hfunc.address(), attrib, value));
    }

    /**
     * {@code CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)}
     *
     * @since CUDA 3.0
     */
    public static void cuFuncSetCacheConfig(CUfunction hfunc, int config) {
        check(cuFuncSetCacheConfig, Downcalls.callInt(cuFuncSetCacheConfig.address(), hfunc.address(), config));
    }

    /**
     * {@code CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)}
     *
     * @since CUDA 11.0
     */
    public static void cuFuncGetModule(MemorySegment hmod, CUfunction hfunc) {
        check(cuFuncGetModule, Downcalls.callInt(cuFuncGetModule.address(), hmod, hfunc.address()));
    }

    /**
     * {@code CUresult cuFuncGetName(const char **name, CUfunction hfunc)}
     *
     * @since CUDA 12.3
     */
    public static void cuFuncGetName(MemorySegment name, CUfunction hfunc) {
        check(cuFuncGetName, Downcalls.callInt(cuFuncGetName.address(), name, hfunc.address()));
    }

    /**
     * {@code CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)}
     *
     * @since CUDA 12.4
     */
    public static void cuFuncGetParamInfo(
            CUfunction func, long paramIndex, MemorySegment paramOffset, MemorySegment paramSize) {
        check(
                cuFuncGetParamInfo,
                Downcalls.callInt(cuFuncGetParamInfo.address(), func.address(), paramIndex, paramOffset, paramSize));
    }

    /**
     * {@code CUresult cuFuncLoad(CUfunction function)}
     *
     * @since CUDA 12.4
     */
    public static void cuFuncLoad(CUfunction function) {
        check(cuFuncLoad, Downcalls.callInt(cuFuncLoad.address(), function.address()));
    }

    /**
     * {@code CUresult cuMemGetInfo(size_t *free, size_t *total)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemGetInfo(MemorySegment free, MemorySegment total) {
        check(cuMemGetInfo, Downcalls.callInt(cuMemGetInfo.address(), free, total));
    }

    /**
     * {@code CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemAlloc(MemorySegment dptr, long bytesize) {
        check(cuMemAlloc, Downcalls.callInt(cuMemAlloc.address(), dptr, bytesize));
    }

    /**
     * {@code CUresult cuMemFree(CUdeviceptr dptr)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemFree(long dptr) {
        check(cuMemFree, Downcalls.callInt(cuMemFree.address(), dptr));
    }

    /**
     * {@code CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemGetAddressRange(MemorySegment pbase, MemorySegment psize, long dptr) {
        check(cuMemGetAddressRange, Downcalls.callInt(cuMemGetAddressRange.address(), pbase, psize, dptr));
    }

    /**
     * {@code CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)}
     *
     * @since CUDA 6.0
     */
    public static void cuMemAllocManaged(MemorySegment dptr, long bytesize, int flags) {
        check(cuMemAllocManaged, Downcalls.callInt(cuMemAllocManaged.address(), dptr, bytesize, flags));
    }

    /**
     * {@code CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)}
     *
     * @since CUDA 2.2
     */
    public static void cuMemHostAlloc(MemorySegment pp, long bytesize, int Flags) {
        check(cuMemHostAlloc, Downcalls.callInt(cuMemHostAlloc.address(), pp, bytesize, Flags));
    }

    /**
     * {@code CUresult cuMemFreeHost(void *p)}
     *
     * @since CUDA 2.0
     */
    public static void cuMemFreeHost(long p) {
        check(cuMemFreeHost, Downcalls.callInt(cuMemFreeHost.address(), p));
    }

    /**
     * {@code CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemHostGetDevicePointer(MemorySegment pdptr, long p, int Flags) {
        check(cuMemHostGetDevicePointer, Downcalls.callInt(cuMemHostGetDevicePointer.address(), pdptr, p, Flags));
    }

    /**
     * {@code CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)}
     *
     * @since CUDA 2.3
     */
    public static void cuMemHostGetFlags(MemorySegment pFlags, long p) {
        check(cuMemHostGetFlags, Downcalls.callInt(cuMemHostGetFlags.address(), pFlags, p));
    }

    /**
     * {@code CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemHostRegister(long p, long bytesize, int Flags) {
        check(cuMemHostRegister, Downcalls.callInt(cuMemHostRegister.address(), p, bytesize, Flags));
    }

    /**
     * {@code CUresult cuMemHostUnregister(void *p)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemHostUnregister(long p) {
        check(cuMemHostUnregister, Downcalls.callInt(cuMemHostUnregister.address(), p));
    }

    /**
     * {@code CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemAllocAsync(MemorySegment dptr, long bytesize, CUstream hStream) {
        check(cuMemAllocAsync, Downcalls.callInt(cuMemAllocAsync.address(), dptr, bytesize, hStream.address()));
    }

    /**
     * {@code CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemFreeAsync(long dptr, CUstream hStream) {
        check(cuMemFreeAsync, Downcalls.callInt(cuMemFreeAsync.address(), dptr, hStream.address()));
    }

    /**
     * {@code CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemAllocFromPoolAsync(MemorySegment dptr, long bytesize, CUmemoryPool pool, CUstream hStream) {
        check(
                cuMemAllocFromPoolAsync,
                Downcalls.callInt(
                        cuMemAllocFromPoolAsync.address(), dptr, bytesize, pool.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolCreate(MemorySegment pool, MemorySegment poolProps) {
        check(cuMemPoolCreate, Downcalls.callInt(cuMemPoolCreate.address(), pool, poolProps));
    }

    /**
     * {@code CUresult cuMemPoolDestroy(CUmemoryPool pool)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolDestroy(CUmemoryPool pool) {
        check(cuMemPoolDestroy, Downcalls.callInt(cuMemPoolDestroy.address(), pool.address()));
    }

    /**
     * {@code CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolTrimTo(CUmemoryPool pool, long minBytesToKeep) {
        check(cuMemPoolTrimTo, Downcalls.callInt(cuMemPoolTrimTo.address(), pool.address(), minBytesToKeep));
    }

    /**
     * {@code CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolSetAttribute(CUmemoryPool pool, int attr, long value) {
        check(cuMemPoolSetAttribute, Downcalls.callInt(cuMemPoolSetAttribute.address(), pool.address(), attr, value));
    }

    /**
     * {@code CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolGetAttribute(CUmemoryPool pool, int attr, long value) {
        check(cuMemPoolGetAttribute, Downcalls.callInt(cuMemPoolGetAttribute.address(), pool.address(), attr, value));
    }

    /**
     * {@code CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolSetAccess(CUmemoryPool pool, MemorySegment map, long count) {
        check(cuMemPoolSetAccess, Downcalls.callInt(cuMemPoolSetAccess.address(), pool.address(), map, count));
    }

    /**
     * {@code CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolGetAccess(MemorySegment flags, CUmemoryPool memPool, MemorySegment location) {
        check(cuMemPoolGetAccess, Downcalls.callInt(cuMemPoolGetAccess.address(), flags, memPool.address(), location));
    }

    /**
     * {@code CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)}
     *
     * @since CUDA 11.2
     */
    public static void cuDeviceGetDefaultMemPool(MemorySegment pool_out, int dev) {
        check(cuDeviceGetDefaultMemPool, Downcalls.callInt(cuDeviceGetDefaultMemPool.address(), pool_out, dev));
    }

    /**
     * {@code CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)}
     *
     * @since CUDA 11.2
     */
    public static void cuDeviceGetMemPool(MemorySegment pool, int dev) {
        check(cuDeviceGetMemPool, Downcalls.callInt(cuDeviceGetMemPool.address(), pool, dev));
    }

    /**
     * {@code CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)}
     *
     * @since CUDA 11.2
     */
    public static void cuDeviceSetMemPool(int dev, CUmemoryPool pool) {
        check(cuDeviceSetMemPool, Downcalls.callInt(cuDeviceSetMemPool.address(), dev, pool.address()));
    }

    /**
     * {@code CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType, unsigned long long flags)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolExportToShareableHandle(
            long handle_out, CUmemoryPool pool, int handleType, long flags) {
        check(
                cuMemPoolExportToShareableHandle,
                Downcalls.callInt(
                        cuMemPoolExportToShareableHandle.address(), handle_out, pool.address(), handleType, flags));
    }

    /**
     * {@code CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle, CUmemAllocationHandleType handleType, unsigned long long flags)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolImportFromShareableHandle(
            MemorySegment pool_out, long handle, int handleType, long flags) {
        check(
                cuMemPoolImportFromShareableHandle,
                Downcalls.callInt(cuMemPoolImportFromShareableHandle.address(), pool_out, handle, handleType, flags));
    }

    /**
     * {@code CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolExportPointer(MemorySegment shareData_out, long ptr) {
        check(cuMemPoolExportPointer, Downcalls.callInt(cuMemPoolExportPointer.address(), shareData_out, ptr));
    }

    /**
     * {@code CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData)}
     *
     * @since CUDA 11.2
     */
    public static void cuMemPoolImportPointer(MemorySegment ptr_out, CUmemoryPool pool, MemorySegment shareData) {
        check(
                cuMemPoolImportPointer,
                Downcalls.callInt(cuMemPoolImportPointer.address(), ptr_out, pool.address(), shareData));
    }

    /**
     * {@code CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemcpy(long dst, long src, long ByteCount) {
        check(cuMemcpy, Downcalls.callInt(cuMemcpy.address(), dst, src, ByteCount));
    }

    /**
     * {@code CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemcpyAsync(long dst, long src, long ByteCount, CUstream hStream) {
        check(cuMemcpyAsync, Downcalls.callInt(cuMemcpyAsync.address(), dst, src, ByteCount, hStream.address()));
    }

    /**
     * {@code CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyHtoD(long dstDevice, MemorySegment srcHost, long ByteCount) {
        check(cuMemcpyHtoD, Downcalls.callInt(cuMemcpyHtoD.address(), dstDevice, srcHost, ByteCount));
    }

    /**
     * {@code CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyDtoH(MemorySegment dstHost, long srcDevice, long ByteCount) {
        check(cuMemcpyDtoH, Downcalls.callInt(cuMemcpyDtoH.address(), dstHost, srcDevice, ByteCount));
    }

    /**
     * {@code CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyDtoD(long dstDevice, long srcDevice, long ByteCount) {
        check(cuMemcpyDtoD, Downcalls.callInt(cuMemcpyDtoD.address(), dstDevice, srcDevice, ByteCount));
    }

    /**
     * {@code CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyHtoDAsync(long dstDevice, MemorySegment srcHost, long ByteCount, CUstream hStream) {
        check(
                cuMemcpyHtoDAsync,
                Downcalls.callInt(cuMemcpyHtoDAsync.address(), dstDevice, srcHost, ByteCount, hStream.address()));
    }

    /**
     * {@code CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyDtoHAsync(MemorySegment dstHost, long srcDevice, long ByteCount, CUstream hStream) {
        check(
                cuMemcpyDtoHAsync,
                Downcalls.callInt(cuMemcpyDtoHAsync.address(), dstHost, srcDevice, ByteCount, hStream.address()));
    }

    /**
     * {@code CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpyDtoDAsync(long dstDevice, long srcDevice, long ByteCount, CUstream hStream) {
        check(
                cuMemcpyDtoDAsync,
                Downcalls.callInt(cuMemcpyDtoDAsync.address(), dstDevice, srcDevice, ByteCount, hStream.address()));
    }

    /**
     * {@code CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemcpyPeer(
            long dstDevice, CUcontext dstContext, long srcDevice, CUcontext srcContext, long ByteCount) {
        check(
                cuMemcpyPeer,
                Downcalls.callInt(
                        cuMemcpyPeer.address(),
                        dstDevice,
                        dstContext.address(),
                        srcDevice,
                        srcContext.address(),
                        ByteCount));
    }

    /**
     * {@code CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream)}
     *
     * @since CUDA 4.0
     */
    public static void cuMemcpyPeerAsync(
            long dstDevice,
            CUcontext dstContext,
            long srcDevice,
            CUcontext srcContext,
            long ByteCount,
            CUstream hStream) {
        check(
                cuMemcpyPeerAsync,
                Downcalls.callInt(
                        cuMemcpyPeerAsync.address(),
                        dstDevice,
                        dstContext.address(),
                        srcDevice,
                        srcContext.address(),
                        ByteCount,
                        hStream.address()));
    }

    /**
     * {@code CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpy2D(MemorySegment pCopy) {
        check(cuMemcpy2D, Downcalls.callInt(cuMemcpy2D.address(), pCopy));
    }

    /**
     * {@code CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemcpy2DAsync(MemorySegment pCopy, CUstream hStream) {
        check(cuMemcpy2DAsync, Downcalls.callInt(cuMemcpy2DAsync.address(), pCopy, hStream.address()));
    }

    /**
     * {@code CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD8(long dstDevice, byte uc, long N) {
        check(cuMemsetD8, Downcalls.callInt(cuMemsetD8.address(), dstDevice, uc, N));
    }

    /**
     * {@code CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD16(long dstDevice, short us, long N) {
        check(cuMemsetD16, Downcalls.callInt(cuMemsetD16.address(), dstDevice, us, N));
    }

    /**
     * {@code CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD32(long dstDevice, int ui, long N) {
        check(cuMemsetD32, Downcalls.callInt(cuMemsetD32.address(), dstDevice, ui, N));
    }

    /**
     * {@code CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD8Async(long dstDevice, byte uc, long N, CUstream hStream) {
        check(cuMemsetD8Async, Downcalls.callInt(cuMemsetD8Async.address(), dstDevice, uc, N, hStream.address()));
    }

    /**
     * {@code CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD16Async(long dstDevice, short us, long N, CUstream hStream) {
        check(cuMemsetD16Async, Downcalls.callInt(cuMemsetD16Async.address(), dstDevice, us, N, hStream.address()));
    }

    /**
     * {@code CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD32Async(long dstDevice, int ui, long N, CUstream hStream) {
        check(cuMemsetD32Async, Downcalls.callInt(cuMemsetD32Async.address(), dstDevice, ui, N, hStream.address()));
    }

    /**
     * {@code CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD2D8Async(
            long dstDevice, long dstPitch, byte uc, long Width, long Height, CUstream hStream) {
        check(
                cuMemsetD2D8Async,
                Downcalls.callInt(
                        cuMemsetD2D8Async.address(), dstDevice, dstPitch, uc, Width, Height, hStream.address()));
    }

    /**
     * {@code CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream)}
     *
     * @since CUDA 3.2
     */
    public static void cuMemsetD2D32Async(
            long dstDevice, long dstPitch, int ui, long Width, long Height, CUstream hStream) {
        check(
                cuMemsetD2D32Async,
                Downcalls.callInt(
                        cuMemsetD2D32Async.address(), dstDevice, dstPitch, ui, Width, Height, hStream.address()));
    }

    /**
     * {@code CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)}
     *
     * @since CUDA 12.2
     */
    public static void cuMemAdvise(long devPtr, long count, int advice, MemorySegment location) {
        check(cuMemAdvise, Downcalls.callIntWithCUmemLocation(cuMemAdvise.address(), devPtr, count, advice, location));
    }

    /**
     * {@code CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream)}
     *
     * @since CUDA 12.2
     */
    public static void cuMemPrefetchAsync(
            long devPtr, long count, MemorySegment location, int flags, CUstream hStream) {
        check(
                cuMemPrefetchAsync,
                Downcalls.callIntWithCUmemLocation(
                        cuMemPrefetchAsync.address(), devPtr, count, location, flags, hStream.address()));
    }

    /**
     * {@code CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)}
     *
     * @since CUDA 4.0
     */
    public static void cuPointerGetAttribute(long data, int attribute, long ptr) {
        check(cuPointerGetAttribute, Downcalls.callInt(cuPointerGetAttribute.address(), data, attribute, ptr));
    }

    /**
     * {@code CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data, CUdeviceptr ptr)}
     *
     * @since CUDA 7.0
     */
    public static void cuPointerGetAttributes(
            int numAttributes, MemorySegment attributes, MemorySegment data, long ptr) {
        check(
                cuPointerGetAttributes,
                Downcalls.callInt(cuPointerGetAttributes.address(), numAttributes, attributes, data, ptr));
    }

    /**
     * {@code CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)}
     *
     * @since CUDA 6.0
     */
    public static void cuPointerSetAttribute(long value, int attribute, long ptr) {
        check(cuPointerSetAttribute, Downcalls.callInt(cuPointerSetAttribute.address(), value, attribute, ptr));
    }

    /**
     * {@code CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemAddressReserve(MemorySegment ptr, long size, long alignment, long addr, long flags) {
        check(cuMemAddressReserve, Downcalls.callInt(cuMemAddressReserve.address(), ptr, size, alignment, addr, flags));
    }

    /**
     * {@code CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemAddressFree(long ptr, long size) {
        check(cuMemAddressFree, Downcalls.callInt(cuMemAddressFree.address(), ptr, size));
    }

    /**
     * {@code CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop, unsigned long long flags)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemCreate(MemorySegment handle, long size, MemorySegment prop, long flags) {
        check(cuMemCreate, Downcalls.callInt(cuMemCreate.address(), handle, size, prop, flags));
    }

    /**
     * {@code CUresult cuMemRelease(CUmemGenericAllocationHandle handle)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemRelease(long handle) {
        check(cuMemRelease, Downcalls.callInt(cuMemRelease.address(), handle));
    }

    /**
     * {@code CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemMap(long ptr, long size, long offset, long handle, long flags) {
        check(cuMemMap, Downcalls.callInt(cuMemMap.address(), ptr, size, offset, handle, flags));
    }

    /**
     * {@code CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemUnmap(long ptr, long size) {
        check(cuMemUnmap, Downcalls.callInt(cuMemUnmap.address(), ptr, size));
    }

    /**
     * {@code CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemSetAccess(long ptr, long size, MemorySegment desc, long count) {
        check(cuMemSetAccess, Downcalls.callInt(cuMemSetAccess.address(), ptr, size, desc, count));
    }

    /**
     * {@code CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemGetAccess(MemorySegment flags, MemorySegment location, long ptr) {
        check(cuMemGetAccess, Downcalls.callInt(cuMemGetAccess.address(), flags, location, ptr));
    }

    /**
     * {@code CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType handleType, unsigned long long flags)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemExportToShareableHandle(long shareableHandle, long handle, int handleType, long flags) {
        check(
                cuMemExportToShareableHandle,
                Downcalls.callInt(cuMemExportToShareableHandle.address(), shareableHandle, handle, handleType, flags));
    }

    /**
     * {@code CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle, CUmemAllocationHandleType shHandleType)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemImportFromShareableHandle(MemorySegment handle, long osHandle, int shHandleType) {
        check(
                cuMemImportFromShareableHandle,
                Downcalls.callInt(cuMemImportFromShareableHandle.address(), handle, osHandle, shHandleType));
    }

    /**
     * {@code CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags option)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemGetAllocationGranularity(MemorySegment granularity, MemorySegment prop, int option) {
        check(
                cuMemGetAllocationGranularity,
                Downcalls.callInt(cuMemGetAllocationGranularity.address(), granularity, prop, option));
    }

    /**
     * {@code CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)}
     *
     * @since CUDA 10.2
     */
    public static void cuMemGetAllocationPropertiesFromHandle(MemorySegment prop, long handle) {
        check(
                cuMemGetAllocationPropertiesFromHandle,
                Downcalls.callInt(cuMemGetAllocationPropertiesFromHandle.address(), prop, handle));
    }

    /**
     * {@code CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)}
     *
     * @since CUDA 11.0
     */
    public static void cuMemRetainAllocationHandle(MemorySegment handle, long addr) {
        check(cuMemRetainAllocationHandle, Downcalls.callInt(cuMemRetainAllocationHandle.address(), handle, addr));
    }

    /**
     * {@code CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType, unsigned long long flags)}
     *
     * @since CUDA 11.7
     */
    public static void cuMemGetHandleForAddressRange(long handle, long dptr, long size, int handleType, long flags) {
        check(
                cuMemGetHandleForAddressRange,
                Downcalls.callInt(cuMemGetHandleForAddressRange.address(), handle, dptr, size, handleType, flags));
    }

    /**
     * {@code CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)}
     *
     * @since CUDA 4.1
     */
    public static void cuIpcGetEventHandle(MemorySegment pHandle, CUevent event) {
        check(cuIpcGetEventHandle, Downcalls.callInt(cuIpcGetEventHandle.address(), pHandle, event.address()));
    }

    /**
     * {@code CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)}
     *
     * @since CUDA 4.1
     */
    public static void cuIpcOpenEventHandle(MemorySegment phEvent, MemorySegment handle) {
        check(
                cuIpcOpenEventHandle,
                Downcalls.callIntWithCUipcEventHandle(cuIpcOpenEventHandle.address(), phEvent, handle));
    }

    /**
     * {@code CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)}
     *
     * @since CUDA 4.1
     */
    public static void cuIpcGetMemHandle(MemorySegment pHandle, long dptr) {
        check(cuIpcGetMemHandle, Downcalls.callInt(cuIpcGetMemHandle.address(), pHandle, dptr));
    }

    /**
     * {@code CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)}
     *
     * @since CUDA 4.1
     */
    public static void cuIpcOpenMemHandle(MemorySegment pdptr, MemorySegment handle, int Flags) {
        check(
                cuIpcOpenMemHandle,
                Downcalls.callIntWithCUipcMemHandle(cuIpcOpenMemHandle.address(), pdptr, handle, Flags));
    }

    /**
     * {@code CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)}
     *
     * @since CUDA 4.1
     */
    public static void cuIpcCloseMemHandle(long dptr) {
        check(cuIpcCloseMemHandle, Downcalls.callInt(cuIpcCloseMemHandle.address(), dptr));
    }

    /**
     * {@code CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)}
     *
     * @since CUDA 2.0
     */
    public static void cuStreamCreate(MemorySegment phStream, int Flags) {
        check(cuStreamCreate, Downcalls.callInt(cuStreamCreate.address(), phStream, Flags));
    }

    /**
     * {@code CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)}
     *
     * @since CUDA 5.5
     */
    public static void cuStreamCreateWithPriority(MemorySegment phStream, int flags, int priority) {
        check(
                cuStreamCreateWithPriority,
                Downcalls.callInt(cuStreamCreateWithPriority.address(), phStream, flags, priority));
    }

    /**
     * {@code CUresult cuStreamDestroy(CUstream hStream)}
     *
     * @since CUDA 2.0
     */
    public static void cuStreamDestroy(CUstream hStream) {
        check(cuStreamDestroy, Downcalls.callInt(cuStreamDestroy.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuStreamGetPriority(CUstream hStream, int *priority)}
     *
     * @since CUDA 5.5
     */
    public static void cuStreamGetPriority(CUstream hStream, MemorySegment priority) {
        check(cuStreamGetPriority, Downcalls.callInt(cuStreamGetPriority.address(), hStream.address(), priority));
    }

    /**
     * {@code CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)}
     *
     * @since CUDA 5.5
     */
    public static void cuStreamGetFlags(CUstream hStream, MemorySegment flags) {
        check(cuStreamGetFlags, Downcalls.callInt(cuStreamGetFlags.address(), hStream.address(), flags));
    }

    /**
     * {@code CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)}
     *
     * @since CUDA 12.0
     */
    public static void cuStreamGetId(CUstream hStream, MemorySegment streamId) {
        check(cuStreamGetId, Downcalls.callInt(cuStreamGetId.address(), hStream.address(), streamId));
    }

    /**
     * {@code CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)}
     *
     * @since CUDA 12.5
     */
    public static void cuStreamGetCtx(CUstream hStream, MemorySegment pctx) {
        check(cuStreamGetCtx, Downcalls.callInt(cuStreamGetCtx.address(), hStream.address(), pctx));
    }

    /**
     * {@code CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)}
     *
     * @since CUDA 12.8
     */
    public static void cuStreamGetDevice(CUstream hStream, MemorySegment device) {
        check(cuStreamGetDevice, Downcalls.callInt(cuStreamGetDevice.address(), hStream.address(), device));
    }

    /**
     * {@code CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)}
     *
     * @since CUDA 3.2
     */
    public static void cuStreamWaitEvent(CUstream hStream, CUevent hEvent, int Flags) {
        check(
                cuStreamWaitEvent,
                Downcalls.callInt(cuStreamWaitEvent.address(), hStream.address(), hEvent.address(), Flags));
    }

    /**
     * {@code CUresult cuStreamQuery(CUstream hStream)}
     *
     * @since CUDA 2.0
     */
    public static int cuStreamQuery(CUstream hStream) {
        return answer(
                cuStreamQuery, Downcalls.callInt(cuStreamQuery.address(), hStream.address()), CUDA_ERROR_NOT_READY);
    }

    /**
     * {@code CUresult cuStreamSynchronize(CUstream hStream)}
     *
     * @since CUDA 2.0
     */
    public static void cuStreamSynchronize(CUstream hStream) {
        check(cuStreamSynchronize, Downcalls.callInt(cuStreamSynchronize.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)}
     *
     * @since CUDA 8.0
     */
    public static void cuStreamWaitValue32(CUstream stream, long addr, int value, int flags) {
        check(
                cuStreamWaitValue32,
                Downcalls.callInt(cuStreamWaitValue32.address(), stream.address(), addr, value, flags));
    }

    /**
     * {@code CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)}
     *
     * @since CUDA 8.0
     */
    public static void cuStreamWriteValue32(CUstream stream, long addr, int value, int flags) {
        check(
                cuStreamWriteValue32,
                Downcalls.callInt(cuStreamWriteValue32.address(), stream.address(), addr, value, flags));
    }

    /**
     * {@code CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)}
     *
     * @since CUDA 9.0
     */
    public static void cuStreamWaitValue64(CUstream stream, long addr, long value, int flags) {
        check(
                cuStreamWaitValue64,
                Downcalls.callInt(cuStreamWaitValue64.address(), stream.address(), addr, value, flags));
    }

    /**
     * {@code CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)}
     *
     * @since CUDA 9.0
     */
    public static void cuStreamWriteValue64(CUstream stream, long addr, long value, int flags) {
        check(
                cuStreamWriteValue64,
                Downcalls.callInt(cuStreamWriteValue64.address(), stream.address(), addr, value, flags));
    }

    /**
     * {@code CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)}
     *
     * @since CUDA 2.0
     */
    public static void cuEventCreate(MemorySegment phEvent, int Flags) {
        check(cuEventCreate, Downcalls.callInt(cuEventCreate.address(), phEvent, Flags));
    }

    /**
     * {@code CUresult cuEventRecord(CUevent hEvent, CUstream hStream)}
     *
     * @since CUDA 2.0
     */
    public static void cuEventRecord(CUevent hEvent, CUstream hStream) {
        check(cuEventRecord, Downcalls.callInt(cuEventRecord.address(), hEvent.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)}
     *
     * @since CUDA 11.1
     */
    public static void cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, int flags) {
        check(
                cuEventRecordWithFlags,
                Downcalls.callInt(cuEventRecordWithFlags.address(), hEvent.address(), hStream.address(), flags));
    }

    /**
     * {@code CUresult cuEventQuery(CUevent hEvent)}
     *
     * @since CUDA 2.0
     */
    public static int cuEventQuery(CUevent hEvent) {
        return answer(cuEventQuery, Downcalls.callInt(cuEventQuery.address(), hEvent.address()), CUDA_ERROR_NOT_READY);
    }

    /**
     * {@code CUresult cuEventSynchronize(CUevent hEvent)}
     *
     * @since CUDA 2.0
     */
    public static void cuEventSynchronize(CUevent hEvent) {
        check(cuEventSynchronize, Downcalls.callInt(cuEventSynchronize.address(), hEvent.address()));
    }

    /**
     * {@code CUresult cuEventDestroy(CUevent hEvent)}
     *
     * @since CUDA 2.0
     */
    public static void cuEventDestroy(CUevent hEvent) {
        check(cuEventDestroy, Downcalls.callInt(cuEventDestroy.address(), hEvent.address()));
    }

    /**
     * {@code CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)}
     *
     * @since CUDA 2.0
     */
    public static void cuEventElapsedTime(MemorySegment pMilliseconds, CUevent hStart, CUevent hEnd) {
        check(
                cuEventElapsedTime,
                Downcalls.callInt(cuEventElapsedTime.address(), pMilliseconds, hStart.address(), hEnd.address()));
    }

    /**
     * {@code CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)}
     *
     * @since CUDA 4.0
     */
    public static void cuLaunchKernel(
            CUfunction f,
            int gridDimX,
            int gridDimY,
            int gridDimZ,
            int blockDimX,
            int blockDimY,
            int blockDimZ,
            int sharedMemBytes,
            CUstream hStream,
            MemorySegment kernelParams,
            MemorySegment extra) {
        check(
                cuLaunchKernel,
                Downcalls.callInt(
                        cuLaunchKernel.address(),
                        f.address(),
                        gridDimX,
                        gridDimY,
                        gridDimZ,
                        blockDimX,
                        blockDimY,
                        blockDimZ,
                        sharedMemBytes,
                        hStream.address(),
                        kernelParams,
                        extra));
    }

    /**
     * {@code CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)}
     *
     * @since CUDA 11.6
     */
    public static void cuLaunchKernelEx(
            MemorySegment config, CUfunction f, MemorySegment kernelParams, MemorySegment extra) {
        check(
                cuLaunchKernelEx,
                Downcalls.callInt(cuLaunchKernelEx.address(), config, f.address(), kernelParams, extra));
    }

    /**
     * {@code CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams)}
     *
     * @since CUDA 9.0
     */
    public static void cuLaunchCooperativeKernel(
            CUfunction f,
            int gridDimX,
            int gridDimY,
            int gridDimZ,
            int blockDimX,
            int blockDimY,
            int blockDimZ,
            int sharedMemBytes,
            CUstream hStream,
            MemorySegment kernelParams) {
        check(
                cuLaunchCooperativeKernel,
                Downcalls.callInt(
                        cuLaunchCooperativeKernel.address(),
                        f.address(),
                        gridDimX,
                        gridDimY,
                        gridDimZ,
                        blockDimX,
                        blockDimY,
                        blockDimZ,
                        sharedMemBytes,
                        hStream.address(),
                        kernelParams));
    }

    /**
     * {@code CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)}
     *
     * @since CUDA 13.1
     */
    public static void cuLaunchHostFunc(CUstream hStream, MemorySegment fn, long userData) {
        check(cuLaunchHostFunc, Downcalls.callInt(cuLaunchHostFunc.address(), hStream.address(), fn, userData));
    }

    /**
     * {@code CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)}
     *
     * @since CUDA 10.1
     */
    public static void cuStreamBeginCapture(CUstream hStream, int mode) {
        check(cuStreamBeginCapture, Downcalls.callInt(cuStreamBeginCapture.address(), hStream.address(), mode));
    }

    /**
     * {@code CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUstreamCaptureMode mode)}
     *
     * @since CUDA 12.3
     */
    public static void cuStreamBeginCaptureToGraph(
            CUstream hStream,
            CUgraph hGraph,
            MemorySegment dependencies,
            MemorySegment dependencyData,
            long numDependencies,
            int mode) {
        check(
                cuStreamBeginCaptureToGraph,
                Downcalls.callInt(
                        cuStreamBeginCaptureToGraph.address(),
                        hStream.address(),
                        hGraph.address(),
                        dependencies,
                        dependencyData,
                        numDependencies,
                        mode));
    }

    /**
     * {@code CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)}
     *
     * @since CUDA 10.0
     */
    public static void cuStreamEndCapture(CUstream hStream, MemorySegment phGraph) {
        check(cuStreamEndCapture, Downcalls.callInt(cuStreamEndCapture.address(), hStream.address(), phGraph));
    }

    /**
     * {@code CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)}
     *
     * @since CUDA 10.0
     */
    public static void cuStreamIsCapturing(CUstream hStream, MemorySegment captureStatus) {
        check(cuStreamIsCapturing, Downcalls.callInt(cuStreamIsCapturing.address(), hStream.address(), captureStatus));
    }

    /**
     * {@code CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out, const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)}
     *
     * @since CUDA 12.3
     */
    public static void cuStreamGetCaptureInfo(
            CUstream hStream,
            MemorySegment captureStatus_out,
            MemorySegment id_out,
            MemorySegment graph_out,
            MemorySegment dependencies_out,
            MemorySegment edgeData_out,
            MemorySegment numDependencies_out) {
        check(
                cuStreamGetCaptureInfo,
                Downcalls.callInt(
                        cuStreamGetCaptureInfo.address(),
                        hStream.address(),
                        captureStatus_out,
                        id_out,
                        graph_out,
                        dependencies_out,
                        edgeData_out,
                        numDependencies_out));
    }

    /**
     * {@code CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)}
     *
     * @since CUDA 10.1
     */
    public static void cuThreadExchangeStreamCaptureMode(MemorySegment mode) {
        check(cuThreadExchangeStreamCaptureMode, Downcalls.callInt(cuThreadExchangeStreamCaptureMode.address(), mode));
    }

    /**
     * {@code CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphCreate(MemorySegment phGraph, int flags) {
        check(cuGraphCreate, Downcalls.callInt(cuGraphCreate.address(), phGraph, flags));
    }

    /**
     * {@code CUresult cuGraphDestroy(CUgraph hGraph)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphDestroy(CUgraph hGraph) {
        check(cuGraphDestroy, Downcalls.callInt(cuGraphDestroy.address(), hGraph.address()));
    }

    /**
     * {@code CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphClone(MemorySegment phGraphClone, CUgraph originalGraph) {
        check(cuGraphClone, Downcalls.callInt(cuGraphClone.address(), phGraphClone, originalGraph.address()));
    }

    /**
     * {@code CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphGetNodes(CUgraph hGraph, MemorySegment nodes, MemorySegment numNodes) {
        check(cuGraphGetNodes, Downcalls.callInt(cuGraphGetNodes.address(), hGraph.address(), nodes, numNodes));
    }

    /**
     * {@code CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphNodeGetType(CUgraphNode hNode, MemorySegment type) {
        check(cuGraphNodeGetType, Downcalls.callInt(cuGraphNodeGetType.address(), hNode.address(), type));
    }

    /**
     * {@code CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)}
     *
     * @since CUDA 11.0
     */
    public static void cuGraphInstantiate(MemorySegment phGraphExec, CUgraph hGraph, long flags) {
        check(
                cuGraphInstantiate,
                Downcalls.callInt(cuGraphInstantiate.address(), phGraphExec, hGraph.address(), flags));
    }

    /**
     * {@code CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)}
     *
     * @since CUDA 12.0
     */
    public static void cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, MemorySegment resultInfo) {
        check(
                cuGraphExecUpdate,
                Downcalls.callInt(cuGraphExecUpdate.address(), hGraphExec.address(), hGraph.address(), resultInfo));
    }

    /**
     * {@code CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphExecDestroy(CUgraphExec hGraphExec) {
        check(cuGraphExecDestroy, Downcalls.callInt(cuGraphExecDestroy.address(), hGraphExec.address()));
    }

    /**
     * {@code CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)}
     *
     * @since CUDA 11.1
     */
    public static void cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) {
        check(cuGraphUpload, Downcalls.callInt(cuGraphUpload.address(), hGraphExec.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
        check(cuGraphLaunch, Downcalls.callInt(cuGraphLaunch.address(), hGraphExec.address(), hStream.address()));
    }

    /**
     * {@code CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)}
     *
     * @since CUDA 11.3
     */
    public static void cuGraphDebugDotPrint(CUgraph hGraph, MemorySegment path, int flags) {
        check(cuGraphDebugDotPrint, Downcalls.callInt(cuGraphDebugDotPrint.address(), hGraph.address(), path, flags));
    }

    /**
     * {@code CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)}
     *
     * @since CUDA 12.0
     */
    public static void cuGraphAddKernelNode(
            MemorySegment phGraphNode,
            CUgraph hGraph,
            MemorySegment dependencies,
            long numDependencies,
            MemorySegment nodeParams) {
        check(
                cuGraphAddKernelNode,
                Downcalls.callInt(
                        cuGraphAddKernelNode.address(),
                        phGraphNode,
                        hGraph.address(),
                        dependencies,
                        numDependencies,
                        nodeParams));
    }

    /**
     * {@code CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)}
     *
     * @since CUDA 12.0
     */
    public static void cuGraphExecKernelNodeSetParams(
            CUgraphExec hGraphExec, CUgraphNode hNode, MemorySegment nodeParams) {
        check(
                cuGraphExecKernelNodeSetParams,
                Downcalls.callInt(
                        cuGraphExecKernelNodeSetParams.address(), hGraphExec.address(), hNode.address(), nodeParams));
    }

    /**
     * {@code CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)}
     *
     * @since CUDA 12.0
     */
    public static void cuGraphKernelNodeGetParams(CUgraphNode hNode, MemorySegment nodeParams) {
        check(
                cuGraphKernelNodeGetParams,
                Downcalls.callInt(cuGraphKernelNodeGetParams.address(), hNode.address(), nodeParams));
    }

    /**
     * {@code CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)}
     *
     * @since CUDA 12.0
     */
    public static void cuGraphKernelNodeSetParams(CUgraphNode hNode, MemorySegment nodeParams) {
        check(
                cuGraphKernelNodeSetParams,
                Downcalls.callInt(cuGraphKernelNodeSetParams.address(), hNode.address(), nodeParams));
    }

    /**
     * {@code CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUgraph childGraph)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphAddChildGraphNode(
            MemorySegment phGraphNode,
            CUgraph hGraph,
            MemorySegment dependencies,
            long numDependencies,
            CUgraph childGraph) {
        check(
                cuGraphAddChildGraphNode,
                Downcalls.callInt(
                        cuGraphAddChildGraphNode.address(),
                        phGraphNode,
                        hGraph.address(),
                        dependencies,
                        numDependencies,
                        childGraph.address()));
    }

    /**
     * {@code CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphAddEmptyNode(
            MemorySegment phGraphNode, CUgraph hGraph, MemorySegment dependencies, long numDependencies) {
        check(
                cuGraphAddEmptyNode,
                Downcalls.callInt(
                        cuGraphAddEmptyNode.address(), phGraphNode, hGraph.address(), dependencies, numDependencies));
    }

    /**
     * {@code CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphAddHostNode(
            MemorySegment phGraphNode,
            CUgraph hGraph,
            MemorySegment dependencies,
            long numDependencies,
            MemorySegment nodeParams) {
        check(
                cuGraphAddHostNode,
                Downcalls.callInt(
                        cuGraphAddHostNode.address(),
                        phGraphNode,
                        hGraph.address(),
                        dependencies,
                        numDependencies,
                        nodeParams));
    }

    /**
     * {@code CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edgeData, size_t numDependencies)}
     *
     * @since CUDA 12.3
     */
    public static void cuGraphAddDependencies(
            CUgraph hGraph, MemorySegment from, MemorySegment to, MemorySegment edgeData, long numDependencies) {
        check(
                cuGraphAddDependencies,
                Downcalls.callInt(
                        cuGraphAddDependencies.address(), hGraph.address(), from, to, edgeData, numDependencies));
    }

    /**
     * {@code CUresult cuGraphDestroyNode(CUgraphNode hNode)}
     *
     * @since CUDA 10.0
     */
    public static void cuGraphDestroyNode(CUgraphNode hNode) {
        check(cuGraphDestroyNode, Downcalls.callInt(cuGraphDestroyNode.address(), hNode.address()));
    }

    /**
     * {@code CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned int initialRefcount, unsigned int flags)}
     *
     * @since CUDA 11.3
     */
    public static void cuUserObjectCreate(
            MemorySegment object_out, long ptr, MemorySegment destroy, int initialRefcount, int flags) {
        check(
                cuUserObjectCreate,
                Downcalls.callInt(cuUserObjectCreate.address(), object_out, ptr, destroy, initialRefcount, flags));
    }

    /**
     * {@code CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)}
     *
     * @since CUDA 11.3
     */
    public static void cuUserObjectRelease(CUuserObject object, int count) {
        check(cuUserObjectRelease, Downcalls.callInt(cuUserObjectRelease.address(), object.address(), count));
    }

    /**
     * {@code CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)}
     *
     * @since CUDA 11.3
     */
    public static void cuGraphRetainUserObject(CUgraph graph, CUuserObject object, int count, int flags) {
        check(
                cuGraphRetainUserObject,
                Downcalls.callInt(cuGraphRetainUserObject.address(), graph.address(), object.address(), count, flags));
    }

    /**
     * {@code CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)}
     *
     * @since CUDA 6.5
     */
    public static void cuOccupancyMaxActiveBlocksPerMultiprocessor(
            MemorySegment numBlocks, CUfunction func, int blockSize, long dynamicSMemSize) {
        check(
                cuOccupancyMaxActiveBlocksPerMultiprocessor,
                Downcalls.callInt(
                        cuOccupancyMaxActiveBlocksPerMultiprocessor.address(),
                        numBlocks,
                        func.address(),
                        blockSize,
                        dynamicSMemSize));
    }

    /**
     * {@code CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)}
     *
     * @since CUDA 7.0
     */
    public static void cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            MemorySegment numBlocks, CUfunction func, int blockSize, long dynamicSMemSize, int flags) {
        check(
                cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                Downcalls.callInt(
                        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags.address(),
                        numBlocks,
                        func.address(),
                        blockSize,
                        dynamicSMemSize,
                        flags));
    }

    /**
     * {@code CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit)}
     *
     * @since CUDA 6.5
     */
    public static void cuOccupancyMaxPotentialBlockSize(
            MemorySegment minGridSize,
            MemorySegment blockSize,
            CUfunction func,
            MemorySegment blockSizeToDynamicSMemSize,
            long dynamicSMemSize,
            int blockSizeLimit) {
        check(
                cuOccupancyMaxPotentialBlockSize,
                Downcalls.callInt(
                        cuOccupancyMaxPotentialBlockSize.address(),
                        minGridSize,
                        blockSize,
                        func.address(),
                        blockSizeToDynamicSMemSize,
                        dynamicSMemSize,
                        blockSizeLimit));
    }

    /**
     * {@code CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)}
     *
     * @since CUDA 10.2
     */
    public static void cuOccupancyAvailableDynamicSMemPerBlock(
            MemorySegment dynamicSmemSize, CUfunction func, int numBlocks, int blockSize) {
        check(
                cuOccupancyAvailableDynamicSMemPerBlock,
                Downcalls.callInt(
                        cuOccupancyAvailableDynamicSMemPerBlock.address(),
                        dynamicSmemSize,
                        func.address(),
                        numBlocks,
                        blockSize));
    }

    /**
     * {@code CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config)}
     *
     * @since CUDA 11.7
     */
    public static void cuOccupancyMaxPotentialClusterSize(
            MemorySegment clusterSize, CUfunction func, MemorySegment config) {
        check(
                cuOccupancyMaxPotentialClusterSize,
                Downcalls.callInt(cuOccupancyMaxPotentialClusterSize.address(), clusterSize, func.address(), config));
    }

    /**
     * {@code CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config)}
     *
     * @since CUDA 11.7
     */
    public static void cuOccupancyMaxActiveClusters(MemorySegment numClusters, CUfunction func, MemorySegment config) {
        check(
                cuOccupancyMaxActiveClusters,
                Downcalls.callInt(cuOccupancyMaxActiveClusters.address(), numClusters, func.address(), config));
    }

    /**
     * {@code CUresult cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle, const CUmulticastObjectProp *prop)}
     *
     * @since CUDA 12.1
     */
    public static void cuMulticastCreate(MemorySegment mcHandle, MemorySegment prop) {
        check(cuMulticastCreate, Downcalls.callInt(cuMulticastCreate.address(), mcHandle, prop));
    }

    /**
     * {@code CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev)}
     *
     * @since CUDA 12.1
     */
    public static void cuMulticastAddDevice(long mcHandle, int dev) {
        check(cuMulticastAddDevice, Downcalls.callInt(cuMulticastAddDevice.address(), mcHandle, dev));
    }

    /**
     * {@code CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size, unsigned long long flags)}
     *
     * @since CUDA 13.1
     */
    public static void cuMulticastBindMem(
            long mcHandle, long mcOffset, long memHandle, long memOffset, long size, long flags) {
        check(
                cuMulticastBindMem,
                Downcalls.callInt(cuMulticastBindMem.address(), mcHandle, mcOffset, memHandle, memOffset, size, flags));
    }

    /**
     * {@code CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr, size_t size, unsigned long long flags)}
     *
     * @since CUDA 13.1
     */
    public static void cuMulticastBindAddr(long mcHandle, long mcOffset, long memptr, long size, long flags) {
        check(
                cuMulticastBindAddr,
                Downcalls.callInt(cuMulticastBindAddr.address(), mcHandle, mcOffset, memptr, size, flags));
    }

    /**
     * {@code CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset, size_t size)}
     *
     * @since CUDA 12.1
     */
    public static void cuMulticastUnbind(long mcHandle, int dev, long mcOffset, long size) {
        check(cuMulticastUnbind, Downcalls.callInt(cuMulticastUnbind.address(), mcHandle, dev, mcOffset, size));
    }

    /**
     * {@code CUresult cuMulticastGetGranularity(size_t *granularity, const CUmulticastObjectProp *prop, CUmulticastGranularity_flags option)}
     *
     * @since CUDA 12.1
     */
    public static void cuMulticastGetGranularity(MemorySegment granularity, MemorySegment prop, int option) {
        check(
                cuMulticastGetGranularity,
                Downcalls.callInt(cuMulticastGetGranularity.address(), granularity, prop, option));
    }

    /**
     * {@code CUresult cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const cuuint32_t *boxDim, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)}
     *
     * @since CUDA 12.0
     */
    public static void cuTensorMapEncodeTiled(
            MemorySegment tensorMap,
            int tensorDataType,
            int tensorRank,
            long globalAddress,
            MemorySegment globalDim,
            MemorySegment globalStrides,
            MemorySegment boxDim,
            MemorySegment elementStrides,
            int interleave,
            int swizzle,
            int l2Promotion,
            int oobFill) {
        check(
                cuTensorMapEncodeTiled,
                Downcalls.callInt(
                        cuTensorMapEncodeTiled.address(),
                        tensorMap,
                        tensorDataType,
                        tensorRank,
                        globalAddress,
                        globalDim,
                        globalStrides,
                        boxDim,
                        elementStrides,
                        interleave,
                        swizzle,
                        l2Promotion,
                        oobFill));
    }

    /**
     * {@code CUresult cuTensorMapEncodeIm2col(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner, const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)}
     *
     * @since CUDA 12.0
     */
    public static void cuTensorMapEncodeIm2col(
            MemorySegment tensorMap,
            int tensorDataType,
            int tensorRank,
            long globalAddress,
            MemorySegment globalDim,
            MemorySegment globalStrides,
            MemorySegment pixelBoxLowerCorner,
            MemorySegment pixelBoxUpperCorner,
            int channelsPerPixel,
            int pixelsPerColumn,
            MemorySegment elementStrides,
            int interleave,
            int swizzle,
            int l2Promotion,
            int oobFill) {
        check(
                cuTensorMapEncodeIm2col,
                Downcalls.callInt(
                        cuTensorMapEncodeIm2col.address(),
                        tensorMap,
                        tensorDataType,
                        tensorRank,
                        globalAddress,
                        globalDim,
                        globalStrides,
                        pixelBoxLowerCorner,
                        pixelBoxUpperCorner,
                        channelsPerPixel,
                        pixelsPerColumn,
                        elementStrides,
                        interleave,
                        swizzle,
                        l2Promotion,
                        oobFill));
    }

    private static void check(NativeFunction function, int status) {
        if (status != CUDA_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static int answer(NativeFunction function, int status, int also) {
        if (status != also) {
            check(function, status);
        }
        return status;
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    private static @Nullable String words(int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
            int result = Downcalls.callInt(cuGetErrorString.address(), status, text);
            return result == CUDA_SUCCESS ? NativeMemory.string(text.get(ValueLayout.JAVA_LONG, 0)) : null;
        }
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case CUDA_SUCCESS -> "CUDA_SUCCESS";
            case CUDA_ERROR_INVALID_VALUE -> "CUDA_ERROR_INVALID_VALUE";
            case CUDA_ERROR_OUT_OF_MEMORY -> "CUDA_ERROR_OUT_OF_MEMORY";
            case CUDA_ERROR_NOT_INITIALIZED -> "CUDA_ERROR_NOT_INITIALIZED";
            case CUDA_ERROR_DEINITIALIZED -> "CUDA_ERROR_DEINITIALIZED";
            case CUDA_ERROR_PROFILER_DISABLED -> "CUDA_ERROR_PROFILER_DISABLED";
            case CUDA_ERROR_PROFILER_NOT_INITIALIZED -> "CUDA_ERROR_PROFILER_NOT_INITIALIZED";
            case CUDA_ERROR_PROFILER_ALREADY_STARTED -> "CUDA_ERROR_PROFILER_ALREADY_STARTED";
            case CUDA_ERROR_PROFILER_ALREADY_STOPPED -> "CUDA_ERROR_PROFILER_ALREADY_STOPPED";
            case CUDA_ERROR_STUB_LIBRARY -> "CUDA_ERROR_STUB_LIBRARY";
            case CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER -> "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER";
            case CUDA_ERROR_DEVICE_UNAVAILABLE -> "CUDA_ERROR_DEVICE_UNAVAILABLE";
            case CUDA_ERROR_MULTICAST_RESOURCE_FULL -> "CUDA_ERROR_MULTICAST_RESOURCE_FULL";
            case CUDA_ERROR_NO_DEVICE -> "CUDA_ERROR_NO_DEVICE";
            case CUDA_ERROR_INVALID_DEVICE -> "CUDA_ERROR_INVALID_DEVICE";
            case CUDA_ERROR_DEVICE_NOT_LICENSED -> "CUDA_ERROR_DEVICE_NOT_LICENSED";
            case CUDA_ERROR_INVALID_IMAGE -> "CUDA_ERROR_INVALID_IMAGE";
            case CUDA_ERROR_INVALID_CONTEXT -> "CUDA_ERROR_INVALID_CONTEXT";
            case CUDA_ERROR_CONTEXT_ALREADY_CURRENT -> "CUDA_ERROR_CONTEXT_ALREADY_CURRENT";
            case CUDA_ERROR_MAP_FAILED -> "CUDA_ERROR_MAP_FAILED";
            case CUDA_ERROR_UNMAP_FAILED -> "CUDA_ERROR_UNMAP_FAILED";
            case CUDA_ERROR_ARRAY_IS_MAPPED -> "CUDA_ERROR_ARRAY_IS_MAPPED";
            case CUDA_ERROR_ALREADY_MAPPED -> "CUDA_ERROR_ALREADY_MAPPED";
            case CUDA_ERROR_NO_BINARY_FOR_GPU -> "CUDA_ERROR_NO_BINARY_FOR_GPU";
            case CUDA_ERROR_ALREADY_ACQUIRED -> "CUDA_ERROR_ALREADY_ACQUIRED";
            case CUDA_ERROR_NOT_MAPPED -> "CUDA_ERROR_NOT_MAPPED";
            case CUDA_ERROR_NOT_MAPPED_AS_ARRAY -> "CUDA_ERROR_NOT_MAPPED_AS_ARRAY";
            case CUDA_ERROR_NOT_MAPPED_AS_POINTER -> "CUDA_ERROR_NOT_MAPPED_AS_POINTER";
            case CUDA_ERROR_ECC_UNCORRECTABLE -> "CUDA_ERROR_ECC_UNCORRECTABLE";
            case CUDA_ERROR_UNSUPPORTED_LIMIT -> "CUDA_ERROR_UNSUPPORTED_LIMIT";
            case CUDA_ERROR_CONTEXT_ALREADY_IN_USE -> "CUDA_ERROR_CONTEXT_ALREADY_IN_USE";
            case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED -> "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED";
            case CUDA_ERROR_INVALID_PTX -> "CUDA_ERROR_INVALID_PTX";
            case CUDA_ERROR_INVALID_GRAPHICS_CONTEXT -> "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT";
            case CUDA_ERROR_NVLINK_UNCORRECTABLE -> "CUDA_ERROR_NVLINK_UNCORRECTABLE";
            case CUDA_ERROR_JIT_COMPILER_NOT_FOUND -> "CUDA_ERROR_JIT_COMPILER_NOT_FOUND";
            case CUDA_ERROR_UNSUPPORTED_PTX_VERSION -> "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
            case CUDA_ERROR_JIT_COMPILATION_DISABLED -> "CUDA_ERROR_JIT_COMPILATION_DISABLED";
            case CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY -> "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY";
            case CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC -> "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC";
            case CUDA_ERROR_CONTAINED -> "CUDA_ERROR_CONTAINED";
            case CUDA_ERROR_INSUFFICIENT_LOADER_VERSION -> "CUDA_ERROR_INSUFFICIENT_LOADER_VERSION";
            case CUDA_ERROR_INVALID_SOURCE -> "CUDA_ERROR_INVALID_SOURCE";
            case CUDA_ERROR_FILE_NOT_FOUND -> "CUDA_ERROR_FILE_NOT_FOUND";
            case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND -> "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND";
            case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED -> "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED";
            case CUDA_ERROR_OPERATING_SYSTEM -> "CUDA_ERROR_OPERATING_SYSTEM";
            case CUDA_ERROR_INVALID_HANDLE -> "CUDA_ERROR_INVALID_HANDLE";
            case CUDA_ERROR_ILLEGAL_STATE -> "CUDA_ERROR_ILLEGAL_STATE";
            case CUDA_ERROR_LOSSY_QUERY -> "CUDA_ERROR_LOSSY_QUERY";
            case CUDA_ERROR_NOT_FOUND -> "CUDA_ERROR_NOT_FOUND";
            case CUDA_ERROR_NOT_READY -> "CUDA_ERROR_NOT_READY";
            case CUDA_ERROR_ILLEGAL_ADDRESS -> "CUDA_ERROR_ILLEGAL_ADDRESS";
            case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES -> "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
            case CUDA_ERROR_LAUNCH_TIMEOUT -> "CUDA_ERROR_LAUNCH_TIMEOUT";
            case CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING -> "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING";
            case CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED -> "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED";
            case CUDA_ERROR_PEER_ACCESS_NOT_ENABLED -> "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED";
            case CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE -> "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE";
            case CUDA_ERROR_CONTEXT_IS_DESTROYED -> "CUDA_ERROR_CONTEXT_IS_DESTROYED";
            case CUDA_ERROR_ASSERT -> "CUDA_ERROR_ASSERT";
            case CUDA_ERROR_TOO_MANY_PEERS -> "CUDA_ERROR_TOO_MANY_PEERS";
            case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED -> "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED";
            case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED -> "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED";
            case CUDA_ERROR_HARDWARE_STACK_ERROR -> "CUDA_ERROR_HARDWARE_STACK_ERROR";
            case CUDA_ERROR_ILLEGAL_INSTRUCTION -> "CUDA_ERROR_ILLEGAL_INSTRUCTION";
            case CUDA_ERROR_MISALIGNED_ADDRESS -> "CUDA_ERROR_MISALIGNED_ADDRESS";
            case CUDA_ERROR_INVALID_ADDRESS_SPACE -> "CUDA_ERROR_INVALID_ADDRESS_SPACE";
            case CUDA_ERROR_INVALID_PC -> "CUDA_ERROR_INVALID_PC";
            case CUDA_ERROR_LAUNCH_FAILED -> "CUDA_ERROR_LAUNCH_FAILED";
            case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE -> "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE";
            case CUDA_ERROR_TENSOR_MEMORY_LEAK -> "CUDA_ERROR_TENSOR_MEMORY_LEAK";
            case CUDA_ERROR_NOT_PERMITTED -> "CUDA_ERROR_NOT_PERMITTED";
            case CUDA_ERROR_NOT_SUPPORTED -> "CUDA_ERROR_NOT_SUPPORTED";
            case CUDA_ERROR_SYSTEM_NOT_READY -> "CUDA_ERROR_SYSTEM_NOT_READY";
            case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH -> "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
            case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE -> "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE";
            case CUDA_ERROR_MPS_CONNECTION_FAILED -> "CUDA_ERROR_MPS_CONNECTION_FAILED";
            case CUDA_ERROR_MPS_RPC_FAILURE -> "CUDA_ERROR_MPS_RPC_FAILURE";
            case CUDA_ERROR_MPS_SERVER_NOT_READY -> "CUDA_ERROR_MPS_SERVER_NOT_READY";
            case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED -> "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED";
            case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED -> "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED";
            case CUDA_ERROR_MPS_CLIENT_TERMINATED -> "CUDA_ERROR_MPS_CLIENT_TERMINATED";
            case CUDA_ERROR_CDP_NOT_SUPPORTED -> "CUDA_ERROR_CDP_NOT_SUPPORTED";
            case CUDA_ERROR_CDP_VERSION_MISMATCH -> "CUDA_ERROR_CDP_VERSION_MISMATCH";
            case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED -> "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
            case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED -> "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
            case CUDA_ERROR_STREAM_CAPTURE_MERGE -> "CUDA_ERROR_STREAM_CAPTURE_MERGE";
            case CUDA_ERROR_STREAM_CAPTURE_UNMATCHED -> "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED";
            case CUDA_ERROR_STREAM_CAPTURE_UNJOINED -> "CUDA_ERROR_STREAM_CAPTURE_UNJOINED";
            case CUDA_ERROR_STREAM_CAPTURE_ISOLATION -> "CUDA_ERROR_STREAM_CAPTURE_ISOLATION";
            case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT -> "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT";
            case CUDA_ERROR_CAPTURED_EVENT -> "CUDA_ERROR_CAPTURED_EVENT";
            case CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD -> "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD";
            case CUDA_ERROR_TIMEOUT -> "CUDA_ERROR_TIMEOUT";
            case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE -> "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE";
            case CUDA_ERROR_EXTERNAL_DEVICE -> "CUDA_ERROR_EXTERNAL_DEVICE";
            case CUDA_ERROR_INVALID_CLUSTER_SIZE -> "CUDA_ERROR_INVALID_CLUSTER_SIZE";
            case CUDA_ERROR_FUNCTION_NOT_LOADED -> "CUDA_ERROR_FUNCTION_NOT_LOADED";
            case CUDA_ERROR_INVALID_RESOURCE_TYPE -> "CUDA_ERROR_INVALID_RESOURCE_TYPE";
            case CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION -> "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION";
            case CUDA_ERROR_KEY_ROTATION -> "CUDA_ERROR_KEY_ROTATION";
            case CUDA_ERROR_STREAM_DETACHED -> "CUDA_ERROR_STREAM_DETACHED";
            case CUDA_ERROR_GRAPH_RECAPTURE_FAILURE -> "CUDA_ERROR_GRAPH_RECAPTURE_FAILURE";
            case CUDA_ERROR_FABRIC_NOT_READY -> "CUDA_ERROR_FABRIC_NOT_READY";
            case CUDA_ERROR_UNKNOWN -> "CUDA_ERROR_UNKNOWN";

            default -> "status " + status;
        };
    }
}
