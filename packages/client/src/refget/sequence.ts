import { parseSequenceIdentifier, SequenceDigester, type SequenceDigests } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import { RefgetClientError } from '../client-error.js';

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
}

/**
 * Yields bases and checks them. Throws INVALID_RESPONSE for anything but upper-case letters (refget 2.0.0, "GET
 * /sequence/{id}" 1) or for too many bases, TRUNCATED for too few, and DIGEST_MISMATCH at the end of a whole sequence.
 */
export async function* checkBases(
  chunks: AsyncIterable<Uint8Array>,
  { length, wholeOf }: ExpectedBases,
): AsyncGenerator<Uint8Array, void> {
  const digester = wholeOf?.digest === undefined ? undefined : new SequenceDigester();
  let received = 0;
  for await (const chunk of chunks) {
    if (!isBases(chunk)) throw new RefgetClientError('INVALID_RESPONSE', 'the response is not a sequence');
    received += chunk.length;
    if (received > (length ?? Infinity)) throw lengthError(received, length);
    digester?.update(chunk);
    yield chunk;
  }
  if (received < (length ?? 0)) throw lengthError(received, length);
  if (wholeOf !== undefined && digester !== undefined && !isSequence(wholeOf, digester.digest())) {
    throw new RefgetClientError('DIGEST_MISMATCH', 'the digest of the bases differs from the id');
  }
}

function isBases(bytes: Uint8Array): boolean {
  // A loop over indexes: `every` takes ten times as long.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x41 || byte > 0x5a) return false;
  }
  return true;
}

function lengthError(received: number, length: number | undefined): RefgetClientError {
  const isShort = received < (length ?? 0);
  const found = isShort ? `${received}` : 'more';
  return new RefgetClientError(isShort ? 'TRUNCATED' : 'INVALID_RESPONSE', `expected ${length} bases, found ${found}`);
}
