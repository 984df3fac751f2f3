#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
#
# A DataNode's SSD that can be throttled, for StallIT: a loop device below the directory DIR, which
# writes WRITES requests a second, 0 for no limit. Whoever unmounts DIR (the bed does when it ends)
# frees the device; the image is beside it. Needs Linux, root, mkfs.ext4 and cgroup v1 blkio.
#
# Usage: throttled-ssd.sh prepare|throttle DIR WRITES
set -euo pipefail
verb=$1
dir=$2
writes=$3
blkio=/sys/fs/cgroup/blkio

limit() {
  local loop
  loop=$(findmnt -n -o SOURCE "$dir")
  printf '%d:%d %d' "0x$(stat -c %t "$loop")" "0x$(stat -c %T "$loop")" "$1" \
    >"$blkio/blkio.throttle.write_iops_device"
}

case $verb in
  prepare)
    # Sparse, and large: to a NameNode each WAL that was given up is a scheduled block for ten minutes.
    mkdir -p "$dir"
    truncate -s 100G "$dir.image"
    mkfs.ext4 -q -N 65536 -E lazy_itable_init=0,lazy_journal_init=0 "$dir.image"
    mount -o loop,noatime "$dir.image" "$dir"
    ;;
  throttle) limit "$writes" ;;
  *)
    echo "Usage: $0 prepare|throttle DIR WRITES" >&2
    exit 2
    ;;
esac
