target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@string.0 = internal unnamed_addr addrspace(1) constant [41 x i8] c"java.lang.ArithmeticException: / by zero\00", align 1
@string.1 = internal unnamed_addr addrspace(1) constant [7 x i8] c"T.java\00", align 1
@string.2 = internal unnamed_addr addrspace(1) constant [17 x i8] c"T.arithmetic_i32\00", align 1
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32, i32, i8*)* @arithmetic_i32 to i8*)], section "llvm.metadata"

define void @arithmetic_i32(i32 %p.a, i32 %p.b, i8* %p.out) nounwind convergent {
b.entry:
  %v0 = add i32 %p.a, %p.b
  %v1 = sext i32 0 to i64
  %v3 = mul i64 %v1, 8
  %t0 = bitcast i8* %p.out to [8 x i8]*
  %t1 = getelementptr [8 x i8], [8 x i8]* %t0, i64 %v1
  %v2 = bitcast [8 x i8]* %t1 to i8*
  %t2 = bitcast i8* %v2 to i32*
  store i32 %v0, i32* %t2, align 4
  %v5 = sub i32 %p.a, %p.b
  %v6 = sext i32 1 to i64
  %v8 = mul i64 %v6, 8
  %t3 = bitcast i8* %p.out to [8 x i8]*
  %t4 = getelementptr [8 x i8], [8 x i8]* %t3, i64 %v6
  %v7 = bitcast [8 x i8]* %t4 to i8*
  %t5 = bitcast i8* %v7 to i32*
  store i32 %v5, i32* %t5, align 4
  %v10 = mul i32 %p.a, %p.b
  %v11 = sext i32 2 to i64
  %v13 = mul i64 %v11, 8
  %t6 = bitcast i8* %p.out to [8 x i8]*
  %t7 = getelementptr [8 x i8], [8 x i8]* %t6, i64 %v11
  %v12 = bitcast [8 x i8]* %t7 to i8*
  %t8 = bitcast i8* %v12 to i32*
  store i32 %v10, i32* %t8, align 4
  %t9 = icmp eq i32 %p.b, 0
  br i1 %t9, label %zero10, label %divide10
zero10:
  call void @__assertfail(i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([41 x i8], [41 x i8] addrspace(1)* @string.0, i64 0, i64 0) to i8*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([7 x i8], [7 x i8] addrspace(1)* @string.1, i64 0, i64 0) to i8*), i32 10, i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([17 x i8], [17 x i8] addrspace(1)* @string.2, i64 0, i64 0) to i8*), i64 1)
  call void asm sideeffect "exit;", ""() noreturn nounwind
  unreachable
divide10:
  %t11 = add i32 %p.b, 1
  %t12 = icmp ult i32 %t11, 2
  %t13 = select i1 %t12, i32 1, i32 %p.b
  %t14 = sdiv i32 %p.a, %t13
  %t15 = mul i32 %p.a, %p.b
  %v15 = select i1 %t12, i32 %t15, i32 %t14
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %t16 = bitcast i8* %p.out to [8 x i8]*
  %t17 = getelementptr [8 x i8], [8 x i8]* %t16, i64 %v16
  %v17 = bitcast [8 x i8]* %t17 to i8*
  %t18 = bitcast i8* %v17 to i32*
  store i32 %v15, i32* %t18, align 4
  %t19 = icmp eq i32 %p.b, 0
  br i1 %t19, label %zero20, label %divide20
zero20:
  call void @__assertfail(i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([41 x i8], [41 x i8] addrspace(1)* @string.0, i64 0, i64 0) to i8*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([7 x i8], [7 x i8] addrspace(1)* @string.1, i64 0, i64 0) to i8*), i32 10, i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([17 x i8], [17 x i8] addrspace(1)* @string.2, i64 0, i64 0) to i8*), i64 1)
  call void asm sideeffect "exit;", ""() noreturn nounwind
  unreachable
