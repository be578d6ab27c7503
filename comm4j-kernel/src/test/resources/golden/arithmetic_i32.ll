target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32, i32, i8*)* @arithmetic_i32 to i8*)], section "llvm.metadata"

define void @arithmetic_i32(i32 %p.a, i32 %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = add i32 %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %v2 = getelementptr i8, i8* %p.out, i64 %v3
  %t0 = bitcast i8* %v2 to i32*
  store i32 %v0, i32* %t0, align 4
  %v5 = sub i32 %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %v7 = getelementptr i8, i8* %p.out, i64 %v8
  %t1 = bitcast i8* %v7 to i32*
  store i32 %v5, i32* %t1, align 4
  %v10 = mul i32 %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %v12 = getelementptr i8, i8* %p.out, i64 %v13
  %t2 = bitcast i8* %v12 to i32*
  store i32 %v10, i32* %t2, align 4
  %t3 = add i32 %p.b, 1
  %t4 = icmp ult i32 %t3, 2
  %t5 = select i1 %t4, i32 1, i32 %p.b
  %t6 = sdiv i32 %p.a, %t5
  %t7 = mul i32 %p.a, %p.b
  %v15 = select i1 %t4, i32 %t7, i32 %t6
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %v17 = getelementptr i8, i8* %p.out, i64 %v18
  %t8 = bitcast i8* %v17 to i32*
  store i32 %v15, i32* %t8, align 4
  %t9 = add i32 %p.b, 1
  %t10 = icmp ult i32 %t9, 2
  %t11 = select i1 %t10, i32 1, i32 %p.b
  %v20 = srem i32 %p.a, %t11
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %v22 = getelementptr i8, i8* %p.out, i64 %v23
  %t12 = bitcast i8* %v22 to i32*
  store i32 %v20, i32* %t12, align 4
  %t13 = and i32 %p.b, 31
  %v25 = shl i32 %p.a, %t13
  %v26 = sext i32 5 to i64
  %v28 = mul i64 %v26, 8
  %v27 = getelementptr i8, i8* %p.out, i64 %v28
  %t14 = bitcast i8* %v27 to i32*
  store i32 %v25, i32* %t14, align 4
  %v30 = shl i32 %p.a, 1
  %v31 = sext i32 6 to i64
  %v33 = mul i64 %v31, 8
  %v32 = getelementptr i8, i8* %p.out, i64 %v33
  %t15 = bitcast i8* %v32 to i32*
  store i32 %v30, i32* %t15, align 4
  %t16 = and i32 %p.b, 31
  %v35 = ashr i32 %p.a, %t16
  %v36 = sext i32 7 to i64
  %v38 = mul i64 %v36, 8
  %v37 = getelementptr i8, i8* %p.out, i64 %v38
  %t17 = bitcast i8* %v37 to i32*
  store i32 %v35, i32* %t17, align 4
  %v40 = ashr i32 %p.a, 1
  %v41 = sext i32 8 to i64
  %v43 = mul i64 %v41, 8
  %v42 = getelementptr i8, i8* %p.out, i64 %v43
  %t18 = bitcast i8* %v42 to i32*
  store i32 %v40, i32* %t18, align 4
  %t19 = and i32 %p.b, 31
  %v45 = lshr i32 %p.a, %t19
  %v46 = sext i32 9 to i64
  %v48 = mul i64 %v46, 8
  %v47 = getelementptr i8, i8* %p.out, i64 %v48
  %t20 = bitcast i8* %v47 to i32*
  store i32 %v45, i32* %t20, align 4
  %v50 = lshr i32 %p.a, 1
  %v51 = sext i32 10 to i64
  %v53 = mul i64 %v51, 8
  %v52 = getelementptr i8, i8* %p.out, i64 %v53
  %t21 = bitcast i8* %v52 to i32*
  store i32 %v50, i32* %t21, align 4
  %v55 = and i32 %p.a, %p.b
  %v56 = sext i32 11 to i64
  %v58 = mul i64 %v56, 8
  %v57 = getelementptr i8, i8* %p.out, i64 %v58
  %t22 = bitcast i8* %v57 to i32*
  store i32 %v55, i32* %t22, align 4
  %v60 = or i32 %p.a, %p.b
  %v61 = sext i32 12 to i64
  %v63 = mul i64 %v61, 8
  %v62 = getelementptr i8, i8* %p.out, i64 %v63
  %t23 = bitcast i8* %v62 to i32*
  store i32 %v60, i32* %t23, align 4
  %v65 = xor i32 %p.a, %p.b
  %v66 = sext i32 13 to i64
  %v68 = mul i64 %v66, 8
  %v67 = getelementptr i8, i8* %p.out, i64 %v68
  %t24 = bitcast i8* %v67 to i32*
  store i32 %v65, i32* %t24, align 4
  %v70 = sub i32 0, %p.a
  %v71 = sext i32 14 to i64
  %v73 = mul i64 %v71, 8
  %v72 = getelementptr i8, i8* %p.out, i64 %v73
  %t25 = bitcast i8* %v72 to i32*
  store i32 %v70, i32* %t25, align 4
  %v75 = icmp eq i32 %p.a, %p.b
  %v76 = sext i32 15 to i64
  %v78 = mul i64 %v76, 8
  %v77 = getelementptr i8, i8* %p.out, i64 %v78
  %t26 = zext i1 %v75 to i8
  %t27 = bitcast i8* %v77 to i8*
  store i8 %t26, i8* %t27, align 1
  %v80 = select i1 %v75, i32 %p.a, i32 %p.b
  %v81 = sext i32 16 to i64
  %v83 = mul i64 %v81, 8
  %v82 = getelementptr i8, i8* %p.out, i64 %v83
  %t28 = bitcast i8* %v82 to i32*
  store i32 %v80, i32* %t28, align 4
  %v85 = icmp ne i32 %p.a, %p.b
  %v86 = sext i32 17 to i64
  %v88 = mul i64 %v86, 8
  %v87 = getelementptr i8, i8* %p.out, i64 %v88
  %t29 = zext i1 %v85 to i8
  %t30 = bitcast i8* %v87 to i8*
  store i8 %t29, i8* %t30, align 1
  %v90 = select i1 %v85, i32 %p.a, i32 %p.b
  %v91 = sext i32 18 to i64
  %v93 = mul i64 %v91, 8
  %v92 = getelementptr i8, i8* %p.out, i64 %v93
  %t31 = bitcast i8* %v92 to i32*
  store i32 %v90, i32* %t31, align 4
  %v95 = icmp slt i32 %p.a, %p.b
  %v96 = sext i32 19 to i64
  %v98 = mul i64 %v96, 8
  %v97 = getelementptr i8, i8* %p.out, i64 %v98
  %t32 = zext i1 %v95 to i8
  %t33 = bitcast i8* %v97 to i8*
  store i8 %t32, i8* %t33, align 1
  %v100 = select i1 %v95, i32 %p.a, i32 %p.b
  %v101 = sext i32 20 to i64
  %v103 = mul i64 %v101, 8
  %v102 = getelementptr i8, i8* %p.out, i64 %v103
  %t34 = bitcast i8* %v102 to i32*
  store i32 %v100, i32* %t34, align 4
  %v105 = icmp sle i32 %p.a, %p.b
  %v106 = sext i32 21 to i64
  %v108 = mul i64 %v106, 8
  %v107 = getelementptr i8, i8* %p.out, i64 %v108
  %t35 = zext i1 %v105 to i8
  %t36 = bitcast i8* %v107 to i8*
  store i8 %t35, i8* %t36, align 1
  %v110 = select i1 %v105, i32 %p.a, i32 %p.b
  %v111 = sext i32 22 to i64
  %v113 = mul i64 %v111, 8
  %v112 = getelementptr i8, i8* %p.out, i64 %v113
  %t37 = bitcast i8* %v112 to i32*
  store i32 %v110, i32* %t37, align 4
  %v115 = icmp sgt i32 %p.a, %p.b
  %v116 = sext i32 23 to i64
  %v118 = mul i64 %v116, 8
  %v117 = getelementptr i8, i8* %p.out, i64 %v118
  %t38 = zext i1 %v115 to i8
  %t39 = bitcast i8* %v117 to i8*
  store i8 %t38, i8* %t39, align 1
  %v120 = select i1 %v115, i32 %p.a, i32 %p.b
  %v121 = sext i32 24 to i64
  %v123 = mul i64 %v121, 8
  %v122 = getelementptr i8, i8* %p.out, i64 %v123
  %t40 = bitcast i8* %v122 to i32*
  store i32 %v120, i32* %t40, align 4
  %v125 = icmp sge i32 %p.a, %p.b
  %v126 = sext i32 25 to i64
  %v128 = mul i64 %v126, 8
  %v127 = getelementptr i8, i8* %p.out, i64 %v128
  %t41 = zext i1 %v125 to i8
  %t42 = bitcast i8* %v127 to i8*
  store i8 %t41, i8* %t42, align 1
  %v130 = select i1 %v125, i32 %p.a, i32 %p.b
  %v131 = sext i32 26 to i64
  %v133 = mul i64 %v131, 8
  %v132 = getelementptr i8, i8* %p.out, i64 %v133
  %t43 = bitcast i8* %v132 to i32*
  store i32 %v130, i32* %t43, align 4
  %t44 = icmp sgt i32 %p.a, %p.b
  %t45 = icmp slt i32 %p.a, %p.b
  %t46 = zext i1 %t44 to i32
  %t47 = zext i1 %t45 to i32
  %v135 = sub i32 %t46, %t47
  %v136 = sext i32 27 to i64
  %v138 = mul i64 %v136, 8
  %v137 = getelementptr i8, i8* %p.out, i64 %v138
  %t48 = bitcast i8* %v137 to i32*
  store i32 %v135, i32* %t48, align 4
  %v140 = trunc i32 %p.a to i8
  %v141 = sext i32 28 to i64
  %v143 = mul i64 %v141, 8
  %v142 = getelementptr i8, i8* %p.out, i64 %v143
  %t49 = bitcast i8* %v142 to i8*
  store i8 %v140, i8* %t49, align 1
  %v145 = trunc i32 %p.a to i16
  %v146 = sext i32 29 to i64
  %v148 = mul i64 %v146, 8
  %v147 = getelementptr i8, i8* %p.out, i64 %v148
  %t50 = bitcast i8* %v147 to i16*
  store i16 %v145, i16* %t50, align 2
  %v150 = bitcast i32 %p.a to i32
  %v151 = sext i32 30 to i64
  %v153 = mul i64 %v151, 8
  %v152 = getelementptr i8, i8* %p.out, i64 %v153
  %t51 = bitcast i8* %v152 to i32*
  store i32 %v150, i32* %t51, align 4
  %v155 = sext i32 %p.a to i64
  %v156 = sext i32 31 to i64
  %v158 = mul i64 %v156, 8
  %v157 = getelementptr i8, i8* %p.out, i64 %v158
  %t52 = bitcast i8* %v157 to i64*
  store i64 %v155, i64* %t52, align 8
  %v160 = sitofp i32 %p.a to float
  %v161 = sext i32 32 to i64
  %v163 = mul i64 %v161, 8
  %v162 = getelementptr i8, i8* %p.out, i64 %v163
  %t53 = bitcast i8* %v162 to float*
  store float %v160, float* %t53, align 4
  %v165 = sitofp i32 %p.a to double
  %v166 = sext i32 33 to i64
  %v168 = mul i64 %v166, 8
  %v167 = getelementptr i8, i8* %p.out, i64 %v168
  %t54 = bitcast i8* %v167 to double*
  store double %v165, double* %t54, align 8
  ret void
}


!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i32, i32, i8*)* @arithmetic_i32, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
