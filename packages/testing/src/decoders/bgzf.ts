import { crc32, inflateRawSync } from 'node:zlib';

/** A BGZF block (SAMv1 §4.1): its compressed bytes, their offset in the file, and the uncompressed data. */
export interface DecodedBlock {
  readonly coffset: number;
  readonly bytes: Uint8Array;
  readonly data: Uint8Array;
}

/** The EOF marker (SAMv1 §4.1.2). */
const EOF_MARKER = Buffer.from('1f8b08040000000000ff0600424302001b0003000000000000000000', 'hex');

/** Whether the bytes end with the 28 bytes of the EOF marker. */
export function hasEofMarker(bytes: Uint8Array): boolean {
  return EOF_MARKER.equals(bytes.subarray(Math.max(0, bytes.length - EOF_MARKER.length)));
}

/** Returns BSIZE + 1 from the BC subfield at any position of the extra field (RFC 1952 §2.3.1.1). */
function blockSize(view: DataView, coffset: number): number {
  const fail = (problem: string): Error => new Error(`block at ${coffset}: ${problem}`);
  if (view.byteLength < 18) throw fail('truncated header');
  if (view.getUint32(0) !== 0x1f8b0804) throw fail('not gzip with only an extra field');
  const extraEnd = 12 + view.getUint16(10, true);
  if (extraEnd > view.byteLength) throw fail('truncated extra field');
  let size: number | undefined;
  let at = 12;
  while (at + 4 <= extraEnd) {
    const isBc = view.getUint16(at) === 0x4243 && view.getUint16(at + 2, true) === 2;
    if (isBc && size !== undefined) throw fail('two BC subfields');
    if (isBc) size = view.getUint16(at + 4, true) + 1;
    at += 4 + view.getUint16(at + 2, true);
  }
  if (at !== extraEnd) throw fail('subfields do not fill the extra field');
  if (size === undefined) throw fail('no BC subfield');
  if (size > view.byteLength) throw fail(`truncated: ${view.byteLength} of ${size} bytes`);
  if (size < extraEnd + 10) throw fail('too small to hold data');
  return size;
}

function inflate(block: Buffer, coffset: number): Uint8Array {
  const deflated = block.subarray(12 + block.readUInt16LE(10), block.length - 8);
  const { buffer: data, engine } = inflateRawSync(deflated, { info: true }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  if (engine.bytesWritten !== deflated.length) throw new Error(`block at ${coffset}: bytes after the DEFLATE data`);
  if (block.readUInt32LE(block.length - 8) !== crc32(data)) throw new Error(`block at ${coffset}: wrong CRC32`);
  if (block.readUInt32LE(block.length - 4) !== data.length) throw new Error(`block at ${coffset}: wrong ISIZE`);
  if (data.length > 65_536) throw new Error(`block at ${coffset}: holds ${data.length} bytes`);
  return new Uint8Array(data);
}

/** Splits BGZF bytes into blocks. Throws unless they consist of complete, valid blocks. */
export function splitBgzf(bytes: Uint8Array): DecodedBlock[] {
  const blocks: DecodedBlock[] = [];
  for (let coffset = 0; coffset < bytes.length; ) {
    const rest = Buffer.from(bytes.buffer, bytes.byteOffset + coffset, bytes.length - coffset);
    const size = blockSize(new DataView(rest.buffer, rest.byteOffset, rest.length), coffset);
    const block = rest.subarray(0, size);
    blocks.push({ coffset, bytes: new Uint8Array(block), data: inflate(block, coffset) });
    coffset += size;
  }
  return blocks;
}

/** Decompresses BGZF bytes. Throws unless they consist of complete, valid blocks. The EOF marker may be missing. */
export function bgunzip(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat(splitBgzf(bytes).map(({ data }) => data)));
}
