import type { PlainResponse } from '@htskit/http';
import { readChunks } from '@htskit/io';
import { startByteStream, TimeSlice } from '@htskit/io/internal';
import { RefgetError } from '@htskit/protocol';
import type { BaseRange, SequenceCollection } from '@htskit/sequences';
import { canonicalString } from '@htskit/sequences/internal';
import type { RefgetSettings } from '../options.js';
import { createSequenceFinder } from './find-sequence.js';
import { splitJsonArray } from './json-pieces.js';

export interface RegionsContext {
  readonly request: Request;
  readonly settings: RefgetSettings;
  /** Receives the failure that breaks off the response. */
  readonly onError: (error: unknown) => void;
}

/** The maximum number of regions of a request. */
const MAX_REGIONS = 10_000;
/** The maximum number of bases of a response. Beyond them, a client reads the FASTA file of the collection. */
const MAX_BASES = 2 ** 30;
/** The maximum number of characters of a name in an error message. */
const QUOTED_CHARACTERS = 100;
/** The minimum number of bytes of a chunk of a response. */
const CHUNK_BYTES = 65_536;

/** A region of a collection, by the name of its sequence. */
interface Region extends BaseRange {
  readonly name: string;
  /** The index of the sequence in the collection. */
  readonly index: number;
}

/**
 * Answers with the bases of regions: an array of `{ chrom, start, end }`, 0-based and half-open, becomes one of
 * `{ chrom_name, start, end, sequence }` in the same order. This is what the refget client of PyPI sends and expects. The
 * sequences that are read must be permitted as well.
 *
 * Throws RefgetError: Bad Request for a body of another shape, Not Found for an unknown name, Range Not Satisfiable for a
 * region that its sequence does not hold, and Content Too Large.
 */
export async function answerRegions(
  text: string,
  collection: SequenceCollection,
  context: RegionsContext,
): Promise<PlainResponse> {
  const { signal } = context.request;
  const regions = await locateRegions(await new TimeSlice(signal).run(parseRegions(text)), collection, context);
  const { request, settings } = context;
  if (!settings.isPublic) {
    for (const index of new Set(regions.map((region) => region.index))) {
      await settings.authorize(request, { resource: 'sequence', id: collection.arrays.sequences.at(index) ?? '' });
    }
  }
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Accept' });
  const body = await startByteStream(encodeRegions(regions, collection, context), context.onError);
  return { status: 200, headers, body };
}

/** Parses the regions, and yields after each short piece of the text. */
function* parseRegions(text: string): Generator<void, Omit<Region, 'index'>[]> {
  const regions: Omit<Region, 'index'>[] = [];
  for (const elements of splitJsonArray(text, 'a JSON array of regions')) {
    for (const element of elements) {
      if (regions.length === MAX_REGIONS) throw tooLarge(`the body has more than ${MAX_REGIONS} regions`);
      regions.push(parseRegion(element, regions.length));
    }
    yield;
  }
  return regions;
}

/** `chrom` is the key in requests, `chrom_name` the one in responses. */
function parseRegion(value: unknown, index: number): Omit<Region, 'index'> {
  const region = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const { chrom, chrom_name: name = chrom, start, end } = region;
  if (typeof name === 'string' && isPosition(start) && isPosition(end)) return { name, start, end };
  const shape = '{"chrom": "name", "start": 0, "end": 1}, with whole numbers';
  throw new RefgetError('Bad Request', `region ${index + 1} must have the shape ${shape}`);
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Finds the sequences of regions by name: of equal names, the first one. Reads the names up to the last one that it needs. */
async function locateRegions(
  regions: readonly Omit<Region, 'index'>[],
  { arrays: { names, lengths } }: SequenceCollection,
  { request, settings }: RegionsContext,
): Promise<Region[]> {
  const missing = new Set(regions.map(({ name }) => name));
  const indexes = new Map<string, number>();
  const slice = new TimeSlice(request.signal);
  for (let index = 0; index < names.length && missing.size > 0; index++) {
    const name = names.at(index) ?? '';
    if (missing.delete(name)) indexes.set(name, index);
    if (slice.isOverAt(index)) await slice.yieldToEventLoop();
  }
  const { subsequence: limit } = settings.limits;
  const quote = (name: string): string => canonicalString(name.slice(0, QUOTED_CHARACTERS));
  let bases = 0;
  return regions.map(({ name, start, end }, ordinal) => {
    const where = `region ${ordinal + 1}`;
    const index = indexes.get(name);
    if (index === undefined) {
      throw new RefgetError('Not Found', `${where}: the collection has no sequence with the name ${quote(name)}`);
    }
    const length = lengths.at(index) ?? 0;
    if (start > end || end > length) {
      const message = `${where}: ${start}-${end} is not a range of ${quote(name)}, which has ${length} bases`;
      throw new RefgetError('Range Not Satisfiable', message);
    }
    if (limit > 0 && end - start > limit) {
      throw new RefgetError('Range Not Satisfiable', `${where} has ${end - start} bases, more than ${limit}`);
    }
    bases += end - start;
    if (bases > MAX_BASES) throw tooLarge(`the regions have more than ${MAX_BASES} bases`);
    return { name, start, end, index };
  });
}

function tooLarge(message: string): RefgetError {
  return new RefgetError('Content Too Large', message);
}

async function* encodeRegions(
  regions: readonly Region[],
  { arrays: { sequences } }: SequenceCollection,
  { request, settings }: RegionsContext,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const findSequence = createSequenceFinder(settings);
  let text = '[';
  for (const [ordinal, { name, start, end, index }] of regions.entries()) {
    text += `${ordinal === 0 ? '' : ','}{"chrom_name":${canonicalString(name)},"start":${start},"end":${end},"sequence":"`;
    const digest = sequences.at(index) ?? '';
    const sequence = await findSequence(digest);
    const chunks =
      end - start <= CHUNK_BYTES
        ? [await sequence.read({ start, end })]
        : readChunks(sequence.stream({ start, end }, { signal: request.signal }));
    const decoder = new TextDecoder();
    for await (const chunk of chunks) {
      // A sequence of all printable characters may hold quotes.
      text += canonicalString(decoder.decode(chunk)).slice(1, -1);
      if (text.length < CHUNK_BYTES) continue;
      yield encoder.encode(text);
      text = '';
    }
    text += '"}';
  }
  yield encoder.encode(`${text}]`);
}
