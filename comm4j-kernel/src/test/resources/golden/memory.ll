target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x float] undef, align 16
@table = internal addrspace(4) constant [64 x i8] c"\00\00\00\00\01\00\00\00\02\00\00\00\03\00\00\00\04\00\00\00\05\00\00\00\06\00\00\00\07\00\00\00\08\00\00\00\09\00\00\00\0A\00\00\00\0B\00\00\00\0C\00\00\00\0D\00\00\00\0E\00\00\00\0F\00\00\00", align 4
@dynamic = external addrspace(3) global [0 x i8], align 16
@counter = internal addrspace(1) global i64 zeroinitializer, align 8
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i8*, i32)* @memory to i8*)], section "llvm.metadata"

define internal float @square(float %p.x) nounwind convergent alwaysinline !dbg !4 {
b.entry:
  %v0 = fmul float %p.x, %p.x, !dbg !5
  ret float %v0, !dbg !5
}

define void @memory(i8* %p.out, i32 %p.n) nounwind convergent !dbg !6 {
b.entry:
  %v0.m = alloca i32, align 4, !dbg !7
  %v0 = bitcast i32* %v0.m to i8*, !dbg !7
  store i32 0, i32* %v0.m, align 4, !dbg !7
  %v2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7
  %v3 = sext i32 %v2 to i64, !dbg !7
  %v5 = mul i64 %v3, 4, !dbg !7
  %t0 = bitcast i8 addrspace(3)* bitcast ([256 x float] addrspace(3)* @tile to i8 addrspace(3)*) to [4 x i8] addrspace(3)*, !dbg !7
  %t1 = getelementptr [4 x i8], [4 x i8] addrspace(3)* %t0, i64 %v3, !dbg !7
  %v4 = bitcast [4 x i8] addrspace(3)* %t1 to i8 addrspace(3)*, !dbg !7
  %v6.m = alloca i32, align 4, !dbg !7
  %v6 = bitcast i32* %v6.m to i8*, !dbg !7
  store i32 0, i32* %v6.m, align 4, !dbg !7
  br label %b.head8, !dbg !7
b.head8:
  %v8 = load i32, i32* %v6.m, align 4, !dbg !7
  %v9 = icmp slt i32 %v8, %p.n, !dbg !7
  br i1 %v9, label %b.body8, label %b.after8, !dbg !7
b.body8:
  %v10 = load i32, i32* %v6.m, align 4, !dbg !7
  %v11 = and i32 %v10, 15, !dbg !7
  %v12 = sext i32 %v11 to i64, !dbg !7
  %v14 = mul i64 %v12, 4, !dbg !7
  %t2 = bitcast i8 addrspace(4)* bitcast ([64 x i8] addrspace(4)* @table to i8 addrspace(4)*) to [4 x i8] addrspace(4)*, !dbg !7
  %t3 = getelementptr [4 x i8], [4 x i8] addrspace(4)* %t2, i64 %v12, !dbg !7
  %v13 = bitcast [4 x i8] addrspace(4)* %t3 to i8 addrspace(4)*, !dbg !7
  %t4 = bitcast i8 addrspace(4)* %v13 to i32 addrspace(4)*, !dbg !7
  %v15 = load i32, i32 addrspace(4)* %t4, align 4, !dbg !7
  %v16 = load i32, i32* %v0.m, align 4, !dbg !7
  %v17 = add i32 %v16, %v15, !dbg !7
  store i32 %v17, i32* %v0.m, align 4, !dbg !7
  %v19 = load i32, i32* %v6.m, align 4, !dbg !7
  %v20 = add nsw i32 %v19, 1, !dbg !7
  store i32 %v20, i32* %v6.m, align 4, !dbg !7
  br label %b.head8, !llvm.loop !9, !dbg !7
b.after8:
  %v22 = load i32, i32* %v0.m, align 4, !dbg !7
  %v23 = sitofp i32 %v22 to float, !dbg !7
  %t5 = bitcast i8 addrspace(3)* %v4 to float addrspace(3)*, !dbg !7
  store float %v23, float addrspace(3)* %t5, align 4, !dbg !7
  call void @llvm.nvvm.barrier0(), !dbg !7
  %v26 = addrspacecast i8 addrspace(3)* bitcast ([256 x float] addrspace(3)* @tile to i8 addrspace(3)*) to i8*, !dbg !7
  %v27 = xor i32 %v2, 1, !dbg !7
  %v28 = sext i32 %v27 to i64, !dbg !7
  %v30 = mul i64 %v28, 4, !dbg !7
  %t6 = bitcast i8* %v26 to [4 x i8]*, !dbg !7
  %t7 = getelementptr [4 x i8], [4 x i8]* %t6, i64 %v28, !dbg !7
  %v29 = bitcast [4 x i8]* %t7 to i8*, !dbg !7
  %t8 = bitcast i8* %v29 to float*, !dbg !7
  %v31 = load float, float* %t8, align 4, !dbg !7
  %v32 = call float @square(float %v31), !dbg !7
  %v33 = sext i32 %v2 to i64, !dbg !7
  %v35 = mul i64 %v33, 4, !dbg !7
  %t9 = bitcast i8* %p.out to [4 x i8]*, !dbg !7
  %t10 = getelementptr [4 x i8], [4 x i8]* %t9, i64 %v33, !dbg !7
  %v34 = bitcast [4 x i8]* %t10 to i8*, !dbg !7
  %t11 = bitcast i8* %v34 to float*, !dbg !7
  store float %v32, float* %t11, align 4, !dbg !7
  %v37 = sext i32 %v2 to i64, !dbg !7
  %v39 = mul i64 %v37, 4, !dbg !7
  %t12 = bitcast i8 addrspace(3)* bitcast ([0 x i8] addrspace(3)* @dynamic to i8 addrspace(3)*) to [4 x i8] addrspace(3)*, !dbg !7
  %t13 = getelementptr [4 x i8], [4 x i8] addrspace(3)* %t12, i64 %v37, !dbg !7
  %v38 = bitcast [4 x i8] addrspace(3)* %t13 to i8 addrspace(3)*, !dbg !7
  %t14 = bitcast i8 addrspace(3)* %v38 to float addrspace(3)*, !dbg !7
  store float %v32, float addrspace(3)* %t14, align 4, !dbg !7
  %t15 = bitcast i8 addrspace(1)* bitcast (i64 addrspace(1)* @counter to i8 addrspace(1)*) to i64 addrspace(1)*, !dbg !7
  %v41 = load i64, i64 addrspace(1)* %t15, align 8, !dbg !7
  %v42 = add i64 %v41, 1, !dbg !7
  %t16 = bitcast i8 addrspace(1)* bitcast (i64 addrspace(1)* @counter to i8 addrspace(1)*) to i64 addrspace(1)*, !dbg !7
  store i64 %v42, i64 addrspace(1)* %t16, align 8, !dbg !7
  ret void, !dbg !7
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() readnone
declare void @llvm.nvvm.barrier0() convergent

!nvvm.annotations = !{!10}
!nvvmir.version = !{!11}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!12}
!0 = !DIFile(filename: "T.java", directory: "")
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !0, producer: "comm4j", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)
!2 = !{}
!3 = !DISubroutineType(types: !2)
!4 = distinct !DISubprogram(name: "T.square", linkageName: "square", scope: !0, file: !0, line: 90, type: !3, isLocal: true, isDefinition: true, scopeLine: 90, isOptimized: true, unit: !1)
!5 = !DILocation(line: 10, column: 1, scope: !4)
!6 = distinct !DISubprogram(name: "T.memory", linkageName: "memory", scope: !0, file: !0, line: 9, type: !3, isLocal: false, isDefinition: true, scopeLine: 9, isOptimized: true, unit: !1)
!7 = !DILocation(line: 10, column: 1, scope: !6)
!8 = !{!"llvm.loop.unroll.count", i32 4}
!9 = distinct !{!9, !8}
!10 = !{void (i8*, i32)* @memory, !"kernel", i32 1}
!11 = !{i32 2, i32 0, i32 3, i32 1}
!12 = !{i32 1, !"Debug Info Version", i32 3}
