import type { SequenceAlias, SequenceMetadata } from '@htskit/sequences';

/** The metadata that SeqRepo answers of a sequence. It allows null for what is not known here. */
export interface SeqRepoMetadata {
  readonly added: null;
  /** `namespace:name`, those of digests included. */
  readonly aliases: readonly string[];
  readonly alphabet: null;
  readonly length: number;
}

/** An alias as SeqRepo stores it, and the forms that it is answered in. */
interface StoredAlias {
  readonly namespace: string;
  readonly name: string;
  readonly shown: readonly string[];
}

/** The namespaces that SeqRepo stores by another name than clients use, by the one in lower case. */
const STORED_NAMESPACES: ReadonlyMap<string, readonly [stored: string, shown: string]> = new Map([
  ['refseq', ['NCBI', 'refseq']],
  ['ncbi', ['NCBI', 'refseq']],
  ['ensembl', ['Ensembl', 'ensembl']],
  ['lrg', ['LRG', 'lrg']],
]);

/** Returns the metadata of a sequence, its aliases in the order of SeqRepo. */
export function toSeqRepoMetadata({ length, md5, sha512t24u, aliases }: SequenceMetadata): SeqRepoMetadata {
  const digest = sha512t24u.slice('SQ.'.length);
  const vmc = [`VMC:GS_${digest}`, `sha512t24u:${digest}`, `ga4gh:${sha512t24u}`];
  const stored: readonly StoredAlias[] = [
    ...aliases.map(toStoredAlias),
    { namespace: 'MD5', name: md5, shown: [`MD5:${md5}`] },
    { namespace: 'VMC', name: digest, shown: vmc },
  ];
  const sorted = stored.toSorted((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
  return { added: null, aliases: [...new Set(sorted.flatMap(({ shown }) => shown))], alphabet: null, length };
}

function toStoredAlias({ namingAuthority, alias }: SequenceAlias): StoredAlias {
  const [stored, shown] = STORED_NAMESPACES.get(namingAuthority.toLowerCase()) ?? [namingAuthority, namingAuthority];
  return { namespace: stored, name: alias, shown: [`${stored}:${alias}`, `${shown}:${alias}`] };
}

/** Compares code units, as SQLite does. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
