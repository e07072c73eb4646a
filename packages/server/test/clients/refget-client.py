"""Prints what the Python client refget receives from a server, as JSON.

refget-client.py URL COLLECTION OTHER FASTA
"""

import json
import sys

from refget.clients import SequenceClient, SequenceCollectionClient
from refget.store import digest_fasta

url, digest, other, fasta = sys.argv[1:]
sequences = SequenceClient(urls=[url], raise_errors=True)
collections = SequenceCollectionClient(urls=[url], raise_errors=True)
level2 = collections.get_collection(digest)
first = level2["sequences"][0]
regions = [
    {"chrom": name, "start": min(3, length), "end": min(70_000, length)}
    for name, length in zip(level2["names"], level2["lengths"])
]
json.dump(
    {
        "fasta": digest_fasta(fasta).digest,
        "services": [sequences.service_info()["type"], collections.service_info()["type"]],
        "sequences": [sequences.get_sequence(sequence) for sequence in level2["sequences"]],
        "part": sequences.get_sequence(first, start=10, end=30),
        "metadata": sequences.get_metadata(first)["metadata"],
        "level1": collections.get_collection(digest, level=1),
        "level2": level2,
        "names": collections.get_attribute("names", collections.get_collection(digest, level=1)["names"]),
        "list": collections.list_collections(page=0, page_size=1000),
        "attributes": collections.list_attributes("names"),
        "comparison": collections.compare(digest, other),
        "local": collections.compare_local(digest, collections.get_collection(other)),
        "sizes": collections.build_chrom_sizes(digest),
        "regions": collections.get_regions(digest, regions),
    },
    sys.stdout,
)
