import { type SequenceDigests, toTrunc512 } from '@htskit/digest';
import type { AliasRow } from '../alias-row.js';
import type { CollectionSummary } from '../collection/collection-source.js';
import { textLines } from '../name-tables.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** The contents of `rgstore.json` of a RefgetStore, version 1 (gtars-refget). */
export interface RgstoreManifest {
  /** Whether sequences are packed, each as its alphabet allows, rather than stored as text. */
  readonly isEncoded: boolean;
  /** Key of the table of sequences. */
  readonly sequenceIndex: string;
  /** Key of a sequence, in which `%s` stands for its digest and `%s2` or `%s4` for the first characters of the digest. */
  readonly sequencePath: string;
  /** Key of the table of collections. Stores of early versions have none. */
  readonly collectionIndex: string | undefined;
  /** Key of a collection, with `%s` as in `sequencePath`. */
  readonly collectionPath: string;
  /** Naming authorities of the aliases of sequences. */
  readonly aliasNamespaces: readonly string[];
}

/** A line of `sequences.rgsi`. */
export interface RgstoreRow {
  readonly name: string;
  /** In lower case. */
  readonly alphabet: string;
  readonly digests: SequenceDigests;
}

const SQ_DIGEST = /^(?:SQ\.)?([A-Za-z0-9_-]{32})$/;
const DIGEST = /^[A-Za-z0-9_-]{32}$/;
const MD5 = /^[0-9a-f]{32}$/i;

/** Throws INVALID_STORE for text that is not a JSON object, for another version, and for a missing key. */
export function parseRgstoreManifest(bytes: Uint8Array): RgstoreManifest {
  const manifest = parseObject(bytes);
  const { version, mode, sequence_index, seqdata_path_template, sequence_alias_namespaces } = manifest;
  const { collection_index, collections_path_template } = manifest;
  if (version !== 1) throw invalid(`unsupported version ${String(version)} of rgstore.json, expected 1`);
  if (mode !== 'Raw' && mode !== 'Encoded') throw invalid('the mode in rgstore.json must be Raw or Encoded');
  if (typeof seqdata_path_template !== 'string' || !seqdata_path_template.includes('%s')) {
    throw invalid('rgstore.json has no seqdata_path_template that contains %s');
  }
  const namespaces: readonly unknown[] = Array.isArray(sequence_alias_namespaces) ? sequence_alias_namespaces : [];
  return {
    isEncoded: mode === 'Encoded',
    sequenceIndex: typeof sequence_index === 'string' ? sequence_index : 'sequences.rgsi',
    sequencePath: seqdata_path_template,
    collectionIndex: typeof collection_index === 'string' ? collection_index : undefined,
    collectionPath: typeof collections_path_template === 'string' ? collections_path_template : 'collections/%s.rgsi',
    aliasNamespaces: namespaces.filter((namespace) => typeof namespace === 'string'),
  };
}

/** Returns the key of the sequence with an `SQ.` digest. */
export function rgstoreSequenceKey({ sequencePath }: Pick<RgstoreManifest, 'sequencePath'>, sqDigest: string): string {
  return fillTemplate(sequencePath, sqDigest.slice('SQ.'.length));
}

/** Returns the key of the collection with a digest. */
export function rgstoreCollectionKey({ collectionPath }: RgstoreManifest, digest: string): string {
  return fillTemplate(collectionPath, digest);
}

function fillTemplate(template: string, digest: string): string {
  return template.replace(/%s(\d?)/g, (_, digits: string) =>
    digits === '' ? digest : digest.slice(0, Number(digits)),
  );
}

/** The columns of `collections.rgci` after the digest and the number of sequences. Those of disabled digests are missing. */
export const COLLECTION_COLUMNS = [
  'names',
  'sequences',
  'lengths',
  'name_length_pairs',
  'sorted_name_length_pairs',
  'sorted_sequences',
] as const;

/**
 * Parses the table of collections: tab-separated lines of digest, number of sequences, and the digests of the attributes. Skips
 * lines that begin with `#`. Throws INVALID_STORE for any other line.
 */
export function parseCollectionRows(bytes: Uint8Array): Generator<CollectionSummary, void> {
  return parseRows(bytes, ([digest = '', length = '', ...digests]) => {
    if (!DIGEST.test(digest) || !/^\d{1,15}$/.test(length)) return undefined;
    const attributes = COLLECTION_COLUMNS.flatMap((name, index) => {
      const found = digests[index];
      return found ? [[name, found] as const] : [];
    });
    return { digest, length: Number(length), attributes: Object.fromEntries(attributes) };
  });
}

/**
 * Parses the table of sequences: tab-separated lines of name, length, alphabet, sha512t24u and MD5. Skips lines that begin
 * with `#`. Throws INVALID_STORE for any other line.
 */
export function parseSequenceRows(bytes: Uint8Array): Generator<RgstoreRow, void> {
  return parseRows(bytes, (columns) => {
    const [name = '', length = '', alphabet = '', digest = '', md5 = ''] = columns;
    const sha512t24u = SQ_DIGEST.exec(digest)?.[1];
    const isRow = name !== '' && /^\d{1,15}$/.test(length) && sha512t24u !== undefined && MD5.test(md5);
    if (!isRow) return undefined;
    const sqDigest = `SQ.${sha512t24u}`;
    const digests = {
      length: Number(length),
      md5: md5.toLowerCase(),
      sha512t24u: sqDigest,
      trunc512: toTrunc512(sqDigest),
    };
    return { name, alphabet: alphabet.toLowerCase(), digests };
  });
}

/** Parses the aliases of one naming authority: lines of alias and digest. Throws INVALID_STORE for any other line. */
export function parseAliasRows(bytes: Uint8Array, namingAuthority: string): Generator<AliasRow, void> {
  return parseRows(bytes, ([alias = '', digest = '']) => {
    const sha512t24u = SQ_DIGEST.exec(digest)?.[1];
    return alias === '' || sha512t24u === undefined
      ? undefined
      : { sequence: `SQ.${sha512t24u}`, alias, namingAuthority };
  });
}

function* parseRows<T>(bytes: Uint8Array, parse: (columns: readonly string[]) => T | undefined): Generator<T, void> {
  for (const { line, offset } of textLines(bytes)) {
    if (line === '' || line.startsWith('#')) continue;
    const row = parse(line.split('\t'));
    if (row === undefined) throw new SequenceSourceError('INVALID_STORE', 'malformed line in a table', { offset });
    yield row;
  }
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw invalid('rgstore.json is not valid JSON', cause);
  }
  throw invalid('rgstore.json does not hold a JSON object');
}

function invalid(message: string, cause?: unknown): SequenceSourceError {
  return new SequenceSourceError('INVALID_STORE', message, { offset: 0, ...(cause !== undefined && { cause }) });
}
