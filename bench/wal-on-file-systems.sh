#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
#
# What an SSD's file system costs a durable WAL, and what durable costs at all: hsync and hflush by 1
# to 1,000 writers on ext4, ext4 with fast_commit, and XFS, in turns; or on tmpfs (DEVICE=today), in
# memory without a device, on which each fsync takes FSYNC_US.
#
#   mvn -Pjmh -DskipTests package
#   sudo bench/wal-on-file-systems.sh [name=value ...] > file-systems.json   # see DeviceComparison
#
# Prints one JSON object a run, as wal-on-emulated-ssd.sh does, with "fileSystem" and "device".
# Environment: DEVICE (paper: Table 1; today: 100,000 I/Os, in memory), ROUNDS (3), FILE_SYSTEMS (ext4
# ext4-fast-commit xfs; tmpfs), HSYNC (true false), FSYNC_US (100: microseconds that each of the two fsyncs of an hsync
# takes at least, on tmpfs), SSD_IMAGES (/dev/shm: where DEVICE=today has its image, or tmpfs its files), and
# what emulated-devices.sh has. A file system whose mkfs is missing is left out, and says so.
# With its names' defaults a round takes 25 minutes.
set -euo pipefail

case ${DEVICE:-paper} in
  paper) limits=(1460 307500000 182500000) ;;
  today) limits=(100000 3000000000 1500000000 "$(realpath "${SSD_IMAGES:-/dev/shm}")") ;;
  *) echo "DEVICE=$DEVICE: paper or today" >&2 && exit 2 ;;
esac

fsync_us=${FSYNC_US:-100}
[[ $fsync_us =~ ^[0-9]+$ ]] || { echo "FSYNC_US=$fsync_us: microseconds" >&2; exit 2; }
if [[ " ${FILE_SYSTEMS:-} " = *" tmpfs "* ]]; then
  [ -n "${limits[3]:-}" ] && [ "$(stat -f -c %T "${limits[3]}")" = tmpfs ] ||
    { echo "tmpfs needs DEVICE=today, and SSD_IMAGES (${limits[3]:-none}) on a tmpfs" >&2; exit 2; }
fi
[ -z "${BENCH_JAR:-}" ] || BENCH_JAR=$(realpath "$BENCH_JAR")

# A run is a job, and that is a process group: a signal reaches this shell alone, which sends it on,
# and ends behind what the run's devices need to go.
set -m
trap 'kill -TERM -- "-$!" 2>/dev/null; wait; exit 143' INT TERM HUP

# To be run in the background: its devices go when it ends.
measure() { # ROUND NAME FS MKFS; then name=value
  export FS=$3 MKFS=$4
  if [ "$FS" = tmpfs ]; then
    export WORK=${limits[3]}
  elif ! command -v "mkfs.$FS" >/dev/null; then
    echo "# no mkfs.$FS: $2 is left out" >&2
    exit 0
  fi
  round=$1 name=$2
  shift 4
  . "$(dirname "$0")/emulated-devices.sh"
  trap 'wait; exit 143' INT TERM HUP # the JVM has been told too
  if [ "$FS" = tmpfs ]; then
    cd "$work"
    where=ssd.us=$fsync_us
    counted='s/"iosPerEdit":[0-9.]*,//' # there is no device
  else
    emulate ssd "${limits[@]}"
    where=disks=$disk
    counted=
  fi
  for hsync in ${HSYNC:-true false}; do
    bench DeviceComparison "$where" hsync=$hsync rounds=1 writers=1,10,100,1000 \
      rivals=ASYNCFS,HYBRID_ASYNCFS "$@" |
      sed "s/^{\"round\":1,/{\"round\":$round,\"fileSystem\":\"$name\",\"device\":\"${DEVICE:-paper}\",/;$counted" &
    wait "$!"
  done
}

for round in $(seq "${ROUNDS:-3}"); do
  for one in ${FILE_SYSTEMS:-ext4 ext4-fast-commit xfs}; do
    case $one in
      tmpfs) measure "$round" "tmpfs, $fsync_us us an fsync" "$one" "" "$@" & ;;
      ext4-fast-commit) measure "$round" "$one" ext4 "-O fast_commit" "$@" & ;;
      *) measure "$round" "$one" "$one" "" "$@" & ;;
    esac
    wait "$!"
  done
done
