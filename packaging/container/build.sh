#!/bin/sh
# Makes an image of the program with mmdebstrap and buildah:
#
#   packaging/container/build.sh target/dist/manilla 0.2.0
#
# It needs no daemon. Without root, mmdebstrap and buildah need user namespaces. BUILDAH_ISOLATION
# and STORAGE_DRIVER are passed on, such as `chroot` and `vfs` within another container.
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PROGRAM VERSION" >&2
    exit 2
fi
program=$1
version=$2
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

# The program needs the libc it was built with, or a newer one.
suite=${SUITE:-bookworm}
mirror=${MIRROR:-}
base=localhost/manilla-base:$suite
image=localhost/manilla:$version

# The moment of the last commit, for all that has a date: the same sources make the same image.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$repository" log -1 --format=%ct)
fi
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Essential packages, without apt, documentation and lists of packages.
mmdebstrap --variant=essential --include=ca-certificates,libgcc-s1,tzdata \
    --aptopt='Apt::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    "$suite" "$work/base.tar" ${mirror:+"$mirror"}

container=$(buildah from scratch)
buildah add --quiet "$container" "$work/base.tar" /
buildah commit --quiet --timestamp "$SOURCE_DATE_EPOCH" --rm "$container" "$base"

mkdir "$work/context"
install -m 0755 "$program" "$work/context/manilla"
install -m 0644 "$repository/LICENSE" "$work/context/LICENSE"
# The format of docker has the health check; that of OCI has none.
buildah build --format docker --timestamp "$SOURCE_DATE_EPOCH" --layers=false \
    --build-arg "BASE=$base" --label "org.opencontainers.image.version=$version" \
    --tag "$image" --file "$here/Containerfile" "$work/context"
echo "$image"
