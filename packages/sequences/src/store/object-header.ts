import { crc32 } from '@htskit/bgzf';
import { fromTrunc512, type SequenceDigests } from '@htskit/digest';
import { toHex } from '@htskit/io';
import { type ExceptionRuns, formatRuns, MAX_RUNS, parseRuns, RUN_BYTES } from './exception-runs.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { packedLength } from './two-bit.js';

/** What begins the object of a sequence. */
export interface ObjectHeader {
  readonly digests: SequenceDigests;
  /** Bits of a base: 2 with runs for other letters than A, C, G and T, or 8 for letters as they are. */
  readonly bitsPerBase: 2 | 8;
  readonly runCount: number;
  readonly runsCrc32: number;
}

/** ASCII `HTSKITSQ`. */
const MAGIC = Uint8Array.of(0x48, 0x54, 0x53, 0x4b, 0x49, 0x54, 0x53, 0x51);
const VERSION = 1;

/**
 * Where the fields stand; numbers are of 32 bits, unsigned and little-endian. CRC32 is that of gzip: of the bytes of all
 * runs, and of the header in front of its own.
 */
const VERSION_AT = 8;
const BITS_AT = 12;
const LENGTH_AT = 16;
const RUN_COUNT_AT = 20;
const TRUNC512_AT = 24;
const MD5_AT = 48;
const RUNS_CRC32_AT = 64;
const CRC32_AT = 68;

/** Bytes of the header. Behind it stand the runs, and behind those the bases up to the end of the object. */
export const HEADER_BYTES = 72;

/** Bases that a sequence must have fewer of: refget has no coordinates beyond. */
const MAX_LENGTH = 2 ** 32;

/** Where the bases begin, in bytes from the start of the object. */
export function basesOffset({ runCount }: Pick<ObjectHeader, 'runCount'>): number {
  return HEADER_BYTES + RUN_BYTES * runCount;
}

/** Bytes of the whole object. */
export function objectSize(header: Pick<ObjectHeader, 'bitsPerBase' | 'digests' | 'runCount'>): number {
  const { length } = header.digests;
  return basesOffset(header) + (header.bitsPerBase === 2 ? packedLength(length) : length);
}

/** The header and the runs of a sequence; `runs` is undefined for one that is stored as letters. Throws LIMIT_EXCEEDED. */
export function formatHead(digests: SequenceDigests, runs: ExceptionRuns | undefined): Uint8Array {
  if (digests.length >= MAX_LENGTH) {
    throw new SequenceStoreError('LIMIT_EXCEEDED', `a sequence of ${digests.length} bases cannot be stored`);
  }
  const runBytes = runs === undefined ? new Uint8Array(0) : formatRuns(runs);
  const head = new Uint8Array(HEADER_BYTES + runBytes.length);
  const view = new DataView(head.buffer);
  head.set(MAGIC);
  view.setUint32(VERSION_AT, VERSION, true);
  view.setUint32(BITS_AT, runs === undefined ? 8 : 2, true);
  view.setUint32(LENGTH_AT, digests.length, true);
  view.setUint32(RUN_COUNT_AT, runBytes.length / RUN_BYTES, true);
  head.set(fromHex(digests.trunc512), TRUNC512_AT);
  head.set(fromHex(digests.md5), MD5_AT);
  view.setUint32(RUNS_CRC32_AT, crc32(runBytes), true);
  view.setUint32(CRC32_AT, crc32(head.subarray(0, CRC32_AT)), true);
  head.set(runBytes, HEADER_BYTES);
  return head;
}

/** The header that the bytes of an object begin with. Throws TRUNCATED, CORRUPT and UNSUPPORTED_VERSION. */
export function parseHeader(bytes: Uint8Array, key: string): ObjectHeader {
  if (bytes.length < HEADER_BYTES) {
    const message = `expected a header of ${HEADER_BYTES} bytes, found ${bytes.length}`;
    throw new SequenceStoreError('TRUNCATED', message, { key });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw corrupt('the object is no sequence', key);
  const version = view.getUint32(VERSION_AT, true);
  if (view.getUint32(CRC32_AT, true) !== crc32(bytes.subarray(0, CRC32_AT))) {
    throw corrupt('the header does not match its checksum', key);
  }
  if (version !== VERSION) {
    throw new SequenceStoreError('UNSUPPORTED_VERSION', `the object is of version ${version}`, { key });
  }
  const bitsPerBase = view.getUint32(BITS_AT, true);
  const length = view.getUint32(LENGTH_AT, true);
  const runCount = view.getUint32(RUN_COUNT_AT, true);
  const mostRuns = bitsPerBase === 2 ? Math.min(length, MAX_RUNS) : 0;
  const isPossible = (bitsPerBase === 2 || bitsPerBase === 8) && runCount <= mostRuns;
  if (!isPossible) throw corrupt(`${runCount} runs do not go with ${length} bases of ${bitsPerBase} bits`, key);
  const trunc512 = toHex(bytes.subarray(TRUNC512_AT, MD5_AT));
  const md5 = toHex(bytes.subarray(MD5_AT, RUNS_CRC32_AT));
  return {
    digests: { length, md5, sha512t24u: fromTrunc512(trunc512), trunc512 },
    bitsPerBase: bitsPerBase === 2 ? 2 : 8,
    runCount,
    runsCrc32: view.getUint32(RUNS_CRC32_AT, true),
  };
}

/** The runs of a sequence from their bytes, of which there may be too few. Throws TRUNCATED and CORRUPT. */
export function parseHeadRuns(bytes: Uint8Array, header: ObjectHeader, key: string): ExceptionRuns {
  const expected = RUN_BYTES * header.runCount;
  if (bytes.length !== expected) {
    throw new SequenceStoreError('TRUNCATED', `expected ${expected} bytes of runs, found ${bytes.length}`, { key });
  }
  if (crc32(bytes) !== header.runsCrc32) throw corrupt('the runs do not match their checksum', key);
  const runs = parseRuns(bytes, header.digests.length);
  if (runs === undefined) throw corrupt('the runs are not in order, or not within the sequence', key);
  return runs;
}

function corrupt(message: string, key: string): SequenceStoreError {
  return new SequenceStoreError('CORRUPT', message, { key });
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
