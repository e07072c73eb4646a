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
import { selectHeaderText } from '../samples/selected-header.js';
import { createVariantConverter } from '../transform/record-transform.js';
import type { ConvertOptions, FileFormat, OpenFile } from './file-format.js';
import { RecentValues } from './recent-values.js';

/** The conversions of a file by format, samples and added contigs. They hold its header and are dropped with it. */
const conversions = new WeakMap<OpenFile, RecentValues<Conversion>>();

/** Returns the conversion of a file, which is made once. Throws what `FileFormat.convert` throws. */
export function convertFile(
  file: OpenFile,
  fileFormat: Pick<FileFormat, 'convert'>,
  { format, indexedNames, ...options }: ConvertOptions,
): Promise<Conversion> {
  const known = conversions.get(file) ?? new RecentValues<Conversion>();
  conversions.set(file, known);
  const extraContigs = indexedNames.filter((name) => file.header.referenceIds.get(name) === undefined);
  const key = [format, JSON.stringify(options), ...extraContigs].join('\n');
  return known.load(key, () => fileFormat.convert(file, { ...options, format, indexedNames: extraContigs }));
}

/** Creates the conversion of a CRAM file to BAM. */
export async function convertCram(
  { version, header: stored, references, headerBytes }: CramFile,
  { sliceBytes, program, samples }: Pick<ConvertOptions, 'sliceBytes' | 'program' | 'samples'>,
): Promise<Conversion> {
  const header: CramHeader = { version, text: stored.text, references, byteLength: headerBytes.length };
  const text = samples === undefined ? stored.text : selectHeaderText('CRAM', stored, samples);
  const bamText = program === undefined ? text : addProgramLines(text, program);
  return {
    header: await toHeaderBlocks(encodeBamHeader({ references, text: bamText })),
    records: { from: 'CRAM', header, sliceBytes },
  };
}

/** Creates the conversion of a VCF file to BCF, or of a BCF file to VCF. Throws `FormatError` for a header without columns. */
export async function convertVariants(
  { format: from, header: stored }: BgzfFile,
  { format, indexedNames: extraContigs, samples }: Pick<ConvertOptions, 'format' | 'indexedNames' | 'samples'>,
): Promise<Conversion> {
  if (from === 'BAM') throw new TypeError('a BAM file is not converted');
  const text = samples === undefined ? stored.text : selectHeaderText(from, stored, samples);
  const records: VariantConversion = { from, input: { text, extraContigs } };
  const { header } = createVariantConverter(records);
  return { header: format === 'VCFTEXT' ? header : await toHeaderBlocks(header), records };
}

/** Bytes of a header that are compressed at once: a few milliseconds of work. */
const STEP_BYTES = 4 * BLOCK_DATA_BYTES;

/** Compresses a header to blocks in steps, between which the event loop handles other events. */
export async function toHeaderBlocks(data: Uint8Array): Promise<Uint8Array> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < data.length; start += STEP_BYTES) {
    await loopTurns.next();
    blocks.push(deflateBlocks(data.subarray(start, start + STEP_BYTES)));
  }
  return concatBytes(blocks);
}
