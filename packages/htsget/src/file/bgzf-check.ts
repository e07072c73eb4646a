import { BgzfError, compareVirtualOffsets, inflateBlock, inflateRange, type VirtualOffset } from '@htskit/bgzf';
import { readBlock } from '@htskit/bgzf/internal';
import { FormatError } from '@htskit/formats';
import { bamRecordLength } from '@htskit/formats/internal';
import { type BinningIndex, IndexError } from '@htskit/indexes';
import { type ByteSource, concatBytes, peek, type ReadOptions } from '@htskit/io';
import type { BgzfFile } from './bgzf-file.js';
import {
  describeOffset,
  type FileCheck,
  type FileCheckOptions,
  toDoubt,
  toMismatch,
  toTruncation,
} from './file-check.js';

interface CheckedFile {
  readonly file: BgzfFile;
  readonly index: BinningIndex | undefined;
}

/**
 * Checks a BAM, BCF or VCF file. The last record that the index places must lie within the file, and no placed record may
 * follow it: an index of another file or version fails this for one read of a block. Throws what the storage throws.
 */
export async function checkBgzf(
  source: ByteSource,
  { file, index }: CheckedFile,
  options: FileCheckOptions,
): Promise<FileCheck> {
  try {
    const truncation = await findTruncation(source, { file, index }, options);
    const mismatch = index && (await findMismatch(source, { file, index }, options));
    const isDoubtful = file.ending === 'unmarked' && truncation === undefined;
    return { truncation, mismatch, doubt: isDoubtful ? toDoubt('EOF marker', file.size) : undefined };
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    return { mismatch: error };
  }
}

async function findTruncation(
  source: ByteSource,
  { file, index }: CheckedFile,
  options: FileCheckOptions,
): Promise<FormatError | undefined> {
  const { format, ending, size } = file;
  if (ending === 'cut') {
    return toTruncation(format === 'VCF' ? 'it ends within a line or a block' : 'it ends within a block', size);
  }
  if (index === undefined) return undefined;
  const placedEnd = placedEndOf(index, file);
  if (!isInFile(placedEnd, file)) return toTruncation(describeOffset(placedEnd.coffset, size), size);
  const { unplacedCount = 0 } = index;
  if (format !== 'BAM' || unplacedCount === 0) return undefined;
  const isTooLong = file.end.coffset - placedEnd.coffset > options.countedBytes;
  // The records before an EOF marker are complete, but an index may be that of a longer file.
  if (compareVirtualOffsets(placedEnd, file.end) < 0 && (ending === 'marked' || isTooLong)) return undefined;
  const found = await countBamRecords(source, { start: placedEnd, end: file.end }, options);
  if (found === undefined || found >= unplacedCount) return undefined;
  return toTruncation(`its index counts ${unplacedCount} unplaced reads, but it has ${found}`, size);
}

/** Returns the end of the last record that the index places. The records after it, if any, are unplaced reads. */
function placedEndOf(index: BinningIndex, file: BgzfFile): VirtualOffset {
  return index.lastPlacedEnd() ?? file.firstRecord;
}

/** The end of the file itself is a valid offset, with or without an EOF marker before it. */
function isInFile(offset: VirtualOffset, { size }: BgzfFile): boolean {
  return compareVirtualOffsets(offset, { coffset: size, uoffset: 0 }) <= 0;
}

async function findMismatch(
  source: ByteSource,
  { file, index }: CheckedFile & { readonly index: BinningIndex },
  options: ReadOptions,
): Promise<IndexError | undefined> {
  const { format, header, firstRecord } = file;
  if ((index.tabix !== undefined) !== (format === 'VCF')) return toMismatch(`it is not an index of ${format}`);
  const referenceCount = header.referenceIds.nextId;
  // A CSI may end with the last reference that has records. The references of a VCF file need not be in its header.
  const lacksReferences = index.format === 'BAI' && index.referenceCount < referenceCount;
  if (lacksReferences || (format !== 'VCF' && index.referenceCount > referenceCount)) {
    return toMismatch(`it has ${index.referenceCount} references, and the header ${referenceCount}`);
  }
  const placedEnd = placedEndOf(index, file);
  if (compareVirtualOffsets(placedEnd, firstRecord) < 0) return toMismatch('its records lie within the header');
  if (isInFile(placedEnd, file)) {
    const next = await readRecordStart(source, placedEnd, { ...options, end: file.end });
    return next === undefined || !mayFollowPlaced(format, next)
      ? toMismatch(`no record ends at offset ${placedEnd.coffset}:${placedEnd.uoffset}, or it is not the last one`)
      : undefined;
  }
  // The file is truncated. Another record that the index knows shows whether it is at least the index of this file.
  const known = index.splitAt({ coffset: 0, uoffset: 0 }, file.end.coffset - 1);
  const isKnown = known !== undefined && compareVirtualOffsets(known, file.end) < 0;
  const record = isKnown ? await readRecordStart(source, known, { ...options, end: file.end }) : undefined;
  const isRecord = record !== undefined && isPlaced(format, record, referenceCount);
  return isRecord ? undefined : toMismatch('no record begins where it says');
}

