import { DigestError } from './digest-error.js';
import { isSqDigest, isTrunc512 } from './sha512t24u.js';

/** A parsed refget id: a digest in its canonical letter case, or a name within the namespace of a naming authority. */
export type SequenceIdentifier =
  | { readonly kind: 'md5' | 'sha512t24u' | 'trunc512'; readonly digest: string }
  | { readonly kind: 'curie'; readonly namespace: string; readonly name: string };

export interface SequenceIdentifierOptions {
  /** The namespaces of `SQ.` digests, in lower case. */
  readonly authorities: readonly string[];
}

export interface FormatIdentifierOptions {
  /** The namespace to write before an `SQ.` digest, in lower case. */
  readonly authority: string;
}

const MD5_DIGEST = /^[0-9a-f]{32}$/i;
const NAMESPACE = /^[a-z0-9_][a-z0-9_.-]*$/;

/**
 * Parses a refget id with or without a namespace, or returns undefined if it is malformed (refget 2.0.0, "Sequence
 * identifier"). Namespaces, MD5 and TRUNC512 are accepted in any letter case and returned in lower case; `SQ.` digests
 * are case-sensitive.
 *
 * @example
 * parseSequenceIdentifier('insdc:BK006935.2', { authorities: ['ga4gh'] });
 * // { kind: 'curie', namespace: 'insdc', name: 'BK006935.2' }
 */
export function parseSequenceIdentifier(
  text: string,
  options: SequenceIdentifierOptions,
): SequenceIdentifier | undefined {
  const colon = text.indexOf(':');
  if (colon === -1) return parseMd5(text) ?? parseTrunc512(text) ?? parseSqDigest(text);
  const namespace = text.slice(0, colon).toLowerCase();
  const name = text.slice(colon + 1);
  if (namespace === 'md5') return parseMd5(name);
  if (namespace === 'trunc512') return parseTrunc512(name);
  if (options.authorities.includes(namespace)) return parseSqDigest(name);
  return NAMESPACE.test(namespace) && name !== '' ? { kind: 'curie', namespace, name } : undefined;
}

/**
 * Formats a refget id with its namespace, so that `parseSequenceIdentifier` with the same authority returns it. Throws
 * INVALID_IDENTIFIER if it would return something else: for a malformed or upper-case digest, and for a CURIE whose
 * namespace is malformed, in upper case or that of a digest.
 */
export function formatSequenceIdentifier(identifier: SequenceIdentifier, options: FormatIdentifierOptions): string {
  const text = withNamespace(identifier, options);
  const parsed = parseSequenceIdentifier(text, { authorities: [options.authority] });
  if (parsed === undefined || !isSame(parsed, identifier)) {
    throw new DigestError('INVALID_IDENTIFIER', `the ${identifier.kind} identifier has no canonical form`);
  }
  return text;
}

function withNamespace(identifier: SequenceIdentifier, { authority }: FormatIdentifierOptions): string {
  switch (identifier.kind) {
    case 'md5':
    case 'trunc512':
      return `${identifier.kind}:${identifier.digest}`;
    case 'sha512t24u':
      return `${authority}:${identifier.digest}`;
    case 'curie':
      return `${identifier.namespace}:${identifier.name}`;
  }
}

function isSame(one: SequenceIdentifier, other: SequenceIdentifier): boolean {
  if (one.kind === 'curie') {
    return other.kind === 'curie' && one.namespace === other.namespace && one.name === other.name;
  }
  return one.kind === other.kind && one.digest === other.digest;
}

function parseMd5(text: string): SequenceIdentifier | undefined {
  return MD5_DIGEST.test(text) ? { kind: 'md5', digest: text.toLowerCase() } : undefined;
}

function parseTrunc512(text: string): SequenceIdentifier | undefined {
  return isTrunc512(text) ? { kind: 'trunc512', digest: text.toLowerCase() } : undefined;
}

function parseSqDigest(text: string): SequenceIdentifier | undefined {
  return isSqDigest(text) ? { kind: 'sha512t24u', digest: text } : undefined;
}
