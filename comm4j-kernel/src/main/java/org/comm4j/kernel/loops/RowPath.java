// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What a thread of a row does that has something to do.
 *
 * @param steps in their order
 * @param places the numbers of the windows that loads read, and of the writes of stores
 */
record RowPath(List<Op> steps, IdentityHashMap<Op, Integer> places) {
    /**
     * Returns the steps that some values come of, in their order. Where elements are that are read is not among them.
     *
     * @param wanted registers and variables; what they are made of is added
     * @param ofStores whether what is written is wanted
     */
    List<Op> slice(Set<Object> wanted, boolean ofStores) {
        List<Op> some = new ArrayList<>();
        for (Op op : steps.reversed()) {
            Val.Reg result = Analysis.result(op);
            boolean isWanted = op instanceof Op.SetVariable set
                    ? wanted.remove(set.variable())
                    : op instanceof Op.Store ? ofStores : result != null && wanted.contains(result);
            if (isWanted) {
                some.add(op);
                if (op instanceof Op.Store store) {
                    wanted.add(store.value());
                } else if (!(op instanceof Op.Load && places.containsKey(op))) {
                    Analysis.uses(op, wanted::add, wanted::add);
                }
            }
        }
        return some.reversed();
    }
}
