// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

final class Main {
    private Main() {}

    static void main(String[] args) {
        System.out.println("comm4j");
    }
}
