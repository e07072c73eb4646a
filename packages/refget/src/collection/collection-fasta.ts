import {
  type ByteRange,
  type ByteSource,
  concatBytes,
  encodeText,
  LruCache,
  type ReadOptions,
  readChunks,
  toByteStream,
} from '@htskit/io';
import { firstIndex, loopTurns, sliceChunks } from '@htskit/io/internal';
import { RefgetError } from '@htskit/protocol';
import type { Sequence, SequenceCatalogue, SequenceCollection } from '@htskit/sequences';
import { SequenceFramer } from '../slice/sequence-body.js';
import { createSequenceFinder } from './find-sequence.js';

/** The FASTA file of a collection, or its index (`samtools faidx`). */
export type CollectionFile = 'fasta' | 'fai';

const LINE_BASES = 60;
const LINE_BYTES = LINE_BASES + 1;
/** Records that are placed or written between two checks whether the event loop has waited for long. */
const RECORDS_PER_STEP = 256;
/** The minimum number of bytes of a chunk. */
const CHUNK_BYTES = 65_536;

const LINES = { contentType: '', prefix: '', suffix: '', lineBases: LINE_BASES };

/** The places of the records of a collection in its FASTA file. */
interface FastaLayout {
  /** Offsets of the records in bytes, and the length of the file. */
  readonly starts: Float64Array;
  /** Length of the index in bytes. */
  readonly indexLength: number;
}

/**
 * A collection as a FASTA file of 60 bases per line, or the index of that file. Offsets are computed and nothing is stored.
 */
export class CollectionBytes {
  /** Length in bytes. */
  readonly length: number;
  readonly #file: CollectionFile;
  readonly #collection: SequenceCollection;
  readonly #layout: FastaLayout;

  private constructor(file: CollectionFile, collection: SequenceCollection, layout: FastaLayout) {
    this.#file = file;
    this.#collection = collection;
    this.#layout = layout;
    this.length = file === 'fasta' ? endOf(layout) : layout.indexLength;
  }

  /** Throws RefgetError Not Implemented for a name that a FASTA file cannot hold. */
  static async open(file: CollectionFile, collection: SequenceCollection): Promise<CollectionBytes> {
    return new CollectionBytes(file, collection, await layoutOf(collection));
  }

