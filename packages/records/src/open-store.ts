import { inflatePieces } from '@htskit/bgzf/internal';
import { peek } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { loadHtsgetStore } from '#lazy-formats';
import { checkWorkers } from './ahead/check-workers.js';
import { unknownFormat } from './records-error.js';
import { openSource, type RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';
import type { FileFormat, OpenOptions, RecordStore, StoredFormat } from './stored/record-store.js';

/** Opens a file of one of these formats. Throws `RecordsError` UNKNOWN_FORMAT for others. */
export async function openStore(
  source: RecordSource | HtsgetSource,
  formats: readonly StoredFormat[],
  options: OpenOptions,
): Promise<RecordStore> {
  checkWorkers(options.workers);
  if (isHtsget(source)) return (await loadHtsgetStore()).open(source, formats, options);
  const file = await openSource(source, options);
  try {
    const start = await file.source.read(
      { start: 0, end: MAGIC_BYTES },
      { version: file.version, signal: options.signal },
    );
    const found = await detectFormat(start, readFromStart(file.source, { ...file, signal: options.signal }));
    const format = formats.find(({ name }) => name === found);
    if (format === undefined) throw unknownFormat(formats, found ?? describeText(start, file.location));
    return await format.open(file, options);
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
const MAGIC: readonly (readonly [text: string, format: FileFormat])[] = [
  ['BAM\u0001', 'BAM'],
  ['BCF\u0002', 'BCF'],
  ['##fi', 'VCF'],
];
const MAGIC_BYTES = 4;

/** Returns the format of a file by its first bytes, or by those of the blocks, each of which may hold a single byte. */
async function detectFormat(magic: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<FileFormat | undefined> {
  if (hasText(magic, 'CRAM')) return 'CRAM';
  if (!hasText(magic, GZIP)) return undefined;
  const start = new Uint8Array(MAGIC_BYTES);
  let length = 0;
  for await (const data of inflatePieces(chunks)) {
    start.set(peek(data).subarray(0, MAGIC_BYTES - length), length);
    length += data.length;
    if (length >= MAGIC_BYTES) break;
  }
  return MAGIC.find(([text]) => hasText(start, text))?.[1];
}

function hasText(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, at) => bytes[at] === character.charCodeAt(0));
}

/** Returns whether a source is a file of an htsget service. */
export function isHtsget(source: RecordSource | HtsgetSource): source is HtsgetSource {
  return typeof source === 'object' && 'htsget' in source;
}
