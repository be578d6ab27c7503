target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (float, float, i8*)* @arithmetic_f32 to i8*)], section "llvm.metadata"

define void @arithmetic_f32(float %p.a, float %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = fadd float %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %t0 = bitcast i8* %p.out to [8 x i8]*
  %t1 = getelementptr [8 x i8], [8 x i8]* %t0, i64 %v1
  %v2 = bitcast [8 x i8]* %t1 to i8*
  %t2 = bitcast i8* %v2 to float*
  store float %v0, float* %t2, align 4
  %v5 = fsub float %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %t3 = bitcast i8* %p.out to [8 x i8]*
  %t4 = getelementptr [8 x i8], [8 x i8]* %t3, i64 %v6
  %v7 = bitcast [8 x i8]* %t4 to i8*
  %t5 = bitcast i8* %v7 to float*
  store float %v5, float* %t5, align 4
  %v10 = fmul float %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %t6 = bitcast i8* %p.out to [8 x i8]*
  %t7 = getelementptr [8 x i8], [8 x i8]* %t6, i64 %v11
  %v12 = bitcast [8 x i8]* %t7 to i8*
  %t8 = bitcast i8* %v12 to float*
  store float %v10, float* %t8, align 4
  %v15 = fdiv float %p.a, %p.b
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %t9 = bitcast i8* %p.out to [8 x i8]*
  %t10 = getelementptr [8 x i8], [8 x i8]* %t9, i64 %v16
  %v17 = bitcast [8 x i8]* %t10 to i8*
  %t11 = bitcast i8* %v17 to float*
  store float %v15, float* %t11, align 4
  %v20 = call float @__nv_fmodf(float %p.a, float %p.b)
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %t12 = bitcast i8* %p.out to [8 x i8]*
  %t13 = getelementptr [8 x i8], [8 x i8]* %t12, i64 %v21
  %v22 = bitcast [8 x i8]* %t13 to i8*
  %t14 = bitcast i8* %v22 to float*
  store float %v20, float* %t14, align 4
  %v25 = fsub float 0x8000000000000000, %p.a
  %v26 = sext i32 5 to i64
  %v28 = mul i64 %v26, 8
  %t15 = bitcast i8* %p.out to [8 x i8]*
  %t16 = getelementptr [8 x i8], [8 x i8]* %t15, i64 %v26
  %v27 = bitcast [8 x i8]* %t16 to i8*
  %t17 = bitcast i8* %v27 to float*
  store float %v25, float* %t17, align 4
  %v30 = fcmp oeq float %p.a, %p.b
  %v31 = sext i32 6 to i64
  %v33 = mul i64 %v31, 8
  %t18 = bitcast i8* %p.out to [8 x i8]*
  %t19 = getelementptr [8 x i8], [8 x i8]* %t18, i64 %v31
  %v32 = bitcast [8 x i8]* %t19 to i8*
  %t20 = zext i1 %v30 to i8
  %t21 = bitcast i8* %v32 to i8*
  store i8 %t20, i8* %t21, align 1
  %v35 = select i1 %v30, float %p.a, float %p.b
  %v36 = sext i32 7 to i64
  %v38 = mul i64 %v36, 8
  %t22 = bitcast i8* %p.out to [8 x i8]*
  %t23 = getelementptr [8 x i8], [8 x i8]* %t22, i64 %v36
  %v37 = bitcast [8 x i8]* %t23 to i8*
  %t24 = bitcast i8* %v37 to float*
  store float %v35, float* %t24, align 4
  %v40 = fcmp une float %p.a, %p.b
  %v41 = sext i32 8 to i64
  %v43 = mul i64 %v41, 8
  %t25 = bitcast i8* %p.out to [8 x i8]*
  %t26 = getelementptr [8 x i8], [8 x i8]* %t25, i64 %v41
  %v42 = bitcast [8 x i8]* %t26 to i8*
  %t27 = zext i1 %v40 to i8
  %t28 = bitcast i8* %v42 to i8*
  store i8 %t27, i8* %t28, align 1
  %v45 = select i1 %v40, float %p.a, float %p.b
  %v46 = sext i32 9 to i64
  %v48 = mul i64 %v46, 8
  %t29 = bitcast i8* %p.out to [8 x i8]*
  %t30 = getelementptr [8 x i8], [8 x i8]* %t29, i64 %v46
  %v47 = bitcast [8 x i8]* %t30 to i8*
  %t31 = bitcast i8* %v47 to float*
  store float %v45, float* %t31, align 4
  %v50 = fcmp olt float %p.a, %p.b
  %v51 = sext i32 10 to i64
  %v53 = mul i64 %v51, 8
  %t32 = bitcast i8* %p.out to [8 x i8]*
  %t33 = getelementptr [8 x i8], [8 x i8]* %t32, i64 %v51
  %v52 = bitcast [8 x i8]* %t33 to i8*
  %t34 = zext i1 %v50 to i8
  %t35 = bitcast i8* %v52 to i8*
  store i8 %t34, i8* %t35, align 1
  %v55 = select i1 %v50, float %p.a, float %p.b
  %v56 = sext i32 11 to i64
  %v58 = mul i64 %v56, 8
  %t36 = bitcast i8* %p.out to [8 x i8]*
  %t37 = getelementptr [8 x i8], [8 x i8]* %t36, i64 %v56
  %v57 = bitcast [8 x i8]* %t37 to i8*
  %t38 = bitcast i8* %v57 to float*
  store float %v55, float* %t38, align 4
  %v60 = fcmp ole float %p.a, %p.b
  %v61 = sext i32 12 to i64
  %v63 = mul i64 %v61, 8
  %t39 = bitcast i8* %p.out to [8 x i8]*
  %t40 = getelementptr [8 x i8], [8 x i8]* %t39, i64 %v61
  %v62 = bitcast [8 x i8]* %t40 to i8*
  %t41 = zext i1 %v60 to i8
  %t42 = bitcast i8* %v62 to i8*
  store i8 %t41, i8* %t42, align 1
  %v65 = select i1 %v60, float %p.a, float %p.b
  %v66 = sext i32 13 to i64
  %v68 = mul i64 %v66, 8
  %t43 = bitcast i8* %p.out to [8 x i8]*
  %t44 = getelementptr [8 x i8], [8 x i8]* %t43, i64 %v66
  %v67 = bitcast [8 x i8]* %t44 to i8*
  %t45 = bitcast i8* %v67 to float*
  store float %v65, float* %t45, align 4
  %v70 = fcmp ogt float %p.a, %p.b
  %v71 = sext i32 14 to i64
  %v73 = mul i64 %v71, 8
  %t46 = bitcast i8* %p.out to [8 x i8]*
  %t47 = getelementptr [8 x i8], [8 x i8]* %t46, i64 %v71
  %v72 = bitcast [8 x i8]* %t47 to i8*
  %t48 = zext i1 %v70 to i8
  %t49 = bitcast i8* %v72 to i8*
  store i8 %t48, i8* %t49, align 1
  %v75 = select i1 %v70, float %p.a, float %p.b
  %v76 = sext i32 15 to i64
  %v78 = mul i64 %v76, 8
  %t50 = bitcast i8* %p.out to [8 x i8]*
  %t51 = getelementptr [8 x i8], [8 x i8]* %t50, i64 %v76
  %v77 = bitcast [8 x i8]* %t51 to i8*
  %t52 = bitcast i8* %v77 to float*
  store float %v75, float* %t52, align 4
  %v80 = fcmp oge float %p.a, %p.b
  %v81 = sext i32 16 to i64
  %v83 = mul i64 %v81, 8
  %t53 = bitcast i8* %p.out to [8 x i8]*
  %t54 = getelementptr [8 x i8], [8 x i8]* %t53, i64 %v81
  %v82 = bitcast [8 x i8]* %t54 to i8*
  %t55 = zext i1 %v80 to i8
  %t56 = bitcast i8* %v82 to i8*
  store i8 %t55, i8* %t56, align 1
  %v85 = select i1 %v80, float %p.a, float %p.b
  %v86 = sext i32 17 to i64
  %v88 = mul i64 %v86, 8
  %t57 = bitcast i8* %p.out to [8 x i8]*
  %t58 = getelementptr [8 x i8], [8 x i8]* %t57, i64 %v86
  %v87 = bitcast [8 x i8]* %t58 to i8*
  %t59 = bitcast i8* %v87 to float*
  store float %v85, float* %t59, align 4
  %v90 = fcmp ult float %p.a, %p.b
  %v91 = sext i32 18 to i64
  %v93 = mul i64 %v91, 8
  %t60 = bitcast i8* %p.out to [8 x i8]*
  %t61 = getelementptr [8 x i8], [8 x i8]* %t60, i64 %v91
  %v92 = bitcast [8 x i8]* %t61 to i8*
  %t62 = zext i1 %v90 to i8
  %t63 = bitcast i8* %v92 to i8*
  store i8 %t62, i8* %t63, align 1
  %v95 = select i1 %v90, float %p.a, float %p.b
  %v96 = sext i32 19 to i64
  %v98 = mul i64 %v96, 8
  %t64 = bitcast i8* %p.out to [8 x i8]*
  %t65 = getelementptr [8 x i8], [8 x i8]* %t64, i64 %v96
  %v97 = bitcast [8 x i8]* %t65 to i8*
  %t66 = bitcast i8* %v97 to float*
  store float %v95, float* %t66, align 4
  %v100 = fcmp ule float %p.a, %p.b
  %v101 = sext i32 20 to i64
  %v103 = mul i64 %v101, 8
  %t67 = bitcast i8* %p.out to [8 x i8]*
  %t68 = getelementptr [8 x i8], [8 x i8]* %t67, i64 %v101
  %v102 = bitcast [8 x i8]* %t68 to i8*
  %t69 = zext i1 %v100 to i8
  %t70 = bitcast i8* %v102 to i8*
  store i8 %t69, i8* %t70, align 1
  %v105 = select i1 %v100, float %p.a, float %p.b
  %v106 = sext i32 21 to i64
  %v108 = mul i64 %v106, 8
  %t71 = bitcast i8* %p.out to [8 x i8]*
  %t72 = getelementptr [8 x i8], [8 x i8]* %t71, i64 %v106
  %v107 = bitcast [8 x i8]* %t72 to i8*
  %t73 = bitcast i8* %v107 to float*
  store float %v105, float* %t73, align 4
  %v110 = fcmp ugt float %p.a, %p.b
  %v111 = sext i32 22 to i64
  %v113 = mul i64 %v111, 8
  %t74 = bitcast i8* %p.out to [8 x i8]*
  %t75 = getelementptr [8 x i8], [8 x i8]* %t74, i64 %v111
  %v112 = bitcast [8 x i8]* %t75 to i8*
  %t76 = zext i1 %v110 to i8
  %t77 = bitcast i8* %v112 to i8*
  store i8 %t76, i8* %t77, align 1
  %v115 = select i1 %v110, float %p.a, float %p.b
  %v116 = sext i32 23 to i64
  %v118 = mul i64 %v116, 8
  %t78 = bitcast i8* %p.out to [8 x i8]*
  %t79 = getelementptr [8 x i8], [8 x i8]* %t78, i64 %v116
  %v117 = bitcast [8 x i8]* %t79 to i8*
  %t80 = bitcast i8* %v117 to float*
  store float %v115, float* %t80, align 4
  %v120 = fcmp uge float %p.a, %p.b
  %v121 = sext i32 24 to i64
  %v123 = mul i64 %v121, 8
  %t81 = bitcast i8* %p.out to [8 x i8]*
  %t82 = getelementptr [8 x i8], [8 x i8]* %t81, i64 %v121
  %v122 = bitcast [8 x i8]* %t82 to i8*
  %t83 = zext i1 %v120 to i8
  %t84 = bitcast i8* %v122 to i8*
  store i8 %t83, i8* %t84, align 1
  %v125 = select i1 %v120, float %p.a, float %p.b
  %v126 = sext i32 25 to i64
  %v128 = mul i64 %v126, 8
  %t85 = bitcast i8* %p.out to [8 x i8]*
  %t86 = getelementptr [8 x i8], [8 x i8]* %t85, i64 %v126
  %v127 = bitcast [8 x i8]* %t86 to i8*
  %t87 = bitcast i8* %v127 to float*
  store float %v125, float* %t87, align 4
  %t88 = fcmp ogt float %p.a, %p.b
  %t89 = fcmp ult float %p.a, %p.b
  %t90 = zext i1 %t88 to i32
  %t91 = zext i1 %t89 to i32
  %v130 = sub i32 %t90, %t91
  %v131 = sext i32 26 to i64
  %v133 = mul i64 %v131, 8
  %t92 = bitcast i8* %p.out to [8 x i8]*
  %t93 = getelementptr [8 x i8], [8 x i8]* %t92, i64 %v131
  %v132 = bitcast [8 x i8]* %t93 to i8*
  %t94 = bitcast i8* %v132 to i32*
  store i32 %v130, i32* %t94, align 4
  %t95 = fcmp ugt float %p.a, %p.b
  %t96 = fcmp olt float %p.a, %p.b
  %t97 = zext i1 %t95 to i32
  %t98 = zext i1 %t96 to i32
  %v135 = sub i32 %t97, %t98
  %v136 = sext i32 27 to i64
  %v138 = mul i64 %v136, 8
  %t99 = bitcast i8* %p.out to [8 x i8]*
  %t100 = getelementptr [8 x i8], [8 x i8]* %t99, i64 %v136
  %v137 = bitcast [8 x i8]* %t100 to i8*
  %t101 = bitcast i8* %v137 to i32*
  store i32 %v135, i32* %t101, align 4
  %t102 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t103 = fcmp uno float %p.a, 0x0000000000000000
  %t104 = select i1 %t103, i32 0, i32 %t102
  %v140 = trunc i32 %t104 to i8
  %v141 = sext i32 28 to i64
  %v143 = mul i64 %v141, 8
  %t105 = bitcast i8* %p.out to [8 x i8]*
  %t106 = getelementptr [8 x i8], [8 x i8]* %t105, i64 %v141
  %v142 = bitcast [8 x i8]* %t106 to i8*
  %t107 = bitcast i8* %v142 to i8*
  store i8 %v140, i8* %t107, align 1
  %t108 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t109 = fcmp uno float %p.a, 0x0000000000000000
  %t110 = select i1 %t109, i32 0, i32 %t108
  %v145 = trunc i32 %t110 to i16
  %v146 = sext i32 29 to i64
  %v148 = mul i64 %v146, 8
  %t111 = bitcast i8* %p.out to [8 x i8]*
  %t112 = getelementptr [8 x i8], [8 x i8]* %t111, i64 %v146
  %v147 = bitcast [8 x i8]* %t112 to i8*
  %t113 = bitcast i8* %v147 to i16*
  store i16 %v145, i16* %t113, align 2
  %t114 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
  %t115 = fcmp uno float %p.a, 0x0000000000000000
  %v150 = select i1 %t115, i32 0, i32 %t114
  %v151 = sext i32 30 to i64
  %v153 = mul i64 %v151, 8
  %t116 = bitcast i8* %p.out to [8 x i8]*
  %t117 = getelementptr [8 x i8], [8 x i8]* %t116, i64 %v151
  %v152 = bitcast [8 x i8]* %t117 to i8*
  %t118 = bitcast i8* %v152 to i32*
  store i32 %v150, i32* %t118, align 4
  %t119 = call i64 @llvm.nvvm.f2ll.rz(float %p.a)
  %t120 = fcmp uno float %p.a, 0x0000000000000000
  %v155 = select i1 %t120, i64 0, i64 %t119
  %v156 = sext i32 31 to i64
  %v158 = mul i64 %v156, 8
  %t121 = bitcast i8* %p.out to [8 x i8]*
  %t122 = getelementptr [8 x i8], [8 x i8]* %t121, i64 %v156
  %v157 = bitcast [8 x i8]* %t122 to i8*
  %t123 = bitcast i8* %v157 to i64*
  store i64 %v155, i64* %t123, align 8
  %v160 = bitcast float %p.a to float
  %v161 = sext i32 32 to i64
  %v163 = mul i64 %v161, 8
  %t124 = bitcast i8* %p.out to [8 x i8]*
  %t125 = getelementptr [8 x i8], [8 x i8]* %t124, i64 %v161
  %v162 = bitcast [8 x i8]* %t125 to i8*
  %t126 = bitcast i8* %v162 to float*
  store float %v160, float* %t126, align 4
  %v165 = fpext float %p.a to double
  %v166 = sext i32 33 to i64
  %v168 = mul i64 %v166, 8
  %t127 = bitcast i8* %p.out to [8 x i8]*
  %t128 = getelementptr [8 x i8], [8 x i8]* %t127, i64 %v166
  %v167 = bitcast [8 x i8]* %t128 to i8*
  %t129 = bitcast i8* %v167 to double*
  store double %v165, double* %t129, align 8
  ret void
}

declare float @__nv_fmodf(float, float) nounwind readnone
declare i32 @llvm.nvvm.f2i.rz(float) readnone
declare i64 @llvm.nvvm.f2ll.rz(float) readnone

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (float, float, i8*)* @arithmetic_f32, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