divide20:
  %t21 = add i32 %p.b, 1
  %t22 = icmp ult i32 %t21, 2
  %t23 = select i1 %t22, i32 1, i32 %p.b
  %v20 = srem i32 %p.a, %t23
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %t24 = bitcast i8* %p.out to [8 x i8]*
  %t25 = getelementptr [8 x i8], [8 x i8]* %t24, i64 %v21
  %v22 = bitcast [8 x i8]* %t25 to i8*
  %t26 = bitcast i8* %v22 to i32*
  store i32 %v20, i32* %t26, align 4
  %t27 = and i32 %p.b, 31
  %v25 = shl i32 %p.a, %t27
  %v26 = sext i32 5 to i64
  %v28 = mul i64 %v26, 8
  %t28 = bitcast i8* %p.out to [8 x i8]*
  %t29 = getelementptr [8 x i8], [8 x i8]* %t28, i64 %v26
  %v27 = bitcast [8 x i8]* %t29 to i8*
  %t30 = bitcast i8* %v27 to i32*
  store i32 %v25, i32* %t30, align 4
  %v30 = shl i32 %p.a, 1
  %v31 = sext i32 6 to i64
  %v33 = mul i64 %v31, 8
  %t31 = bitcast i8* %p.out to [8 x i8]*
  %t32 = getelementptr [8 x i8], [8 x i8]* %t31, i64 %v31
  %v32 = bitcast [8 x i8]* %t32 to i8*
  %t33 = bitcast i8* %v32 to i32*
  store i32 %v30, i32* %t33, align 4
  %t34 = and i32 %p.b, 31
  %v35 = ashr i32 %p.a, %t34
  %v36 = sext i32 7 to i64
  %v38 = mul i64 %v36, 8
  %t35 = bitcast i8* %p.out to [8 x i8]*
  %t36 = getelementptr [8 x i8], [8 x i8]* %t35, i64 %v36
  %v37 = bitcast [8 x i8]* %t36 to i8*
  %t37 = bitcast i8* %v37 to i32*
  store i32 %v35, i32* %t37, align 4
  %v40 = ashr i32 %p.a, 1
  %v41 = sext i32 8 to i64
  %v43 = mul i64 %v41, 8
  %t38 = bitcast i8* %p.out to [8 x i8]*
  %t39 = getelementptr [8 x i8], [8 x i8]* %t38, i64 %v41
  %v42 = bitcast [8 x i8]* %t39 to i8*
  %t40 = bitcast i8* %v42 to i32*
  store i32 %v40, i32* %t40, align 4
  %t41 = and i32 %p.b, 31
  %v45 = lshr i32 %p.a, %t41
  %v46 = sext i32 9 to i64
  %v48 = mul i64 %v46, 8
  %t42 = bitcast i8* %p.out to [8 x i8]*
  %t43 = getelementptr [8 x i8], [8 x i8]* %t42, i64 %v46
  %v47 = bitcast [8 x i8]* %t43 to i8*
  %t44 = bitcast i8* %v47 to i32*
  store i32 %v45, i32* %t44, align 4
  %v50 = lshr i32 %p.a, 1
  %v51 = sext i32 10 to i64
  %v53 = mul i64 %v51, 8
  %t45 = bitcast i8* %p.out to [8 x i8]*
  %t46 = getelementptr [8 x i8], [8 x i8]* %t45, i64 %v51
  %v52 = bitcast [8 x i8]* %t46 to i8*
  %t47 = bitcast i8* %v52 to i32*
  store i32 %v50, i32* %t47, align 4
  %v55 = and i32 %p.a, %p.b
  %v56 = sext i32 11 to i64
  %v58 = mul i64 %v56, 8
  %t48 = bitcast i8* %p.out to [8 x i8]*
  %t49 = getelementptr [8 x i8], [8 x i8]* %t48, i64 %v56
  %v57 = bitcast [8 x i8]* %t49 to i8*
  %t50 = bitcast i8* %v57 to i32*
  store i32 %v55, i32* %t50, align 4
  %v60 = or i32 %p.a, %p.b
  %v61 = sext i32 12 to i64
  %v63 = mul i64 %v61, 8
  %t51 = bitcast i8* %p.out to [8 x i8]*
  %t52 = getelementptr [8 x i8], [8 x i8]* %t51, i64 %v61
  %v62 = bitcast [8 x i8]* %t52 to i8*
  %t53 = bitcast i8* %v62 to i32*
  store i32 %v60, i32* %t53, align 4
  %v65 = xor i32 %p.a, %p.b
  %v66 = sext i32 13 to i64
  %v68 = mul i64 %v66, 8
  %t54 = bitcast i8* %p.out to [8 x i8]*
  %t55 = getelementptr [8 x i8], [8 x i8]* %t54, i64 %v66
  %v67 = bitcast [8 x i8]* %t55 to i8*
  %t56 = bitcast i8* %v67 to i32*
  store i32 %v65, i32* %t56, align 4
  %v70 = sub i32 0, %p.a
  %v71 = sext i32 14 to i64
  %v73 = mul i64 %v71, 8
  %t57 = bitcast i8* %p.out to [8 x i8]*
  %t58 = getelementptr [8 x i8], [8 x i8]* %t57, i64 %v71
  %v72 = bitcast [8 x i8]* %t58 to i8*
  %t59 = bitcast i8* %v72 to i32*
  store i32 %v70, i32* %t59, align 4
  %v75 = icmp eq i32 %p.a, %p.b
  %v76 = sext i32 15 to i64
  %v78 = mul i64 %v76, 8
  %t60 = bitcast i8* %p.out to [8 x i8]*
  %t61 = getelementptr [8 x i8], [8 x i8]* %t60, i64 %v76
  %v77 = bitcast [8 x i8]* %t61 to i8*
  %t62 = zext i1 %v75 to i8
  %t63 = bitcast i8* %v77 to i8*
  store i8 %t62, i8* %t63, align 1
  %v80 = select i1 %v75, i32 %p.a, i32 %p.b
  %v81 = sext i32 16 to i64
  %v83 = mul i64 %v81, 8
  %t64 = bitcast i8* %p.out to [8 x i8]*
  %t65 = getelementptr [8 x i8], [8 x i8]* %t64, i64 %v81
  %v82 = bitcast [8 x i8]* %t65 to i8*
  %t66 = bitcast i8* %v82 to i32*
  store i32 %v80, i32* %t66, align 4
  %v85 = icmp ne i32 %p.a, %p.b
  %v86 = sext i32 17 to i64
  %v88 = mul i64 %v86, 8
  %t67 = bitcast i8* %p.out to [8 x i8]*
  %t68 = getelementptr [8 x i8], [8 x i8]* %t67, i64 %v86
  %v87 = bitcast [8 x i8]* %t68 to i8*
  %t69 = zext i1 %v85 to i8
  %t70 = bitcast i8* %v87 to i8*
  store i8 %t69, i8* %t70, align 1
  %v90 = select i1 %v85, i32 %p.a, i32 %p.b
  %v91 = sext i32 18 to i64
  %v93 = mul i64 %v91, 8
  %t71 = bitcast i8* %p.out to [8 x i8]*
  %t72 = getelementptr [8 x i8], [8 x i8]* %t71, i64 %v91
  %v92 = bitcast [8 x i8]* %t72 to i8*
  %t73 = bitcast i8* %v92 to i32*
  store i32 %v90, i32* %t73, align 4
  %v95 = icmp slt i32 %p.a, %p.b
  %v96 = sext i32 19 to i64
  %v98 = mul i64 %v96, 8
  %t74 = bitcast i8* %p.out to [8 x i8]*
  %t75 = getelementptr [8 x i8], [8 x i8]* %t74, i64 %v96
  %v97 = bitcast [8 x i8]* %t75 to i8*
  %t76 = zext i1 %v95 to i8
  %t77 = bitcast i8* %v97 to i8*
  store i8 %t76, i8* %t77, align 1
  %v100 = select i1 %v95, i32 %p.a, i32 %p.b
  %v101 = sext i32 20 to i64
  %v103 = mul i64 %v101, 8
  %t78 = bitcast i8* %p.out to [8 x i8]*
  %t79 = getelementptr [8 x i8], [8 x i8]* %t78, i64 %v101
  %v102 = bitcast [8 x i8]* %t79 to i8*
  %t80 = bitcast i8* %v102 to i32*
  store i32 %v100, i32* %t80, align 4
  %v105 = icmp sle i32 %p.a, %p.b
  %v106 = sext i32 21 to i64
  %v108 = mul i64 %v106, 8
  %t81 = bitcast i8* %p.out to [8 x i8]*
  %t82 = getelementptr [8 x i8], [8 x i8]* %t81, i64 %v106
  %v107 = bitcast [8 x i8]* %t82 to i8*
  %t83 = zext i1 %v105 to i8
  %t84 = bitcast i8* %v107 to i8*
  store i8 %t83, i8* %t84, align 1
  %v110 = select i1 %v105, i32 %p.a, i32 %p.b
  %v111 = sext i32 22 to i64
  %v113 = mul i64 %v111, 8
  %t85 = bitcast i8* %p.out to [8 x i8]*
  %t86 = getelementptr [8 x i8], [8 x i8]* %t85, i64 %v111
  %v112 = bitcast [8 x i8]* %t86 to i8*
  %t87 = bitcast i8* %v112 to i32*
  store i32 %v110, i32* %t87, align 4
  %v115 = icmp sgt i32 %p.a, %p.b
  %v116 = sext i32 23 to i64
  %v118 = mul i64 %v116, 8
  %t88 = bitcast i8* %p.out to [8 x i8]*
  %t89 = getelementptr [8 x i8], [8 x i8]* %t88, i64 %v116
  %v117 = bitcast [8 x i8]* %t89 to i8*
  %t90 = zext i1 %v115 to i8
  %t91 = bitcast i8* %v117 to i8*
  store i8 %t90, i8* %t91, align 1
  %v120 = select i1 %v115, i32 %p.a, i32 %p.b
  %v121 = sext i32 24 to i64
  %v123 = mul i64 %v121, 8
  %t92 = bitcast i8* %p.out to [8 x i8]*
  %t93 = getelementptr [8 x i8], [8 x i8]* %t92, i64 %v121
  %v122 = bitcast [8 x i8]* %t93 to i8*
  %t94 = bitcast i8* %v122 to i32*
  store i32 %v120, i32* %t94, align 4
  %v125 = icmp sge i32 %p.a, %p.b
  %v126 = sext i32 25 to i64
  %v128 = mul i64 %v126, 8
  %t95 = bitcast i8* %p.out to [8 x i8]*
  %t96 = getelementptr [8 x i8], [8 x i8]* %t95, i64 %v126
  %v127 = bitcast [8 x i8]* %t96 to i8*
  %t97 = zext i1 %v125 to i8
  %t98 = bitcast i8* %v127 to i8*
  store i8 %t97, i8* %t98, align 1
  %v130 = select i1 %v125, i32 %p.a, i32 %p.b
  %v131 = sext i32 26 to i64
  %v133 = mul i64 %v131, 8
  %t99 = bitcast i8* %p.out to [8 x i8]*
  %t100 = getelementptr [8 x i8], [8 x i8]* %t99, i64 %v131
  %v132 = bitcast [8 x i8]* %t100 to i8*
  %t101 = bitcast i8* %v132 to i32*
  store i32 %v130, i32* %t101, align 4
  %t102 = icmp sgt i32 %p.a, %p.b
  %t103 = icmp slt i32 %p.a, %p.b
  %t104 = zext i1 %t102 to i32
  %t105 = zext i1 %t103 to i32
  %v135 = sub i32 %t104, %t105
  %v136 = sext i32 27 to i64
  %v138 = mul i64 %v136, 8
  %t106 = bitcast i8* %p.out to [8 x i8]*
  %t107 = getelementptr [8 x i8], [8 x i8]* %t106, i64 %v136
  %v137 = bitcast [8 x i8]* %t107 to i8*
  %t108 = bitcast i8* %v137 to i32*
  store i32 %v135, i32* %t108, align 4
  %v140 = trunc i32 %p.a to i8
  %v141 = sext i32 28 to i64
  %v143 = mul i64 %v141, 8
  %t109 = bitcast i8* %p.out to [8 x i8]*
  %t110 = getelementptr [8 x i8], [8 x i8]* %t109, i64 %v141
  %v142 = bitcast [8 x i8]* %t110 to i8*
  %t111 = bitcast i8* %v142 to i8*
  store i8 %v140, i8* %t111, align 1
  %v145 = trunc i32 %p.a to i16
  %v146 = sext i32 29 to i64
  %v148 = mul i64 %v146, 8
  %t112 = bitcast i8* %p.out to [8 x i8]*
  %t113 = getelementptr [8 x i8], [8 x i8]* %t112, i64 %v146
  %v147 = bitcast [8 x i8]* %t113 to i8*
  %t114 = bitcast i8* %v147 to i16*
  store i16 %v145, i16* %t114, align 2
  %v150 = bitcast i32 %p.a to i32
  %v151 = sext i32 30 to i64
  %v153 = mul i64 %v151, 8
  %t115 = bitcast i8* %p.out to [8 x i8]*
  %t116 = getelementptr [8 x i8], [8 x i8]* %t115, i64 %v151
  %v152 = bitcast [8 x i8]* %t116 to i8*
  %t117 = bitcast i8* %v152 to i32*
  store i32 %v150, i32* %t117, align 4
  %v155 = sext i32 %p.a to i64
  %v156 = sext i32 31 to i64
  %v158 = mul i64 %v156, 8
  %t118 = bitcast i8* %p.out to [8 x i8]*
  %t119 = getelementptr [8 x i8], [8 x i8]* %t118, i64 %v156
  %v157 = bitcast [8 x i8]* %t119 to i8*
  %t120 = bitcast i8* %v157 to i64*
  store i64 %v155, i64* %t120, align 8
  %v160 = sitofp i32 %p.a to float
  %v161 = sext i32 32 to i64
  %v163 = mul i64 %v161, 8
  %t121 = bitcast i8* %p.out to [8 x i8]*
  %t122 = getelementptr [8 x i8], [8 x i8]* %t121, i64 %v161
  %v162 = bitcast [8 x i8]* %t122 to i8*
  %t123 = bitcast i8* %v162 to float*
  store float %v160, float* %t123, align 4
  %v165 = sitofp i32 %p.a to double
  %v166 = sext i32 33 to i64
  %v168 = mul i64 %v166, 8
  %t124 = bitcast i8* %p.out to [8 x i8]*
  %t125 = getelementptr [8 x i8], [8 x i8]* %t124, i64 %v166
  %v167 = bitcast [8 x i8]* %t125 to i8*
  %t126 = bitcast i8* %v167 to double*
  store double %v165, double* %t126, align 8
  ret void
}

declare void @__assertfail(i8*, i8*, i32, i8*, i64) nounwind noreturn convergent

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i32, i32, i8*)* @arithmetic_i32, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
