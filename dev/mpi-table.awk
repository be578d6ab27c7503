# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
#
# The tables of dev/compare-mpi: from lines "side operation size microseconds", those of one key in ascending order.

{
    key = $2 " " $3
    if (!(key in seen)) { seen[key] = 1; order[++n] = key }
    slot = $1 " " key
    count[slot]++
    value[slot, count[slot]] = $4
}

function least(slot) { return value[slot, 1] }
function median(slot) { return value[slot, int((count[slot] + 1) / 2)] }
function cell(slot) { return count[slot] ? sprintf("%.4g", least(slot)) : "" }
# How many times faster: by the least, and by the median.
function ratio(a, b) {
    return count[a] && count[b] ? sprintf("%.2f / %.2f", least(a) / least(b), median(a) / median(b)) : ""
}

END {
    print "| | B | C | C polled | comm4j | comm4j, block | mpi4py | C polled : comm4j | C : comm4j | C : block |" \
        " mpi4py : block |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        key = order[i]
        polled = "poll " key
        if (count["meet " key] && key !~ /^(barrier|latency|sendrecv) / && (!count[polled] || least("meet " key) < least(polled))) { polled = "meet " key }
        split(key, part, " ")
        printf "| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", part[1], part[2], cell("c " key), cell(polled), \
            cell("comm4j " key), cell("block " key), cell("mpi4py " key), ratio(polled, "comm4j " key), \
            ratio("c " key, "comm4j " key), ratio("c " key, "block " key), ratio("mpi4py " key, "block " key)
    }
}
