target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i8*, i8)* @ptx to i8*)], section "llvm.metadata"

define void @ptx(i8* %p.out, i8 %p.flag) nounwind convergent {
b.entry:
  %p.flag.value = icmp ne i8 %p.flag, 0
  %v0 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v1 = call i32 asm "shfl.sync.bfly.b32 $0, $1, 16, 31, -1;", "=r,r"(i32 %v0) convergent nounwind readnone
  %t0 = zext i1 %p.flag.value to i32
  %v2 = call i32 asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.ballot.b32 $0, p, -1; }", "=r,r"(i32 %t0) convergent nounwind readnone
  %t1 = zext i1 %p.flag.value to i32
  %t2 = call i32 asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.any.pred p, p, -1; selp.u32 $0, 1, 0, p; }", "=r,r"(i32 %t1) convergent nounwind readnone
  %v3 = icmp ne i32 %t2, 0
  %t3 = call { i64, i32 } asm sideeffect "mov.u64 $0, %clock64; mov.u32 $1, 1;", "=l,=r"() nounwind
  %t4 = extractvalue { i64, i32 } %t3, 0
  %t5 = insertvalue { i64, i8 } undef, i64 %t4, 0
  %t6 = extractvalue { i64, i32 } %t3, 1
  %t7 = icmp ne i32 %t6, 0
  %t8 = zext i1 %t7 to i8
  %v4 = insertvalue { i64, i8 } %t5, i8 %t8, 1
  %v5 = add i32 %v1, %v2
  %v6 = call i32 asm sideeffect "atom.relaxed.gpu.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(i8* %p.out, i32 %v5) nounwind
  %v7 = ptrtoint i8* %p.out to i64
  %v8 = add i64 %v7, 8
  %v9 = inttoptr i64 %v8 to i8*
  %v10 = select i1 %v3, i32 %v6, i32 -1
  %t9 = bitcast i8* %v9 to i32*
  store i32 %v10, i32* %t9, align 4
  %v12 = extractvalue { i64, i8 } %v4, 0
  %v13 = sext i32 2 to i64
  %v15 = mul i64 %v13, 8
  %t10 = bitcast i8* %p.out to [8 x i8]*
  %t11 = getelementptr [8 x i8], [8 x i8]* %t10, i64 %v13
  %v14 = bitcast [8 x i8]* %t11 to i8*
  %t12 = bitcast i8* %v14 to i64*
  store i64 %v12, i64* %t12, align 8
  %t13 = extractvalue { i64, i8 } %v4, 1
  %v17 = icmp ne i8 %t13, 0
  %v18 = sext i32 3 to i64
  %v20 = mul i64 %v18, 8
  %t14 = bitcast i8* %p.out to [8 x i8]*
  %t15 = getelementptr [8 x i8], [8 x i8]* %t14, i64 %v18
  %v19 = bitcast [8 x i8]* %t15 to i8*
  %t16 = zext i1 %v17 to i8
  %t17 = bitcast i8* %v19 to i8*
  store i8 %t16, i8* %t17, align 1
  call void asm sideeffect "membar.gl;", "~{memory}"() nounwind
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.laneid() readnone

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i8*, i8)* @ptx, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
