// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.reflect.Field;
import java.util.List;
import org.comm4j.ffi.cuda.CUlaunchAttribute;
import org.comm4j.ffi.cuda.CUlaunchAttributeValue;
import org.comm4j.ffi.cuda.CUlaunchConfig;
import org.comm4j.ffi.cuda.CUmemAccessDesc;
import org.comm4j.ffi.cuda.CUmemAllocationProp;
import org.comm4j.ffi.cuda.CUmemPoolProps;
import org.comm4j.ffi.nccl.NcclCollConfig;
import org.comm4j.ffi.nccl.NcclCommProperties;
import org.comm4j.ffi.nccl.NcclConfig;
import org.comm4j.ffi.nccl.NcclConfigExt;
import org.comm4j.ffi.nccl.NcclDevComm;
import org.comm4j.ffi.nccl.NcclDevCommRequirements;
import org.comm4j.ffi.nccl.NcclDevCommRequirementsV2_28_9;
import org.comm4j.ffi.nccl.NcclDevCommV2_28_9;
import org.comm4j.ffi.nccl.NcclDevCommV2_30_7;
import org.comm4j.ffi.nccl.NcclTeamRequirements;
import org.comm4j.ffi.nvshmem.CudaLaunchConfig;
import org.comm4j.ffi.nvshmem.Dim3;
import org.comm4j.ffi.nvshmem.NvshmemTeamConfig;
import org.comm4j.ffi.nvshmem.NvshmemxCollectiveLaunchAttr;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgs;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgsV3_4_5;
import org.comm4j.ffi.nvshmem.NvshmemxInitAttr;
import org.comm4j.ffi.nvshmem.NvshmemxRegionAttrs;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueid;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueidArgs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The linker's layouts agree with the offsets; comm4j-bindgen's tests compare those with the C compiler's. */
class StructLayoutTest {
    static final List<Class<?>> STRUCTS = List.of(
            CUlaunchAttribute.class,
            CUlaunchAttributeValue.class,
            CUlaunchConfig.class,
            CUmemAccessDesc.class,
            CUmemAllocationProp.class,
            CUmemPoolProps.class,
            NcclCollConfig.class,
            NcclCommProperties.class,
            NcclConfig.class,
            NcclConfigExt.class,
            NcclDevComm.class,
            NcclDevCommRequirements.class,
            NcclDevCommRequirementsV2_28_9.class,
            NcclDevCommV2_28_9.class,
            NcclDevCommV2_30_7.class,
            NcclTeamRequirements.class,
            CudaLaunchConfig.class,
            Dim3.class,
            NvshmemTeamConfig.class,
            NvshmemxCollectiveLaunchAttr.class,
            NvshmemxInitArgs.class,
            NvshmemxInitArgsV3_4_5.class,
            NvshmemxInitAttr.class,
            NvshmemxRegionAttrs.class,
            NvshmemxUniqueid.class,
            NvshmemxUniqueidArgs.class);

    @ParameterizedTest
    @FieldSource("STRUCTS")
    void layoutHasTheOffsets(Class<?> struct) throws ReflectiveOperationException {
        GroupLayout layout = (GroupLayout) struct.getField("LAYOUT").get(null);
        assertThat(layout.byteSize()).isEqualTo(struct.getField("BYTES").getLong(null));
        List<String> members = layout.memberLayouts().stream()
                .flatMap(member -> member.name().stream())
                .toList();
        assertThat(members).isNotEmpty();
        for (Field field : struct.getFields()) {
            if (members.contains(field.getName())) {
                assertThat(layout.byteOffset(PathElement.groupElement(field.getName())))
                        .as("%s", field)
                        .isEqualTo(field.getLong(null));
            }
        }
    }

    @Test
    void sizesByVersion() {
        assertThat(NcclConfig.bytes(22809)).isEqualTo(80);
        assertThat(NcclConfig.bytes(22902)).isEqualTo(80);
        assertThat(NcclConfig.bytes(23007)).isEqualTo(96);
        assertThat(NcclConfig.bytes(23203)).isEqualTo(NcclConfig.BYTES).isEqualTo(120);
        assertThat(NcclConfig.bytes(29999)).isEqualTo(120);
        assertThat(NcclDevCommRequirements.bytes(23007)).isEqualTo(96);
        assertThat(NcclDevCommRequirementsV2_28_9.BYTES).isEqualTo(56);
        assertThat(NcclDevCommV2_28_9.BYTES).isEqualTo(200);
        assertThat(NcclDevCommV2_30_7.BYTES).isEqualTo(240);
        assertThat(NcclDevComm.BYTES).isEqualTo(248);
    }
}
