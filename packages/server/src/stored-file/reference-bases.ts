import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { BgzfReader, inflateStream, parseGzi } from '@htskit/bgzf';
import { isStoreFolder, isSystemError, openStoreFolder } from '@htskit/catalogue/internal';
import { ClientError, RefgetClient } from '@htskit/client';
import type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
import { baseOffset, FaiBuilder, type FaiRecord, parseFai } from '@htskit/indexes';
import { type ByteSource, peek } from '@htskit/io';
import { openTwoBit } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';

/**
 * Opens the bases that CRAM files refer to: a FASTA, plain or compressed by bgzip, or a 2bit file, by name; the folder of a sequence
 * store, or a refget server, by MD5. Throws Error for anything else.
 */
export async function openReferenceBases(location: string): Promise<CramReferenceSource> {
  if (/^https?:\/\//i.test(location)) return refgetBases(location);
  if (await isStoreFolder(location)) return storeBases(location);
  return location.endsWith('.2bit') ? twoBitBases(location) : fastaBases(location);
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

async function storeBases(folder: string): Promise<CramReferenceSource> {
  const store = await openStoreFolder(folder);
  return async ({ md5, start, end, signal }) => {
    const [sequence] = md5 === undefined ? [] : await store.find({ kind: 'md5', digest: md5 });
    return sequence?.read({ start, end }, { signal });
  };
}

async function twoBitBases(path: string): Promise<CramReferenceSource> {
  const sequences = await openTwoBit({ data: fileSource(path) });
  const byName = new Map(sequences.map((sequence) => [sequence.name, sequence]));
  return async ({ name, start, end, signal }) => {
    const sequence = byName.get(name);
    return sequence === undefined
      ? undefined
      : sequence.read(clip({ start, end }, sequence.metadata.length), { signal });
  };
}

async function fastaBases(path: string): Promise<CramReferenceSource> {
  const file = fileSource(path);
  const magic = await file.read({ start: 0, end: 2 });
  const isCompressed = magic[0] === 0x1f && magic[1] === 0x8b;
  const records = (await readBeside(`${path}.fai`, parseFai)) ?? (await indexFasta(path, isCompressed));
  const gzi = isCompressed ? await readBeside(`${path}.gzi`, parseGzi) : undefined;
  const text = isCompressed ? new BgzfReader(file, { gzi }) : file;
  const byName = new Map(records.map((record) => [record.name, record]));
  return async (request) => {
    const record = byName.get(request.name);
    return record === undefined ? undefined : readBases(text, record, request);
  };
}

/** Reads the bases of a sequence without its line ends. */
async function readBases(
  text: ByteSource,
  record: FaiRecord,
  { signal, ...range }: CramReferenceRequest,
): Promise<Uint8Array> {
  const { start, end } = clip(range, record.length);
  if (start === end) return new Uint8Array(0);
  const lines = await text.read({ start: baseOffset(record, start), end: baseOffset(record, end - 1) + 1 }, { signal });
  return lines.filter((byte) => byte > 0x20);
}

/** Returns the part of a range that lies within a sequence. */
function clip({ start, end }: { readonly start: number; readonly end: number }, length: number) {
  return { start: Math.min(start, length), end: Math.min(end, length) };
}

async function indexFasta(path: string, isCompressed: boolean): Promise<readonly FaiRecord[]> {
  const builder = new FaiBuilder();
  const chunks: AsyncIterable<Uint8Array> = createReadStream(path);
  if (isCompressed) for await (const { data } of inflateStream(chunks)) builder.push(peek(data));
  else for await (const chunk of chunks) builder.push(chunk);
  return builder.finish();
}

/** Parses a file, unless it does not exist. */
async function readBeside<Parsed>(path: string, parse: (bytes: Uint8Array) => Parsed): Promise<Parsed | undefined> {
  try {
    return parse(await readFile(path));
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
