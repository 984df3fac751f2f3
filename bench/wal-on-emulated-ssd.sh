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
# Prints one JSON object a run. Environment: SSDS (1; as many as datanodes= gives each DataNode its
# own), IOPS (1460), READ_BPS (307500000), WRITE_BPS (182500000) of each, and what
# emulated-devices.sh has. Leaves nothing behind.
set -euo pipefail

. "$(dirname "$0")/emulated-devices.sh"
disks=
for ssd in $(seq "${SSDS:-1}"); do
  emulate "ssd$ssd" "${IOPS:-1460}" "${READ_BPS:-307500000}" "${WRITE_BPS:-182500000}"
  disks+="$disk;"
done
bench DeviceComparison disks="$disks" "$@"
