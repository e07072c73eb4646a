import { parseSequenceIdentifier, type SequenceIdentifier } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import type { Sequence, SequenceCatalogue } from '@htskit/sequences';

/** SeqRepo stores names of RefSeq as `NCBI`, and answers to both. Namespaces are in lower case. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  ['refseq', 'ncbi'].map((namespace) => [namespace, ['refseq', 'ncbi']]),
);

/** The namespaces that accessions are looked up in if they are given without one (bioutils 0.6, `infer_namespaces`). */
const ACCESSIONS: readonly (readonly [pattern: RegExp, namespace: string])[] = [
  [/^(?:(?:AC|AP|N[CGMPRTW]|X[MPR]|YP|ZP)_\d+|NZ_[A-Z]{4}\d+)(?:\.\d+)?$/, 'refseq'],
  [/^ENS[A-Z]*(?:E|FM|G|GT|P|R|T)\d{11}(?:\.\d+)?$/, 'ensembl'],
  [/^(?:[A-Z]\d{5}|[A-Z]{2}\d{6}|[A-Z]{4}\d{8}|[A-J][A-Z]{2}\d{5})(?:\.\d+)?$/, 'insdc'],
];

/** An assembly of the Genome Reference Consortium, whose chromosomes SeqRepo names both `1` and `chr1`. */
const ASSEMBLY = /^grc[a-z]\d/;

/**
 * Returns the sequences that an alias of SeqRepo names: `namespace:name`, a digest, or a name in any namespace. More than one if it
 * is ambiguous. Unlike SeqRepo, it ignores the letter case of namespaces.
 */
export async function findAlias(catalogue: SequenceCatalogue, alias: string): Promise<readonly Sequence[]> {
  for (const identifiers of candidatesOf(alias, catalogue.namingAuthorities ?? [])) {
    const found = await findAny(catalogue, identifiers);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the identifiers that an alias may stand for, in groups: the first group with sequences is meant. */
function candidatesOf(alias: string, namespaces: readonly string[]): readonly (readonly SequenceIdentifier[])[] {
  const colon = alias.indexOf(':');
  if (colon !== -1) return namedCandidates(alias.slice(0, colon).toLowerCase(), alias.slice(colon + 1));
  const digest = parseSequenceIdentifier(alias, { authorities: AUTHORITIES });
  const inferred = ACCESSIONS.filter(([pattern]) => pattern.test(alias)).flatMap(([, namespace]) =>
    namedCandidates(namespace, alias),
  );
  const anywhere = namespaces.map((namespace) => toCurie(namespace.toLowerCase(), alias));
  return [digest === undefined ? [] : [digest], ...inferred, anywhere];
}

function namedCandidates(namespace: string, name: string): readonly (readonly SequenceIdentifier[])[] {
  if (namespace === '' || name === '') return [];
  const digest = parseDigest(namespace, name);
  if (digest !== undefined) return [[digest]];
  const names = ASSEMBLY.test(namespace) ? [name, name.startsWith('chr') ? name.slice(3) : `chr${name}`] : [name];
  const synonyms = SYNONYMS.get(namespace) ?? [namespace];
  return names.map((each) => synonyms.map((synonym) => toCurie(synonym, each)));
}

/** Parses the namespaces of digests: `MD5`, and four that write the same digest in different ways. */
function parseDigest(namespace: string, name: string): SequenceIdentifier | undefined {
  const isSq = /^(?:GS[_.]|SQ\.)/.test(name) && (namespace === 'vmc' || namespace === 'ga4gh');
  const sq = namespace === 'sha512t24u' ? `SQ.${name}` : isSq ? `SQ.${name.slice(3)}` : undefined;
  const id = sq ?? `${namespace}:${name}`;
  const identifier = parseSequenceIdentifier(id, { authorities: AUTHORITIES });
  return identifier?.kind === 'curie' ? undefined : identifier;
}

function toCurie(namespace: string, name: string): SequenceIdentifier {
  return { kind: 'curie', namespace, name };
}

/** Finds the sequences of any of the identifiers, each once. Fails if a lookup fails and no other one finds any. */
async function findAny(
  catalogue: SequenceCatalogue,
  identifiers: readonly SequenceIdentifier[],
): Promise<readonly Sequence[]> {
  const answers = await Promise.allSettled(identifiers.map(async (identifier) => catalogue.find(identifier)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && failed !== undefined) throw failed.reason;
  return [...new Map(found.map((sequence) => [sequence.metadata.sha512t24u, sequence])).values()];
}