  /** Yields the digests of the sequences whose bases a range has, or of all sequences that it names. */
  async *sequencesIn(range: ByteRange, signal?: AbortSignal): AsyncGenerator<string, void> {
    if (this.#file === 'fai') return;
    for (const index of recordsOf(this.#layout, range)) {
      yield this.#collection.arrays.sequences.at(index) ?? '';
      if (index % RECORDS_PER_STEP === 0) await loopTurns.next(signal);
    }
  }

  /** Yields the bytes of a range. */
  read(range: ByteRange, options: ReadBytesOptions): AsyncGenerator<Uint8Array, void> {
    const parts = { layout: this.#layout, range, ...options };
    return joinChunks(
      this.#file === 'fasta'
        ? fastaChunks(this.#collection, parts)
        : sliceChunks(indexChunks(this.#collection, this.#layout), range),
    );
  }

  /** Returns the offset of the first base of each sequence. */
  baseOffsets(): readonly number[] {
    const { names } = this.#collection.arrays;
    return Array.from({ length: names.length }, (_, index) => {
      return (this.#layout.starts[index] ?? 0) + headerOf(names.at(index) ?? '').length;
    });
  }
}

/** The bases of a line, and the bytes of its end. */
export const FASTA_LINES: { readonly bases: number; readonly endBytes: number } = {
  bases: LINE_BASES,
  endBytes: LINE_BYTES - LINE_BASES,
};

export interface ReadBytesOptions {
  /** Has the sequences of the collection. */
  readonly catalogue: Pick<SequenceCatalogue, 'find'>;
  /** Ends a long read. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns a file of a collection as a source, whose version follows from the digests of the collection. */
export function collectionSource(
  file: CollectionFile,
  collection: SequenceCollection,
  catalogue: ReadBytesOptions['catalogue'],
): ByteSource {
  const key = `collection/${collection.digest}/${file}`;
  const version = `${collection.digest}.${collection.attributes.lengths.digest}.${file}`;
  const chunks = async function* (
    { start, end }: ByteRange,
    { signal }: ReadOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const bytes = await CollectionBytes.open(file, collection);
    const range = { start: Math.min(start, bytes.length), end: Math.min(end, bytes.length) };
    if (range.start < range.end) yield* bytes.read(range, { catalogue, signal });
  };
  return {
    key,
    stat: async () => ({ size: (await CollectionBytes.open(file, collection)).length, version }),
    async read(range, options = {}) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks(range, options)) parts.push(chunk);
      return concatBytes(parts);
    },
    stream: (range, options = {}) =>
      toByteStream(chunks(range, options), { key, ...(options.signal && { signal: options.signal }) }),
  };
}

interface FileRange extends ReadBytesOptions {
  readonly layout: FastaLayout;
  /** Bytes of the file. */
  readonly range: ByteRange;
}

/** Layouts by the digests of what they follow from: 64 MiB is enough for 8 million sequences. */
const layouts = new LruCache<FastaLayout>({ maxWeight: 2 ** 26 });

function layoutOf(collection: SequenceCollection): Promise<FastaLayout> {
  // The digest of a collection does not cover the lengths. A damaged store of one handler must not affect another handler.
  const key = `${collection.digest} ${collection.attributes.lengths.digest}`;
  return layouts.load(key, async () => {
    const value = await placeRecords(collection);
    return { value, weight: value.starts.byteLength };
  });
}

async function placeRecords({ arrays: { names, lengths } }: SequenceCollection): Promise<FastaLayout> {
  const starts = new Float64Array(names.length + 1);
  let start = 0;
  let indexLength = 0;
  for (let index = 0; index < names.length; index++) {
    const name = names.at(index) ?? '';
    const length = lengths.at(index) ?? 0;
    if (!/^\S+$/.test(name)) {
      throw new RefgetError('Not Implemented', `the name of sequence ${index + 1} cannot be written as FASTA`);
    }
    starts[index] = start;
    indexLength += encodeText(indexLine(name, { length, start })).length;
    start += headerOf(name).length + length + Math.ceil(length / LINE_BASES);
    if (index % RECORDS_PER_STEP === 0) await loopTurns.next();
  }
  starts[names.length] = start;
  return { starts, indexLength };
}

function headerOf(name: string): Uint8Array {
  return encodeText(`>${name}\n`);
}

/** Returns the line that `samtools faidx` writes for a record at `start`. */
function indexLine(name: string, { length, start }: { readonly length: number; readonly start: number }): string {
  const lineBases = Math.min(length, LINE_BASES);
  const basesStart = start + headerOf(name).length;
  return `${name}\t${length}\t${basesStart}\t${lineBases}\t${length === 0 ? 0 : lineBases + 1}\n`;
}

function endOf({ starts }: FastaLayout): number {
  return starts.at(-1) ?? 0;
}

/** Yields the indexes of the records that a range of the FASTA file overlaps. */
function* recordsOf({ starts }: FastaLayout, { start, end }: ByteRange): Generator<number, void> {
  // The first start is 0.
  const next = firstIndex(starts.length - 1, (index) => (starts[index] ?? 0) > start, 1);
  for (let index = next - 1; index < starts.length - 1 && (starts[index] ?? end) < end; index++) yield index;
}

async function* fastaChunks(
  { arrays: { names, lengths, sequences } }: SequenceCollection,
  { layout, range, catalogue, signal }: FileRange,
): AsyncGenerator<Uint8Array, void> {
  const findSequence = createSequenceFinder({ catalogue });
  for (const index of recordsOf(layout, range)) {
    const recordStart = layout.starts[index] ?? 0;
    const header = headerOf(names.at(index) ?? '');
    const from = range.start - recordStart;
    const to = range.end - recordStart;
    if (from < header.length) yield header.subarray(Math.max(0, from), Math.min(to, header.length));
    const length = lengths.at(index) ?? 0;
    const lines = clipRangeOf(length, { start: from - header.length, end: to - header.length });
    if (lines.start >= lines.end) continue;
    const digest = sequences.at(index) ?? '';
    const sequence = await findSequence(digest);
    yield* lineChunks(sequence, { length, range: lines, signal });
  }
}

/** Clips a range of bytes to the lines of a sequence. */
function clipRangeOf(length: number, { start, end }: ByteRange): ByteRange {
  return { start: Math.max(0, start), end: Math.min(end, length + Math.ceil(length / LINE_BASES)) };
}

interface LineRange {
  /** Bases of the sequence. */
  readonly length: number;
  /** Bytes from the first line on. */
  readonly range: ByteRange;
  readonly signal: AbortSignal | undefined;
}

/** Yields bytes of the lines of a sequence. Reads whole lines. */
async function* lineChunks(sequence: Sequence, { length, range, signal }: LineRange): AsyncGenerator<Uint8Array, void> {
  const firstLine = Math.floor(range.start / LINE_BYTES);
  const start = firstLine * LINE_BASES;
  const end = Math.min(length, Math.ceil(range.end / LINE_BYTES) * LINE_BASES);
  yield* sliceChunks(wrapBases(sequence, { start, end }, signal), range, firstLine * LINE_BYTES);
}

async function* wrapBases(
  sequence: Sequence,
  bases: { readonly start: number; readonly end: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const framer = new SequenceFramer(LINES);
  if (bases.end - bases.start <= CHUNK_BYTES) yield framer.push(await sequence.read(bases));
  else {
    const stream = sequence.stream(bases, { ...(signal && { signal }) });
    for await (const chunk of readChunks(stream)) yield framer.push(chunk);
  }
  yield framer.finish();
}

async function* indexChunks(
  { arrays: { names, lengths } }: SequenceCollection,
  { starts }: FastaLayout,
): AsyncGenerator<Uint8Array, void> {
  for (let first = 0; first < names.length; first += RECORDS_PER_STEP) {
    await loopTurns.next();
    const lines: string[] = [];
    for (let index = first; index < Math.min(first + RECORDS_PER_STEP, names.length); index++) {
      lines.push(indexLine(names.at(index) ?? '', { length: lengths.at(index) ?? 0, start: starts[index] ?? 0 }));
    }
    yield encodeText(lines.join(''));
  }
}

/** Joins short chunks: a file of many short sequences has millions of them. */
async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length < CHUNK_BYTES) continue;
    yield concatBytes(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield concatBytes(parts);
}
