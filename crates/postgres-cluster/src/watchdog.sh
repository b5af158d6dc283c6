# Removes a cluster that no process uses any more, whichever way its users ended. It must not signal
# a process that is not the server of its folder.
#
# Arguments: what to do (`watch` or `remove`), the folder of the cluster, and for `watch` how many
# seconds it may be unused. The folder has `users`, one empty file per process that uses it, and
# `data`, the server's own. A new user adds its file first and then checks for `closing`; the
# watchdog creates `closing` first and then checks for files. So at least one sees the other.

home=$2

used() {
    for user in "$home"/users/*; do
        kill -0 "${user##*/}" 2>/dev/null && return 0
    done
    return 1
}

runs() {
    what=$(ps -o args= -p "$1" 2>/dev/null || tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline")
    case $what in *"$home/data"*) return 0 ;; esac
    return 1
}

remove() {
    server=$(head -n 1 "$home/data/postmaster.pid" 2>/dev/null)
    if [ -n "$server" ] && runs "$server"; then
        kill -QUIT "$server" 2>/dev/null
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            runs "$server" || break
            sleep 1
        done
    fi
    # A process of the server that is slow to end may write once more. A server that is still there
    # notices within a minute that its folder has gone, and ends.
    for _ in 1 2 3 4 5; do
        rm -rf "$home" && return
        sleep 1
    done
}

watch() {
    trap '' HUP INT TERM
    unused=0
    while [ -d "$home" ]; do
        if used; then
            unused=0
        elif [ "$unused" -lt "$1" ]; then
            unused=$((unused + 1))
        elif mkdir "$home/closing" 2>/dev/null; then
            if used; then
                rmdir "$home/closing"
                unused=0
            else
                remove
            fi
        else
            exit
        fi
        sleep 1
    done
}

case $1 in
watch) watch "$3" & ;;
remove) remove ;;
esac
