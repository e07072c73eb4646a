import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import {
  BcfVariantRecord,
  createBcfToVcf,
  createVcfToBcf,
  parseBcfHeader,
  parseVcfHeader,
  VariantHeader,
  type VariantRecord,
  VcfVariantRecord,
} from '@htskit/formats';
import { concatBytes, toOwned } from '@htskit/io';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Compresses the data of a file. */
export function bgzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes([deflateBlocks(bytes), EOF_MARKER]);
}

/** Returns a VCF text as BCF. Throws what the converter throws. */
export function toBcf(text: string): Uint8Array {
  const data = encoder.encode(text);
  const header = parseVcfHeader(data);
  const converter = createVcfToBcf(header);
  const records = converter.push(data.subarray(header.byteLength)).map(toOwned);
  return concatBytes([converter.header, ...records, ...converter.finish().map(toOwned)]);
}

/** Returns BCF as VCF text. Throws what the converter throws. */
export function toVcf(bcf: Uint8Array): string {
  const header = parseBcfHeader(bcf);
  const converter = createBcfToVcf(header);
  const records = converter.push(bcf.subarray(header.byteLength)).map(toOwned);
  return decoder.decode(concatBytes([converter.header, ...records, ...converter.finish().map(toOwned)]));
}

/** Returns the lines of the records of a VCF text. */
export function recordLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Returns the lines of a header that declare something, except for PASS, whose description is the file's own. */
export function declarations(text: string): string[] {
  return text.split('\n').filter((line) => /^##(contig|INFO|FORMAT|FILTER)=<ID=(?!PASS,)/.test(line));
}

/** What the view of a record answers. */
export interface ReadRecord {
  readonly start: number;
  readonly end: number;
  readonly others: readonly unknown[];
}

/** Returns what the views of the records of a BCF file answer. */
export function readBcf(bcf: Uint8Array): ReadRecord[] {
  const header = parseBcfHeader(bcf);
  return readAll(bcf, header.byteLength, new BcfVariantRecord(new VariantHeader(header)));
}

/** Returns what the views of the lines of a VCF file answer. */
export function readVcf(text: string): ReadRecord[] {
  const data = encoder.encode(text);
  const header = parseVcfHeader(data);
  return readAll(data, header.byteLength, new VcfVariantRecord(new VariantHeader(header)));
}

function readAll(data: Uint8Array, start: number, view: BcfVariantRecord | VcfVariantRecord): ReadRecord[] {
  const answers: ReadRecord[] = [];
  for (let at = start; at < data.length; at = view.byteEnd) answers.push(readRecord(view.at(data, at)));
  return answers;
}

function readRecord(record: VariantRecord): ReadRecord {
  const { start, end, referenceName, id, ref, alt, filters, infoKeys, formatKeys, genotypes, header } = record;
  const info = infoKeys.map((key) => [key, comparable(record.info(key))]);
  const format = formatKeys.map((key) => [
    key,
    header.samples.map((_, sample) => comparable(record.formatValue(sample, key))),
  ]);
  return { start, end, others: [referenceName, id, ref, alt, filters, info, format, genotypes] };
}

/** Floats of BCF have 32 bits, those of text six digits, and JSON has no NaN. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  return typeof value === 'number' ? String(Number(value.toPrecision(5))) : value;
}
