target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (float, float, i8*)* @arithmetic_f32 to i8*)], section "llvm.metadata"

define void @arithmetic_f32(float %p.a, float %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = fadd float %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %v2 = getelementptr i8, i8* %p.out, i64 %v3
  %t0 = bitcast i8* %v2 to float*
  store float %v0, float* %t0, align 4
  %v5 = fsub float %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %v7 = getelementptr i8, i8* %p.out, i64 %v8
  %t1 = bitcast i8* %v7 to float*
  store float %v5, float* %t1, align 4
  %v10 = fmul float %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %v12 = getelementptr i8, i8* %p.out, i64 %v13
  %t2 = bitcast i8* %v12 to float*
  store float %v10, float* %t2, align 4
  %v15 = fdiv float %p.a, %p.b
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %v17 = getelementptr i8, i8* %p.out, i64 %v18
  %t3 = bitcast i8* %v17 to float*
  store float %v15, float* %t3, align 4
  %v20 = call float @__nv_fmodf(float %p.a, float %p.b)
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %v22 = getelementptr i8, i8* %p.out, i64 %v23
  %t4 = bitcast i8* %v22 to float*
  store float %v20, float* %t4, align 4
  %v25 = fsub float 0x8000000000000000, %p.a
  %v26 = sext i32 5 to i64
  %v28 = mul i64 %v26, 8
  %v27 = getelementptr i8, i8* %p.out, i64 %v28
  %t5 = bitcast i8* %v27 to float*
  store float %v25, float* %t5, align 4
  %v30 = fcmp oeq float %p.a, %p.b
  %v31 = sext i32 6 to i64
  %v33 = mul i64 %v31, 8
  %v32 = getelementptr i8, i8* %p.out, i64 %v33
  %t6 = zext i1 %v30 to i8
  %t7 = bitcast i8* %v32 to i8*
  store i8 %t6, i8* %t7, align 1
  %v35 = select i1 %v30, float %p.a, float %p.b
  %v36 = sext i32 7 to i64
  %v38 = mul i64 %v36, 8
  %v37 = getelementptr i8, i8* %p.out, i64 %v38
  %t8 = bitcast i8* %v37 to float*
  store float %v35, float* %t8, align 4
  %v40 = fcmp une float %p.a, %p.b
  %v41 = sext i32 8 to i64
  %v43 = mul i64 %v41, 8
  %v42 = getelementptr i8, i8* %p.out, i64 %v43
  %t9 = zext i1 %v40 to i8
  %t10 = bitcast i8* %v42 to i8*
  store i8 %t9, i8* %t10, align 1
  %v45 = select i1 %v40, float %p.a, float %p.b
  %v46 = sext i32 9 to i64
  %v48 = mul i64 %v46, 8
  %v47 = getelementptr i8, i8* %p.out, i64 %v48
  %t11 = bitcast i8* %v47 to float*
  store float %v45, float* %t11, align 4
  %v50 = fcmp olt float %p.a, %p.b
  %v51 = sext i32 10 to i64
  %v53 = mul i64 %v51, 8
  %v52 = getelementptr i8, i8* %p.out, i64 %v53
  %t12 = zext i1 %v50 to i8
  %t13 = bitcast i8* %v52 to i8*
  store i8 %t12, i8* %t13, align 1
  %v55 = select i1 %v50, float %p.a, float %p.b
  %v56 = sext i32 11 to i64
  %v58 = mul i64 %v56, 8
  %v57 = getelementptr i8, i8* %p.out, i64 %v58
  %t14 = bitcast i8* %v57 to float*
  store float %v55, float* %t14, align 4
  %v60 = fcmp ole float %p.a, %p.b
  %v61 = sext i32 12 to i64
  %v63 = mul i64 %v61, 8
  %v62 = getelementptr i8, i8* %p.out, i64 %v63
  %t15 = zext i1 %v60 to i8
  %t16 = bitcast i8* %v62 to i8*
  store i8 %t15, i8* %t16, align 1
  %v65 = select i1 %v60, float %p.a, float %p.b
  %v66 = sext i32 13 to i64
  %v68 = mul i64 %v66, 8
  %v67 = getelementptr i8, i8* %p.out, i64 %v68
  %t17 = bitcast i8* %v67 to float*
  store float %v65, float* %t17, align 4
  %v70 = fcmp ogt float %p.a, %p.b
  %v71 = sext i32 14 to i64
  %v73 = mul i64 %v71, 8
  %v72 = getelementptr i8, i8* %p.out, i64 %v73
  %t18 = zext i1 %v70 to i8
  %t19 = bitcast i8* %v72 to i8*
  store i8 %t18, i8* %t19, align 1
  %v75 = select i1 %v70, float %p.a, float %p.b
  %v76 = sext i32 15 to i64
  %v78 = mul i64 %v76, 8
  %v77 = getelementptr i8, i8* %p.out, i64 %v78
  %t20 = bitcast i8* %v77 to float*
  store float %v75, float* %t20, align 4
  %v80 = fcmp oge float %p.a, %p.b
  %v81 = sext i32 16 to i64
  %v83 = mul i64 %v81, 8
  %v82 = getelementptr i8, i8* %p.out, i64 %v83
  %t21 = zext i1 %v80 to i8
  %t22 = bitcast i8* %v82 to i8*
  store i8 %t21, i8* %t22, align 1
  %v85 = select i1 %v80, float %p.a, float %p.b
  %v86 = sext i32 17 to i64
  %v88 = mul i64 %v86, 8
  %v87 = getelementptr i8, i8* %p.out, i64 %v88
  %t23 = bitcast i8* %v87 to float*
  store float %v85, float* %t23, align 4
  %v90 = fcmp ult float %p.a, %p.b
  %v91 = sext i32 18 to i64
  %v93 = mul i64 %v91, 8
  %v92 = getelementptr i8, i8* %p.out, i64 %v93
  %t24 = zext i1 %v90 to i8
  %t25 = bitcast i8* %v92 to i8*
  store i8 %t24, i8* %t25, align 1
  %v95 = select i1 %v90, float %p.a, float %p.b
  %v96 = sext i32 19 to i64
  %v98 = mul i64 %v96, 8
  %v97 = getelementptr i8, i8* %p.out, i64 %v98
  %t26 = bitcast i8* %v97 to float*
  store float %v95, float* %t26, align 4
  %v100 = fcmp ule float %p.a, %p.b
  %v101 = sext i32 20 to i64
  %v103 = mul i64 %v101, 8
  %v102 = getelementptr i8, i8* %p.out, i64 %v103
  %t27 = zext i1 %v100 to i8
  %t28 = bitcast i8* %v102 to i8*
  store i8 %t27, i8* %t28, align 1
  %v105 = select i1 %v100, float %p.a, float %p.b
  %v106 = sext i32 21 to i64
  %v108 = mul i64 %v106, 8
  %v107 = getelementptr i8, i8* %p.out, i64 %v108
  %t29 = bitcast i8* %v107 to float*
  store float %v105, float* %t29, align 4
  %v110 = fcmp ugt float %p.a, %p.b
  %v111 = sext i32 22 to i64
  %v113 = mul i64 %v111, 8
  %v112 = getelementptr i8, i8* %p.out, i64 %v113
  %t30 = zext i1 %v110 to i8
  %t31 = bitcast i8* %v112 to i8*
  store i8 %t30, i8* %t31, align 1
  %v115 = select i1 %v110, float %p.a, float %p.b
  %v116 = sext i32 23 to i64
  %v118 = mul i64 %v116, 8
  %v117 = getelementptr i8, i8* %p.out, i64 %v118
  %t32 = bitcast i8* %v117 to float*
  store float %v115, float* %t32, align 4
  %v120 = fcmp uge float %p.a, %p.b
  %v121 = sext i32 24 to i64
  %v123 = mul i64 %v121, 8
  %v122 = getelementptr i8, i8* %p.out, i64 %v123
  %t33 = zext i1 %v120 to i8
  %t34 = bitcast i8* %v122 to i8*
  store i8 %t33, i8* %t34, align 1
  %v125 = select i1 %v120, float %p.a, float %p.b
  %v126 = sext i32 25 to i64
  %v128 = mul i64 %v126, 8
  %v127 = getelementptr i8, i8* %p.out, i64 %v128
  %t35 = bitcast i8* %v127 to float*
  store float %v125, float* %t35, align 4
  %t36 = fcmp ogt float %p.a, %p.b
  %t37 = fcmp ult float %p.a, %p.b
  %t38 = zext i1 %t36 to i32
  %t39 = zext i1 %t37 to i32
  %v130 = sub i32 %t38, %t39
  %v131 = sext i32 26 to i64
  %v133 = mul i64 %v131, 8
  %v132 = getelementptr i8, i8* %p.out, i64 %v133
  %t40 = bitcast i8* %v132 to i32*
  store i32 %v130, i32* %t40, align 4
  %t41 = fcmp ugt float %p.a, %p.b
  %t42 = fcmp olt float %p.a, %p.b
  %t43 = zext i1 %t41 to i32
  %t44 = zext i1 %t42 to i32
  %v135 = sub i32 %t43, %t44
  %v136 = sext i32 27 to i64
  %v138 = mul i64 %v136, 8
  %v137 = getelementptr i8, i8* %p.out, i64 %v138
  %t45 = bitcast i8* %v137 to i32*
  store i32 %v135, i32* %t45, align 4
  %t46 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t47 = fcmp uno float %p.a, 0x0000000000000000
  %t48 = select i1 %t47, i32 0, i32 %t46
  %v140 = trunc i32 %t48 to i8
  %v141 = sext i32 28 to i64
  %v143 = mul i64 %v141, 8
  %v142 = getelementptr i8, i8* %p.out, i64 %v143
  %t49 = bitcast i8* %v142 to i8*
  store i8 %v140, i8* %t49, align 1
  %t50 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t51 = fcmp uno float %p.a, 0x0000000000000000
  %t52 = select i1 %t51, i32 0, i32 %t50
  %v145 = trunc i32 %t52 to i16
  %v146 = sext i32 29 to i64
  %v148 = mul i64 %v146, 8
  %v147 = getelementptr i8, i8* %p.out, i64 %v148
  %t53 = bitcast i8* %v147 to i16*
  store i16 %v145, i16* %t53, align 2
  %t54 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t55 = fcmp uno float %p.a, 0x0000000000000000
  %v150 = select i1 %t55, i32 0, i32 %t54
  %v151 = sext i32 30 to i64
  %v153 = mul i64 %v151, 8
  %v152 = getelementptr i8, i8* %p.out, i64 %v153
  %t56 = bitcast i8* %v152 to i32*
  store i32 %v150, i32* %t56, align 4
  %t57 = call i64 @llvm.nvvm.f2ll.rz(float %p.a)
  %t58 = fcmp uno float %p.a, 0x0000000000000000
  %v155 = select i1 %t58, i64 0, i64 %t57
  %v156 = sext i32 31 to i64
  %v158 = mul i64 %v156, 8
  %v157 = getelementptr i8, i8* %p.out, i64 %v158
  %t59 = bitcast i8* %v157 to i64*
  store i64 %v155, i64* %t59, align 8
  %v160 = bitcast float %p.a to float
  %v161 = sext i32 32 to i64
  %v163 = mul i64 %v161, 8
  %v162 = getelementptr i8, i8* %p.out, i64 %v163
  %t60 = bitcast i8* %v162 to float*
  store float %v160, float* %t60, align 4
  %v165 = fpext float %p.a to double
  %v166 = sext i32 33 to i64
  %v168 = mul i64 %v166, 8
  %v167 = getelementptr i8, i8* %p.out, i64 %v168
  %t61 = bitcast i8* %v167 to double*
  store double %v165, double* %t61, align 8
  ret void
}

declare float @__nv_fmodf(float, float) nounwind readnone
declare i32 @llvm.nvvm.f2i.rz(float) readnone
declare i64 @llvm.nvvm.f2ll.rz(float) readnone

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (float, float, i8*)* @arithmetic_f32, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
