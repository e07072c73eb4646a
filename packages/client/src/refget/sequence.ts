import { parseSequenceIdentifier, type SequenceDigests } from '@htskit/digest';
import { MD5_LENGTH, type RawDigests, TRUNCATED_LENGTH, toSequenceDigests } from '@htskit/digest/internal';
import { AUTHORITIES } from '@htskit/protocol';
import { createBaseHasher } from '#base-hasher';
import { RefgetClientError } from '../client-error.js';
import type { BaseHasher } from './base-hasher.js';

/** A parsed id of a sequence. */
export interface SequenceId {
  /** The id as it was given, as one segment of a path. */
  readonly path: string;
  /** The digest that the whole sequence must have. Undefined for a name, which implies no bases. */
  readonly digest: { readonly kind: DigestKind; readonly value: string } | undefined;
}

type DigestKind = 'md5' | 'sha512t24u' | 'trunc512';

/** Parses a digest with or without its namespace, or a CURIE. Throws INVALID_QUERY for any other id. */
export function parseSequenceId(id: string): SequenceId {
  const parsed = parseSequenceIdentifier(id, { authorities: AUTHORITIES });
  if (parsed === undefined) throw new RefgetClientError('INVALID_QUERY', `"${id}" is neither a digest nor a CURIE`);
  // A path may contain a colon, and not every server decodes an escaped one.
  const path = encodeURIComponent(id).replaceAll('%3A', ':');
  return { path, digest: parsed.kind === 'curie' ? undefined : { kind: parsed.kind, value: parsed.digest } };
}

/** Returns whether these digests, as far as they are known, are those of the requested sequence. */
export function isSequence({ digest }: SequenceId, digests: Partial<SequenceDigests>): boolean {
  return digest === undefined || (digests[digest.kind] ?? digest.value) === digest.value;
}

/** The expected content of a response. */
export interface ExpectedBases {
  /** Number of bases, or undefined if unknown. */
  readonly length: number | undefined;
  /** The sequence whose digest the bases must have, if they are a whole sequence. */
  readonly wholeOf: SequenceId | undefined;
  /** Returns the length that a response declared, once the first chunk has arrived. */
  readonly declaredLength?: () => number | undefined;
}

/**
 * Yields bases and checks them. Throws INVALID_RESPONSE for anything but upper-case letters (refget 2.0.0, "GET
 * /sequence/{id}" 1) or for too many bases, TRUNCATED for too few, and DIGEST_MISMATCH at the end of a whole sequence, also
 * for other letters after its first chunk.
 */
export async function* checkBases(
  chunks: AsyncIterable<Uint8Array>,
  { length, wholeOf, declaredLength }: ExpectedBases,
): AsyncGenerator<Uint8Array, void> {
  const digest = wholeOf?.digest;
  let hasher: BaseHasher | undefined;
  let received = 0;
  try {
    for await (const chunk of chunks) {
      // The digest covers every further chunk. To check their letters, too, would take half as long as MD5.
      if (hasher === undefined && !isBases(chunk)) throw notBases();
      received += chunk.length;
      if (received > (length ?? Infinity)) throw lengthError(received, length);
      if (digest !== undefined) {
        hasher ??= await createBaseHasher(algorithmOf(digest), declaredLength?.() ?? 0);
        // An await for each chunk would take longer than handing it over.
        const ready = hasher.update(chunk);
        if (ready !== undefined) await ready;
      }
      yield chunk;
    }
    if (received < (length ?? 0)) throw lengthError(received, length);
    if (digest === undefined) return;
    hasher ??= await createBaseHasher(algorithmOf(digest), 0);
    if (!isMatch(digest, await hasher.digest())) throw digestMismatch();
  } finally {
    hasher?.close();
  }
}

type SequenceDigest = NonNullable<SequenceId['digest']>;

/** Only the digest of the id is computed: both take as long as a download. */
function algorithmOf({ kind }: SequenceDigest): 'md5' | 'sha512' {
  return kind === 'md5' ? 'md5' : 'sha512';
}

function isMatch(expected: SequenceDigest, hashes: RawDigests): boolean {
  const { length, md5 = new Uint8Array(MD5_LENGTH), sha512 = new Uint8Array(TRUNCATED_LENGTH) } = hashes;
  const [digests] = toSequenceDigests([length], md5, sha512.subarray(0, TRUNCATED_LENGTH));
  return digests?.[expected.kind] === expected.value;
}

/** Returns whether all bytes are upper-case letters. Four bytes at a time, which is three times as fast as one. */
export function isBases(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wordsEnd = bytes.length - (bytes.length % 4);
  for (let i = 0; i < wordsEnd; i += 4) if (!areLetters(view.getInt32(i))) return false;
  for (let i = wordsEnd; i < bytes.length; i++) if (!areLetters(0x41414100 | view.getUint8(i))) return false;
  return true;
}

/** Returns whether each byte of a word is one of A to Z, 0x41 to 0x5a. No sum carries into the next byte. */
function areLetters(word: number): boolean {
  if (((word & 0xe0e0e0e0) | 0) !== 0x40404040) return false;
  const numbers = word & 0x1f1f1f1f;
  return ((numbers + 0x1f1f1f1f) & ~(numbers + 0x05050505) & 0x20202020) === 0x20202020;
}

function digestMismatch(): RefgetClientError {
  return new RefgetClientError('DIGEST_MISMATCH', 'the digest of the bases differs from the id');
}

function notBases(): RefgetClientError {
  return new RefgetClientError('INVALID_RESPONSE', 'the response is not a sequence');
}

function lengthError(received: number, length: number | undefined): RefgetClientError {
  const isShort = received < (length ?? 0);
  const found = isShort ? `${received}` : 'more';
  return new RefgetClientError(isShort ? 'TRUNCATED' : 'INVALID_RESPONSE', `expected ${length} bases, found ${found}`);
}
