import { BASE_CODES } from '../../bam/bases.js';
import { binOf } from '../../bam/bin.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import { type FormatError, invalidData } from '../../format-error.js';
import { CRAM_FLAG, type RecordHead } from '../slice/record-head.js';
import type { StoredSlice } from '../slice/stored-slice.js';
import type { ValueReader } from '../slice/value-reader.js';
import type { AlignmentDecoder } from './alignment.js';

/** The places of fields in a BAM record, which starts with block_size (SAMv1 §4.2). */
export const BAM_FIELD = {
  referenceId: 4,
  position: 8,
  nameLength: 12,
  mappingQuality: 13,
  bin: 14,
  cigarCount: 16,
  flags: 18,
  baseCount: 20,
  mateReferenceId: 24,
  matePosition: 28,
  templateLength: 32,
  name: 36,
} as const;

export const BAM_FLAG = { paired: 1, unmapped: 4, mateUnmapped: 8, reverse: 16, mateReverse: 32, first: 64 } as const;

/** The flags of the mate of a detached record (CRAM 3.1 §10.4). */
const MATE_FLAG = { reverse: 1, unmapped: 2 } as const;

const MAX_NAME_LENGTH = 254;
const MAX_CIGAR_COUNT = 2 ** 16 - 1;
const OPERATIONS = { match: 0, deletion: 2, skip: 3, softClip: 4, equal: 7, mismatch: 8 } as const;

/** The name and type of the tag of a long CIGAR: CG:B:I. */
const LONG_CIGAR_TAG = new TextEncoder().encode('CGBI');

/** The 4-bit codes of two letters, by the number of 16 bits that they are in memory. Created by the first record. */
let pairCodes: Uint8Array | undefined;

function createPairCodes(): Uint8Array {
  const codes = new Uint8Array(2 ** 16);
  const letters = new Uint8Array(2);
  const pair = new Uint16Array(letters.buffer);
  for (const [first, firstCode] of BASE_CODES.entries()) {
    letters[0] = first;
    for (let second = 0; second < BASE_CODES.length; second++) {
      letters[1] = second;
      codes[pair[0] ?? 0] = (firstCode << 4) | (BASE_CODES[second] ?? 0);
    }
  }
  return codes;
}

/** The name of a record, without its NUL: `nameLength` bytes from `nameStart` on. */
export interface RecordName {
  readonly nameBytes: Uint8Array;
  readonly nameStart: number;
  readonly nameLength: number;
}

/** The parts of a record besides its head and its alignment. */
export interface RecordParts extends RecordName {
  readonly mappingQuality: number;
  readonly tags: ByteWriter;
  /** Reads the qualities; undefined if the alignment has them. */
  readonly qualities: ValueReader | undefined;
}

/** Writes BAM records one after another. */
export class BamWriter {
  readonly output: ByteWriter;
  /** The bases of the records in pairs. */
  #pairs: Uint16Array = new Uint16Array(0);
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly #offset: number;

  constructor(capacity: number, { offset, memory }: Pick<StoredSlice, 'offset' | 'memory'>) {
    this.output = new ByteWriter(memory);
    // Grows the memory once.
    this.output.reserve(capacity);
    this.output.shrinkTo(0);
    this.#offset = offset;
  }

  /** Writes a record without a mate, or with the stored mate of a detached record; returns its position. */
  write(head: RecordHead, alignment: AlignmentDecoder, parts: RecordParts): number {
    const { output } = this;
    const { tags } = parts;
    const lacksSequence = (head.cramFlags & CRAM_FLAG.lacksSequence) !== 0 && (head.flags & BAM_FLAG.unmapped) === 0;
    const length = lacksSequence ? 0 : head.length;
    const span = referenceSpan(alignment);
    const isLong = alignment.cigar.count > MAX_CIGAR_COUNT;
    const start = this.writeStub(head, parts);
    const { view } = output;
    view.setUint8(start + BAM_FIELD.mappingQuality, parts.mappingQuality);
    view.setUint16(start + BAM_FIELD.bin, binOf(head.start - 1, head.start - 1 + Math.max(span, 1)), true);
    view.setUint16(start + BAM_FIELD.cigarCount, isLong ? 2 : alignment.cigar.count, true);
    view.setUint32(start + BAM_FIELD.baseCount, length, true);
    if (isLong)
      this.#writeOperations(Uint32Array.of(16 * length + OPERATIONS.softClip, 16 * span + OPERATIONS.skip), 2);
    else this.#writeOperations(alignment.cigar.operations, alignment.cigar.count);
    this.#writeBases(alignment.bases, length);
    this.#writeQualities(alignment, parts, { length, storedLength: head.length });
    output.copy(tags.memory, 0, tags.length);
    if (isLong) this.#writeLongCigar(alignment);
    output.view.setUint32(start, output.length - start - 4, true);
    return start;
  }

