# Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
"""A program of happybase's, which is Thrift in Python: happy.py HOST PORT write|read ROWS."""
import sys

import happybase

host, port, step, rows = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
connection = happybase.Connection(host, port, timeout=120_000)
if step == "write":
    connection.create_table("happy", {"f": {}})
    table = connection.table("happy")
    with table.batch(batch_size=100) as batch:
        for row in range(rows):
            batch.put(b"%06d" % row, {b"f:v": b"value %d" % row})
    for _ in range(rows):
        table.counter_inc(b"counter", b"f:counter")
table = connection.table("happy")
assert table.counter_get(b"counter", b"f:counter") == rows
assert table.row(b"000000") == {b"f:v": b"value 0"}
found = dict(table.scan(columns=[b"f:v"]))
assert found == {b"%06d" % row: {b"f:v": b"value %d" % row} for row in range(rows)}, len(found)
print("done: %s %d" % (step, rows))
