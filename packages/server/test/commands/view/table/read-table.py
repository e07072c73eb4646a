"""Prints as JSON the rows of a table of reads, after a full validation: a stream or a file of Arrow, or Parquet."""

import json
import sys

import pyarrow.ipc
import pyarrow.parquet

path = sys.argv[1]
if path.endswith(".parquet"):
    table = pyarrow.parquet.read_table(path)
elif path.endswith(".arrow"):
    table = pyarrow.ipc.open_file(path).read_all()
else:
    table = pyarrow.ipc.open_stream(path).read_all()
table.validate(full=True)
print(json.dumps(table.to_pylist(), default=list))
