target datalayout = "e-p:64:64:64-p3:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@string.0 = internal unnamed_addr addrspace(1) constant [62 x i8] c"java.lang.IllegalArgumentException: \22n\22 is neither 1 nor \E2\88\927\00", align 1
@string.1 = internal unnamed_addr addrspace(1) constant [7 x i8] c"T.java\00", align 1
@string.2 = internal unnamed_addr addrspace(1) constant [10 x i8] c"T.choices\00", align 1
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32, i8*)* @choices to i8*)], section "llvm.metadata"

define void @choices(i32 %p.n, i8* %p.out) nounwind convergent {
b.entry:
  switch i32 %p.n, label %b.wrong [i32 1, label %b.one i32 -7, label %b.two]
b.one:
  %t0 = bitcast i8* %p.out to float*
  %v0 = load float, float* %t0, align 4
  %v1 = call float @__nv_sinf(float %v0)
  %t1 = bitcast i8* %p.out to float*
  store float %v1, float* %t1, align 4
  ret void
b.two:
  %t2 = bitcast i8* %p.out to double*
  %v3 = load double, double* %t2, align 8
  %v4 = call double @__nv_pow(double %v3, double 0x3FF8000000000000)
  %t3 = bitcast i8* %p.out to double*
  store double %v4, double* %t3, align 8
  ret void
b.wrong:
  call void @__assertfail(i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([62 x i8], [62 x i8] addrspace(1)* @string.0, i64 0, i64 0) to i8*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([7 x i8], [7 x i8] addrspace(1)* @string.1, i64 0, i64 0) to i8*), i32 10, i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([10 x i8], [10 x i8] addrspace(1)* @string.2, i64 0, i64 0) to i8*), i64 1)
  call void asm sideeffect "exit;", ""() noreturn nounwind
  unreachable
}

declare float @__nv_sinf(float) nounwind readnone
declare double @__nv_pow(double, double) nounwind readnone
declare void @__assertfail(i8*, i8*, i32, i8*, i64) nounwind noreturn convergent

!nvvm.annotations = !{!0}
!nvvmir.version = !{!1}
!0 = !{void (i32, i8*)* @choices, !"kernel", i32 1}
!1 = !{i32 2, i32 0}
