import type { ByteWriter } from '../../bytes/byte-writer.js';
import type { MismatchText } from './mismatch-text.js';
import type { RecordTags } from './record-tags.js';

const [M, D, N, Z, R, G, C, S, I] = [0x4d, 0x44, 0x4e, 0x5a, 0x52, 0x47, 0x43, 0x53, 0x49];

/** Adds MD and NM to the tags of a record, unless it has them. */
export function addMismatchTags(
  output: ByteWriter,
  { md, nm }: Pick<MismatchText, 'md' | 'nm'>,
  { hasMd, hasNm }: Pick<RecordTags, 'hasMd' | 'hasNm'>,
): void {
  if (!hasMd) {
    startTag(output, M, D, Z);
    output.copy(md.memory, 0, md.length);
    output.uint8(0);
  }
  if (hasNm) return;
  const size = nm < 2 ** 8 ? 1 : nm < 2 ** 16 ? 2 : 4;
  startTag(output, N, M, size === 1 ? C : size === 2 ? S : I);
  for (let byte = 0; byte < size; byte++) output.uint8((nm >>> (8 * byte)) & 0xff);
}

/** Adds the read group with an id to the tags of a record. */
export function addReadGroupTag(output: ByteWriter, id: Uint8Array): void {
  startTag(output, R, G, Z);
  output.copy(id, 0, id.length);
  output.uint8(0);
}

function startTag(output: ByteWriter, first: number, second: number, type: number): void {
  const at = output.reserve(3);
  const { memory } = output;
  memory[at] = first;
  memory[at + 1] = second;
  memory[at + 2] = type;
}
