import { SequenceDigester } from '@htskit/digest';
import { RefgetClientError } from '../client-error.js';
import { isSequence, type SequenceId } from './sequence-id.js';

/** What the bases must be. */
export interface ExpectedBases {
  /** How many; undefined where nothing tells. */
  readonly length: number | undefined;
  /** Whose digest they have, where they are a whole sequence. */
  readonly wholeOf: SequenceId | undefined;
}

/**
 * Passes bases on, and throws where they are not what was asked for: INVALID_RESPONSE for anything but upper-case
 * letters, which is not a sequence (refget 2.0.0, "GET /sequence/{id}" 1), or too many of them; TRUNCATED for too few;
 * DIGEST_MISMATCH. What comes before the end of a whole sequence is not verified yet.
 */
export async function* checkBases(
  chunks: AsyncIterable<Uint8Array>,
  { length, wholeOf }: ExpectedBases,
): AsyncGenerator<Uint8Array, void> {
  const digester = wholeOf?.digest === undefined ? undefined : new SequenceDigester();
  let received = 0;
  for await (const chunk of chunks) {
    if (!isBases(chunk)) throw new RefgetClientError('INVALID_RESPONSE', 'the server sends what is no sequence');
    received += chunk.length;
    if (received > (length ?? Infinity)) throw lengthError(received, length);
    digester?.update(chunk);
    yield chunk;
  }
  if (received < (length ?? 0)) throw lengthError(received, length);
  if (wholeOf !== undefined && digester !== undefined && !isSequence(wholeOf, digester.digest())) {
    throw new RefgetClientError('DIGEST_MISMATCH', 'the bases have another digest than the id says');
  }
}

function isBases(bytes: Uint8Array): boolean {
  // A loop over indexes: `every` takes ten times as long.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x41 || byte > 0x5a) return false;
  }
  return true;
}

function lengthError(received: number, length: number | undefined): RefgetClientError {
  const isShort = received < (length ?? 0);
  const found = isShort ? `${received}` : 'more';
  return new RefgetClientError(
    isShort ? 'TRUNCATED' : 'INVALID_RESPONSE',
    `${length} bases were asked for, ${found} are sent`,
  );
}
