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
  %t15 = bitcast i8* %p.vectors to [16 x i8]*
  %t16 = getelementptr [16 x i8], [16 x i8]* %t15, i64 %v14
  %v15 = bitcast [16 x i8]* %t16 to i8*
  %t17 = extractvalue { float, float, float, float } %v13, 0
  %t18 = insertelement <4 x float> undef, float %t17, i32 0
  %t19 = extractvalue { float, float, float, float } %v13, 1
  %t20 = insertelement <4 x float> %t18, float %t19, i32 1
  %t21 = extractvalue { float, float, float, float } %v13, 2
  %t22 = insertelement <4 x float> %t20, float %t21, i32 2
  %t23 = extractvalue { float, float, float, float } %v13, 3
  %t24 = insertelement <4 x float> %t22, float %t23, i32 3
  %t25 = bitcast i8* %v15 to <4 x float>*
  store <4 x float> %t24, <4 x float>* %t25, align 16
  %v18 = sext i32 2 to i64
  %v20 = mul i64 %v18, 16
  %t26 = bitcast i8* %p.vectors to [16 x i8]*
  %t27 = getelementptr [16 x i8], [16 x i8]* %t26, i64 %v18
  %v19 = bitcast [16 x i8]* %t27 to i8*
  %t28 = bitcast i8* %v19 to { float, float, float, float }*
  store { float, float, float, float } %v13, { float, float, float, float }* %t28, align 4
  %v22 = extractvalue { i8, i32, i8, double, i8* } %v4, 1
  %v23 = extractvalue { i8, i32, i8, double, i8* } %v4, 4
  %t29 = zext i1 %v7 to i8
  %t30 = insertvalue { i8, i32, i8, double, i8* } undef, i8 %t29, 0
  %t31 = insertvalue { i8, i32, i8, double, i8* } %t30, i32 %v22, 1
  %t32 = insertvalue { i8, i32, i8, double, i8* } %t31, i8 %p.small, 2
  %t33 = insertvalue { i8, i32, i8, double, i8* } %t32, double 0xBFE0000000000000, 3
  %v24 = insertvalue { i8, i32, i8, double, i8* } %t33, i8* %v23, 4
  %v25 = extractvalue { i8, i32, i8, double, i8* } %v4, 4
  %t34 = bitcast i8* %v25 to { i8, i32, i8, double, i8* }*
  store { i8, i32, i8, double, i8* } %v24, { i8, i32, i8, double, i8* }* %t34, align 8
  %v27 = sext i32 3 to i64
  %v29 = mul i64 %v27, 16
  %t35 = bitcast i8* %p.vectors to [16 x i8]*
  %t36 = getelementptr [16 x i8], [16 x i8]* %t35, i64 %v27
  %v28 = bitcast [16 x i8]* %t36 to i8*
  %t37 = bitcast i8* %v28 to <4 x i32>*
  %t38 = load <4 x i32>, <4 x i32>* %t37, align 16
  %t39 = bitcast <4 x i32> %t38 to <8 x i16>
  %t40 = extractelement <8 x i16> %t39, i32 0
  %t41 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } undef, i16 %t40, 0
  %t42 = extractelement <8 x i16> %t39, i32 1
  %t43 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t41, i16 %t42, 1
  %t44 = extractelement <8 x i16> %t39, i32 2
  %t45 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t43, i16 %t44, 2
  %t46 = extractelement <8 x i16> %t39, i32 3
  %t47 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t45, i16 %t46, 3
  %t48 = extractelement <8 x i16> %t39, i32 4
  %t49 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t47, i16 %t48, 4
  %t50 = extractelement <8 x i16> %t39, i32 5
  %t51 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t49, i16 %t50, 5
  %t52 = extractelement <8 x i16> %t39, i32 6
  %t53 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t51, i16 %t52, 6
  %t54 = extractelement <8 x i16> %t39, i32 7
  %v30 = insertvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %t53, i16 %t54, 7
  %v31 = sext i32 4 to i64
  %v33 = mul i64 %v31, 16
  %t55 = bitcast i8* %p.vectors to [16 x i8]*
  %t56 = getelementptr [16 x i8], [16 x i8]* %t55, i64 %v31
  %v32 = bitcast [16 x i8]* %t56 to i8*
  %t57 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 0
  %t58 = insertelement <8 x i16> undef, i16 %t57, i32 0
  %t59 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 1
  %t60 = insertelement <8 x i16> %t58, i16 %t59, i32 1
  %t61 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 2
  %t62 = insertelement <8 x i16> %t60, i16 %t61, i32 2
  %t63 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 3
  %t64 = insertelement <8 x i16> %t62, i16 %t63, i32 3
  %t65 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 4
  %t66 = insertelement <8 x i16> %t64, i16 %t65, i32 4
  %t67 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 5
  %t68 = insertelement <8 x i16> %t66, i16 %t67, i32 5
  %t69 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 6
  %t70 = insertelement <8 x i16> %t68, i16 %t69, i32 6
  %t71 = extractvalue { i16, i16, i16, i16, i16, i16, i16, i16 } %v30, 7
  %t72 = insertelement <8 x i16> %t70, i16 %t71, i32 7
  %t73 = bitcast <8 x i16> %t72 to <4 x i32>
  %t74 = bitcast i8* %v32 to <4 x i32>*
  store <4 x i32> %t73, <4 x i32>* %t74, align 16
  %t75 = bitcast i8* %p.vectors to i32*
  %v35 = load volatile i32, i32* %t75, align 4
  %t76 = bitcast i8* %p.vectors to i32*
  store volatile i32 %v35, i32* %t76, align 4
  store { i8, i32, i8, double, i8* } zeroinitializer, { i8, i32, i8, double, i8* }* %v0.m, align 8
  %v38 = select i1 %v7, i8* %p.vectors, i8* null
  %t77 = bitcast i8* %p.vectors to i8**
  store i8* %v38, i8** %t77, align 8
  ret void
}


!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void ({ i8, i32, i8, double, i8* }, i8, i8*, i8)* @structs, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
