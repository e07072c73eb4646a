import { compress, SUPPORTED_CODINGS } from '#compress';

/** A content coding (RFC 9110 §8.4.1) that collections are sent in. */
export type ContentCoding = 'br' | 'gzip';

/** Shorter bodies fit in a packet or two, and compression would take longer than sending them. */
const MIN_BYTES = 1024;

/** Most bodies that are compressed at once. Beyond them, bodies are sent as they are: compression takes a thread for each. */
const MAX_COMPRESSING = 4;

let compressing = 0;

/**
 * Returns the content coding that a client prefers (RFC 9110 §12.5.3), or undefined for none. Of equal preferences, the first
 * of `supported` wins. Malformed preferences count as refusals.
 */
export function negotiateCoding(
  acceptEncoding: string | null,
  supported: readonly ContentCoding[] = SUPPORTED_CODINGS,
): ContentCoding | undefined {
  if (acceptEncoding === null) return undefined;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.split(',')) {
    const [, name = '', weight] = /^\s*([^\s;]+)\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(item) ?? [];
    const coding = name.toLowerCase();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : parseWeight(weight));
  }
  const weightOf = (coding: string): number | undefined => weights.get(coding) ?? weights.get('*');
  let best: ContentCoding | undefined;
  // Without a weight, no coding is acceptable, but less so than any coding that is listed.
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of supported) {
    const weight = weightOf(coding) ?? 0;
    if (weight === 0 || weight < bestWeight || (best !== undefined && weight === bestWeight)) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

function parseWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** Returns the coding that a body should have, or undefined if it is too short to be encoded. */
export function chooseCoding({ headers }: Pick<Request, 'headers'>, byteLength: number): ContentCoding | undefined {
  return byteLength < MIN_BYTES ? undefined : negotiateCoding(headers.get('accept-encoding'));
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
