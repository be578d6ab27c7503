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
  %t3 = icmp eq i32 %p.b, 0
  br i1 %t3, label %zero4, label %divide4
zero4:
  call void @__assertfail(i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([41 x i8], [41 x i8] addrspace(1)* @string.0, i64 0, i64 0) to i8*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([7 x i8], [7 x i8] addrspace(1)* @string.1, i64 0, i64 0) to i8*), i32 10, i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([17 x i8], [17 x i8] addrspace(1)* @string.2, i64 0, i64 0) to i8*), i64 1)
  call void asm sideeffect "exit;", ""() noreturn nounwind
  unreachable
divide4:
  %t5 = add i32 %p.b, 1
  %t6 = icmp ult i32 %t5, 2
  %t7 = select i1 %t6, i32 1, i32 %p.b
  %t8 = sdiv i32 %p.a, %t7
  %t9 = mul i32 %p.a, %p.b
  %v15 = select i1 %t6, i32 %t9, i32 %t8
  %v16 = sext i32 3 to i64
  %v18 = mul i64 %v16, 8
  %v17 = getelementptr i8, i8* %p.out, i64 %v18
  %t10 = bitcast i8* %v17 to i32*
  store i32 %v15, i32* %t10, align 4
  %t11 = icmp eq i32 %p.b, 0
  br i1 %t11, label %zero12, label %divide12
zero12:
  call void @__assertfail(i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([41 x i8], [41 x i8] addrspace(1)* @string.0, i64 0, i64 0) to i8*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([7 x i8], [7 x i8] addrspace(1)* @string.1, i64 0, i64 0) to i8*), i32 10, i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([17 x i8], [17 x i8] addrspace(1)* @string.2, i64 0, i64 0) to i8*), i64 1)
  call void asm sideeffect "exit;", ""() noreturn nounwind
  unreachable
