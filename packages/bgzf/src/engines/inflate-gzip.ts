import { BgzfError } from '../bgzf-error.js';
import { crc32 } from './crc32.js';
import { CORRUPT, INCOMPLETE, type InflateOutput, inflate, TOO_LONG } from './js/js-inflate.js';

/** The flags of a member (RFC 1952 §2.3.1). */
const [FHCRC, FEXTRA, FNAME, FCOMMENT, RESERVED] = [2, 4, 8, 16, 0xe0];
const HEADER_LENGTH = 10;
const FOOTER_LENGTH = 8;

/** Returns the data of all members, or a beginning of `maxBytes` if it is longer: LIMIT_EXCEEDED. Throws INVALID_DATA. */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const output: InflateOutput = { bytes: new Uint8Array(0), length: 0, limit: maxBytes };
  let offset = 0;
  do {
    const end = inflateMember(bytes.subarray(offset), output);
    if (end === TOO_LONG) {
      throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset: 0 });
    }
    if (end < 0) {
      // As for blocks, the end of a BGZF file is missing rather than wrong.
      const isTruncated = end === INCOMPLETE && bytes[offset + 3] === FEXTRA;
      const code = isTruncated ? 'TRUNCATED' : 'INVALID_DATA';
      throw new BgzfError(code, 'the gzip data is corrupt or incomplete', { offset });
    }
    offset += end;
  } while (offset < bytes.length && bytes[offset] !== 0);
  return output.bytes.subarray(0, output.length);
}

/** Appends the data of the member at the start of the bytes. Returns the offset after it, or what `inflate` returns instead. */
function inflateMember(bytes: Uint8Array, output: InflateOutput): number {
  const dataStart = findData(bytes);
  if (dataStart < 0) return dataStart;
  const start = output.length;
  const consumed = inflate(bytes.subarray(dataStart), output);
  if (consumed < 0) return consumed;
  const footer = dataStart + consumed;
  if (bytes.length < footer + FOOTER_LENGTH) return INCOMPLETE;
  const view = new DataView(bytes.buffer, bytes.byteOffset + footer, FOOTER_LENGTH);
  const data = output.bytes.subarray(start, output.length);
  const isRight = view.getUint32(0, true) === crc32(data) && view.getUint32(4, true) === data.length % 2 ** 32;
  return isRight ? footer + FOOTER_LENGTH : CORRUPT;
}

/** Returns the offset of the DEFLATE data of a member, CORRUPT or INCOMPLETE. */
function findData(bytes: Uint8Array): number {
  const [first, second, method, flags = 0] = bytes;
  if (bytes.length < HEADER_LENGTH) return INCOMPLETE;
  if (first !== 0x1f || second !== 0x8b || method !== 8 || (flags & RESERVED) !== 0) return CORRUPT;
  let offset = HEADER_LENGTH;
  if (flags & FEXTRA) offset += 2 + (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0);
  for (const flag of [FNAME, FCOMMENT]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, offset);
    if (end < 0) return INCOMPLETE;
    offset = end + 1;
  }
  if (flags & FHCRC) offset += 2;
  return offset > bytes.length ? INCOMPLETE : offset;
}
