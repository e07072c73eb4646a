import { negotiateCoding } from '@htskit/http/internal';
import { compress, SUPPORTED_CODINGS } from '#compress';

/** A content coding (RFC 9110 §8.4.1) that collections are sent in. */
export type ContentCoding = 'br' | 'gzip';

/** Shorter bodies fit in a packet or two, and compression would take longer than sending them. */
const MIN_BYTES = 1024;

/**
 * The maximum number of bodies that are compressed at once. Beyond them, bodies are sent as they are: compression takes a thread
 * for each.
 */
const MAX_COMPRESSING = 4;

let compressing = 0;

/** Returns the coding that a body should have, or undefined if it is too short to be encoded. */
export function chooseCoding({ headers }: Pick<Request, 'headers'>, byteLength: number): ContentCoding | undefined {
  return byteLength < MIN_BYTES ? undefined : negotiateCoding(headers.get('accept-encoding'), SUPPORTED_CODINGS);
}

/** Returns whether another body may be encoded now. */
export function canEncode(): boolean {
  return compressing < MAX_COMPRESSING;
}

/** Compresses chunks as the client reads them. */
export async function* encodeBody(
  chunks: AsyncGenerator<Uint8Array, void>,
  coding: ContentCoding,
): AsyncGenerator<Uint8Array, void> {
  compressing++;
  try {
    yield* compress(chunks, coding);
  } finally {
    compressing--;
  }
}

/** Returns the entity tag of an encoded representation, which differs from the one of the others (RFC 9110 §8.8.3.3). */
export function codedTag(entityTag: string, coding: ContentCoding | undefined): string {
  return coding === undefined ? entityTag : entityTag.replace(/"$/, `.${coding}"`);
}
