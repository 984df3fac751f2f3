#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# Plays write-ahead logs against each other, in turns, on a loop device throttled to be the SSD of
# Table 1 in "Hybrid HBase" (COMAD 2012), and counts the device's I/Os per edit.
#
#   mvn -Pjmh -DskipTests package
#   sudo bench/wal-on-emulated-ssd.sh [name=value ...]      # see DeviceComparison for the names
#
# Prints one JSON object a run. Needs Linux, root, losetup, mkfs.ext4 and cgroup v1 blkio or cgroup
# v2 io. Leaves nothing behind: mount, loop device, throttle and image go at exit, whatever happened.
# Environment: JAVA, BENCH_JAR, WORK (a directory on a device faster than the emulated one), GB (8),
# IOPS (1460), READ_BPS (307500000), WRITE_BPS (182500000), HEAP (4g).
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
jar=${BENCH_JAR:-$here/target/benchmarks.jar}
work=$(mktemp -d "${WORK:-/var/tmp}/emulated-ssd.XXXXXX")
iops=${IOPS:-1460}
read_bps=${READ_BPS:-307500000}
write_bps=${WRITE_BPS:-182500000}
loop=
blkio=/sys/fs/cgroup/blkio
device=

throttle() { # value for every limit, 0 lifts it
  local limit
  for limit in "read_iops $1" "write_iops $1" "read_bps $2" "write_bps $3"; do
    echo "$device ${limit#* }" >"$blkio/blkio.throttle.${limit% *}_device"
  done
}

cleanup() {
  set +e
  if [ -n "$device" ] && [ -d "$blkio" ]; then throttle 0 0 0; fi
  mountpoint -q "$work/mnt" && umount "$work/mnt"
  [ -n "$loop" ] && losetup -d "$loop"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

[ "$(id -u)" = 0 ] || { echo "Needs root: loop device and throttle" >&2; exit 2; }
[ -f "$jar" ] || { echo "No $jar: mvn -Pjmh -DskipTests package" >&2; exit 2; }
[ -d "$blkio" ] || { echo "No cgroup v1 blkio at $blkio; on cgroup v2 write io.max yourself" >&2; exit 2; }

truncate -s "${GB:-8}G" "$work/image"
loop=$(losetup --direct-io=on --find --show "$work/image" 2>/dev/null || losetup --find --show "$work/image")
mkfs.ext4 -q ${MKFS:-} -E lazy_itable_init=0,lazy_journal_init=0 "$loop"
mkdir "$work/mnt"
mount -o "${MOUNT:-noatime}" "$loop" "$work/mnt"
device=$(printf '%d:%d' "0x$(stat -c %t "$loop")" "0x$(stat -c %T "$loop")")
throttle "$iops" "$read_bps" "$write_bps"
echo "# $loop $device: $iops I/Os, $read_bps B read, $write_bps B written a second" >&2

"${JAVA:-java}" -Xmx"${HEAP:-4g}" -Dhadoop.root.logger=ERROR \
  --add-opens java.base/java.lang=ALL-UNNAMED \
  --add-opens java.base/java.nio=ALL-UNNAMED \
  --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
  --add-opens java.base/jdk.internal.ref=ALL-UNNAMED \
  --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
  -cp "$jar" io.github.hybridhbase.bench.DeviceComparison \
  dir="$work/mnt/dfs" device="$device" "$@"
