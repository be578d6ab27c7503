target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i64, i64, i8*)* @arithmetic_i64 to i8*)], section "llvm.metadata"

define void @arithmetic_i64(i64 %p.a, i64 %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = add i64 %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %v2 = getelementptr i8, i8* %p.out, i64 %v3
  %t0 = bitcast i8* %v2 to i64*
  store i64 %v0, i64* %t0, align 8
  %v5 = sub i64 %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %v7 = getelementptr i8, i8* %p.out, i64 %v8
  %t1 = bitcast i8* %v7 to i64*
  store i64 %v5, i64* %t1, align 8
  %v10 = mul i64 %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %v12 = getelementptr i8, i8* %p.out, i64 %v13
  %t2 = bitcast i8* %v12 to i64*
  store i64 %v10, i64* %t2, align 8
  %t3 = add i64 %p.b, 1
  %t4 = icmp ult i64 %t3, 2
  %t5 = select i1 %t4, i64 1, i64 %p.b
  %t6 = sdiv i64 %p.a, %t5
  %t7 = mul i64 %p.a, %p.b
  %v15 = select i1 %t4, i64 %t7, i64 %t6
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %v17 = getelementptr i8, i8* %p.out, i64 %v18
  %t8 = bitcast i8* %v17 to i64*
  store i64 %v15, i64* %t8, align 8
  %t9 = add i64 %p.b, 1
  %t10 = icmp ult i64 %t9, 2
  %t11 = select i1 %t10, i64 1, i64 %p.b
  %v20 = srem i64 %p.a, %t11
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %v22 = getelementptr i8, i8* %p.out, i64 %v23
  %t12 = bitcast i8* %v22 to i64*
  store i64 %v20, i64* %t12, align 8
  %v25 = trunc i64 %p.b to i32
  %t13 = and i32 %v25, 63
  %t14 = zext i32 %t13 to i64
  %v26 = shl i64 %p.a, %t14
  %v27 = sext i32 5 to i64
  %v29 = mul i64 %v27, 8
  %v28 = getelementptr i8, i8* %p.out, i64 %v29
  %t15 = bitcast i8* %v28 to i64*
  store i64 %v26, i64* %t15, align 8
  %v31 = shl i64 %p.a, 33
  %v32 = sext i32 6 to i64
  %v34 = mul i64 %v32, 8
  %v33 = getelementptr i8, i8* %p.out, i64 %v34
  %t16 = bitcast i8* %v33 to i64*
  store i64 %v31, i64* %t16, align 8
  %v36 = trunc i64 %p.b to i32
  %t17 = and i32 %v36, 63
  %t18 = zext i32 %t17 to i64
  %v37 = ashr i64 %p.a, %t18
  %v38 = sext i32 7 to i64
  %v40 = mul i64 %v38, 8
  %v39 = getelementptr i8, i8* %p.out, i64 %v40
  %t19 = bitcast i8* %v39 to i64*
  store i64 %v37, i64* %t19, align 8
  %v42 = ashr i64 %p.a, 33
  %v43 = sext i32 8 to i64
  %v45 = mul i64 %v43, 8
  %v44 = getelementptr i8, i8* %p.out, i64 %v45
  %t20 = bitcast i8* %v44 to i64*
  store i64 %v42, i64* %t20, align 8
  %v47 = trunc i64 %p.b to i32
  %t21 = and i32 %v47, 63
  %t22 = zext i32 %t21 to i64
  %v48 = lshr i64 %p.a, %t22
  %v49 = sext i32 9 to i64
  %v51 = mul i64 %v49, 8
  %v50 = getelementptr i8, i8* %p.out, i64 %v51
  %t23 = bitcast i8* %v50 to i64*
  store i64 %v48, i64* %t23, align 8
  %v53 = lshr i64 %p.a, 33
  %v54 = sext i32 10 to i64
  %v56 = mul i64 %v54, 8
  %v55 = getelementptr i8, i8* %p.out, i64 %v56
  %t24 = bitcast i8* %v55 to i64*
  store i64 %v53, i64* %t24, align 8
  %v58 = and i64 %p.a, %p.b
  %v59 = sext i32 11 to i64
  %v61 = mul i64 %v59, 8
  %v60 = getelementptr i8, i8* %p.out, i64 %v61
  %t25 = bitcast i8* %v60 to i64*
  store i64 %v58, i64* %t25, align 8
  %v63 = or i64 %p.a, %p.b
  %v64 = sext i32 12 to i64
  %v66 = mul i64 %v64, 8
  %v65 = getelementptr i8, i8* %p.out, i64 %v66
  %t26 = bitcast i8* %v65 to i64*
  store i64 %v63, i64* %t26, align 8
  %v68 = xor i64 %p.a, %p.b
  %v69 = sext i32 13 to i64
  %v71 = mul i64 %v69, 8
  %v70 = getelementptr i8, i8* %p.out, i64 %v71
  %t27 = bitcast i8* %v70 to i64*
  store i64 %v68, i64* %t27, align 8
  %v73 = sub i64 0, %p.a
  %v74 = sext i32 14 to i64
  %v76 = mul i64 %v74, 8
  %v75 = getelementptr i8, i8* %p.out, i64 %v76
  %t28 = bitcast i8* %v75 to i64*
  store i64 %v73, i64* %t28, align 8
  %v78 = icmp eq i64 %p.a, %p.b
  %v79 = sext i32 15 to i64
  %v81 = mul i64 %v79, 8
  %v80 = getelementptr i8, i8* %p.out, i64 %v81
  %t29 = zext i1 %v78 to i8
  %t30 = bitcast i8* %v80 to i8*
  store i8 %t29, i8* %t30, align 1
  %v83 = select i1 %v78, i64 %p.a, i64 %p.b
  %v84 = sext i32 16 to i64
  %v86 = mul i64 %v84, 8
  %v85 = getelementptr i8, i8* %p.out, i64 %v86
  %t31 = bitcast i8* %v85 to i64*
  store i64 %v83, i64* %t31, align 8
  %v88 = icmp ne i64 %p.a, %p.b
  %v89 = sext i32 17 to i64
  %v91 = mul i64 %v89, 8
  %v90 = getelementptr i8, i8* %p.out, i64 %v91
  %t32 = zext i1 %v88 to i8
  %t33 = bitcast i8* %v90 to i8*
  store i8 %t32, i8* %t33, align 1
  %v93 = select i1 %v88, i64 %p.a, i64 %p.b
  %v94 = sext i32 18 to i64
  %v96 = mul i64 %v94, 8
  %v95 = getelementptr i8, i8* %p.out, i64 %v96
  %t34 = bitcast i8* %v95 to i64*
  store i64 %v93, i64* %t34, align 8
  %v98 = icmp slt i64 %p.a, %p.b
  %v99 = sext i32 19 to i64
  %v101 = mul i64 %v99, 8
  %v100 = getelementptr i8, i8* %p.out, i64 %v101
  %t35 = zext i1 %v98 to i8
  %t36 = bitcast i8* %v100 to i8*
  store i8 %t35, i8* %t36, align 1
  %v103 = select i1 %v98, i64 %p.a, i64 %p.b
  %v104 = sext i32 20 to i64
  %v106 = mul i64 %v104, 8
  %v105 = getelementptr i8, i8* %p.out, i64 %v106
  %t37 = bitcast i8* %v105 to i64*
  store i64 %v103, i64* %t37, align 8
  %v108 = icmp sle i64 %p.a, %p.b
  %v109 = sext i32 21 to i64
  %v111 = mul i64 %v109, 8
  %v110 = getelementptr i8, i8* %p.out, i64 %v111
  %t38 = zext i1 %v108 to i8
  %t39 = bitcast i8* %v110 to i8*
  store i8 %t38, i8* %t39, align 1
  %v113 = select i1 %v108, i64 %p.a, i64 %p.b
  %v114 = sext i32 22 to i64
  %v116 = mul i64 %v114, 8
  %v115 = getelementptr i8, i8* %p.out, i64 %v116
  %t40 = bitcast i8* %v115 to i64*
  store i64 %v113, i64* %t40, align 8
  %v118 = icmp sgt i64 %p.a, %p.b
  %v119 = sext i32 23 to i64
  %v121 = mul i64 %v119, 8
  %v120 = getelementptr i8, i8* %p.out, i64 %v121
  %t41 = zext i1 %v118 to i8
  %t42 = bitcast i8* %v120 to i8*
  store i8 %t41, i8* %t42, align 1
  %v123 = select i1 %v118, i64 %p.a, i64 %p.b
  %v124 = sext i32 24 to i64
  %v126 = mul i64 %v124, 8
  %v125 = getelementptr i8, i8* %p.out, i64 %v126
  %t43 = bitcast i8* %v125 to i64*
  store i64 %v123, i64* %t43, align 8
  %v128 = icmp sge i64 %p.a, %p.b
  %v129 = sext i32 25 to i64
  %v131 = mul i64 %v129, 8
  %v130 = getelementptr i8, i8* %p.out, i64 %v131
  %t44 = zext i1 %v128 to i8
  %t45 = bitcast i8* %v130 to i8*
  store i8 %t44, i8* %t45, align 1
  %v133 = select i1 %v128, i64 %p.a, i64 %p.b
  %v134 = sext i32 26 to i64
  %v136 = mul i64 %v134, 8
  %v135 = getelementptr i8, i8* %p.out, i64 %v136
  %t46 = bitcast i8* %v135 to i64*
  store i64 %v133, i64* %t46, align 8
  %t47 = icmp sgt i64 %p.a, %p.b
  %t48 = icmp slt i64 %p.a, %p.b
  %t49 = zext i1 %t47 to i32
  %t50 = zext i1 %t48 to i32
  %v138 = sub i32 %t49, %t50
  %v139 = sext i32 27 to i64
  %v141 = mul i64 %v139, 8
  %v140 = getelementptr i8, i8* %p.out, i64 %v141
  %t51 = bitcast i8* %v140 to i32*
  store i32 %v138, i32* %t51, align 4
  %v143 = trunc i64 %p.a to i8
  %v144 = sext i32 28 to i64
  %v146 = mul i64 %v144, 8
  %v145 = getelementptr i8, i8* %p.out, i64 %v146
  %t52 = bitcast i8* %v145 to i8*
  store i8 %v143, i8* %t52, align 1
  %v148 = trunc i64 %p.a to i16
  %v149 = sext i32 29 to i64
  %v151 = mul i64 %v149, 8
  %v150 = getelementptr i8, i8* %p.out, i64 %v151
  %t53 = bitcast i8* %v150 to i16*
  store i16 %v148, i16* %t53, align 2
  %v153 = trunc i64 %p.a to i32
  %v154 = sext i32 30 to i64
  %v156 = mul i64 %v154, 8
  %v155 = getelementptr i8, i8* %p.out, i64 %v156
  %t54 = bitcast i8* %v155 to i32*
  store i32 %v153, i32* %t54, align 4
  %v158 = bitcast i64 %p.a to i64
  %v159 = sext i32 31 to i64
  %v161 = mul i64 %v159, 8
  %v160 = getelementptr i8, i8* %p.out, i64 %v161
  %t55 = bitcast i8* %v160 to i64*
  store i64 %v158, i64* %t55, align 8
  %v163 = sitofp i64 %p.a to float
  %v164 = sext i32 32 to i64
  %v166 = mul i64 %v164, 8
  %v165 = getelementptr i8, i8* %p.out, i64 %v166
  %t56 = bitcast i8* %v165 to float*
  store float %v163, float* %t56, align 4
  %v168 = sitofp i64 %p.a to double
  %v169 = sext i32 33 to i64
  %v171 = mul i64 %v169, 8
  %v170 = getelementptr i8, i8* %p.out, i64 %v171
  %t57 = bitcast i8* %v170 to double*
  store double %v168, double* %t57, align 8
  ret void
}


!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i64, i64, i8*)* @arithmetic_i64, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
