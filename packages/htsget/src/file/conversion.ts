import {
  type CramHeader,
  createBcfToVcf,
  createVcfToBcf,
  encodeBamHeader,
  type RecordConverter,
  type RecordLimits,
  type VariantHeaderInput,
} from '@htskit/formats';
import type { HtsgetFormat } from '@htskit/protocol';
import { type BgzfFile, toHeaderBlocks } from './bgzf-file.js';
import type { CramFile } from './cram-file.js';
import { addProgramLines, type ConvertingProgram } from './program-lines.js';
import type { BgzfFormat } from './record-format.js';

/** How the records of a variant file are converted. Plain data, so that it can be posted to a worker. */
export interface VariantConversion {
  readonly from: Exclude<BgzfFormat, 'BAM'>;
  /** The header of the file. */
  readonly input: VariantHeaderInput;
}

/** How the records of a CRAM file are converted to BAM. Plain data, so that it can be posted to a worker. */
export interface CramConversion {
  readonly from: 'CRAM';
  readonly header: CramHeader;
  /** See `CramTransformOptions`. */
  readonly sliceBytes: number;
}

/** How an answer is made in another format than that of its file. */
export interface Conversion {
  /** The header of the answer, as it is sent. */
  readonly header: Uint8Array;
  readonly records: VariantConversion | CramConversion;
}

/** Creates the converter of a file's uncompressed records. Throws `FormatError` for a header that declares no columns. */
export function createVariantConverter({ from, input }: VariantConversion, limits: RecordLimits = {}): RecordConverter {
  return from === 'BCF' ? createBcfToVcf(input, limits) : createVcfToBcf(input, limits);
}

interface ConvertOptions {
  readonly format: HtsgetFormat;
  readonly indexedNames: readonly string[];
  /** Most uncompressed bytes of a slice of a CRAM file. */
  readonly sliceBytes: number;
  /** Named in the header of BAM. Default: the header is that of the file. */
  readonly program?: ConvertingProgram | undefined;
}

/** The conversions of a file by format and added contigs. They hold its header and are dropped with it. */
const conversions = new WeakMap<BgzfFile | CramFile, Map<string, Promise<Conversion>>>();

/**
 * Returns the conversion of a file, which is made once. `indexedNames` are the contigs that the index of a VCF file names: those
 * that its header lacks are added, as bcftools does. Throws `FormatError` for a variant header that declares no columns.
 */
export function convertFile(
  file: BgzfFile | CramFile,
  { format, indexedNames, ...options }: ConvertOptions,
): Promise<Conversion> {
  const known = conversions.get(file) ?? new Map<string, Promise<Conversion>>();
  conversions.set(file, known);
  const extraContigs = indexedNames.filter((name) => file.header.referenceIds.get(name) === undefined);
  const key = [format, JSON.stringify(options), ...extraContigs].join('\n');
  const conversion =
    known.get(key) ??
    (file.format === 'CRAM' ? convertCram(file, options) : convertVariants(file, format, extraContigs));
  known.set(key, conversion);
  return conversion;
}

async function convertCram(
  { version, header: { text }, references, headerBytes }: CramFile,
  { sliceBytes, program }: Pick<ConvertOptions, 'sliceBytes' | 'program'>,
): Promise<Conversion> {
  const header: CramHeader = { version, text, references, byteLength: headerBytes.length };
  return {
    header: await toHeaderBlocks(
      encodeBamHeader({ references, text: program === undefined ? text : addProgramLines(text, program) }),
    ),
    records: { from: 'CRAM', header, sliceBytes },
  };
}

async function convertVariants(
  { format: from, header: { text } }: BgzfFile,
  format: HtsgetFormat,
  extraContigs: readonly string[],
): Promise<Conversion> {
  if (from === 'BAM') throw new TypeError('a BAM file is not converted');
  const records: VariantConversion = { from, input: { text, extraContigs } };
  const { header } = createVariantConverter(records);
  return { header: format === 'VCFTEXT' ? header : await toHeaderBlocks(header), records };
}
