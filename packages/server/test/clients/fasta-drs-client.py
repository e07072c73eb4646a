"""Prints what the FASTA client of the Python package refget receives from a server, as JSON.

fasta-drs-client.py URL COLLECTION FOLDER
"""

import json
import sys

from refget.clients import FastaDrsClient, SequenceCollectionClient

url, digest, folder = sys.argv[1:]
collections = SequenceCollectionClient(urls=[url], raise_errors=True)
fasta = FastaDrsClient(urls=[f"{url}/fasta"], raise_errors=True)
json.dump(
    {
        "object": fasta.get_object(digest),
        "access": fasta.get_access_url(digest, "https"),
        "service": fasta.service_info()["type"],
        "index": fasta.get_index(digest),
        "fai": fasta.build_fai(digest, collections),
        "derived": fasta.build_fai(digest),
        "path": fasta.download(digest, f"{folder}/genome.fa"),
        "plain": FastaDrsClient(urls=[f"{url}/ga4gh/drs/v1"], raise_errors=True).get_object(digest),
    },
    sys.stdout,
)
