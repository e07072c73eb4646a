import { crc32 } from '@htskit/bgzf/internal';
import { fromTrunc512, type SequenceDigests } from '@htskit/digest';
import { fromHex, toHex } from '@htskit/io';
import { SequenceStoreError } from '../sequence-store-error.js';
import { type ExceptionRuns, formatRuns, MAX_RUNS, parseRuns, runBytes } from './exception-runs.js';
import { packedLength } from './packed-bases.js';

/** The fixed-length header of a stored sequence. */
export interface ObjectHeader {
  readonly digests: SequenceDigests;
  /** Bits per base: 2, with runs for letters other than A, C, G and T, or 8 for ASCII letters. */
  readonly bitsPerBase: 2 | 8;
  readonly runCount: number;
  readonly runsCrc32: number;
}

/** ASCII `HTSKITSQ`. */
const MAGIC = Uint8Array.of(0x48, 0x54, 0x53, 0x4b, 0x49, 0x54, 0x53, 0x51);
/** Version of the objects of all sequences but long ones. */
const VERSION = 1;
/**
 * Version of the objects of sequences of 2^32 bases or more: the high half of the length takes the upper 16 bits of the field of
 * the bits per base, and the starts and lengths of runs have 64 bits.
 */
const LONG_VERSION = 2;

// Offsets of the fields. Numbers have 32 bits and are unsigned and little-endian. The checksums are the CRC32 of gzip: of the
// bytes of all runs, and of the header up to its own checksum.
const VERSION_OFFSET = 8;
const BITS_OFFSET = 12;
const LENGTH_HIGH_OFFSET = 14;
const LENGTH_OFFSET = 16;
const RUN_COUNT_OFFSET = 20;
const TRUNC512_OFFSET = 24;
const MD5_OFFSET = 48;
const RUNS_CRC32_OFFSET = 64;
const CRC32_OFFSET = 68;

/** Bytes of the header. The runs follow it, and the bases follow the runs up to the end of the object. */
export const HEADER_BYTES = 72;

/** Sequences of this many bases or more are long. */
const LONG_LENGTH = 2 ** 32;
/** Bound on the length of a sequence. */
const MAX_LENGTH = 2 ** 48;

/** Returns the offset of the bases, in bytes from the start of the object. */
export function basesOffset({ digests, runCount }: Pick<ObjectHeader, 'digests' | 'runCount'>): number {
  return HEADER_BYTES + runBytes(digests.length) * runCount;
}

/** Returns the size of the whole object in bytes. */
export function objectSize(header: Pick<ObjectHeader, 'bitsPerBase' | 'digests' | 'runCount'>): number {
  const { length } = header.digests;
  return basesOffset(header) + (header.bitsPerBase === 2 ? packedLength(length) : length);
}

/** Formats the header and the runs; `runs` is undefined for a sequence stored as letters. Throws LIMIT_EXCEEDED. */
export function formatHead(digests: SequenceDigests, runs: ExceptionRuns | undefined): Uint8Array {
  if (digests.length >= MAX_LENGTH) {
    throw new SequenceStoreError('LIMIT_EXCEEDED', `a sequence of ${digests.length} bases cannot be stored`);
  }
  const { length } = digests;
  const formatted = runs === undefined ? new Uint8Array(0) : formatRuns(runs, length);
  const head = new Uint8Array(HEADER_BYTES + formatted.length);
  const view = new DataView(head.buffer);
  head.set(MAGIC);
  view.setUint32(VERSION_OFFSET, length < LONG_LENGTH ? VERSION : LONG_VERSION, true);
  view.setUint16(BITS_OFFSET, runs === undefined ? 8 : 2, true);
  view.setUint16(LENGTH_HIGH_OFFSET, Math.floor(length / LONG_LENGTH), true);
  view.setUint32(LENGTH_OFFSET, length % LONG_LENGTH, true);
  view.setUint32(RUN_COUNT_OFFSET, runs?.letters.length ?? 0, true);
  head.set(fromHex(digests.trunc512), TRUNC512_OFFSET);
  head.set(fromHex(digests.md5), MD5_OFFSET);
  view.setUint32(RUNS_CRC32_OFFSET, crc32(formatted), true);
  view.setUint32(CRC32_OFFSET, crc32(head.subarray(0, CRC32_OFFSET)), true);
  head.set(formatted, HEADER_BYTES);
  return head;
}

/** Parses the header at the start of an object. Throws TRUNCATED, CORRUPT and UNSUPPORTED_VERSION. */
export function parseHeader(bytes: Uint8Array, key: string): ObjectHeader {
  if (bytes.length < HEADER_BYTES) {
    const message = `expected a header of ${HEADER_BYTES} bytes, found ${bytes.length}`;
    throw new SequenceStoreError('TRUNCATED', message, { key });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw corrupt('the object is not a stored sequence', key);
  const version = view.getUint32(VERSION_OFFSET, true);
  if (view.getUint32(CRC32_OFFSET, true) !== crc32(bytes.subarray(0, CRC32_OFFSET))) {
    throw corrupt('the header does not match its checksum', key);
  }
  if (version !== VERSION && version !== LONG_VERSION) {
    const message = `unsupported object version ${version}, expected ${VERSION} or ${LONG_VERSION}`;
    throw new SequenceStoreError('UNSUPPORTED_VERSION', message, { key });
  }
  const bitsPerBase = view.getUint16(BITS_OFFSET, true);
  const length = view.getUint32(LENGTH_OFFSET, true) + LONG_LENGTH * view.getUint16(LENGTH_HIGH_OFFSET, true);
  const runCount = view.getUint32(RUN_COUNT_OFFSET, true);
  const maxRuns = bitsPerBase === 2 ? Math.min(length, MAX_RUNS) : 0;
  const isLong = version === LONG_VERSION;
  const isPossible =
    (bitsPerBase === 2 || bitsPerBase === 8) && runCount <= maxRuns && isLong === length >= LONG_LENGTH;
  if (!isPossible) throw corrupt(`${runCount} runs are impossible for ${length} bases of ${bitsPerBase} bits`, key);
  const trunc512 = toHex(bytes.subarray(TRUNC512_OFFSET, MD5_OFFSET));
  const md5 = toHex(bytes.subarray(MD5_OFFSET, RUNS_CRC32_OFFSET));
  return {
    digests: { length, md5, sha512t24u: fromTrunc512(trunc512), trunc512 },
    bitsPerBase: bitsPerBase === 2 ? 2 : 8,
    runCount,
    runsCrc32: view.getUint32(RUNS_CRC32_OFFSET, true),
  };
}

/** Parses the runs of a sequence from bytes that may be too few. Throws TRUNCATED and CORRUPT. */
export function parseHeadRuns(bytes: Uint8Array, header: ObjectHeader, key: string): ExceptionRuns {
  const expected = runBytes(header.digests.length) * header.runCount;
  if (bytes.length !== expected) {
    throw new SequenceStoreError('TRUNCATED', `expected ${expected} bytes of runs, found ${bytes.length}`, { key });
  }
  if (crc32(bytes) !== header.runsCrc32) throw corrupt('the runs do not match their checksum', key);
  const runs = parseRuns(bytes, header.digests.length);
  if (runs === undefined) throw corrupt('the runs are out of order or beyond the end of the sequence', key);
  return runs;
}

function corrupt(message: string, key: string): SequenceStoreError {
  return new SequenceStoreError('CORRUPT', message, { key });
}
