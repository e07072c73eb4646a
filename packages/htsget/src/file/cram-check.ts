import { type CramContainerHeader, FormatError, parseCramContainerHeader } from '@htskit/formats';
import { type CraiIndex, type CraiSlice, IndexError } from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import type { CramFile } from './cram-file.js';
import { describeOffset, type FileCheck, toDoubt, toMismatch, toTruncation } from './file-check.js';

interface CheckedCram {
  readonly file: CramFile;
  readonly index: CraiIndex | undefined;
}

/**
 * Checks a CRAM file: the containers from the last one in the index on must lead to the end of the file, and have no records
 * that the index lacks. Without an index, only a file without an EOF container is checked, from its first container on.
 * Throws what the storage throws.
 */
export async function checkCram(source: ByteSource, checked: CheckedCram, options: ReadOptions): Promise<FileCheck> {
  const { file, index } = checked;
  const { version, hasEofContainer, eofContainer, size } = file;
  if (index === undefined && hasEofContainer) return {};
  // The EOF container is required from CRAM 3.0 on (CRAM 3.1 §9). An index can show that nothing but it is missing.
  if (index === undefined && version.major >= 3)
    return { truncation: toTruncation('it lacks its EOF container', size) };
  const references = index && findReferenceMismatch(index, file);
  if (references !== undefined) return { mismatch: references };
  try {
    await walkContainers(source, checked, options);
  } catch (error) {
    if (error instanceof IndexError) return { mismatch: error };
    if (error instanceof FormatError) return { truncation: error };
    throw error;
  }
  return hasEofContainer || eofContainer.length === 0 ? {} : { doubt: toDoubt('EOF container', size) };
}

function findReferenceMismatch(index: CraiIndex, { references }: CramFile): IndexError | undefined {
  const lastId = index.referenceIds.reduce((last, id) => Math.max(last, id), -1);
  if (lastId < references.length) return undefined;
  return toMismatch(`it refers to reference ${lastId}, and the header has ${references.length} references`);
}

/** The maximum number of containers without records after the last one in an index. Writers write none. */
const MAX_EMPTY_CONTAINERS = 1000;

/** Walks to the end of the file. Throws `FormatError` if the file is truncated, and `IndexError` for an index of another file. */
async function walkContainers(source: ByteSource, { file, index }: CheckedCram, options: ReadOptions): Promise<void> {
  const { headerBytes, end, size } = file;
  const last = index?.lastContainerStart;
  if (last !== undefined && last >= size) throw toTruncation(describeOffset(last, size), size);
  let at = last ?? headerBytes.length;
  for (let count = 0; at < end; count++) {
    const header =
      index !== undefined && at === last
        ? await readIndexedContainer(source, at, { ...options, file, index })
        : await readContainer(source, at, { ...options, file });
    if (index !== undefined && at !== last && (header.recordCount > 0 || count > MAX_EMPTY_CONTAINERS)) {
      throw toMismatch(`it lacks the container at byte ${at}`);
    }
    at += header.headerLength + header.length;
  }
  if (at > size) throw toTruncation(`a container ends at byte ${at}, past the end of the file (${size} bytes)`, size);
  if (at > end && index !== undefined) throw toMismatch(`a container ends within the EOF container`);
}

export interface ContainerOptions extends ReadOptions {
  readonly file: Pick<CramFile, 'version' | 'size' | 'headerBytes'>;
}

/**
 * Reads the header of a container that the index lists, and compares it with the lines of its slices. Throws `IndexError` if
 * they contradict it, and `FormatError` TRUNCATED if the file ends within the header.
 */
