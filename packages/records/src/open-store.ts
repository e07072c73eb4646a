import { inflateStream } from '@htskit/bgzf';
import { RecordsError } from './records-error.js';
import { openSource, type RecordSource } from './source/open-source.js';
import { BgzfStore, openBinningIndex, readStart, type StoreOptions } from './stored/bgzf-store.js';
import { type CramOptions, CramStore } from './stored/cram-store.js';
import { type HtsgetSource, HtsgetStore } from './stored/htsget-store.js';
import { type BgzfFormat, RECORD_FORMATS } from './stored/record-format.js';
import type { FileFormat, RecordStore } from './stored/record-store.js';

/** How a file is opened. */
export type OpenOptions = StoreOptions & CramOptions;

/** Opens a file of one of these formats. Throws `RecordsError` UNKNOWN_FORMAT for others. */
export async function openStore(
  source: RecordSource | HtsgetSource,
  formats: readonly FileFormat[],
  options: OpenOptions,
): Promise<RecordStore> {
  const store = isHtsget(source) ? await HtsgetStore.open(source, options) : await openFile(source, formats, options);
  if (formats.some((format) => format === store.format)) return store;
  await store.close();
  throw unknownFormat(formats, store.format);
}

async function openFile(
  source: RecordSource,
  formats: readonly FileFormat[],
  options: OpenOptions,
): Promise<RecordStore> {
  const file = await openSource(source, options);
  try {
    const start = await file.source.read(
      { start: 0, end: MAGIC_BYTES },
      { version: file.version, signal: options.signal },
    );
    if (hasText(start, 'CRAM')) return await CramStore.open(file, options);
    const format = hasText(start, GZIP) ? await detectBgzf(readStart(file, options)) : undefined;
    if (format === undefined) throw unknownFormat(formats, describeText(start, file.location));
    const index = openBinningIndex(file, { ...options, format });
    return await BgzfStore.open(file, RECORD_FORMATS[format], { ...options, index });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Describes text that must be compressed. A web server may have made the client decompress it. */
function describeText(start: Uint8Array, location: string | URL | undefined): string | undefined {
  if (hasText(start, '@HD\t') || hasText(start, '@SQ\t')) return 'SAM text; convert it with samtools view -b';
  if (!hasText(start, '##fi')) return undefined;
  const remedy = 'VCF text, which is not gzip data; compress it with bgzip';
  return location instanceof URL ? `${remedy}, and serve it without Content-Encoding` : remedy;
}

const GZIP = '\u001f\u008b';
/** The first bytes of the uncompressed data of each format. */
const MAGIC: readonly (readonly [text: string, format: BgzfFormat])[] = [
  ['BAM\u0001', 'BAM'],
  ['BCF\u0002', 'BCF'],
  ['##fi', 'VCF'],
];
const MAGIC_BYTES = 4;

/** Returns the format of the data that the blocks of a file begin with, each of which may hold a single byte. */
async function detectBgzf(chunks: AsyncIterable<Uint8Array>): Promise<BgzfFormat | undefined> {
  const start = new Uint8Array(MAGIC_BYTES);
  let length = 0;
  for await (const { data } of inflateStream(chunks)) {
    start.set(data.subarray(0, MAGIC_BYTES - length), length);
    length += data.length;
    if (length >= MAGIC_BYTES) break;
  }
  return MAGIC.find(([text]) => hasText(start, text))?.[1];
}

function hasText(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, at) => bytes[at] === character.charCodeAt(0));
}

function unknownFormat(expected: readonly string[], found?: string): RecordsError {
  const names = expected.map((format) => (format === 'VCF' ? 'bgzipped VCF' : format));
  const choice = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return new RecordsError('UNKNOWN_FORMAT', `expected ${choice}, found ${found ?? 'something else'}`);
}

/** Returns whether a source is a file of an htsget service. */
export function isHtsget(source: RecordSource | HtsgetSource): source is HtsgetSource {
  return typeof source === 'object' && 'htsget' in source;
}