/** Bytes that show whether a record is placed: its length, its reference and its position. */
const BINARY_START_BYTES = 16;
/** Enough for the name of a reference and a position. */
const TEXT_START_BYTES = 4096;

/**
 * Returns the data that follows an offset, as far as it shows what kind of record it is; fewer bytes, or none, at the end of
 * the records. Returns undefined if no block begins at the offset, or the block is shorter.
 */
async function readRecordStart(
  source: ByteSource,
  { coffset, uoffset }: VirtualOffset,
  { end, ...options }: ReadOptions & { readonly end: VirtualOffset },
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let byteLength = 0;
  let skipped = uoffset;
  // Stores answer a range past the end of a file with an error, which takes another request to tell from others.
  const within: Pick<ByteSource, 'read'> = {
    read: (range, read) => source.read({ start: range.start, end: Math.min(range.end, end.coffset) }, read),
  };
  try {
    for (let at = coffset; at < end.coffset && byteLength < TEXT_START_BYTES; ) {
      const block = await readBlock(within, at, options);
      if (block === undefined) break;
      const data = inflateBlock(block.bytes, { coffset: at });
      if (skipped > data.length) return undefined;
      const piece = data.subarray(skipped, skipped + TEXT_START_BYTES);
      skipped = 0;
      pieces.push(piece);
      byteLength += piece.length;
      at += block.bytes.length;
    }
  } catch (error) {
    if (error instanceof BgzfError) return undefined;
    throw error;
  }
  return skipped === 0 ? concatBytes(pieces) : undefined;
}

type BgzfFormat = BgzfFile['format'];

/** Whether the data after the last placed record is what the format allows there: nothing, an unplaced read, or a comment. */
function mayFollowPlaced(format: BgzfFormat, data: Uint8Array): boolean {
  if (data.length === 0) return true;
  if (format === 'BCF') return false;
  if (format === 'VCF') return /^[#\r\n]/.test(String.fromCharCode(data[0] ?? 0));
  const fields = bamStart(data);
  return fields !== undefined && (fields.referenceId === -1 || fields.baseStart === -1);
}

/** Whether the data begins with a record that is placed on one of the references. */
function isPlaced(format: BgzfFormat, data: Uint8Array, referenceCount: number): boolean {
  if (format === 'VCF') return /^[^\t\n]+\t\d+\t/.test(new TextDecoder().decode(data));
  if (data.length < BINARY_START_BYTES) return false;
  // CHROM follows l_shared and l_indiv (VCFv4.3 §6.3.1).
  const referenceId = format === 'BCF' ? viewOf(data).getInt32(8, true) : (bamStart(data)?.referenceId ?? -1);
  return 0 <= referenceId && referenceId < referenceCount;
}

/** Returns refID and pos of the BAM record at the start of the data, or undefined if none begins there. */
function bamStart(data: Uint8Array): { readonly referenceId: number; readonly baseStart: number } | undefined {
  if (data.length < BINARY_START_BYTES) return undefined;
  try {
    bamRecordLength(data, 0);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  const view = viewOf(data);
  return { referenceId: view.getInt32(4, true), baseStart: view.getInt32(8, true) };
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.length);
}

/** Returns the number of whole records in a part of a BAM file, or undefined if the part is not records. */
async function countBamRecords(
  source: ByteSource,
  range: { readonly start: VirtualOffset; readonly end: VirtualOffset },
  options: ReadOptions,
): Promise<number | undefined> {
  let count = 0;
  let begun = new Uint8Array(0);
  /** Bytes of the current record that have not been seen yet. */
  let missing = 0;
  try {
    for await (const span of inflateRange(source, range, options)) {
      const data = peek(span.data);
      let at = Math.min(missing, data.length);
      missing -= at;
      while (missing === 0 && at < data.length) {
        const rest = begun.length === 0 ? data.subarray(at) : concatBytes([begun, data.subarray(at, at + 4)]);
        const length = bamRecordLength(rest, 0);
        if (length === undefined) {
          begun = rest.slice();
          break;
        }
        const left = length - begun.length;
        begun = new Uint8Array(0);
        missing = Math.max(0, at + left - data.length);
        at = Math.min(data.length, at + left);
        count++;
      }
    }
  } catch (error) {
    if (error instanceof BgzfError || error instanceof FormatError) return undefined;
    throw error;
  }
  return missing > 0 ? count - 1 : count;
}
