import { deflateBlocks } from '@htskit/bgzf';
import { BLOCK_DATA_BYTES } from '@htskit/bgzf/internal';
import type { CramHeader } from '@htskit/formats';
import { encodeBamHeader } from '@htskit/formats/internal';
import { concatBytes } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import type { BgzfFile } from '../file/bgzf-file.js';
import type { CramFile } from '../file/cram-file.js';
import { addProgramLines } from '../file/program-lines.js';
import type { Conversion, VariantConversion } from '../plan/plan.js';
import { createVariantConverter } from '../transform/record-transform.js';
import type { ConvertOptions, FileFormat, OpenFile } from './file-format.js';

/** The conversions of a file by format and added contigs. They hold its header and are dropped with it. */
const conversions = new WeakMap<OpenFile, Map<string, Promise<Conversion>>>();

/** Returns the conversion of a file, which is made once. Throws what `FileFormat.convert` throws. */
export function convertFile(
  file: OpenFile,
  fileFormat: Pick<FileFormat, 'convert'>,
  { format, indexedNames, ...options }: ConvertOptions,
): Promise<Conversion> {
  const known = conversions.get(file) ?? new Map<string, Promise<Conversion>>();
  conversions.set(file, known);
  const extraContigs = indexedNames.filter((name) => file.header.referenceIds.get(name) === undefined);
  const key = [format, JSON.stringify(options), ...extraContigs].join('\n');
  const conversion = known.get(key) ?? fileFormat.convert(file, { ...options, format, indexedNames: extraContigs });
  known.set(key, conversion);
  return conversion;
}

/** Creates the conversion of a CRAM file to BAM. */
export async function convertCram(
  { version, header: { text }, references, headerBytes }: CramFile,
  { sliceBytes, program }: Pick<ConvertOptions, 'sliceBytes' | 'program'>,
): Promise<Conversion> {
  const header: CramHeader = { version, text, references, byteLength: headerBytes.length };
  const bamText = program === undefined ? text : addProgramLines(text, program);
  return {
    header: await toHeaderBlocks(encodeBamHeader({ references, text: bamText })),
    records: { from: 'CRAM', header, sliceBytes },
  };
}

/** Creates the conversion of a VCF file to BCF, or of a BCF file to VCF. Throws `FormatError` for a header without columns. */
export async function convertVariants(
  { format: from, header: { text } }: BgzfFile,
  { format, indexedNames: extraContigs }: Pick<ConvertOptions, 'format' | 'indexedNames'>,
): Promise<Conversion> {
  if (from === 'BAM') throw new TypeError('a BAM file is not converted');
  const records: VariantConversion = { from, input: { text, extraContigs } };
  const { header } = createVariantConverter(records);
  return { header: format === 'VCFTEXT' ? header : await toHeaderBlocks(header), records };
}

/** Bytes of a header that are compressed at once: a few milliseconds of work. */
const STEP_BYTES = 4 * BLOCK_DATA_BYTES;

/** Compresses a header to blocks in steps, between which the event loop handles other events. */
async function toHeaderBlocks(data: Uint8Array): Promise<Uint8Array> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < data.length; start += STEP_BYTES) {
    await loopTurns.next();
    blocks.push(deflateBlocks(data.subarray(start, start + STEP_BYTES)));
  }
  return concatBytes(blocks);
}
