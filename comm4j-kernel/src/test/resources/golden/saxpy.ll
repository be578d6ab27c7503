target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32, float, i8*, i8*)* @saxpy to i8*)], section "llvm.metadata"

define void @saxpy(i32 %p.n, float %p.a, i8* %p.x, i8* %p.y) nounwind convergent !dbg !4 {
b.entry:
  %v0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !5
  %v1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !5
  %v2 = mul i32 %v0, %v1, !dbg !5
  %v3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !5
  %v4 = add i32 %v2, %v3, !dbg !5
  %v5 = icmp slt i32 %v4, %p.n, !dbg !5
  br i1 %v5, label %b.inside, label %b.after, !dbg !5
b.inside:
  %v6 = sext i32 %v4 to i64, !dbg !6
  %v8 = mul i64 %v6, 4, !dbg !6
  %t0 = bitcast i8* %p.x to [4 x i8]*, !dbg !6
  %t1 = getelementptr [4 x i8], [4 x i8]* %t0, i64 %v6, !dbg !6
  %v7 = bitcast [4 x i8]* %t1 to i8*, !dbg !6
  %t2 = bitcast i8* %v7 to float*, !dbg !6
  %v9 = load float, float* %t2, align 4, !dbg !6
  %v10 = sext i32 %v4 to i64, !dbg !6
  %v12 = mul i64 %v10, 4, !dbg !6
  %t3 = bitcast i8* %p.y to [4 x i8]*, !dbg !6
  %t4 = getelementptr [4 x i8], [4 x i8]* %t3, i64 %v10, !dbg !6
  %v11 = bitcast [4 x i8]* %t4 to i8*, !dbg !6
  %v13 = fmul contract arcp float %p.a, %v9, !dbg !6
  %t5 = bitcast i8* %v11 to float*, !dbg !6
  %v14 = load float, float* %t5, align 4, !dbg !6
  %v15 = fadd contract arcp float %v13, %v14, !dbg !6
  %t6 = bitcast i8* %v11 to float*, !dbg !6
  store float %v15, float* %t6, align 4, !dbg !6
  br label %b.after, !dbg !6
b.after:
  ret void, !dbg !7
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() readnone

!nvvm.annotations = !{!8, !9, !10, !11, !12}
!nvvmir.version = !{!13}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!14}
!0 = !DIFile(filename: "T.java", directory: "")
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !0, producer: "comm4j", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)
!2 = !{}
!3 = !DISubroutineType(types: !2)
!4 = distinct !DISubprogram(name: "T.saxpy", linkageName: "saxpy", scope: !0, file: !0, line: 9, type: !3, isLocal: false, isDefinition: true, scopeLine: 9, isOptimized: true, unit: !1)
!5 = !DILocation(line: 10, column: 1, scope: !4)
!6 = !DILocation(line: 11, column: 1, scope: !4)
!7 = !DILocation(line: 12, column: 1, scope: !4)
!8 = !{void (i32, float, i8*, i8*)* @saxpy, !"kernel", i32 1}
!9 = !{void (i32, float, i8*, i8*)* @saxpy, !"maxntidx", i32 256}
!10 = !{void (i32, float, i8*, i8*)* @saxpy, !"maxntidy", i32 1}
!11 = !{void (i32, float, i8*, i8*)* @saxpy, !"maxntidz", i32 1}
!12 = !{void (i32, float, i8*, i8*)* @saxpy, !"minctasm", i32 2}
!13 = !{i32 2, i32 0, i32 3, i32 1}
!14 = !{i32 1, !"Debug Info Version", i32 3}
