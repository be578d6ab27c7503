target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void ({ i8, i32, i8, double, i8* }, i8, i8*, i8)* @structs to i8*)], section "llvm.metadata"

define void @structs({ i8, i32, i8, double, i8* } %p.mixed, i8 %p.flag, i8* %p.vectors, i8 %p.small) nounwind convergent {
b.entry:
  %p.flag.value = icmp ne i8 %p.flag, 0
  %v0.m = alloca { i8, i32, i8, double, i8* }, align 8
  %v0 = bitcast { i8, i32, i8, double, i8* }* %v0.m to i8*
  %v1.m = alloca i8, align 1
  %v1 = bitcast i8* %v1.m to i8*
  %t0 = zext i1 %p.flag.value to i8
  store i8 %t0, i8* %v1.m, align 1
  store { i8, i32, i8, double, i8* } %p.mixed, { i8, i32, i8, double, i8* }* %v0.m, align 8
  %v4 = load { i8, i32, i8, double, i8* }, { i8, i32, i8, double, i8* }* %v0.m, align 8
  %t1 = load i8, i8* %v1.m, align 1
  %v5 = icmp ne i8 %t1, 0
  %t2 = extractvalue { i8, i32, i8, double, i8* } %v4, 0
  %v6 = icmp ne i8 %t2, 0
  %v7 = xor i1 %v5, %v6
  %t3 = bitcast i8* %p.vectors to <4 x float>*
  %t4 = load <4 x float>, <4 x float>* %t3, align 16
  %t5 = extractelement <4 x float> %t4, i32 0
  %t6 = insertvalue { float, float, float, float } undef, float %t5, 0
  %t7 = extractelement <4 x float> %t4, i32 1
  %t8 = insertvalue { float, float, float, float } %t6, float %t7, 1
  %t9 = extractelement <4 x float> %t4, i32 2
  %t10 = insertvalue { float, float, float, float } %t8, float %t9, 2
  %t11 = extractelement <4 x float> %t4, i32 3
  %v8 = insertvalue { float, float, float, float } %t10, float %t11, 3
  %v9 = extractvalue { float, float, float, float } %v8, 0
  %v10 = extractvalue { float, float, float, float } %v8, 3
  %v11 = fadd float %v9, %v10
  %v12 = extractvalue { float, float, float, float } %v8, 1
  %t12 = insertvalue { float, float, float, float } undef, float %v11, 0
  %t13 = insertvalue { float, float, float, float } %t12, float %v11, 1
  %t14 = insertvalue { float, float, float, float } %t13, float %v12, 2
  %v13 = insertvalue { float, float, float, float } %t14, float 0x3FB99999A0000000, 3
  %v14 = sext i32 1 to i64
  %v16 = mul i64 %v14, 16
  %v15 = getelementptr i8, i8* %p.vectors, i64 %v16
  %t15 = extractvalue { float, float, float, float } %v13, 0
  %t16 = insertelement <4 x float> undef, float %t15, i32 0
  %t17 = extractvalue { float, float, float, float } %v13, 1
  %t18 = insertelement <4 x float> %t16, float %t17, i32 1
  %t19 = extractvalue { float, float, float, float } %v13, 2
  %t20 = insertelement <4 x float> %t18, float %t19, i32 2
  %t21 = extractvalue { float, float, float, float } %v13, 3
  %t22 = insertelement <4 x float> %t20, float %t21, i32 3
  %t23 = bitcast i8* %v15 to <4 x float>*
  store <4 x float> %t22, <4 x float>* %t23, align 16
  %v18 = sext i32 2 to i64
  %v20 = mul i64 %v18, 16
  %v19 = getelementptr i8, i8* %p.vectors, i64 %v20
  %t24 = bitcast i8* %v19 to { float, float, float, float }*
  store { float, float, float, float } %v13, { float, float, float, float }* %t24, align 4
  %v22 = extractvalue { i8, i32, i8, double, i8* } %v4, 1
  %v23 = extractvalue { i8, i32, i8, double, i8* } %v4, 4
  %t25 = zext i1 %v7 to i8
  %t26 = insertvalue { i8, i32, i8, double, i8* } undef, i8 %t25, 0
  %t27 = insertvalue { i8, i32, i8, double, i8* } %t26, i32 %v22, 1
  %t28 = insertvalue { i8, i32, i8, double, i8* } %t27, i8 %p.small, 2
  %t29 = insertvalue { i8, i32, i8, double, i8* } %t28, double 0xBFE0000000000000, 3
  %v24 = insertvalue { i8, i32, i8, double, i8* } %t29, i8* %v23, 4
  %v25 = extractvalue { i8, i32, i8, double, i8* } %v4, 4
  %t30 = bitcast i8* %v25 to { i8, i32, i8, double, i8* }*
  store { i8, i32, i8, double, i8* } %v24, { i8, i32, i8, double, i8* }* %t30, align 8
  %v27 = sext i32 3 to i64
  %v29 = mul i64 %v27, 16
  %v28 = getelementptr i8, i8* %p.vectors, i64 %v29
  %t31 = bitcast i8* %v28 to <4 x i32>*
  %t32 = load <4 x i32>, <4 x i32>* %t31, align 16
  %t33 = bitcast <4 x i32> %t32 to <8 x i16>
  %t34 = extractelement <8 x i16> %t33, i32 0
  %t35 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } undef, i16 %t34, 0
  %t36 = extractelement <8 x i16> %t33, i32 1
  %t37 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t35, i16 %t36, 1
  %t38 = extractelement <8 x i16> %t33, i32 2
  %t39 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t37, i16 %t38, 2
  %t40 = extractelement <8 x i16> %t33, i32 3
  %t41 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t39, i16 %t40, 3
  %t42 = extractelement <8 x i16> %t33, i32 4
  %t43 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t41, i16 %t42, 4
  %t44 = extractelement <8 x i16> %t33, i32 5
  %t45 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t43, i16 %t44, 5
  %t46 = extractelement <8 x i16> %t33, i32 6
  %t47 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t45, i16 %t46, 6
  %t48 = extractelement <8 x i16> %t33, i32 7
  %v30 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t47, i16 %t48, 7
  %v31 = sext i32 4 to i64
  %v33 = mul i64 %v31, 16
  %v32 = getelementptr i8, i8* %p.vectors, i64 %v33
  %t49 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 0
  %t50 = insertelement <8 x i16> undef, i16 %t49, i32 0
  %t51 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 1
  %t52 = insertelement <8 x i16> %t50, i16 %t51, i32 1
  %t53 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 2
  %t54 = insertelement <8 x i16> %t52, i16 %t53, i32 2
  %t55 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 3
  %t56 = insertelement <8 x i16> %t54, i16 %t55, i32 3
  %t57 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 4
  %t58 = insertelement <8 x i16> %t56, i16 %t57, i32 4
  %t59 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 5
  %t60 = insertelement <8 x i16> %t58, i16 %t59, i32 5
  %t61 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 6
  %t62 = insertelement <8 x i16> %t60, i16 %t61, i32 6
  %t63 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 7
  %t64 = insertelement <8 x i16> %t62, i16 %t63, i32 7
  %t65 = bitcast <8 x i16> %t64 to <4 x i32>
  %t66 = bitcast i8* %v32 to <4 x i32>*
  store <4 x i32> %t65, <4 x i32>* %t66, align 16
  %t67 = bitcast i8* %p.vectors to i32*
  %v35 = load volatile i32, i32* %t67, align 4
  %t68 = bitcast i8* %p.vectors to i32*
  store volatile i32 %v35, i32* %t68, align 4
  store { i8, i32, i8, double, i8* } zeroinitializer, { i8, i32, i8, double, i8* }* %v0.m, align 8
  %v38 = select i1 %v7, i8* %p.vectors, i8* null
  %t69 = bitcast i8* %p.vectors to i8**
  store i8* %v38, i8** %t69, align 8
  ret void
}


!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void ({ i8, i32, i8, double, i8* }, i8, i8*, i8)* @structs, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
