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
# Plays stock HBase, the plugin without the SSD tier and the plugin with it against each other, in
# turns, on loop devices throttled to be the HDD and the SSD of Table 1 in "Hybrid HBase" (COMAD
# 2012), and counts what they cost the devices.
#
#   mvn -Pjmh -DskipTests package
#   sudo bench/tier-on-emulated-devices.sh [name=value ...]   # see TierComparison for names
#
# Prints one JSON object a run. Both devices are SCALE times slower than in the paper, so that they
# are the limit and not the processors; the ratio of one to the other is the paper's. Linux would
# keep gigabytes of what is written in memory, for minutes: DIRTY bounds that for each device, after
# which who writes waits for the device. Environment: SCALE (2), DIRTY (bytes, 33554432), and what
# emulated-devices.sh has. Leaves nothing behind. Needs Linux 6.2 for DIRTY.
set -euo pipefail

. "$(dirname "$0")/emulated-devices.sh"
scale=${SCALE:-2}
slowly() { # NAME IOPS READ_BPS WRITE_BPS
  emulate "$1" $(($2 / scale)) $(($3 / scale)) $(($4 / scale))
  [ -e "/sys/class/bdi/$device/max_bytes" ] || { echo "Needs Linux 6.2 or later" >&2; exit 2; }
  echo 1 >"/sys/class/bdi/$device/strict_limit"
  echo "${DIRTY:-33554432}" >"/sys/class/bdi/$device/max_bytes"
}

slowly hdd 151 161000000 128000000
hdd=$disk
slowly ssd 1460 307500000 182500000
bench TierComparison hdd="$hdd" ssd="$disk" dir="$work" scale="$scale" "$@"
