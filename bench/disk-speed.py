#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
"""What a block device or file does, past the page cache: disk-speed.py FILE [SECONDS].

One JSON object a line: random and sequential, read and write, by one thread and by several. Overwrites FILE.
"""
import json
import mmap
import os
import random
import sys
import threading
import time

KB = 1024
MEASURES = [  # what, bytes of a request, threads, random, write
    ("random read 4 KB", 4 * KB, 1, True, False),
    ("random read 64 KB", 64 * KB, 1, True, False),
    ("random read 64 KB, 16 threads", 64 * KB, 16, True, False),
    ("sequential read 1 MB", 1024 * KB, 1, False, False),
    ("random write 4 KB", 4 * KB, 1, True, True),
    ("random write 64 KB", 64 * KB, 1, True, True),
    ("sequential write 1 MB", 1024 * KB, 1, False, True),
]


def run(path, size, threads, at_random, write, seconds):
    counts = [0] * threads
    end = time.monotonic() + seconds

    def work(number):
        file = os.open(path, os.O_RDWR | os.O_DIRECT)
        length = os.lseek(file, 0, os.SEEK_END)
        buffer = mmap.mmap(-1, size)
        at = 0
        while time.monotonic() < end:
            if at_random:
                at = random.randrange(length // size) * size
            (os.pwritev if write else os.preadv)(file, [buffer], at)
            at = (at + size) % (length - size)
            counts[number] += 1
        os.close(file)

    began = time.monotonic()
    all_threads = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for one in all_threads:
        one.start()
    for one in all_threads:
        one.join()
    took = time.monotonic() - began
    return sum(counts) / took, sum(counts) * size / took / 1e6


for what, size, threads, at_random, write in MEASURES:
    per_second, megabytes = run(sys.argv[1], size, threads, at_random, write, float(sys.argv[2] if len(sys.argv) > 2 else 5))
    print(json.dumps({"what": what, "perSecond": round(per_second, 1), "mbPerSecond": round(megabytes, 1)}), flush=True)
