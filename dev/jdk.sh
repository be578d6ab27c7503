# shellcheck shell=bash
# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by ./mvnw and ./comm4j. find_jdk sets JAVA_HOME to a JDK 25 or newer: the caller's JAVA_HOME if it is one, then the
# java on PATH if it belongs to one, then the newest in the usual folders. No JVM is started to find out, each JDK's "release"
# file says what it is. COMM4J_JDK_PATH (folders, colon-separated) replaces the usual folders.

# In the locale C, the default of containers and batch jobs, Java can neither open nor print names beyond ASCII.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
C | POSIX) export LC_ALL=C.UTF-8 ;;
esac

readonly jdk_wanted=25

jdk_folders=(
    /usr/lib/jvm
    /usr/java
    /opt
    /opt/java
    "${SDKMAN_DIR:-${HOME-}/.sdkman}/candidates/java"
    "${ASDF_DATA_DIR:-${HOME-}/.asdf}/installs/java"
    "${MISE_DATA_DIR:-${XDG_DATA_HOME:-${HOME-}/.local/share}/mise}/installs/java"
    "${HOME-}/.jdks"
    /Library/Java/JavaVirtualMachines
    "${HOME-}/Library/Java/JavaVirtualMachines"
)

# Sets jdk_version to the version of the JDK in folder $1 as a comparable number (25.0.3 is 25000003), 0 if there is none.
read_jdk_version() {
    local line
    jdk_version=0
    [[ -x $1/bin/java && -x $1/bin/javac && -r $1/release ]] || return 0
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ $line =~ ^JAVA_VERSION=\"?([0-9]+)(\.([0-9]+)(\.([0-9]+))?)? ]]; then
            jdk_version=$((10#${BASH_REMATCH[1]} * 1000000 + 10#0${BASH_REMATCH[3]-} * 1000 + 10#0${BASH_REMATCH[5]-}))
            return 0
        fi
    done <"$1/release"
}

find_jdk() {
    local wanted=$((jdk_wanted * 1000000)) looked='' best='' best_version=0 java home folder

    if [[ -n ${JAVA_HOME-} ]]; then
        read_jdk_version "$JAVA_HOME"
        if ((jdk_version >= wanted)); then
            export JAVA_HOME
            return 0
        fi
        looked="JAVA_HOME ($JAVA_HOME)"
    else
        looked='JAVA_HOME (not set)'
    fi

    if java=$(command -v java) && java=$(readlink -f "$java"); then
        home=${java%/bin/java}
        read_jdk_version "$home"
        if ((jdk_version >= wanted)); then
            export JAVA_HOME=$home
            return 0
        fi
        looked+=", PATH ($home)"
    else
        looked+=', PATH (no java)'
    fi

    if [[ -n ${COMM4J_JDK_PATH-} ]]; then
        IFS=: read -r -a jdk_folders <<<"$COMM4J_JDK_PATH"
    fi
    for folder in "${jdk_folders[@]}"; do
        looked+=", $folder"
        # A JDK for macOS keeps its home two levels down.
        for home in "$folder"/* "$folder"/*/Contents/Home; do
            read_jdk_version "$home"
            if ((jdk_version > best_version)); then
                best=$home
                best_version=$jdk_version
            fi
        done
    done
    if ((best_version < wanted)); then
        echo "${0##*/}: no JDK $jdk_wanted or newer found; install one or set JAVA_HOME to it. Looked at: $looked" >&2
        return 1
    fi
    export JAVA_HOME=$best
}