  /** Writes the start of a record up to its name, as if it had no alignment, bases and tags; returns its position. */
  writeStub(head: RecordHead, name: RecordName): number {
    const { output } = this;
    const { nameLength } = name;
    if (nameLength > MAX_NAME_LENGTH) throw this.#invalid(`name of ${nameLength} bytes is over ${MAX_NAME_LENGTH}`);
    const at = output.reserve(BAM_FIELD.name);
    const { view } = output;
    view.setUint32(at, BAM_FIELD.name + nameLength + 1 - 4, true);
    view.setInt32(at + BAM_FIELD.referenceId, head.referenceId, true);
    view.setInt32(at + BAM_FIELD.position, head.start - 1, true);
    view.setUint8(at + BAM_FIELD.nameLength, nameLength + 1);
    view.setUint8(at + BAM_FIELD.mappingQuality, 0);
    view.setUint32(at + BAM_FIELD.bin, 0, true);
    view.setUint32(at + BAM_FIELD.baseCount, 0, true);
    writeMate(view, at, head);
    this.#writeName(name);
    return at;
  }

  #writeName({ nameBytes, nameStart, nameLength }: RecordName): void {
    const at = this.output.reserve(nameLength + 1);
    const { memory } = this.output;
    for (let i = 0; i < nameLength; i++) {
      const character = nameBytes[nameStart + i] ?? 0;
      if (character === 0) throw this.#invalid('name contains a NUL');
      memory[at + i] = character;
    }
    memory[at + nameLength] = 0;
  }

  #writeOperations(operations: Uint32Array, count: number): void {
    const at = this.output.reserve(4 * count);
    for (let i = 0; i < count; i++) this.output.view.setUint32(at + 4 * i, operations[i] ?? 0, true);
  }

  /** Writes the tag CG for a CIGAR of more than 65,535 operations (SAMv1 §4.2.2). */
  #writeLongCigar({ cigar }: AlignmentDecoder): void {
    const at = this.output.reserve(8);
    this.output.memory.set(LONG_CIGAR_TAG, at);
    this.output.view.setUint32(at + 4, cigar.count, true);
    this.#writeOperations(cigar.operations, cigar.count);
  }

  /** Hot. */
  #writeBases(bases: Uint8Array, length: number): void {
    if (bases.buffer !== this.#pairs.buffer) this.#pairs = new Uint16Array(bases.buffer);
    const pairs = this.#pairs;
    const count = length >> 1;
    const at = this.output.reserve((length + 1) >> 1);
    const { memory } = this.output;
    pairCodes ??= createPairCodes();
    const codes = pairCodes;
    for (let pair = 0; pair < count; pair++) memory[at + pair] = codes[pairs[pair] ?? 0] ?? 0;
    if (length % 2 === 1) memory[at + count] = (BASE_CODES[bases[length - 1] ?? 0] ?? 0) << 4;
  }

  /** Reads stored qualities into the output, unless the record lacks the bases that they belong to. */
  #writeQualities(
    alignment: AlignmentDecoder,
    { qualities: stored }: RecordParts,
    { length, storedLength }: { readonly length: number; readonly storedLength: number },
  ): void {
    if (stored !== undefined && length === storedLength) {
      const at = this.output.reserve(length);
      stored.readInto(this.output.memory, at, length);
      return;
    }
    stored?.skip(storedLength);
    this.output.copy(alignment.qualities, 0, length);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#offset);
  }
}

function writeMate(view: DataView, at: number, head: RecordHead): void {
  let { flags } = head;
  if ((head.mateFlags & MATE_FLAG.reverse) !== 0) flags |= BAM_FLAG.paired | BAM_FLAG.mateReverse;
  if ((head.mateFlags & MATE_FLAG.unmapped) !== 0) flags |= BAM_FLAG.mateUnmapped;
  const isPaired = (flags & BAM_FLAG.paired) !== 0;
  view.setUint16(at + BAM_FIELD.flags, flags, true);
  view.setInt32(at + BAM_FIELD.mateReferenceId, isPaired ? head.mateReferenceId : -1, true);
  view.setInt32(at + BAM_FIELD.matePosition, head.mateStart - 1, true);
  view.setInt32(at + BAM_FIELD.templateLength, head.templateLength, true);
}

/** Returns the bases of the reference that the operations cover. */
function referenceSpan({ cigar: { operations, count } }: AlignmentDecoder): number {
  let span = 0;
  for (let i = 0; i < count; i++) {
    const operation = operations[i] ?? 0;
    const kind = operation & 15;
    if (kind === OPERATIONS.match || kind === OPERATIONS.deletion || kind === OPERATIONS.skip) span += operation >>> 4;
  }
  return span;
}
