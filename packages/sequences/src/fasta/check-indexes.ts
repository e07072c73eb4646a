import { type GziIndex, parseGzi } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import { parseFaiLines } from '@htskit/indexes/internal';
import { type ByteSource, concatBytes, readChunks } from '@htskit/io';
import type { IndexedList } from '../collection/collection-attributes.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** How to read an index of a FASTA. */
export interface ReadFastaIndexOptions {
  /** Most bytes of the index. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Compares the records that a `.fai` lists with those of the FASTA, one by one. */
export class FaiChecker {
  readonly #found: IndexedList<FaiRecord>;
  #row = 0;

  constructor(found: IndexedList<FaiRecord>) {
    this.#found = found;
  }

  /**
   * Throws INDEX_MISMATCH unless the record is the next one of the FASTA. A `.fai` may omit sequences without bases, as those
   * of samtools do.
   */
  push(listed: FaiRecord): void {
    let found = this.#found.at(this.#row);
    while (found?.length === 0 && found.name !== listed.name) found = this.#found.at(++this.#row);
    if (!isSamePlace(listed, found)) throw this.#mismatch();
    this.#row++;
  }

  /** Throws INDEX_MISMATCH if the FASTA has further records with bases. */
  finish(): void {
    for (; this.#row < this.#found.length; this.#row++) {
      if (this.#found.at(this.#row)?.length !== 0) throw this.#mismatch();
    }
  }

  #mismatch(): SequenceSourceError {
    const message = `record ${this.#row + 1} of the .fai does not match the FASTA`;
    return new SequenceSourceError('INDEX_MISMATCH', message, { offset: this.#found.at(this.#row)?.offset ?? 0 });
  }
}

const LINE_FEED = 0x0a;
/** Most bytes of a line of a `.fai`. */
const MAX_LINE_BYTES = 2 ** 20;

/**
 * Compares a `.fai` with the records of the FASTA, in constant memory. Throws INDEX_MISMATCH, LIMIT_EXCEEDED, IndexError,
 * StorageError.
 */
export async function checkFai(
  source: ByteSource,
  found: IndexedList<FaiRecord>,
  options: ReadFastaIndexOptions,
): Promise<void> {
  const { signal } = options;
  const { size, version } = await statIndex(source, options);
  const checker = new FaiChecker(found);
  let rest: Uint8Array = new Uint8Array(0);
  let restStart = 0;
  const check = (lines: Uint8Array): void => {
    for (const { record } of parseFaiLines(lines)) checker.push(record);
  };
  for await (const chunk of readChunks(source.stream({ start: 0, end: size }, { signal, version }))) {
    const bytes = concatBytes([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    check(bytes.subarray(0, end));
    rest = bytes.subarray(end);
    restStart += end;
    if (rest.length <= MAX_LINE_BYTES) continue;
    const message = `a line of the .fai has more than ${MAX_LINE_BYTES} bytes`;
    throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: restStart });
  }
  check(rest);
  checker.finish();
}

/** Reads a `.gzi`. Throws LIMIT_EXCEEDED, BgzfError, StorageError. */
export async function readGzi(source: ByteSource, options: ReadFastaIndexOptions): Promise<GziIndex> {
  const { size, version } = await statIndex(source, options);
  return parseGzi(await source.read({ start: 0, end: size }, { signal: options.signal, version }));
}

async function statIndex(
  source: ByteSource,
  { maxBytes, signal }: ReadFastaIndexOptions,
): ReturnType<ByteSource['stat']> {
  const stat = await source.stat({ signal });
  if (stat.size <= maxBytes) return stat;
  const message = `the index has ${stat.size} bytes, more than the limit of ${maxBytes}`;
  throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
}

/** Ignores the columns that tools write differently: the line end of a single line, and the line length of an empty record. */
function isSamePlace(listed: FaiRecord, found: FaiRecord | undefined): boolean {
  if (listed.name !== found?.name || listed.length !== found.length) return false;
  if (found.length === 0) return true;
  if (listed.offset !== found.offset) return false;
  const isOneLine = found.length <= found.lineBases && found.length <= listed.lineBases;
  return isOneLine || (listed.lineBases === found.lineBases && listed.lineBytes === found.lineBytes);
}

/** Throws INDEX_MISMATCH unless the blocks that a `.gzi` lists are those of the file. Blocks without data are ignored. */
export function checkGzi(listed: GziIndex, found: GziIndex, uncompressedLength: number): void {
  const blocks = blocksWithData(listed, uncompressedLength);
  const index = found.coffsets.findIndex(
    (coffset, i) => blocks[i]?.coffset !== coffset || blocks[i]?.uncompressedOffset !== found.uncompressedOffsets[i],
  );
  const differing = index === -1 && blocks.length > found.coffsets.length ? found.coffsets.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `block ${differing + 1} of the .gzi does not match the FASTA`, {
    offset: found.coffsets[differing] ?? 0,
  });
}

interface IndexedBlock {
  readonly coffset: number;
  readonly uncompressedOffset: number;
}

function blocksWithData({ coffsets, uncompressedOffsets }: GziIndex, uncompressedLength: number): IndexedBlock[] {
  const blocks = Array.from(coffsets, (coffset, i) => ({
    coffset,
    uncompressedOffset: uncompressedOffsets[i] ?? 0,
    end: uncompressedOffsets[i + 1] ?? uncompressedLength,
  }));
  // bgzip does not list the block at offset 0, but other tools may.
  return blocks.filter(({ coffset, uncompressedOffset, end }) => coffset > 0 && uncompressedOffset !== end);
}
