# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
#
# Sourced by the scripts beside it: loop devices that a benchmark throttles to be the disks of Table
# 1 in "Hybrid HBase" (COMAD 2012), or that a process behind them makes seek. They, their throttle and
# that process are gone when the script ends, whatever happened.
#
# Needs Linux, root, losetup, mkfs.ext4, and cgroup v1 blkio or cgroup v2 io (written after its
# documentation; only v1 was run).
# Environment: JAVA, BENCH_JAR, HEAP (4g), WORK (a directory on a device faster than the emulated
# ones), GB (8, a device; the images are sparse), FS (ext4, xfs), MKFS, MOUNT (options of mkfs and
# mount),
# MEMORY (bytes of memory for the JVM with the page cache it fills, v1; none).

here=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jar=${BENCH_JAR:-$here/target/benchmarks.jar}
blkio=/sys/fs/cgroup/blkio
memory=/sys/fs/cgroup/memory/emulated-$$
unified=/sys/fs/cgroup/emulated-$$
loops=()
mounts=()
devices=()
images=()
fuses=()

[ "$(id -u)" = 0 ] || { echo "Needs root: loop devices and throttle" >&2; exit 2; }
if [ -d "$blkio" ]; then
  counters=$blkio
  echo $$ >"$blkio/cgroup.procs" # limits of the root group hold for none of the groups below it
elif grep -qw io /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
  counters=$unified # the root group has no io.max
else
  echo "No cgroup v1 blkio at $blkio, and no cgroup v2 io" >&2
  exit 2
fi

cleanup() {
  local one limit again
  set +e
  # This shell may sit in the groups that are to go.
  [ -d "$memory" ] && echo $$ >/sys/fs/cgroup/memory/cgroup.procs && rmdir "$memory"
  [ -d "$unified" ] && echo $$ >/sys/fs/cgroup/cgroup.procs
  if [ "$counters" = "$blkio" ]; then
    for one in "${devices[@]}"; do
      for limit in read_iops write_iops read_bps write_bps; do
        echo "$one 0" >"$blkio/blkio.throttle.${limit}_device"
      done
    done
  fi
  if [ -d "$unified" ]; then rmdir "$unified"/*/ "$unified"; fi
  for one in "${mounts[@]}"; do
    for again in {1..40}; do # who was killed with its JVM may take a moment to go
      mountpoint -q "$one" || break
      umount "$one" 2>/dev/null || sleep 0.25
    done
  done
  for one in "${loops[@]}"; do losetup -d "$one"; done
  for one in "${fuses[@]}"; do
    for again in {1..40}; do # losetup lets its file go a moment later
      mountpoint -q "$one" || break
      umount "$one" 2>/dev/null || sleep 0.25
    done
  done
  rm -f "${images[@]}"
  rm -rf "$work"
}
work=$(mktemp -d "${WORK:-/var/tmp}/emulated.XXXXXX")
trap cleanup EXIT
trap 'exit 130' INT TERM

if [ "$counters" = "$unified" ]; then
  # What a file system's journal writes belongs to the kernel's own group: neither throttled nor counted.
  echo "# cgroup v2: journals are not throttled; fsyncs are cheaper than on v1" >&2
  echo "+io" >/sys/fs/cgroup/cgroup.subtree_control
  mkdir "$unified" "$unified/self" # a group with groups below it has no processes itself
  echo $$ >"$unified/self/cgroup.procs"
elif [ -n "${MEMORY:-}" ]; then
  mkdir "$memory"
  echo "$MEMORY" >"$memory/memory.limit_in_bytes"
  echo $$ >"$memory/cgroup.procs"
fi

emulate() { # NAME IOPS READ_BPS WRITE_BPS [DIRECTORY OF ITS IMAGE]: sets $device, and $disk for EmulatedDisk
  local image=${5:-$work}/$(basename "$work").$1.image
  images+=("$image")
  truncate -s "${GB:-8}G" "$image"
  looped "$1" "$image"
  disk=$mount,$device,$2,$3,$4
  echo "# $1 $loop $device: $2 I/Os, $3 B read, $4 B written a second, direct I/O $(losetup -nO DIO "$loop" | tr -d ' ')" >&2
}

# A disk with one head, see seeking-disk.c; sets $device, and $disk for SeekingDisk.
seeking() { # NAME SEEK_US READ_BPS WRITE_BPS [DIRECTORY OF ITS IMAGE]
  local image=${5:-$work}/$(basename "$work").$1.image fuse=$work/$1.fuse program=$work/seeking-disk
  if [ ! -x "$program" ]; then
    pkg-config --exists fuse3 || { echo "Needs cc, pkg-config and libfuse3-dev" >&2; exit 2; }
    # shellcheck disable=SC2046
    "${CC:-cc}" -O2 -o "$program" "$here/bench/seeking-disk.c" $(pkg-config --cflags --libs fuse3) -lpthread
  fi
  images+=("$image")
  truncate -s "${GB:-8}G" "$image"
  mkdir "$fuse"
  # Before all others: what wakes late would be a slower disk.
  nice -n -15 "$program" "$image" "$2" "$3" "$4" "$fuse"
  fuses+=("$fuse")
  looped "$1" "$fuse/disk"
  echo mq-deadline >"/sys/block/${loop#/dev/}/queue/scheduler"
  disk=$mount,$fuse/control,$2,$3,$4
  echo "# $1 $loop $device: $2 us a seek, $3 B read, $4 B written a second, one head" >&2
}

looped() { # NAME FILE: sets $loop, $mount and $device
  mount=$work/$1
  loop=$(losetup --direct-io=on --find --show "$2" 2>/dev/null ||
    losetup --find --show "$2")
  loops+=("$loop")
  # shellcheck disable=SC2086
  case ${FS:-ext4} in
    ext4) mkfs.ext4 -q ${MKFS:-} -E lazy_itable_init=0,lazy_journal_init=0 "$loop" ;;
    *) "mkfs.$FS" -q ${MKFS:-} "$loop" ;;
  esac
  mkdir "$mount"
  mount -o "${MOUNT:-noatime}" "$loop" "$mount"
  mounts+=("$mount")
  device=$(printf '%d:%d' "0x$(stat -c %t "$loop")" "0x$(stat -c %T "$loop")")
  devices+=("$device")
}

bench() { # CLASS [name=value ...]
  [ -f "$jar" ] || { echo "No $jar: mvn -Pjmh -DskipTests package" >&2; exit 2; }
  "${JAVA:-java}" -Xmx"${HEAP:-4g}" -Dhadoop.root.logger=ERROR -Dhybrid.basedir="$here" \
    --add-opens java.base/java.lang=ALL-UNNAMED \
    --add-opens java.base/java.lang.reflect=ALL-UNNAMED \
    --add-opens java.base/java.io=ALL-UNNAMED \
    --add-opens java.base/java.nio=ALL-UNNAMED \
    --add-opens java.base/java.util=ALL-UNNAMED \
    --add-opens java.base/java.util.concurrent=ALL-UNNAMED \
    --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
    --add-opens java.base/jdk.internal.ref=ALL-UNNAMED \
    --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
    --add-exports java.security.jgss/sun.security.krb5=ALL-UNNAMED \
    -cp "$jar" "io.github.hybridhbase.bench.$1" counters="$counters" "${@:2}"
}
