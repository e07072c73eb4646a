import { formatSequenceIdentifier, fromTrunc512, sha512t24u, toTrunc512 } from '@htskit/digest';
import { encodeText } from '@htskit/io';
import { decodePercents, encodePercents } from '@htskit/io/internal';
import type { SequenceAlias } from '../sequence.js';
import { SequenceStoreError } from './sequence-store-error.js';

/**
 * The keys of a store, version 1. Sequences are named by TRUNC512: it holds the same bytes as sha512t24u, and it stays unique
 * in file systems that ignore letter case. Three digits of a digest, or of the digest of a name, make 4,096 folders. Aliases
 * and flags are empty objects, one for each fact, whose keys hold all their information. Objects never change, so any number
 * of writers need no lock.
 *
 * - `htskit-store.json`: the marker.
 * - `sequences/<3 digits>/<trunc512>`: the sequence; see object-format.ts.
 * - `md5/<3 digits>/<md5>`: the TRUNC512 as text.
 * - `metadata/<3 digits>/<trunc512>!circular` and `metadata/<3 digits>/<trunc512>!alias!<authority>!<name>`
 * - `aliases/<authority>/<3 digits>/<name>!<trunc512>`: the same alias, found by its name.
 * - `authorities/<authority>`: one for each authority of an alias.
 * - `collections/<3 digits>/<digest>`: a sequence collection, by its digest in hexadecimal digits; see table-format.ts.
 */
export const MARKER_KEY = 'htskit-store.json';
export const SEQUENCES_PREFIX = 'sequences/';
export const MD5_PREFIX = 'md5/';
export const METADATA_PREFIX = 'metadata/';
export const ALIASES_PREFIX = 'aliases/';
export const AUTHORITIES_PREFIX = 'authorities/';
export const COLLECTIONS_PREFIX = 'collections/';

const FORMAT = 'htskit-refget-store';
const VERSION = 1;

