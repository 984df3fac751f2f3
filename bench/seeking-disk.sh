#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
#
# What the disks of "bench/run --devices seek" do, as a program sees them: one JSON object a line.
# Environment as of emulated-devices.sh; SECONDS_EACH (5).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/emulated-devices.sh"

measure() { # NAME SEEK_US READ_BPS WRITE_BPS
  seeking "$@"
  umount "$mount"
  echo 1 >"$work/$1.fuse/control"
  "$here/bench/disk-speed.py" "$loop" "${SECONDS_EACH:-5}" | sed "s/^{/{\"disk\": \"$1\", /"
  echo 0 >"$work/$1.fuse/control"
}
measure hdd 6600 161000000 128000000
measure ssd 685 307500000 182500000
