import type { ByteWriter } from '../../bytes/byte-writer.js';
import type { MismatchText } from './mismatch-text.js';
import type { RecordTags } from './record-tags.js';

/** Adds MD and NM to the tags of a record, unless it has them. */
export function addMismatchTags(
  output: ByteWriter,
  { md, nm }: Pick<MismatchText, 'md' | 'nm'>,
  { hasMd, hasNm }: Pick<RecordTags, 'hasMd' | 'hasNm'>,
): void {
  if (!hasMd) {
    appendText(output, 'MDZ');
    output.copy(md.memory, 0, md.length);
    output.uint8(0);
  }
  if (hasNm) return;
  const size = nm < 2 ** 8 ? 1 : nm < 2 ** 16 ? 2 : 4;
  appendText(output, size === 1 ? 'NMC' : size === 2 ? 'NMS' : 'NMI');
  for (let byte = 0; byte < size; byte++) output.uint8((nm >>> (8 * byte)) & 0xff);
}

/** Adds the read group with an id to the tags of a record. */
export function addReadGroupTag(output: ByteWriter, id: Uint8Array): void {
  appendText(output, 'RGZ');
  output.copy(id, 0, id.length);
  output.uint8(0);
}

function appendText(output: ByteWriter, text: string): void {
  for (let at = 0; at < text.length; at++) output.uint8(text.charCodeAt(at));
}
