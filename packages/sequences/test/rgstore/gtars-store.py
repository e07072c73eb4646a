"""Writes a RefgetStore with gtars, or prints what gtars reads from one as JSON.

gtars-store.py write STORE raw|encoded FASTA...
gtars-store.py read STORE
"""

import json
import os
import sys

from gtars.refget import RefgetStore


def write(path, mode, fastas):
    store = RefgetStore.on_disk(path)
    if mode == "raw":
        store.disable_encoding()
    else:
        store.enable_encoding()
    return [store.add_sequence_collection_from_fasta(fasta)[0].digest for fasta in fastas]


def read(path):
    store = RefgetStore.open_local(path)
    store.load_all_collections()
    store.load_all_sequences()
    collections = [found.digest for found in store.list_collections()["results"]]
    return {
        "collections": {digest: store.get_collection_level2(digest) for digest in collections},
        "sequences": {
            found.sha512t24u: store.get_sequence(found.sha512t24u).decode() for found in store.list_sequences()
        },
    }


# gtars reports its progress on stdout.
output = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
command, path, *others = sys.argv[1:]
json.dump(write(path, others[0], others[1:]) if command == "write" else read(path), output)
