// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** Loads and stores with hints for the caches. */
final class CachedAccess {
    private CachedAccess() {}

    static int load(I32Ptr p, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            return global(p);
        }
        if (cache == CacheHint.STREAMING) {
            return streaming(p);
        }
        if (cache == CacheHint.LAST_USE) {
            return lastUse(p);
        }
        if (cache == CacheHint.NON_COHERENT) {
            return nonCoherent(p);
        }
        return p.get(0);
    }

    @InlinePtx("ld.cg.b32 $0, [$1];")
    private static int global(I32Ptr p) {
        return p.get(0);
    }

    @InlinePtx("ld.cs.b32 $0, [$1];")
    private static int streaming(I32Ptr p) {
        return p.get(0);
    }

    @InlinePtx("ld.lu.b32 $0, [$1];")
    private static int lastUse(I32Ptr p) {
        return p.get(0);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $1; ld.global.nc.b32 $0, [a]; }")
    private static int nonCoherent(I32Ptr p) {
        return p.get(0);
    }

    static void store(I32Ptr p, int value, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            global(p, value);
        } else if (cache == CacheHint.STREAMING) {
            streaming(p, value);
        } else if (cache == CacheHint.WRITE_THROUGH) {
            writeThrough(p, value);
        } else {
            p.set(0, value);
        }
    }

    @InlinePtx("st.cg.b32 [$1], $2;")
    private static void global(I32Ptr p, int value) {
        p.set(0, value);
    }

    @InlinePtx("st.cs.b32 [$1], $2;")
    private static void streaming(I32Ptr p, int value) {
        p.set(0, value);
    }

    @InlinePtx("st.wt.b32 [$1], $2;")
    private static void writeThrough(I32Ptr p, int value) {
        p.set(0, value);
    }

    static long load(I64Ptr p, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            return global(p);
        }
        if (cache == CacheHint.STREAMING) {
            return streaming(p);
        }
        if (cache == CacheHint.LAST_USE) {
            return lastUse(p);
        }
        if (cache == CacheHint.NON_COHERENT) {
            return nonCoherent(p);
        }
        return p.get(0);
    }

    @InlinePtx("ld.cg.b64 $0, [$1];")
    private static long global(I64Ptr p) {
        return p.get(0);
    }

    @InlinePtx("ld.cs.b64 $0, [$1];")
    private static long streaming(I64Ptr p) {
        return p.get(0);
    }

    @InlinePtx("ld.lu.b64 $0, [$1];")
    private static long lastUse(I64Ptr p) {
        return p.get(0);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $1; ld.global.nc.b64 $0, [a]; }")
    private static long nonCoherent(I64Ptr p) {
        return p.get(0);
    }

    static void store(I64Ptr p, long value, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            global(p, value);
        } else if (cache == CacheHint.STREAMING) {
            streaming(p, value);
        } else if (cache == CacheHint.WRITE_THROUGH) {
            writeThrough(p, value);
        } else {
            p.set(0, value);
        }
    }

    @InlinePtx("st.cg.b64 [$1], $2;")
    private static void global(I64Ptr p, long value) {
        p.set(0, value);
    }

    @InlinePtx("st.cs.b64 [$1], $2;")
    private static void streaming(I64Ptr p, long value) {
        p.set(0, value);
    }

    @InlinePtx("st.wt.b64 [$1], $2;")
    private static void writeThrough(I64Ptr p, long value) {
        p.set(0, value);
    }

    static Float4 load4(F32Ptr p, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            return global4(p);
        }
        if (cache == CacheHint.STREAMING) {
            return streaming4(p);
        }
        if (cache == CacheHint.LAST_USE) {
            return lastUse4(p);
        }
        if (cache == CacheHint.NON_COHERENT) {
            return nonCoherent4(p);
        }
        return p.get4(0);
    }

    @InlinePtx("ld.cg.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 global4(F32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("ld.cs.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 streaming4(F32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("ld.lu.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 lastUse4(F32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $4; ld.global.nc.v4.f32 {$0, $1, $2, $3}, [a]; }")
    private static Float4 nonCoherent4(F32Ptr p) {
        return p.get4(0);
    }

    static void store4(F32Ptr p, Float4 value, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            global4(p, value);
        } else if (cache == CacheHint.STREAMING) {
            streaming4(p, value);
        } else if (cache == CacheHint.WRITE_THROUGH) {
            writeThrough4(p, value);
        } else {
            p.set4(0, value);
        }
    }

    @InlinePtx("st.cg.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void global4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    @InlinePtx("st.cs.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void streaming4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    @InlinePtx("st.wt.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void writeThrough4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    static Int4 load4(I32Ptr p, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            return global4(p);
        }
        if (cache == CacheHint.STREAMING) {
            return streaming4(p);
        }
        if (cache == CacheHint.LAST_USE) {
            return lastUse4(p);
        }
        if (cache == CacheHint.NON_COHERENT) {
            return nonCoherent4(p);
        }
        return p.get4(0);
    }

    @InlinePtx("ld.cg.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 global4(I32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("ld.cs.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 streaming4(I32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("ld.lu.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 lastUse4(I32Ptr p) {
        return p.get4(0);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $4; ld.global.nc.v4.b32 {$0, $1, $2, $3}, [a]; }")
    private static Int4 nonCoherent4(I32Ptr p) {
        return p.get4(0);
    }

    static void store4(I32Ptr p, Int4 value, CacheHint cache) {
        if (cache == CacheHint.GLOBAL) {
            global4(p, value);
        } else if (cache == CacheHint.STREAMING) {
            streaming4(p, value);
        } else if (cache == CacheHint.WRITE_THROUGH) {
            writeThrough4(p, value);
        } else {
            p.set4(0, value);
        }
    }

    @InlinePtx("st.cg.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void global4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }

    @InlinePtx("st.cs.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void streaming4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }

    @InlinePtx("st.wt.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void writeThrough4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }
}
