// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUlaunchAttributeValue}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUlaunchAttributeValue {
    /** Size in bytes. */
    public static final long BYTES = 64;

    /** {@code char[64] pad} */
    public static final long pad = 0;

    /** {@code CUaccessPolicyWindow accessPolicyWindow} */
    public static final long accessPolicyWindow = 0;

    /** {@code int cooperative} */
    public static final long cooperative = 0;

    /** {@code CUsynchronizationPolicy syncPolicy} */
    public static final long syncPolicy = 0;

    /** {@code struct { unsigned int x; unsigned int y; unsigned int z; } clusterDim} */
    public static final long clusterDim = 0;

    /** {@code unsigned int clusterDim_x} */
    public static final long clusterDim_x = 0;

    /** {@code unsigned int clusterDim_y} */
    public static final long clusterDim_y = 4;

    /** {@code unsigned int clusterDim_z} */
    public static final long clusterDim_z = 8;

    /** {@code CUclusterSchedulingPolicy clusterSchedulingPolicyPreference} */
    public static final long clusterSchedulingPolicyPreference = 0;

    /** {@code int programmaticStreamSerializationAllowed} */
    public static final long programmaticStreamSerializationAllowed = 0;

    /** {@code struct { CUevent event; int flags; int triggerAtBlockStart; } programmaticEvent} */
    public static final long programmaticEvent = 0;

    /** {@code CUevent programmaticEvent_event} */
    public static final long programmaticEvent_event = 0;

    /** {@code int programmaticEvent_flags} */
    public static final long programmaticEvent_flags = 8;

    /** {@code int programmaticEvent_triggerAtBlockStart} */
    public static final long programmaticEvent_triggerAtBlockStart = 12;

    /** {@code struct { CUevent event; int flags; } launchCompletionEvent} */
    public static final long launchCompletionEvent = 0;

    /** {@code CUevent launchCompletionEvent_event} */
    public static final long launchCompletionEvent_event = 0;

    /** {@code int launchCompletionEvent_flags} */
    public static final long launchCompletionEvent_flags = 8;

    /** {@code int priority} */
    public static final long priority = 0;

    /** {@code CUlaunchMemSyncDomainMap memSyncDomainMap} */
    public static final long memSyncDomainMap = 0;

    /** {@code CUlaunchMemSyncDomain memSyncDomain} */
    public static final long memSyncDomain = 0;

    /** {@code struct { unsigned int x; unsigned int y; unsigned int z; } preferredClusterDim} */
    public static final long preferredClusterDim = 0;

    /** {@code unsigned int preferredClusterDim_x} */
    public static final long preferredClusterDim_x = 0;

    /** {@code unsigned int preferredClusterDim_y} */
    public static final long preferredClusterDim_y = 4;

    /** {@code unsigned int preferredClusterDim_z} */
    public static final long preferredClusterDim_z = 8;

    /** {@code struct { int deviceUpdatable; CUgraphDeviceNode devNode; } deviceUpdatableKernelNode} */
    public static final long deviceUpdatableKernelNode = 0;

    /** {@code int deviceUpdatableKernelNode_deviceUpdatable} */
    public static final long deviceUpdatableKernelNode_deviceUpdatable = 0;

    /** {@code CUgraphDeviceNode deviceUpdatableKernelNode_devNode} */
    public static final long deviceUpdatableKernelNode_devNode = 8;

    /** {@code unsigned int sharedMemCarveout} */
    public static final long sharedMemCarveout = 0;

    /** {@code unsigned int nvlinkUtilCentricScheduling} */
    public static final long nvlinkUtilCentricScheduling = 0;

    /** {@code CUlaunchAttributePortableClusterMode portableClusterSizeMode} */
    public static final long portableClusterSizeMode = 0;

    /** {@code CUsharedMemoryMode sharedMemoryMode} */
    public static final long sharedMemoryMode = 0;

    /** As the linker needs it. */
    public static final UnionLayout LAYOUT = MemoryLayout.unionLayout(
            MemoryLayout.sequenceLayout(64, ValueLayout.JAVA_BYTE).withName("pad"),
            CUaccessPolicyWindow.LAYOUT.withName("accessPolicyWindow"),
            ValueLayout.JAVA_INT.withName("cooperative"),
            ValueLayout.JAVA_INT.withName("syncPolicy"),
            MemoryLayout.structLayout(
                            ValueLayout.JAVA_INT.withName("x"),
                            ValueLayout.JAVA_INT.withName("y"),
                            ValueLayout.JAVA_INT.withName("z"))
                    .withName("clusterDim"),
            ValueLayout.JAVA_INT.withName("clusterSchedulingPolicyPreference"),
            ValueLayout.JAVA_INT.withName("programmaticStreamSerializationAllowed"),
            MemoryLayout.structLayout(
                            ValueLayout.ADDRESS.withName("event"),
                            ValueLayout.JAVA_INT.withName("flags"),
                            ValueLayout.JAVA_INT.withName("triggerAtBlockStart"))
                    .withName("programmaticEvent"),
            MemoryLayout.structLayout(
                            ValueLayout.ADDRESS.withName("event"),
                            ValueLayout.JAVA_INT.withName("flags"),
                            MemoryLayout.paddingLayout(4))
                    .withName("launchCompletionEvent"),
            ValueLayout.JAVA_INT.withName("priority"),
            CUlaunchMemSyncDomainMap.LAYOUT.withName("memSyncDomainMap"),
            ValueLayout.JAVA_INT.withName("memSyncDomain"),
            MemoryLayout.structLayout(
                            ValueLayout.JAVA_INT.withName("x"),
                            ValueLayout.JAVA_INT.withName("y"),
                            ValueLayout.JAVA_INT.withName("z"))
                    .withName("preferredClusterDim"),
            MemoryLayout.structLayout(
                            ValueLayout.JAVA_INT.withName("deviceUpdatable"),
                            MemoryLayout.paddingLayout(4),
                            ValueLayout.ADDRESS.withName("devNode"))
                    .withName("deviceUpdatableKernelNode"),
            ValueLayout.JAVA_INT.withName("sharedMemCarveout"),
            ValueLayout.JAVA_INT.withName("nvlinkUtilCentricScheduling"),
            ValueLayout.JAVA_INT.withName("portableClusterSizeMode"),
            ValueLayout.JAVA_INT.withName("sharedMemoryMode"));

    private CUlaunchAttributeValue() {}
}
