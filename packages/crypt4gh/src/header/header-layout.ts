import { type ByteRange, concatBytes } from '@htskit/io';
import { Crypt4ghError } from '../crypt4gh-error.js';

const MAGIC = new TextEncoder().encode('crypt4gh');
const VERSION = 1;
/** Bytes of the magic, the version and the number of packets. */
const PREAMBLE_BYTES = 16;
/** Bytes of the length and the method that each packet begins with. */
const PACKET_PREAMBLE_BYTES = 8;

/** Packets of a header. Each costs a key agreement for each key of the reader: 0.7 ms in JavaScript. */
const MAX_PACKETS = 1024;
/** Bytes of a header: an edit list of 64 Ki kept ranges, four times. */
const MAX_HEADER_BYTES = 2 ** 22;

/** The positions of the packets of a header. */
export interface HeaderLayout {
  readonly packets: readonly ByteRange[];
  /** Bytes of the header, which is the offset of the first segment. */
  readonly byteLength: number;
}

/** States that more bytes are needed. */
export interface MissingBytes {
  /** The number of bytes from the start of the file without which nothing more can be located. */
  readonly neededBytes: number;
}

/**
 * Locates the packets of a header (Crypt4GH §3.2), or returns how many bytes are needed to get further. Throws `Crypt4ghError`
 * INVALID_HEADER for anything else, UNSUPPORTED for another version, and LIMIT_EXCEEDED for more than 1,024 packets or 4 MiB.
 */
export function locatePackets(bytes: Uint8Array): HeaderLayout | MissingBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkMagic(bytes);
  if (bytes.length < PREAMBLE_BYTES) return { neededBytes: PREAMBLE_BYTES };
  const packetCount = checkPreamble(view);
  const packets: ByteRange[] = [];
  let start = PREAMBLE_BYTES;
  while (packets.length < packetCount) {
    if (bytes.length < start + 4) return { neededBytes: start + 4 };
    const end = start + view.getUint32(start, true);
    checkPacketEnd(start, end);
    if (bytes.length < end) return { neededBytes: end };
    packets.push({ start, end });
    start = end;
  }
  return { packets, byteLength: start };
}

/** Joins packets to a header. Throws `Crypt4ghError` LIMIT_EXCEEDED if `locatePackets` would refuse it. */
export function joinPackets(packets: readonly Uint8Array[]): Uint8Array {
  const preamble = new Uint8Array(PREAMBLE_BYTES);
  preamble.set(MAGIC);
  const view = new DataView(preamble.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, packets.length, true);
  const header = concatBytes([preamble, ...packets]);
  locatePackets(header);
  return header;
}

/** Returns whether `bytes` begin as a Crypt4GH file does. */
export function isCrypt4gh(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.every((byte, at) => byte === bytes[at]);
}

function checkMagic(bytes: Uint8Array): void {
  const known = Math.min(MAGIC.length, bytes.length);
  for (let at = 0; at < known; at++) {
    if (bytes[at] === MAGIC[at]) continue;
    throw new Crypt4ghError('INVALID_HEADER', 'not a Crypt4GH file: it does not begin with "crypt4gh"', { offset: at });
  }
}

function checkPreamble(view: DataView): number {
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new Crypt4ghError('UNSUPPORTED', `expected version ${VERSION} of Crypt4GH, found ${version}`, { offset: 8 });
  }
  const packetCount = view.getUint32(12, true);
  if (packetCount > MAX_PACKETS) {
    const message = `the header has ${packetCount} packets, and at most ${MAX_PACKETS} are read`;
    throw new Crypt4ghError('LIMIT_EXCEEDED', message, { offset: 12 });
  }
  return packetCount;
}

function checkPacketEnd(start: number, end: number): void {
  if (end - start < PACKET_PREAMBLE_BYTES) {
    const message = `a header packet has at least ${PACKET_PREAMBLE_BYTES} bytes, not ${end - start}`;
    throw new Crypt4ghError('INVALID_HEADER', message, { offset: start });
  }
  if (end > MAX_HEADER_BYTES) {
    const message = `the header has at least ${end} bytes, and at most ${MAX_HEADER_BYTES} are read`;
    throw new Crypt4ghError('LIMIT_EXCEEDED', message, { offset: start });
  }
}
