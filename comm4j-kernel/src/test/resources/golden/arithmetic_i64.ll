target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i64, i64, i8*)* @arithmetic_i64 to i8*)], section "llvm.metadata"

define void @arithmetic_i64(i64 %p.a, i64 %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = add i64 %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %t0 = bitcast i8* %p.out to [8 x i8]*
  %t1 = getelementptr [8 x i8], [8 x i8]* %t0, i64 %v1
  %v2 = bitcast [8 x i8]* %t1 to i8*
  %t2 = bitcast i8* %v2 to i64*
  store i64 %v0, i64* %t2, align 8
  %v5 = sub i64 %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %t3 = bitcast i8* %p.out to [8 x i8]*
  %t4 = getelementptr [8 x i8], [8 x i8]* %t3, i64 %v6
  %v7 = bitcast [8 x i8]* %t4 to i8*
  %t5 = bitcast i8* %v7 to i64*
  store i64 %v5, i64* %t5, align 8
  %v10 = mul i64 %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %t6 = bitcast i8* %p.out to [8 x i8]*
  %t7 = getelementptr [8 x i8], [8 x i8]* %t6, i64 %v11
  %v12 = bitcast [8 x i8]* %t7 to i8*
  %t8 = bitcast i8* %v12 to i64*
  store i64 %v10, i64* %t8, align 8
  %t9 = add i64 %p.b, 1
  %t10 = icmp ult i64 %t9, 2
  %t11 = select i1 %t10, i64 1, i64 %p.b
  %t12 = sdiv i64 %p.a, %t11
  %t13 = mul i64 %p.a, %p.b
  %v15 = select i1 %t10, i64 %t13, i64 %t12
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %t14 = bitcast i8* %p.out to [8 x i8]*
  %t15 = getelementptr [8 x i8], [8 x i8]* %t14, i64 %v16
  %v17 = bitcast [8 x i8]* %t15 to i8*
  %t16 = bitcast i8* %v17 to i64*
  store i64 %v15, i64* %t16, align 8
  %t17 = add i64 %p.b, 1
  %t18 = icmp ult i64 %t17, 2
  %t19 = select i1 %t18, i64 1, i64 %p.b
  %v20 = srem i64 %p.a, %t19
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %t20 = bitcast i8* %p.out to [8 x i8]*
  %t21 = getelementptr [8 x i8], [8 x i8]* %t20, i64 %v21
  %v22 = bitcast [8 x i8]* %t21 to i8*
  %t22 = bitcast i8* %v22 to i64*
  store i64 %v20, i64* %t22, align 8
  %v25 = trunc i64 %p.b to i32
  %t23 = and i32 %v25, 63
  %t24 = zext i32 %t23 to i64
  %v26 = shl i64 %p.a, %t24
  %v27 = sext i32 5 to i64
  %v29 = mul i64 %v27, 8
  %t25 = bitcast i8* %p.out to [8 x i8]*
  %t26 = getelementptr [8 x i8], [8 x i8]* %t25, i64 %v27
  %v28 = bitcast [8 x i8]* %t26 to i8*
  %t27 = bitcast i8* %v28 to i64*
  store i64 %v26, i64* %t27, align 8
  %v31 = shl i64 %p.a, 33
  %v32 = sext i32 6 to i64
  %v34 = mul i64 %v32, 8
  %t28 = bitcast i8* %p.out to [8 x i8]*
  %t29 = getelementptr [8 x i8], [8 x i8]* %t28, i64 %v32
  %v33 = bitcast [8 x i8]* %t29 to i8*
  %t30 = bitcast i8* %v33 to i64*
  store i64 %v31, i64* %t30, align 8
  %v36 = trunc i64 %p.b to i32
  %t31 = and i32 %v36, 63
  %t32 = zext i32 %t31 to i64
  %v37 = ashr i64 %p.a, %t32
  %v38 = sext i32 7 to i64
  %v40 = mul i64 %v38, 8
  %t33 = bitcast i8* %p.out to [8 x i8]*
  %t34 = getelementptr [8 x i8], [8 x i8]* %t33, i64 %v38
  %v39 = bitcast [8 x i8]* %t34 to i8*
  %t35 = bitcast i8* %v39 to i64*
  store i64 %v37, i64* %t35, align 8
  %v42 = ashr i64 %p.a, 33
  %v43 = sext i32 8 to i64
  %v45 = mul i64 %v43, 8
  %t36 = bitcast i8* %p.out to [8 x i8]*
  %t37 = getelementptr [8 x i8], [8 x i8]* %t36, i64 %v43
  %v44 = bitcast [8 x i8]* %t37 to i8*
  %t38 = bitcast i8* %v44 to i64*
  store i64 %v42, i64* %t38, align 8
  %v47 = trunc i64 %p.b to i32
  %t39 = and i32 %v47, 63
  %t40 = zext i32 %t39 to i64
  %v48 = lshr i64 %p.a, %t40
  %v49 = sext i32 9 to i64
  %v51 = mul i64 %v49, 8
  %t41 = bitcast i8* %p.out to [8 x i8]*
  %t42 = getelementptr [8 x i8], [8 x i8]* %t41, i64 %v49
  %v50 = bitcast [8 x i8]* %t42 to i8*
  %t43 = bitcast i8* %v50 to i64*
  store i64 %v48, i64* %t43, align 8
  %v53 = lshr i64 %p.a, 33
  %v54 = sext i32 10 to i64
  %v56 = mul i64 %v54, 8
  %t44 = bitcast i8* %p.out to [8 x i8]*
  %t45 = getelementptr [8 x i8], [8 x i8]* %t44, i64 %v54
  %v55 = bitcast [8 x i8]* %t45 to i8*
  %t46 = bitcast i8* %v55 to i64*
  store i64 %v53, i64* %t46, align 8
  %v58 = and i64 %p.a, %p.b
  %v59 = sext i32 11 to i64
  %v61 = mul i64 %v59, 8
  %t47 = bitcast i8* %p.out to [8 x i8]*
  %t48 = getelementptr [8 x i8], [8 x i8]* %t47, i64 %v59
  %v60 = bitcast [8 x i8]* %t48 to i8*
  %t49 = bitcast i8* %v60 to i64*
  store i64 %v58, i64* %t49, align 8
  %v63 = or i64 %p.a, %p.b
  %v64 = sext i32 12 to i64
  %v66 = mul i64 %v64, 8
  %t50 = bitcast i8* %p.out to [8 x i8]*
  %t51 = getelementptr [8 x i8], [8 x i8]* %t50, i64 %v64
  %v65 = bitcast [8 x i8]* %t51 to i8*
  %t52 = bitcast i8* %v65 to i64*
  store i64 %v63, i64* %t52, align 8
  %v68 = xor i64 %p.a, %p.b
  %v69 = sext i32 13 to i64
  %v71 = mul i64 %v69, 8
  %t53 = bitcast i8* %p.out to [8 x i8]*
  %t54 = getelementptr [8 x i8], [8 x i8]* %t53, i64 %v69
  %v70 = bitcast [8 x i8]* %t54 to i8*
  %t55 = bitcast i8* %v70 to i64*
  store i64 %v68, i64* %t55, align 8
  %v73 = sub i64 0, %p.a
  %v74 = sext i32 14 to i64
  %v76 = mul i64 %v74, 8
  %t56 = bitcast i8* %p.out to [8 x i8]*
  %t57 = getelementptr [8 x i8], [8 x i8]* %t56, i64 %v74
  %v75 = bitcast [8 x i8]* %t57 to i8*
  %t58 = bitcast i8* %v75 to i64*
  store i64 %v73, i64* %t58, align 8
  %v78 = icmp eq i64 %p.a, %p.b
  %v79 = sext i32 15 to i64
  %v81 = mul i64 %v79, 8
  %t59 = bitcast i8* %p.out to [8 x i8]*
  %t60 = getelementptr [8 x i8], [8 x i8]* %t59, i64 %v79
  %v80 = bitcast [8 x i8]* %t60 to i8*
  %t61 = zext i1 %v78 to i8
  %t62 = bitcast i8* %v80 to i8*
  store i8 %t61, i8* %t62, align 1
  %v83 = select i1 %v78, i64 %p.a, i64 %p.b
  %v84 = sext i32 16 to i64
  %v86 = mul i64 %v84, 8
  %t63 = bitcast i8* %p.out to [8 x i8]*
  %t64 = getelementptr [8 x i8], [8 x i8]* %t63, i64 %v84
  %v85 = bitcast [8 x i8]* %t64 to i8*
  %t65 = bitcast i8* %v85 to i64*
  store i64 %v83, i64* %t65, align 8
  %v88 = icmp ne i64 %p.a, %p.b
  %v89 = sext i32 17 to i64
  %v91 = mul i64 %v89, 8
  %t66 = bitcast i8* %p.out to [8 x i8]*
  %t67 = getelementptr [8 x i8], [8 x i8]* %t66, i64 %v89
  %v90 = bitcast [8 x i8]* %t67 to i8*
  %t68 = zext i1 %v88 to i8
  %t69 = bitcast i8* %v90 to i8*
  store i8 %t68, i8* %t69, align 1
  %v93 = select i1 %v88, i64 %p.a, i64 %p.b
  %v94 = sext i32 18 to i64
  %v96 = mul i64 %v94, 8
  %t70 = bitcast i8* %p.out to [8 x i8]*
  %t71 = getelementptr [8 x i8], [8 x i8]* %t70, i64 %v94
  %v95 = bitcast [8 x i8]* %t71 to i8*
  %t72 = bitcast i8* %v95 to i64*
  store i64 %v93, i64* %t72, align 8
  %v98 = icmp slt i64 %p.a, %p.b
  %v99 = sext i32 19 to i64
  %v101 = mul i64 %v99, 8
  %t73 = bitcast i8* %p.out to [8 x i8]*
  %t74 = getelementptr [8 x i8], [8 x i8]* %t73, i64 %v99
  %v100 = bitcast [8 x i8]* %t74 to i8*
  %t75 = zext i1 %v98 to i8
  %t76 = bitcast i8* %v100 to i8*
  store i8 %t75, i8* %t76, align 1
  %v103 = select i1 %v98, i64 %p.a, i64 %p.b
  %v104 = sext i32 20 to i64
  %v106 = mul i64 %v104, 8
  %t77 = bitcast i8* %p.out to [8 x i8]*
  %t78 = getelementptr [8 x i8], [8 x i8]* %t77, i64 %v104
  %v105 = bitcast [8 x i8]* %t78 to i8*
  %t79 = bitcast i8* %v105 to i64*
  store i64 %v103, i64* %t79, align 8
  %v108 = icmp sle i64 %p.a, %p.b
  %v109 = sext i32 21 to i64
  %v111 = mul i64 %v109, 8
  %t80 = bitcast i8* %p.out to [8 x i8]*
  %t81 = getelementptr [8 x i8], [8 x i8]* %t80, i64 %v109
  %v110 = bitcast [8 x i8]* %t81 to i8*
  %t82 = zext i1 %v108 to i8
  %t83 = bitcast i8* %v110 to i8*
  store i8 %t82, i8* %t83, align 1
  %v113 = select i1 %v108, i64 %p.a, i64 %p.b
  %v114 = sext i32 22 to i64
  %v116 = mul i64 %v114, 8
  %t84 = bitcast i8* %p.out to [8 x i8]*
  %t85 = getelementptr [8 x i8], [8 x i8]* %t84, i64 %v114
  %v115 = bitcast [8 x i8]* %t85 to i8*
  %t86 = bitcast i8* %v115 to i64*
  store i64 %v113, i64* %t86, align 8
  %v118 = icmp sgt i64 %p.a, %p.b
  %v119 = sext i32 23 to i64
  %v121 = mul i64 %v119, 8
  %t87 = bitcast i8* %p.out to [8 x i8]*
  %t88 = getelementptr [8 x i8], [8 x i8]* %t87, i64 %v119
  %v120 = bitcast [8 x i8]* %t88 to i8*
  %t89 = zext i1 %v118 to i8
  %t90 = bitcast i8* %v120 to i8*
  store i8 %t89, i8* %t90, align 1
  %v123 = select i1 %v118, i64 %p.a, i64 %p.b
  %v124 = sext i32 24 to i64
  %v126 = mul i64 %v124, 8
  %t91 = bitcast i8* %p.out to [8 x i8]*
  %t92 = getelementptr [8 x i8], [8 x i8]* %t91, i64 %v124
  %v125 = bitcast [8 x i8]* %t92 to i8*
  %t93 = bitcast i8* %v125 to i64*
  store i64 %v123, i64* %t93, align 8
  %v128 = icmp sge i64 %p.a, %p.b
  %v129 = sext i32 25 to i64
  %v131 = mul i64 %v129, 8
  %t94 = bitcast i8* %p.out to [8 x i8]*
  %t95 = getelementptr [8 x i8], [8 x i8]* %t94, i64 %v129
  %v130 = bitcast [8 x i8]* %t95 to i8*
  %t96 = zext i1 %v128 to i8
  %t97 = bitcast i8* %v130 to i8*
  store i8 %t96, i8* %t97, align 1
  %v133 = select i1 %v128, i64 %p.a, i64 %p.b
  %v134 = sext i32 26 to i64
  %v136 = mul i64 %v134, 8
  %t98 = bitcast i8* %p.out to [8 x i8]*
  %t99 = getelementptr [8 x i8], [8 x i8]* %t98, i64 %v134
  %v135 = bitcast [8 x i8]* %t99 to i8*
  %t100 = bitcast i8* %v135 to i64*
  store i64 %v133, i64* %t100, align 8
  %t101 = icmp sgt i64 %p.a, %p.b
  %t102 = icmp slt i64 %p.a, %p.b
  %t103 = zext i1 %t101 to i32
  %t104 = zext i1 %t102 to i32
  %v138 = sub i32 %t103, %t104
  %v139 = sext i32 27 to i64
  %v141 = mul i64 %v139, 8
  %t105 = bitcast i8* %p.out to [8 x i8]*
  %t106 = getelementptr [8 x i8], [8 x i8]* %t105, i64 %v139
  %v140 = bitcast [8 x i8]* %t106 to i8*
  %t107 = bitcast i8* %v140 to i32*
  store i32 %v138, i32* %t107, align 4
  %v143 = trunc i64 %p.a to i8
  %v144 = sext i32 28 to i64
  %v146 = mul i64 %v144, 8
  %t108 = bitcast i8* %p.out to [8 x i8]*
  %t109 = getelementptr [8 x i8], [8 x i8]* %t108, i64 %v144
  %v145 = bitcast [8 x i8]* %t109 to i8*
  %t110 = bitcast i8* %v145 to i8*
  store i8 %v143, i8* %t110, align 1
  %v148 = trunc i64 %p.a to i16
  %v149 = sext i32 29 to i64
  %v151 = mul i64 %v149, 8
  %t111 = bitcast i8* %p.out to [8 x i8]*
  %t112 = getelementptr [8 x i8], [8 x i8]* %t111, i64 %v149
  %v150 = bitcast [8 x i8]* %t112 to i8*
  %t113 = bitcast i8* %v150 to i16*
  store i16 %v148, i16* %t113, align 2
  %v153 = trunc i64 %p.a to i32
  %v154 = sext i32 30 to i64
  %v156 = mul i64 %v154, 8
  %t114 = bitcast i8* %p.out to [8 x i8]*
  %t115 = getelementptr [8 x i8], [8 x i8]* %t114, i64 %v154
  %v155 = bitcast [8 x i8]* %t115 to i8*
  %t116 = bitcast i8* %v155 to i32*
  store i32 %v153, i32* %t116, align 4
  %v158 = bitcast i64 %p.a to i64
  %v159 = sext i32 31 to i64
  %v161 = mul i64 %v159, 8
  %t117 = bitcast i8* %p.out to [8 x i8]*
  %t118 = getelementptr [8 x i8], [8 x i8]* %t117, i64 %v159
  %v160 = bitcast [8 x i8]* %t118 to i8*
  %t119 = bitcast i8* %v160 to i64*
  store i64 %v158, i64* %t119, align 8
  %v163 = sitofp i64 %p.a to float
  %v164 = sext i32 32 to i64
  %v166 = mul i64 %v164, 8
  %t120 = bitcast i8* %p.out to [8 x i8]*
  %t121 = getelementptr [8 x i8], [8 x i8]* %t120, i64 %v164
  %v165 = bitcast [8 x i8]* %t121 to i8*
  %t122 = bitcast i8* %v165 to float*
  store float %v163, float* %t122, align 4
  %v168 = sitofp i64 %p.a to double
  %v169 = sext i32 33 to i64
  %v171 = mul i64 %v169, 8
  %t123 = bitcast i8* %p.out to [8 x i8]*
  %t124 = getelementptr [8 x i8], [8 x i8]* %t123, i64 %v169
  %v170 = bitcast [8 x i8]* %t124 to i8*
  %t125 = bitcast i8* %v170 to double*
  store double %v168, double* %t125, align 8
  ret void
}


!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i64, i64, i8*)* @arithmetic_i64, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
