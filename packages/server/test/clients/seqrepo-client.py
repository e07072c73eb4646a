"""Prints what Python clients of SeqRepo receive from a server, as JSON, and what the REST service of SeqRepo answers of the same.

seqrepo-client.py URL FOLDER PATHS NAMESPACE=FASTA…

PATHS is a list of paths, as JSON, which the REST service is asked for. It has the sequences of the FASTA files, in a new FOLDER.
"""

import importlib.resources
import json
import os
import sys

url, folder, paths, *files = sys.argv[1:]
os.environ["HGVS_SEQREPO_URL"] = url

import connexion
from biocommons.seqrepo import SeqRepo
from biocommons.seqrepo.dataproxy import SeqRepoRESTDataProxy
from biocommons.seqrepo.fastaiter import FastaIter
from ga4gh.vrs.dataproxy import create_dataproxy
from ga4gh.vrs.extras.translator import AlleleTranslator
from hgvs.dataproviders.seqfetcher import SeqFetcher
from hgvs.exceptions import HGVSInvalidVariantError
from hgvs.normalizer import Normalizer
from hgvs.parser import Parser
from hgvs.validator import ExtrinsicValidator


class Provider(SeqFetcher):
    """A data provider of hgvs for genomic variants, which need sequences alone."""

    def get_seq(self, ac, start_i=None, end_i=None):
        return self.fetch_seq(ac, start_i, end_i)


def is_valid(provider, variant):
    try:
        return ExtrinsicValidator(provider).validate(Parser().parse(variant))
    except HGVSInvalidVariantError as error:
        return str(error)


def ask_service():
    repository = SeqRepo(folder, writeable=True)
    for file in files:
        namespace, path = file.split("=", 1)
        with open(path) as lines:
            for line, sequence in FastaIter(lines):
                repository.store(sequence, [{"namespace": namespace, "alias": line.split()[0]}])
    repository.commit()
    app = connexion.App("seqrepo_rest_service")
    app.app.config["seqrepo_dir"] = folder
    specification = importlib.resources.files("seqrepo_rest_service") / "seqrepo" / "openapi.yaml"
    app.add_api(str(specification), validate_responses=True, strict_validation=True)
    client = app.app.test_client()
    answers = [client.get("/seqrepo/1/" + path) for path in json.loads(paths)]
    return [{"status": answer.status_code, "type": answer.mimetype, "text": answer.text} for answer in answers]


proxy = create_dataproxy("seqrepo+" + url)
translator = AlleleTranslator(data_proxy=proxy)
provider = Provider()
json.dump(
    {
        "accession": proxy.derive_refget_accession("NC_000001.11"),
        "part": proxy.get_sequence("GRCh38:chr1", 100, 160),
        "names": proxy.translate_sequence_identifier("NC_000001.11", "GRCh38"),
        "alleles": [
            translator.translate_from("NC_000001.11:100:A:T", "spdi", require_validation=False).id,
            translator.translate_from("chr1-101-A-T", "gnomad", require_validation=False).id,
            translator.translate_from("1-101-A-T", "gnomad", require_validation=False).id,
        ],
        "seqrepo": SeqRepoRESTDataProxy(url).get_sequence("NC_000001.11", 100, 160),
        "hgvs": provider.fetch_seq("NC_000001.11", 100, 160),
        "normalized": str(Normalizer(provider, validate=False).normalize(Parser().parse("NC_000001.11:g.11del"))),
        "valid": [is_valid(provider, f"NC_000001.11:g.101{base}>T") for base in "ACG"],
        "answers": ask_service(),
    },
    sys.stdout,
)
