// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

/** Loads and stores with hints for the caches. */
final class Cached {
    private Cached() {}

    static int load(I32Ptr p, Cache cache) {
        if (cache == Cache.GLOBAL) {
            return global(p);
        }
        if (cache == Cache.STREAMING) {
            return streaming(p);
        }
        if (cache == Cache.LAST_USE) {
            return lastUse(p);
        }
        if (cache == Cache.NON_COHERENT) {
            return nonCoherent(p);
        }
        return p.get(0);
    }

    @Ptx("ld.cg.b32 $0, [$1];")
    private static int global(I32Ptr p) {
        return p.get(0);
    }

    @Ptx("ld.cs.b32 $0, [$1];")
    private static int streaming(I32Ptr p) {
        return p.get(0);
    }

    @Ptx("ld.lu.b32 $0, [$1];")
    private static int lastUse(I32Ptr p) {
        return p.get(0);
    }

    @Ptx("{ .reg .b64 a; cvta.to.global.u64 a, $1; ld.global.nc.b32 $0, [a]; }")
    private static int nonCoherent(I32Ptr p) {
        return p.get(0);
    }

    static void store(I32Ptr p, int value, Cache cache) {
        if (cache == Cache.GLOBAL) {
            global(p, value);
        } else if (cache == Cache.STREAMING) {
            streaming(p, value);
        } else if (cache == Cache.WRITE_THROUGH) {
            writeThrough(p, value);
        } else {
            p.set(0, value);
        }
    }

    @Ptx("st.cg.b32 [$1], $2;")
    private static void global(I32Ptr p, int value) {
        p.set(0, value);
    }

    @Ptx("st.cs.b32 [$1], $2;")
    private static void streaming(I32Ptr p, int value) {
        p.set(0, value);
    }

    @Ptx("st.wt.b32 [$1], $2;")
    private static void writeThrough(I32Ptr p, int value) {
        p.set(0, value);
    }

    static long load(I64Ptr p, Cache cache) {
        if (cache == Cache.GLOBAL) {
            return global(p);
        }
        if (cache == Cache.STREAMING) {
            return streaming(p);
        }
        if (cache == Cache.LAST_USE) {
            return lastUse(p);
        }
        if (cache == Cache.NON_COHERENT) {
            return nonCoherent(p);
        }
        return p.get(0);
    }

    @Ptx("ld.cg.b64 $0, [$1];")
    private static long global(I64Ptr p) {
        return p.get(0);
    }

    @Ptx("ld.cs.b64 $0, [$1];")
    private static long streaming(I64Ptr p) {
        return p.get(0);
    }

    @Ptx("ld.lu.b64 $0, [$1];")
    private static long lastUse(I64Ptr p) {
        return p.get(0);
    }

    @Ptx("{ .reg .b64 a; cvta.to.global.u64 a, $1; ld.global.nc.b64 $0, [a]; }")
    private static long nonCoherent(I64Ptr p) {
        return p.get(0);
    }

    static void store(I64Ptr p, long value, Cache cache) {
        if (cache == Cache.GLOBAL) {
            global(p, value);
        } else if (cache == Cache.STREAMING) {
            streaming(p, value);
        } else if (cache == Cache.WRITE_THROUGH) {
            writeThrough(p, value);
        } else {
            p.set(0, value);
        }
    }

    @Ptx("st.cg.b64 [$1], $2;")
    private static void global(I64Ptr p, long value) {
        p.set(0, value);
    }

    @Ptx("st.cs.b64 [$1], $2;")
    private static void streaming(I64Ptr p, long value) {
        p.set(0, value);
    }

    @Ptx("st.wt.b64 [$1], $2;")
    private static void writeThrough(I64Ptr p, long value) {
        p.set(0, value);
    }

    static Float4 load4(F32Ptr p, Cache cache) {
        if (cache == Cache.GLOBAL) {
            return global4(p);
        }
        if (cache == Cache.STREAMING) {
            return streaming4(p);
        }
        if (cache == Cache.LAST_USE) {
            return lastUse4(p);
        }
        if (cache == Cache.NON_COHERENT) {
            return nonCoherent4(p);
        }
        return p.get4(0);
    }

    @Ptx("ld.cg.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 global4(F32Ptr p) {
        return p.get4(0);
    }

    @Ptx("ld.cs.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 streaming4(F32Ptr p) {
        return p.get4(0);
    }

    @Ptx("ld.lu.v4.f32 {$0, $1, $2, $3}, [$4];")
    private static Float4 lastUse4(F32Ptr p) {
        return p.get4(0);
    }

    @Ptx("{ .reg .b64 a; cvta.to.global.u64 a, $4; ld.global.nc.v4.f32 {$0, $1, $2, $3}, [a]; }")
    private static Float4 nonCoherent4(F32Ptr p) {
        return p.get4(0);
    }

    static void store4(F32Ptr p, Float4 value, Cache cache) {
        if (cache == Cache.GLOBAL) {
            global4(p, value);
        } else if (cache == Cache.STREAMING) {
            streaming4(p, value);
        } else if (cache == Cache.WRITE_THROUGH) {
            writeThrough4(p, value);
        } else {
            p.set4(0, value);
        }
    }

    @Ptx("st.cg.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void global4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    @Ptx("st.cs.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void streaming4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    @Ptx("st.wt.v4.f32 [$1], {$2, $3, $4, $5};")
    private static void writeThrough4(F32Ptr p, Float4 value) {
        p.set4(0, value);
    }

    static Int4 load4(I32Ptr p, Cache cache) {
        if (cache == Cache.GLOBAL) {
            return global4(p);
        }
        if (cache == Cache.STREAMING) {
            return streaming4(p);
        }
        if (cache == Cache.LAST_USE) {
            return lastUse4(p);
        }
        if (cache == Cache.NON_COHERENT) {
            return nonCoherent4(p);
        }
        return p.get4(0);
    }

    @Ptx("ld.cg.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 global4(I32Ptr p) {
        return p.get4(0);
    }

    @Ptx("ld.cs.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 streaming4(I32Ptr p) {
        return p.get4(0);
    }

    @Ptx("ld.lu.v4.b32 {$0, $1, $2, $3}, [$4];")
    private static Int4 lastUse4(I32Ptr p) {
        return p.get4(0);
    }

    @Ptx("{ .reg .b64 a; cvta.to.global.u64 a, $4; ld.global.nc.v4.b32 {$0, $1, $2, $3}, [a]; }")
    private static Int4 nonCoherent4(I32Ptr p) {
        return p.get4(0);
    }

    static void store4(I32Ptr p, Int4 value, Cache cache) {
        if (cache == Cache.GLOBAL) {
            global4(p, value);
        } else if (cache == Cache.STREAMING) {
            streaming4(p, value);
        } else if (cache == Cache.WRITE_THROUGH) {
            writeThrough4(p, value);
        } else {
            p.set4(0, value);
        }
    }

    @Ptx("st.cg.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void global4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }

    @Ptx("st.cs.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void streaming4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }

    @Ptx("st.wt.v4.b32 [$1], {$2, $3, $4, $5};")
    private static void writeThrough4(I32Ptr p, Int4 value) {
        p.set4(0, value);
    }
}
