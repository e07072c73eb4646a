import { BgzfReader, inflateStream, parseGzi } from '@htskit/bgzf';
import { ClientError, RefgetClient } from '@htskit/client';
import type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
import type { TwoBitRecord } from '@htskit/formats/internal';
import { baseOffset, FaiBuilder, type FaiRecord, parseFai } from '@htskit/indexes';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { openSequenceStore } from '@htskit/sequences';
import { TwoBitFile } from '@htskit/sequences/internal';
import { pathStore } from '@htskit/storage/internal';
import { isMissing } from '../source/index-source.js';
import { type OpenSource, openSource } from '../source/open-source.js';

const STORE_MARKER = 'htskit-store.json';
const FASTA_EXTENSION = /\.(?:fa|fasta|fna|fas)(?:\.gz|\.bgz)?$/i;
const TWO_BIT_EXTENSION = /\.2bit$/i;

/**
 * Opens the bases that CRAM files refer to: a FASTA, plain or compressed by bgzip, or a 2bit file, by name; the folder of a sequence
 * store, or a refget server, by MD5. A URL is one of a refget server unless it has the extension of a file. Throws what opening
 * and reading the file throw.
 */
export async function openReference(location: string | URL): Promise<CramReferenceSource> {
  const isUrl = /^https?:\/\//i.test(String(location));
  const path = isUrl ? new URL(location).pathname : String(location);
  if (TWO_BIT_EXTENSION.test(path)) return twoBitBases(await openSource(location, {}));
  if (isUrl && !FASTA_EXTENSION.test(path)) return refgetBases(String(location));
  const store = typeof location === 'string' && !isUrl ? await findStore(location) : undefined;
  return store === undefined ? fastaBases(location) : storeBases(store);
}

function refgetBases(url: string): CramReferenceSource {
  const refget = new RefgetClient({ servers: [url] });
  return async ({ md5, start, end, signal }) => {
    if (md5 === undefined) return undefined;
    try {
      return await refget.sequence(md5, { start, end, signal });
    } catch (error) {
      if (error instanceof ClientError && error.status === 404) return undefined;
      throw error;
    }
  };
}

/** Returns the sequence store in a folder, unless there is none. */
async function findStore(folder: string): Promise<ObjectStore | undefined> {
  const store = pathStore?.(folder);
  const marker = await store
    ?.source(STORE_MARKER)
    .stat()
    .catch(() => undefined);
  return marker && store;
}

async function storeBases(objects: ObjectStore): Promise<CramReferenceSource> {
  const store = await openSequenceStore(objects);
  return async ({ md5, start, end, signal }) => {
    const [sequence] = md5 === undefined ? [] : await store.find({ kind: 'md5', digest: md5 });
    return sequence?.read({ start, end }, { signal });
  };
}

async function twoBitBases({ source }: OpenSource): Promise<CramReferenceSource> {
  const file = await TwoBitFile.open({ data: source, stat: await source.stat() }, undefined);
  const byName = new Map((await file.readEntries(undefined)).map((entry) => [entry.name, entry]));
  let last: { readonly name: string; readonly record: TwoBitRecord } | undefined;
  return async ({ name, start, end, signal }) => {
    const entry = byName.get(name);
    if (entry === undefined) return undefined;
    // Requests mostly ask for the sequence of the request before.
    const record = last?.name === name ? last.record : await file.readRecord(entry, signal);
    last = { name, record };
    return file.readBases(record, clip({ start, end }, record.length), { signal });
  };
}

async function fastaBases(location: string | URL): Promise<CramReferenceSource> {
  const file = await openSource(location, {});
  const magic = await file.source.read({ start: 0, end: 2 });
  const isCompressed = magic[0] === 0x1f && magic[1] === 0x8b;
  const fai = await readIfExists(appendToPath(location, '.fai'));
  const records = fai === undefined ? await indexFasta(file, isCompressed) : parseFai(fai);
  const gzi = isCompressed ? await readIfExists(appendToPath(location, '.gzi')) : undefined;
  const text = isCompressed ? new BgzfReader(file.source, { gzi: gzi && parseGzi(gzi) }) : file.source;
  const byName = new Map(records.map((record) => [record.name, record]));
  return async (request) => {
    const record = byName.get(request.name);
    return record === undefined ? undefined : readBases(text, record, request);
  };
}

/** Reads the bases of a sequence without its line ends, which are where the index says: a test of each byte takes 50 times as long. */
async function readBases(
  text: Pick<ByteSource, 'read'>,
  record: FaiRecord,
  { signal, ...range }: CramReferenceRequest,
): Promise<Uint8Array> {
  const { start, end } = clip(range, record.length);
  if (start === end) return new Uint8Array(0);
  const { lineBases, lineBytes } = record;
  const bytes = await text.read({ start: baseOffset(record, start), end: baseOffset(record, end - 1) + 1 }, { signal });
  let length = 0;
  for (let at = 0, lineEnd = lineBases - (start % lineBases); at < bytes.length; lineEnd += lineBytes) {
    bytes.copyWithin(length, at, lineEnd);
    length += Math.min(lineEnd, bytes.length) - at;
    at = lineEnd + lineBytes - lineBases;
  }
  return bytes.subarray(0, length);
}

/** Returns the part of a range that lies within a sequence. */
function clip({ start, end }: { readonly start: number; readonly end: number }, length: number) {
  return { start: Math.min(start, length), end: Math.min(end, length) };
}

async function indexFasta(file: OpenSource, isCompressed: boolean): Promise<readonly FaiRecord[]> {
  const builder = new FaiBuilder();
  const chunks = readFromStart(file.source, file);
  if (isCompressed) for await (const { data } of inflateStream(chunks)) builder.push(data);
  else for await (const chunk of chunks) builder.push(chunk);
  return builder.finish();
}

/** Returns where a file is that has a further extension. The query of a URL stays. */
function appendToPath(location: string | URL, extension: string): string | URL {
  if (typeof location === 'string' && !/^https?:\/\//i.test(location)) return location + extension;
  const url = new URL(location);
  url.pathname += extension;
  return url;
}

/** Returns the bytes of a file, unless it does not exist. */
async function readIfExists(location: string | URL): Promise<Uint8Array | undefined> {
  try {
    const { source, size, close } = await openSource(location, { cacheBytes: 0 });
    try {
      return await source.read({ start: 0, end: size });
    } finally {
      await close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
