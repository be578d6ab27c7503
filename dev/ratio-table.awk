# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
#
# Lines of a side (P, the peer, or C), a case and microseconds; -v name=TEXT is the name of the peer. Prints a
# table of the fastest time of each side in Markdown.
{ side = $1; time = $NF; name_of = $0; sub(/^. /, "", name_of); sub(/ [^ ]*$/, "", name_of) }
!(name_of in seen) { seen[name_of] = 1; order[++n] = name_of }
!((side, name_of) in best) || time + 0 < best[side, name_of] + 0 { best[side, name_of] = time }
END {
    print "| case | " name " µs | comm4j µs | ratio |"
    print "|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        p = best["P", order[i]]; c = best["C", order[i]]
        printf "| %s | %s | %s | %s |\n", order[i], p, c, (p > 0 && c > 0 ? sprintf("%.3g", p / c) : "-")
    }
}