async function readIndexedContainer(
  source: ByteSource,
  containerStart: number,
  { index, ...options }: ContainerOptions & { readonly index: CraiIndex },
): Promise<CramContainerHeader> {
  if (containerStart < options.file.headerBytes.length) throw toMismatch('its containers lie within the header');
  let header: CramContainerHeader;
  try {
    header = await readContainer(source, containerStart, options);
  } catch (error) {
    if (!(error instanceof FormatError) || error.code === 'TRUNCATED') throw error;
    throw toMismatch(`no container begins at byte ${containerStart}`);
  }
  if (!index.slicesIn(containerStart).every((slice) => isInContainer(slice, header))) {
    throw toMismatch(`the container at byte ${containerStart} differs`);
  }
  return header;
}

/** Whether a line of the index describes a slice of the container. */
function isInContainer(
  { referenceId, alignmentStart, alignmentSpan, sliceOffset, sliceSize }: CraiSlice,
  header: CramContainerHeader,
): boolean {
  const isStored = header.landmarks.includes(sliceOffset) && sliceOffset + sliceSize <= header.length;
  // A container of several references, or of unplaced records, has no span.
  if (!isStored || header.referenceId === -2) return isStored;
  if (header.referenceId !== referenceId) return false;
  const containerEnd = header.alignmentStart + header.alignmentSpan;
  return referenceId < 0 || (alignmentStart >= header.alignmentStart && alignmentStart + alignmentSpan <= containerEnd);
}

/** Bytes that are read at first. Most headers are shorter. */
const FIRST_READ_BYTES = 256;
/** Enough for the landmarks of 200,000 slices. */
const MAX_HEADER_BYTES = 2 ** 20;

/** Reads the header of the container at a byte of the file. Throws `FormatError`, TRUNCATED if the file ends within it. */
export async function readContainer(
  source: ByteSource,
  offset: number,
  { file: { version, size }, ...options }: ContainerOptions,
): Promise<CramContainerHeader> {
  for (let wanted = FIRST_READ_BYTES; ; wanted *= 4) {
    const bytes = await source.read({ start: offset, end: Math.min(offset + wanted, size) }, options);
    const header = parseCramContainerHeader(bytes, { version, offset });
    if (header !== undefined) return header;
    if (offset + wanted >= size) throw toTruncation('it ends within the header of a container', size);
    if (wanted >= MAX_HEADER_BYTES) {
      throw new FormatError('INVALID_DATA', `a container header exceeds ${MAX_HEADER_BYTES} bytes`, { offset });
    }
  }
}

/** Container headers that are read at the same time. */
const CONCURRENCY = 8;

/** The comparisons of the containers of a file with an index, by offset. */
const comparisons = new WeakMap<CramFile, WeakMap<CraiIndex, Map<number, Promise<unknown>>>>();

/**
 * Compares containers with the lines of the index, each once per version of both. Throws `IndexError` if no container begins
 * at an offset or the lines contradict it, and what the storage throws.
 */
export async function checkContainers(
  source: ByteSource,
  containerStarts: readonly number[],
  { file, index, ...options }: ReadOptions & { readonly file: CramFile; readonly index: CraiIndex },
): Promise<void> {
  const known = comparisonsOf(file, index);
  const compare = (start: number): Promise<unknown> => {
    const comparison = known.get(start) ?? readIndexedContainer(source, start, { ...options, file, index });
    known.set(start, comparison);
    comparison.catch((error: unknown) => {
      // The error of a contradiction is kept, so that it is reported once.
      if (!(error instanceof IndexError)) known.delete(start);
    });
    return comparison;
  };
  for (let at = 0; at < containerStarts.length; at += CONCURRENCY) {
    await Promise.all(containerStarts.slice(at, at + CONCURRENCY).map(compare));
  }
}

function comparisonsOf(file: CramFile, index: CraiIndex): Map<number, Promise<unknown>> {
  const byIndex = comparisons.get(file) ?? new WeakMap<CraiIndex, Map<number, Promise<unknown>>>();
  comparisons.set(file, byIndex);
  const known = byIndex.get(index) ?? new Map<number, Promise<unknown>>();
  byIndex.set(index, known);
  return known;
}
