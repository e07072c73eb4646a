import { formatSequenceIdentifier, sha512t24u, toTrunc512 } from '@htskit/digest';
import type { SequenceAlias } from '../sequence.js';
import { SequenceStoreError } from './sequence-store-error.js';

/**
 * The keys of a store, version 1. Sequences are named by TRUNC512, which holds the same bytes as sha512t24u and means the
 * same where a file system does not tell letter cases apart. Three digits of a digest, or of that of a name, make 4,096
 * folders. Aliases and flags are empty objects, one for each fact, of which the key says all: nothing is ever changed, so
 * that any number of writers need no lock.
 *
 * - `htskit-store.json`: the marker.
 * - `sequences/<3 digits>/<trunc512>`: see object-header.ts.
 * - `md5/<3 digits>/<md5>`: the TRUNC512 in text.
 * - `metadata/<3 digits>/<trunc512>!circular` and `metadata/<3 digits>/<trunc512>!alias!<authority>!<name>`
 * - `aliases/<authority>/<3 digits>/<name>!<trunc512>`: the same, found by the name.
 * - `authorities/<authority>`: for each that has aliases.
 */
export const MARKER_KEY = 'htskit-store.json';
export const SEQUENCES_PREFIX = 'sequences/';
export const MD5_PREFIX = 'md5/';
export const METADATA_PREFIX = 'metadata/';
export const ALIASES_PREFIX = 'aliases/';
export const AUTHORITIES_PREFIX = 'authorities/';

const FORMAT = 'htskit-refget-store';
const VERSION = 1;

/** The text of the marker. */
export const MARKER: string = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`;

const FAN_OUT_DIGITS = 3;
/** Of the authority and the name as they stand in a key, which holds a digest, too, and is a file's name. */
const MAX_ALIAS_LENGTH = 190;

const TRUNC512 = /^[0-9a-f]{48}$/;
const MD5 = /^[0-9a-f]{32}$/;

/** Something that is known of a sequence. */
export type SequenceFact = { readonly kind: 'circular' } | ({ readonly kind: 'alias' } & SequenceAlias);

/** Throws NOT_A_STORE and UNSUPPORTED_VERSION unless `text` is that of the marker of a store that this version reads. */
export function checkMarker(text: string): void {
  const { format, version } = parseMarker(text);
  if (format !== FORMAT) {
    throw new SequenceStoreError('NOT_A_STORE', 'the marker is of something else', { key: MARKER_KEY });
  }
  if (version !== VERSION) {
    const message = `the store is of version ${String(version)}, not ${VERSION}`;
    throw new SequenceStoreError('UNSUPPORTED_VERSION', message, { key: MARKER_KEY });
  }
}

function parseMarker(text: string): { readonly format?: unknown; readonly version?: unknown } {
  try {
    const marker: unknown = JSON.parse(text);
    return typeof marker === 'object' && marker !== null ? marker : {};
  } catch (cause) {
    throw new SequenceStoreError('NOT_A_STORE', 'the marker is no JSON', { key: MARKER_KEY, cause });
  }
}

export function sequenceKey(trunc512: string): string {
  return `${SEQUENCES_PREFIX}${trunc512.slice(0, FAN_OUT_DIGITS)}/${trunc512}`;
}

export function md5Key(md5: string): string {
  return `${MD5_PREFIX}${md5.slice(0, FAN_OUT_DIGITS)}/${md5}`;
}

/** What the keys of all facts of a sequence begin with. */
export function factsPrefix(trunc512: string): string {
  return `${METADATA_PREFIX}${trunc512.slice(0, FAN_OUT_DIGITS)}/${trunc512}!`;
}

export function factKey(trunc512: string, fact: SequenceFact): string {
  const prefix = factsPrefix(trunc512) + fact.kind;
  return fact.kind === 'circular' ? prefix : `${prefix}!${fact.namingAuthority}!${encodeName(fact.alias)}`;
}

export function authorityKey(namingAuthority: string): string {
  return AUTHORITIES_PREFIX + namingAuthority;
}

/** What the keys of all sequences of an alias begin with. */
export function aliasPrefix({ alias, namingAuthority }: SequenceAlias): string {
  const digest = toTrunc512(`SQ.${sha512t24u(new TextEncoder().encode(alias))}`);
  return `${ALIASES_PREFIX}${namingAuthority}/${digest.slice(0, FAN_OUT_DIGITS)}/${encodeName(alias)}!`;
}

export function aliasKey(trunc512: string, alias: SequenceAlias): string {
  return aliasPrefix(alias) + trunc512;
}

/** Whether `text` is a TRUNC512 as it stands in keys. */
export function isTrunc512(text: string): boolean {
  return TRUNC512.test(text);
}

/** The digest in the key of a sequence, or of an alias; undefined where there is none. */
export function trunc512OfKey(key: string): string | undefined {
  const trunc512 = key.slice(-48);
  const before = key.at(-49);
  return TRUNC512.test(trunc512) && (before === '/' || before === '!') ? trunc512 : undefined;
}

/** The digest in the key of an MD5; undefined where there is none. */
export function md5OfKey(key: string): string | undefined {
  const md5 = key.slice(key.lastIndexOf('/') + 1);
  return MD5.test(md5) ? md5 : undefined;
}

/** What the key of a fact says; undefined where it is none. */
export function parseFactKey(key: string): { readonly trunc512: string; readonly fact: SequenceFact } | undefined {
  const [trunc512 = '', kind, namingAuthority, name, ...others] = key.slice(key.lastIndexOf('/') + 1).split('!');
  if (!TRUNC512.test(trunc512)) return undefined;
  if (kind === 'circular' && namingAuthority === undefined) return { trunc512, fact: { kind } };
  if (kind !== 'alias' || !namingAuthority || !name || others.length > 0) return undefined;
  const alias = decodeName(name);
  return alias === undefined ? undefined : { trunc512, fact: { kind, namingAuthority, alias } };
}

/** What the key of an alias says; undefined where it is none. */
export function parseAliasKey(key: string): { readonly trunc512: string; readonly alias: SequenceAlias } | undefined {
  const trunc512 = trunc512OfKey(key);
  const [, namingAuthority, , last, ...others] = key.split('/');
  if (trunc512 === undefined || !namingAuthority || last === undefined || others.length > 0) return undefined;
  const alias = decodeName(last.slice(0, -49));
  return alias ? { trunc512, alias: { alias, namingAuthority } } : undefined;
}

/** The alias as it is stored, its authority in lower case. Throws INVALID_ALIAS for one that no identifier could name. */
export function checkAlias({ alias, namingAuthority }: SequenceAlias): SequenceAlias {
  const namespace = namingAuthority.toLowerCase();
  try {
    for (const authority of ['ga4gh', 'std']) {
      formatSequenceIdentifier({ kind: 'curie', namespace, name: alias }, { authority });
    }
    if (namespace.length + encodeName(alias).length > MAX_ALIAS_LENGTH) throw new RangeError('it is too long');
  } catch (cause) {
    const shown = `${namingAuthority}:${alias}`.slice(0, MAX_ALIAS_LENGTH);
    throw new SequenceStoreError('INVALID_ALIAS', `${shown} cannot be an alias`, { cause });
  }
  return { alias, namingAuthority: namespace };
}

/** Percent-encodes what is neither a letter, a digit nor one of `_.-`, and a point at the beginning. */
function encodeName(name: string): string {
  return encodeURIComponent(name)
    .replace(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, '%2E');
}

function decodeName(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return encodeName(name) === encoded ? name : undefined;
  } catch {
    return undefined;
  }
}
