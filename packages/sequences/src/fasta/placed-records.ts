import type { SequenceCharacters } from '@htskit/digest';
import { isKept, isWhiteSpace } from '@htskit/digest/internal';
import type { FaiRecord } from '@htskit/indexes';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { CharacterPolicy, DigestFastaOptions, DigestPool } from '../digest/digest-pool.js';
import type { RecordObserver, RecordPiece } from '../digest/fasta-dispatcher.js';
import type { FastaDigests } from '../digest/record-digests.js';

/** The digests of a record and where its bases are. */
export interface PlacedRecord {
  readonly digests: FastaDigests;
  /** Undefined if base coordinates do not map to offsets: lines differ in length, or something is between two bases. */
  readonly place: FaiRecord | undefined;
  /** Offset of its first sequence line in the text. */
  readonly offset: number;
}

export interface PlacedRecordOptions extends Pick<DigestFastaOptions, 'characters' | 'signal'> {
  readonly pool: DigestPool;
}

/** Yields the records of a FASTA text in order, in batches, from one pass over it. Throws like `DigestPool.digestFasta`. */
export async function* placeRecords(
  text: AsyncIterable<BorrowedBytes>,
  { pool, characters = 'letters', signal }: PlacedRecordOptions,
): AsyncGenerator<readonly PlacedRecord[], void> {
  const observer = new PlaceObserver(characters);
  for await (const batch of pool.digestBatches(text, { characters, signal, observer })) {
    const places = observer.take(batch.length);
    yield batch.map((digests, index) => {
      const place = places[index];
      return { digests, place: place?.finish(), offset: place?.offset ?? 0 };
    });
  }
}

/** Follows the places of the records of a text on its way to the digests. */
class PlaceObserver implements RecordObserver {
  readonly #characters: SequenceCharacters;
  readonly #places: PlaceFinder[] = [];

  constructor(characters: CharacterPolicy) {
    this.#characters = characters === 'strict' ? 'letters' : characters;
  }

  onRecord(name: string): void {
    this.#places.push(new PlaceFinder(name, this.#characters));
  }

  onSequence(piece: RecordPiece): void {
    this.#places.at(-1)?.push(piece);
  }

  /** Removes the places of the first records, which have been read completely when their digests are known. */
  take(count: number): readonly PlaceFinder[] {
    return this.#places.splice(0, count);
  }
}

const LINE_FEED = 0x0a;

/**
 * Finds the place of one record, in pieces of any length. Only the line ends are read: if those of all lines but the last are
 * where the first line has its own, as many bases as the record has fit up to the last one only if they leave no gap.
 */
class PlaceFinder {
  readonly #name: string;
  readonly #characters: SequenceCharacters;
  /** Offset of the first sequence line in the text. */
  offset = 0;
  /** Bytes of the record so far. */
  #byteLength = 0;
  /** Bases so far. */
  #length = 0;
  /** Bytes of the first line without trailing white space, and with its line end; it is 0 until that is found. */
  #lineBases = 0;
  #lineBytes = 0;
  /** The first line whose end is elsewhere. */
  #differingLine = Infinity;
  /** Offset of the last base within the record. */
  #lastBase = -1;

  constructor(name: string, characters: SequenceCharacters) {
    this.#name = name;
    this.#characters = characters;
  }

  push({ bytes: borrowed, offset, bases }: RecordPiece): void {
    const bytes = peek(borrowed);
    if (this.#byteLength === 0) this.offset = offset;
    this.#length += bases.length;
    if (this.#lineBytes === 0) this.#readFirstLine(bytes);
    if (this.#lineBytes > 0 && this.#differingLine === Infinity) this.#checkLineEnds(bytes);
    const last = bytes.findLastIndex((byte) => isKept(byte, this.#characters));
    if (last !== -1) this.#lastBase = this.#byteLength + last;
    this.#byteLength += bytes.length;
  }

  /** Returns undefined if the record has no place. */
  finish(): FaiRecord | undefined {
    const [length, lineBases] = [this.#length, this.#lineBases];
    // Like samtools, counts a line feed even if the last line of the file has none.
    const lineBytes = this.#lineBytes || this.#byteLength + 1;
    const record = { name: this.#name, length, offset: this.offset, lineBases, lineBytes };
    if (length === 0) return { ...record, lineBases: 0, lineBytes: 0 };
    const lastLine = Math.floor((length - 1) / lineBases);
    const isContiguous = this.#lastBase === lastLine * lineBytes + ((length - 1) % lineBases);
    return isContiguous && this.#differingLine >= lastLine ? record : undefined;
  }

  #readFirstLine(bytes: Uint8Array): void {
    const lineFeed = bytes.indexOf(LINE_FEED);
    const line = bytes.subarray(0, lineFeed === -1 ? bytes.length : lineFeed);
    const last = line.findLastIndex((byte) => !isWhiteSpace(byte));
    if (last !== -1) this.#lineBases = this.#byteLength + last + 1;
    if (lineFeed !== -1) this.#lineBytes = this.#byteLength + lineFeed + 1;
  }

  #checkLineEnds(bytes: Uint8Array): void {
    const end = this.#byteLength + bytes.length;
    let line = Math.floor(this.#byteLength / this.#lineBytes);
    for (; line * this.#lineBytes + this.#lineBases < end; line++) {
      const from = Math.max(0, line * this.#lineBytes + this.#lineBases - this.#byteLength);
      const to = (line + 1) * this.#lineBytes - 1 - this.#byteLength;
      for (let at = from; at < Math.min(to, bytes.length); at++) {
        if (!isWhiteSpace(bytes[at] ?? 0)) this.#differingLine = Math.min(this.#differingLine, line);
      }
      if (to >= 0 && to < bytes.length && bytes[to] !== LINE_FEED)
        this.#differingLine = Math.min(this.#differingLine, line);
      if (this.#differingLine <= line) return;
    }
  }
}