/** The text of the marker. */
export const MARKER: string = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`;

const FAN_OUT_DIGITS = 3;
/** Characters of authority and encoded name together. A key also holds a digest, and file names have at most 255 bytes. */
const MAX_ALIAS_LENGTH = 190;

const TRUNC512 = /^[0-9a-f]{48}$/;
const MD5 = /^[0-9a-f]{32}$/;

/** A fact about a sequence. */
export type SequenceFact = { readonly kind: 'circular' } | ({ readonly kind: 'alias' } & SequenceAlias);

/** Throws NOT_A_STORE and UNSUPPORTED_VERSION unless `text` is the marker of a store that this version reads. */
export function checkMarker(text: string): void {
  const { format, version } = parseMarker(text);
  if (format !== FORMAT) {
    throw new SequenceStoreError('NOT_A_STORE', 'the marker does not belong to a sequence store', { key: MARKER_KEY });
  }
  if (version !== VERSION) {
    const message = `unsupported store version ${String(version)}, expected ${VERSION}`;
    throw new SequenceStoreError('UNSUPPORTED_VERSION', message, { key: MARKER_KEY });
  }
}

function parseMarker(text: string): { readonly format?: unknown; readonly version?: unknown } {
  try {
    const marker: unknown = JSON.parse(text);
    return typeof marker === 'object' && marker !== null ? marker : {};
  } catch (cause) {
    throw new SequenceStoreError('NOT_A_STORE', 'the marker is not valid JSON', { key: MARKER_KEY, cause });
  }
}

/** Returns the key of the object of a sequence. */
export function sequenceKey(trunc512: string): string {
  return `${SEQUENCES_PREFIX}${trunc512.slice(0, FAN_OUT_DIGITS)}/${trunc512}`;
}

/** Returns the key of the object that leads from an MD5 to its sequence. */
export function md5Key(md5: string): string {
  return `${MD5_PREFIX}${md5.slice(0, FAN_OUT_DIGITS)}/${md5}`;
}

/** Returns the key of a sequence collection. */
export function collectionKey(digest: string): string {
  const hexadecimal = toTrunc512(`SQ.${digest}`);
  return `${COLLECTIONS_PREFIX}${hexadecimal.slice(0, FAN_OUT_DIGITS)}/${hexadecimal}`;
}

/** Returns the digest in the key of a sequence collection, or undefined for any other key. */
export function digestOfCollectionKey(key: string): string | undefined {
  const hexadecimal = trunc512OfKey(key);
  if (hexadecimal === undefined) return undefined;
  const digest = fromTrunc512(hexadecimal).slice('SQ.'.length);
  return collectionKey(digest) === key ? digest : undefined;
}

/** Returns the prefix of the keys of all facts about a sequence. */
export function factsPrefix(trunc512: string): string {
  return `${METADATA_PREFIX}${trunc512.slice(0, FAN_OUT_DIGITS)}/${trunc512}!`;
}

/** Returns the key of a fact about a sequence. */
export function factKey(trunc512: string, fact: SequenceFact): string {
  const prefix = factsPrefix(trunc512) + fact.kind;
  return fact.kind === 'circular' ? prefix : `${prefix}!${fact.namingAuthority}!${encodeName(fact.alias)}`;
}

/** Returns the key that records a naming authority. */
export function authorityKey(namingAuthority: string): string {
  return AUTHORITIES_PREFIX + namingAuthority;
}

/** Returns the prefix of the keys of all sequences that have an alias. */
export function aliasPrefix({ alias, namingAuthority }: SequenceAlias): string {
  const digest = toTrunc512(`SQ.${sha512t24u(encodeText(alias))}`);
  return `${ALIASES_PREFIX}${namingAuthority}/${digest.slice(0, FAN_OUT_DIGITS)}/${encodeName(alias)}!`;
}

/** Returns the key that leads from an alias to a sequence. */
export function aliasKey(trunc512: string, alias: SequenceAlias): string {
  return aliasPrefix(alias) + trunc512;
}

/** Returns whether `text` is a TRUNC512 as keys hold it. */
export function isTrunc512(text: string): boolean {
  return TRUNC512.test(text);
}

/** Returns the digest in the key of a sequence or an alias, or undefined for any other key. */
export function trunc512OfKey(key: string): string | undefined {
  const trunc512 = key.slice(-48);
  const before = key.at(-49);
  return TRUNC512.test(trunc512) && (before === '/' || before === '!') ? trunc512 : undefined;
}

/** Returns the digest in the key of an MD5, or undefined for any other key. */
export function md5OfKey(key: string): string | undefined {
  const md5 = key.slice(key.lastIndexOf('/') + 1);
  return MD5.test(md5) ? md5 : undefined;
}

/** Parses the key of a fact. Returns undefined for any other key. */
export function parseFactKey(key: string): { readonly trunc512: string; readonly fact: SequenceFact } | undefined {
  const [trunc512 = '', kind, namingAuthority, name, ...others] = key.slice(key.lastIndexOf('/') + 1).split('!');
  if (!TRUNC512.test(trunc512)) return undefined;
  if (kind === 'circular' && namingAuthority === undefined) return { trunc512, fact: { kind } };
  if (kind !== 'alias' || !namingAuthority || !name || others.length > 0) return undefined;
  const alias = decodeName(name);
  return alias === undefined ? undefined : { trunc512, fact: { kind, namingAuthority, alias } };
}

/** Parses the key of an alias. Returns undefined for any other key. */
export function parseAliasKey(key: string): { readonly trunc512: string; readonly alias: SequenceAlias } | undefined {
  const trunc512 = trunc512OfKey(key);
  const [, namingAuthority, , last, ...others] = key.split('/');
  if (trunc512 === undefined || !namingAuthority || last === undefined || others.length > 0) return undefined;
  const alias = decodeName(last.slice(0, -49));
  return alias ? { trunc512, alias: { alias, namingAuthority } } : undefined;
}

/** Returns the alias as it is stored, with its authority in lower case. Throws INVALID_ALIAS if no identifier can name it. */
export function checkAlias({ alias, namingAuthority }: SequenceAlias): SequenceAlias {
  const namespace = namingAuthority.toLowerCase();
  try {
    for (const authority of ['ga4gh', 'std']) {
      formatSequenceIdentifier({ kind: 'curie', namespace, name: alias }, { authority });
    }
    if (namespace.length + encodeName(alias).length > MAX_ALIAS_LENGTH) throw new RangeError('the alias is too long');
  } catch (cause) {
    const shown = `${namingAuthority}:${alias}`.slice(0, MAX_ALIAS_LENGTH);
    throw new SequenceStoreError('INVALID_ALIAS', `"${shown}" is not a valid alias`, { cause });
  }
  return { alias, namingAuthority: namespace };
}

/** Percent-encodes all characters but letters, digits, `_`, `-` and `.`, and a leading `.`. */
function encodeName(name: string): string {
  return encodePercents(name).replaceAll('~', '%7E').replaceAll('*', '%2A').replace(/^\./, '%2E');
}

function decodeName(encoded: string): string | undefined {
  const name = decodePercents(encoded);
  return encodeName(name) === encoded ? name : undefined;
}
