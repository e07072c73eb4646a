import { ByteCursor } from '../byte-cursor.js';

/** The types of tokens (CRAM codecs §5). */
export const TOKEN = {
  type: 0,
  string: 1,
  char: 2,
  digits0: 3,
  digits0Length: 4,
  duplicate: 5,
  difference: 6,
  digits: 7,
  delta: 8,
  delta0: 9,
  match: 10,
  nothing: 11,
  end: 12,
} as const;

const EMPTY: Uint8Array = new Uint8Array(0);
const MAX_POSITIONS = 128;

/** The flags of the byte before each stream. */
const STREAM = { typeMask: 63, isCopy: 64, startsPosition: 128 } as const;

/** The flag of the entropy coders for data that does not have its size. */
const NO_SIZE = 16;

/**
 * The bytes of all streams for each byte of the names, and those that any names may have. A name of one digit takes twelve
 * bytes in its streams; longer names take less for each of their characters.
 */
const STREAM_BYTES_PER_BYTE = 16;
const FREE_STREAM_BYTES = 2 ** 16;

/** The number of types that a position may have streams of. */
export const TOKEN_TYPES = 16;

/** The streams of tokens. */
export interface TokenStreams {
  /** Positions of tokens. Position 0 is that of the name as a whole. */
  readonly positionCount: number;
  /** The tokens that the streams can hold. */
  readonly tokenCount: number;
  /** The streams, at `TOKEN_TYPES` times their position plus their type; those that are absent are empty. */
  readonly streams: readonly Uint8Array[];
}

/** The names that the streams are read for. */
export interface NameCounts {
  readonly nameCount: number;
  /** Bytes of all names, each of which ends with a NUL. */
  readonly size: number;
  /** Decompresses a stream to `length` bytes. */
  readonly decodeStream: (stream: ByteCursor, length: number) => Uint8Array;
}

/** Reads all token streams (CRAM codecs §5). Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
export function readTokenStreams(cursor: ByteCursor, counts: NameCounts): TokenStreams {
  const streams: (Uint8Array | undefined)[] = [];
  let left = FREE_STREAM_BYTES + STREAM_BYTES_PER_BYTE * counts.size;
  const spend = (byteLength: number): void => {
    left -= byteLength;
    if (left < 0) throw cursor.invalid('token streams of names are too many times larger than the names');
  };
  let position = -1;
  while (cursor.remaining > 0) {
    const flags = cursor.readByte();
    const type = flags & STREAM.typeMask;
    if ((flags & STREAM.startsPosition) !== 0) {
      position += 1;
      if (type !== TOKEN.type) {
        spend(counts.nameCount);
        streams[position * TOKEN_TYPES] = impliedTypes(type, counts.nameCount);
      }
    }
    if (position < 0 || position >= MAX_POSITIONS || type >= TOKEN_TYPES) {
      throw cursor.invalid(`token stream of type ${type} at position ${position} is not allowed`);
    }
    const copied = (flags & STREAM.isCopy) === 0 ? undefined : copiedStream(cursor, streams);
    const stream = copied ?? readStream(cursor, counts.decodeStream, left);
    spend(stream.length);
    streams[position * TOKEN_TYPES + type] = stream;
  }
  let tokenCount = 0;
  for (let at = 1; at <= position; at++) tokenCount += streams[at * TOKEN_TYPES]?.length ?? 0;
  const slots = Array.from({ length: (position + 1) * TOKEN_TYPES }, (_, slot) => streams[slot] ?? EMPTY);
  return { positionCount: position + 1, tokenCount, streams: slots };
}

/** Returns the types of a position that stores none: one of `type`, and then only matches. */
function impliedTypes(type: number, nameCount: number): Uint8Array {
  const types = new Uint8Array(nameCount).fill(TOKEN.match);
  types[0] = type;
  return types;
}

function copiedStream(cursor: ByteCursor, streams: readonly (Uint8Array | undefined)[]): Uint8Array {
  const [position, type] = [cursor.readByte(), cursor.readByte()];
  const stream = type < TOKEN_TYPES ? streams[position * TOKEN_TYPES + type] : undefined;
  if (stream === undefined) throw cursor.invalid(`there is no token stream of type ${type} at position ${position}`);
  return stream;
}

/** Decompresses a stream of at most `limit` bytes, which starts with its size. */
function readStream(cursor: ByteCursor, decodeStream: NameCounts['decodeStream'], limit: number): Uint8Array {
  const compressedSize = cursor.readUint7();
  const { offset } = cursor;
  const data = cursor.readBytes(compressedSize);
  const head = new ByteCursor(data, offset);
  if ((head.readByte() & NO_SIZE) !== 0) throw head.invalid('token stream lacks its size');
  const size = head.readUint7();
  if (size > limit) throw head.invalid('token streams of names are too many times larger than the names');
  return decodeStream(new ByteCursor(data, offset), size);
}
