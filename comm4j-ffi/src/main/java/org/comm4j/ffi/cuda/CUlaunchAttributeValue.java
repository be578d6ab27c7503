// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUlaunchAttributeValue}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUlaunchAttributeValue {
    /** Size of the struct. */
    public static final long BYTES = 64;

    /** {@code char[64] pad}, 64 bytes. */
    public static final long pad = 0;

    /** {@code CUaccessPolicyWindow accessPolicyWindow}, 32 bytes. */
    public static final long accessPolicyWindow = 0;

    /** {@code int cooperative}, 4 bytes. */
    public static final long cooperative = 0;

    /** {@code CUsynchronizationPolicy syncPolicy}, 4 bytes. */
    public static final long syncPolicy = 0;

    /** {@code struct { unsigned int x; unsigned int y; unsigned int z; } clusterDim}, 12 bytes. */
    public static final long clusterDim = 0;

    /** {@code unsigned int clusterDim_x}, 4 bytes. */
    public static final long clusterDim_x = 0;

    /** {@code unsigned int clusterDim_y}, 4 bytes. */
    public static final long clusterDim_y = 4;

    /** {@code unsigned int clusterDim_z}, 4 bytes. */
    public static final long clusterDim_z = 8;

    /** {@code CUclusterSchedulingPolicy clusterSchedulingPolicyPreference}, 4 bytes. */
    public static final long clusterSchedulingPolicyPreference = 0;

    /** {@code int programmaticStreamSerializationAllowed}, 4 bytes. */
    public static final long programmaticStreamSerializationAllowed = 0;

    /** {@code struct { CUevent event; int flags; int triggerAtBlockStart; } programmaticEvent}, 16 bytes. */
    public static final long programmaticEvent = 0;

    /** {@code CUevent programmaticEvent_event}, 8 bytes. */
    public static final long programmaticEvent_event = 0;

    /** {@code int programmaticEvent_flags}, 4 bytes. */
    public static final long programmaticEvent_flags = 8;

    /** {@code int programmaticEvent_triggerAtBlockStart}, 4 bytes. */
    public static final long programmaticEvent_triggerAtBlockStart = 12;

    /** {@code struct { CUevent event; int flags; } launchCompletionEvent}, 16 bytes. */
    public static final long launchCompletionEvent = 0;

    /** {@code CUevent launchCompletionEvent_event}, 8 bytes. */
    public static final long launchCompletionEvent_event = 0;

    /** {@code int launchCompletionEvent_flags}, 4 bytes. */
    public static final long launchCompletionEvent_flags = 8;

    /** {@code int priority}, 4 bytes. */
    public static final long priority = 0;

    /** {@code CUlaunchMemSyncDomainMap memSyncDomainMap}, 2 bytes. */
    public static final long memSyncDomainMap = 0;

    /** {@code CUlaunchMemSyncDomain memSyncDomain}, 4 bytes. */
    public static final long memSyncDomain = 0;

    /** {@code struct { unsigned int x; unsigned int y; unsigned int z; } preferredClusterDim}, 12 bytes. */
    public static final long preferredClusterDim = 0;

    /** {@code unsigned int preferredClusterDim_x}, 4 bytes. */
    public static final long preferredClusterDim_x = 0;

    /** {@code unsigned int preferredClusterDim_y}, 4 bytes. */
    public static final long preferredClusterDim_y = 4;

    /** {@code unsigned int preferredClusterDim_z}, 4 bytes. */
    public static final long preferredClusterDim_z = 8;

    /** {@code struct { int deviceUpdatable; CUgraphDeviceNode devNode; } deviceUpdatableKernelNode}, 16 bytes. */
    public static final long deviceUpdatableKernelNode = 0;

    /** {@code int deviceUpdatableKernelNode_deviceUpdatable}, 4 bytes. */
    public static final long deviceUpdatableKernelNode_deviceUpdatable = 0;

    /** {@code CUgraphDeviceNode deviceUpdatableKernelNode_devNode}, 8 bytes. */
    public static final long deviceUpdatableKernelNode_devNode = 8;

    /** {@code unsigned int sharedMemCarveout}, 4 bytes. */
    public static final long sharedMemCarveout = 0;

    /** {@code unsigned int nvlinkUtilCentricScheduling}, 4 bytes. */
    public static final long nvlinkUtilCentricScheduling = 0;

    /** {@code CUlaunchAttributePortableClusterMode portableClusterSizeMode}, 4 bytes. */
    public static final long portableClusterSizeMode = 0;

    /** {@code CUsharedMemoryMode sharedMemoryMode}, 4 bytes. */
    public static final long sharedMemoryMode = 0;

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