divide12:
  %t13 = add i32 %p.b, 1
  %t14 = icmp ult i32 %t13, 2
  %t15 = select i1 %t14, i32 1, i32 %p.b
  %v20 = srem i32 %p.a, %t15
  %v21 = sext i32 4 to i64
  %v23 = mul i64 %v21, 8
  %v22 = getelementptr i8, i8* %p.out, i64 %v23
  %t16 = bitcast i8* %v22 to i32*
  store i32 %v20, i32* %t16, align 4
  %t17 = and i32 %p.b, 31
  %v25 = shl i32 %p.a, %t17
  %v26 = sext i32 5 to i64
  %v28 = mul i64 %v26, 8
  %v27 = getelementptr i8, i8* %p.out, i64 %v28
  %t18 = bitcast i8* %v27 to i32*
  store i32 %v25, i32* %t18, align 4
  %v30 = shl i32 %p.a, 1
  %v31 = sext i32 6 to i64
  %v33 = mul i64 %v31, 8
  %v32 = getelementptr i8, i8* %p.out, i64 %v33
  %t19 = bitcast i8* %v32 to i32*
  store i32 %v30, i32* %t19, align 4
  %t20 = and i32 %p.b, 31
  %v35 = ashr i32 %p.a, %t20
  %v36 = sext i32 7 to i64
  %v38 = mul i64 %v36, 8
  %v37 = getelementptr i8, i8* %p.out, i64 %v38
  %t21 = bitcast i8* %v37 to i32*
  store i32 %v35, i32* %t21, align 4
  %v40 = ashr i32 %p.a, 1
  %v41 = sext i32 8 to i64
  %v43 = mul i64 %v41, 8
  %v42 = getelementptr i8, i8* %p.out, i64 %v43
  %t22 = bitcast i8* %v42 to i32*
  store i32 %v40, i32* %t22, align 4
  %t23 = and i32 %p.b, 31
  %v45 = lshr i32 %p.a, %t23
  %v46 = sext i32 9 to i64
  %v48 = mul i64 %v46, 8
  %v47 = getelementptr i8, i8* %p.out, i64 %v48
  %t24 = bitcast i8* %v47 to i32*
  store i32 %v45, i32* %t24, align 4
  %v50 = lshr i32 %p.a, 1
  %v51 = sext i32 10 to i64
  %v53 = mul i64 %v51, 8
  %v52 = getelementptr i8, i8* %p.out, i64 %v53
  %t25 = bitcast i8* %v52 to i32*
  store i32 %v50, i32* %t25, align 4
  %v55 = and i32 %p.a, %p.b
  %v56 = sext i32 11 to i64
  %v58 = mul i64 %v56, 8
  %v57 = getelementptr i8, i8* %p.out, i64 %v58
  %t26 = bitcast i8* %v57 to i32*
  store i32 %v55, i32* %t26, align 4
  %v60 = or i32 %p.a, %p.b
  %v61 = sext i32 12 to i64
  %v63 = mul i64 %v61, 8
  %v62 = getelementptr i8, i8* %p.out, i64 %v63
  %t27 = bitcast i8* %v62 to i32*
  store i32 %v60, i32* %t27, align 4
  %v65 = xor i32 %p.a, %p.b
  %v66 = sext i32 13 to i64
  %v68 = mul i64 %v66, 8
  %v67 = getelementptr i8, i8* %p.out, i64 %v68
  %t28 = bitcast i8* %v67 to i32*
  store i32 %v65, i32* %t28, align 4
  %v70 = sub i32 0, %p.a
  %v71 = sext i32 14 to i64
  %v73 = mul i64 %v71, 8
  %v72 = getelementptr i8, i8* %p.out, i64 %v73
  %t29 = bitcast i8* %v72 to i32*
  store i32 %v70, i32* %t29, align 4
  %v75 = icmp eq i32 %p.a, %p.b
  %v76 = sext i32 15 to i64
  %v78 = mul i64 %v76, 8
  %v77 = getelementptr i8, i8* %p.out, i64 %v78
  %t30 = zext i1 %v75 to i8
  %t31 = bitcast i8* %v77 to i8*
  store i8 %t30, i8* %t31, align 1
  %v80 = select i1 %v75, i32 %p.a, i32 %p.b
  %v81 = sext i32 16 to i64
  %v83 = mul i64 %v81, 8
  %v82 = getelementptr i8, i8* %p.out, i64 %v83
  %t32 = bitcast i8* %v82 to i32*
  store i32 %v80, i32* %t32, align 4
  %v85 = icmp ne i32 %p.a, %p.b
  %v86 = sext i32 17 to i64
  %v88 = mul i64 %v86, 8
  %v87 = getelementptr i8, i8* %p.out, i64 %v88
  %t33 = zext i1 %v85 to i8
  %t34 = bitcast i8* %v87 to i8*
  store i8 %t33, i8* %t34, align 1
  %v90 = select i1 %v85, i32 %p.a, i32 %p.b
  %v91 = sext i32 18 to i64
  %v93 = mul i64 %v91, 8
  %v92 = getelementptr i8, i8* %p.out, i64 %v93
  %t35 = bitcast i8* %v92 to i32*
  store i32 %v90, i32* %t35, align 4
  %v95 = icmp slt i32 %p.a, %p.b
  %v96 = sext i32 19 to i64
  %v98 = mul i64 %v96, 8
  %v97 = getelementptr i8, i8* %p.out, i64 %v98
  %t36 = zext i1 %v95 to i8
  %t37 = bitcast i8* %v97 to i8*
  store i8 %t36, i8* %t37, align 1
  %v100 = select i1 %v95, i32 %p.a, i32 %p.b
  %v101 = sext i32 20 to i64
  %v103 = mul i64 %v101, 8
  %v102 = getelementptr i8, i8* %p.out, i64 %v103
  %t38 = bitcast i8* %v102 to i32*
  store i32 %v100, i32* %t38, align 4
  %v105 = icmp sle i32 %p.a, %p.b
  %v106 = sext i32 21 to i64
  %v108 = mul i64 %v106, 8
  %v107 = getelementptr i8, i8* %p.out, i64 %v108
  %t39 = zext i1 %v105 to i8
  %t40 = bitcast i8* %v107 to i8*
  store i8 %t39, i8* %t40, align 1
  %v110 = select i1 %v105, i32 %p.a, i32 %p.b
  %v111 = sext i32 22 to i64
  %v113 = mul i64 %v111, 8
  %v112 = getelementptr i8, i8* %p.out, i64 %v113
  %t41 = bitcast i8* %v112 to i32*
  store i32 %v110, i32* %t41, align 4
  %v115 = icmp sgt i32 %p.a, %p.b
  %v116 = sext i32 23 to i64
  %v118 = mul i64 %v116, 8
  %v117 = getelementptr i8, i8* %p.out, i64 %v118
  %t42 = zext i1 %v115 to i8
  %t43 = bitcast i8* %v117 to i8*
  store i8 %t42, i8* %t43, align 1
  %v120 = select i1 %v115, i32 %p.a, i32 %p.b
  %v121 = sext i32 24 to i64
  %v123 = mul i64 %v121, 8
  %v122 = getelementptr i8, i8* %p.out, i64 %v123
  %t44 = bitcast i8* %v122 to i32*
  store i32 %v120, i32* %t44, align 4
  %v125 = icmp sge i32 %p.a, %p.b
  %v126 = sext i32 25 to i64
  %v128 = mul i64 %v126, 8
  %v127 = getelementptr i8, i8* %p.out, i64 %v128
  %t45 = zext i1 %v125 to i8
  %t46 = bitcast i8* %v127 to i8*
  store i8 %t45, i8* %t46, align 1
  %v130 = select i1 %v125, i32 %p.a, i32 %p.b
  %v131 = sext i32 26 to i64
  %v133 = mul i64 %v131, 8
  %v132 = getelementptr i8, i8* %p.out, i64 %v133
  %t47 = bitcast i8* %v132 to i32*
  store i32 %v130, i32* %t47, align 4
  %t48 = icmp sgt i32 %p.a, %p.b
  %t49 = icmp slt i32 %p.a, %p.b
  %t50 = zext i1 %t48 to i32
  %t51 = zext i1 %t49 to i32
  %v135 = sub i32 %t50, %t51
  %v136 = sext i32 27 to i64
  %v138 = mul i64 %v136, 8
  %v137 = getelementptr i8, i8* %p.out, i64 %v138
  %t52 = bitcast i8* %v137 to i32*
  store i32 %v135, i32* %t52, align 4
  %v140 = trunc i32 %p.a to i8
  %v141 = sext i32 28 to i64
  %v143 = mul i64 %v141, 8
  %v142 = getelementptr i8, i8* %p.out, i64 %v143
  %t53 = bitcast i8* %v142 to i8*
  store i8 %v140, i8* %t53, align 1
  %v145 = trunc i32 %p.a to i16
  %v146 = sext i32 29 to i64
  %v148 = mul i64 %v146, 8
  %v147 = getelementptr i8, i8* %p.out, i64 %v148
  %t54 = bitcast i8* %v147 to i16*
  store i16 %v145, i16* %t54, align 2
  %v150 = bitcast i32 %p.a to i32
  %v151 = sext i32 30 to i64
  %v153 = mul i64 %v151, 8
  %v152 = getelementptr i8, i8* %p.out, i64 %v153
  %t55 = bitcast i8* %v152 to i32*
  store i32 %v150, i32* %t55, align 4
  %v155 = sext i32 %p.a to i64
  %v156 = sext i32 31 to i64
  %v158 = mul i64 %v156, 8
  %v157 = getelementptr i8, i8* %p.out, i64 %v158
  %t56 = bitcast i8* %v157 to i64*
  store i64 %v155, i64* %t56, align 8
  %v160 = sitofp i32 %p.a to float
  %v161 = sext i32 32 to i64
  %v163 = mul i64 %v161, 8
  %v162 = getelementptr i8, i8* %p.out, i64 %v163
  %t57 = bitcast i8* %v162 to float*
  store float %v160, float* %t57, align 4
  %v165 = sitofp i32 %p.a to double
  %v166 = sext i32 33 to i64
  %v168 = mul i64 %v166, 8
  %v167 = getelementptr i8, i8* %p.out, i64 %v168
  %t58 = bitcast i8* %v167 to double*
  store double %v165, double* %t58, align 8
  ret void
}

declare void @__assertfail(i8*, i8*, i32, i8*, i64) nounwind noreturn convergent

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i32, i32, i8*)* @arithmetic_i32, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
