import { type CramReferenceSource, FormatError } from '@htskit/formats';
import { type CramContainerSource, needsReference, parseCramSliceSpans } from '@htskit/formats/internal';
import type { CraiIndex } from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import { HtsgetError } from '@htskit/protocol';
import { readContainer } from '../file/cram-check.js';
import type { CramFile } from '../file/cram-file.js';
import type { CutSegment } from '../plan/plan.js';
import { MAX_CONTAINER_BYTES } from '../transform/cram-transform.js';

export interface ReferenceCheck extends ReadOptions {
  readonly file: CramFile;
  readonly index: CraiIndex;
  /** Default: no reference is available. */
  readonly reference?: CramReferenceSource;
  /** The containers to decode. Default: all of them. */
  readonly cuts?: readonly CutSegment[];
  /** The references of the regions. */
  readonly regionIds: readonly number[];
}

type FileReading = Pick<ReferenceCheck, 'file' | 'version' | 'signal'>;

/** References that are requested at the same time. */
const CONCURRENCY = 16;

/**
 * Throws `HtsgetError` UnsupportedFormat if the containers to decode need a reference that is not available. A file whose first
 * container with a reference embeds it, or is stored without one, needs none. Each available reference is looked for once per
 * file.
 *
 * More than 32 containers whose references the index does not name are not searched: they are assumed to need the references of
 * the regions, even if no record has them, and no others. If another one is missing, the blocks break off.
 */
export async function checkReferences(source: ByteSource, check: ReferenceCheck): Promise<void> {
  const { file, reference, signal } = check;
  const known = checkedReferences(file, reference);
  const ids = [...(await plannedReferences(source, check))].filter((id) => !known.available.has(id));
  for (let at = 0; at < ids.length; at += CONCURRENCY) {
    const batch = ids.slice(at, at + CONCURRENCY);
    const isAvailable = await Promise.all(batch.map((id) => findReference(id, { file, reference, signal })));
    for (const [position, id] of batch.entries()) {
      if (isAvailable[position] !== true) await checkUnneeded(source, id, { ...check, known });
      known.available.add(id);
    }
  }
}

/** What is known of the references of a file. */
interface CheckedReferences {
  /** The references that are available or not needed. */
  readonly available: Set<number>;
  /** Whether a container of the file needs a reference. All of them are written alike. */
  isNeeded?: Promise<boolean> | undefined;
}

const NO_REFERENCE: CramReferenceSource = async () => undefined;
const checked = new WeakMap<CramFile, WeakMap<CramReferenceSource, CheckedReferences>>();

function checkedReferences(file: CramFile, reference: CramReferenceSource = NO_REFERENCE): CheckedReferences {
  const bySource = checked.get(file) ?? new WeakMap<CramReferenceSource, CheckedReferences>();
  checked.set(file, bySource);
  const known = bySource.get(reference) ?? { available: new Set() };
  bySource.set(reference, known);
  return known;
}

/** Returns the references of the records in the containers to decode, which may have others than those of the regions. */
async function plannedReferences(source: ByteSource, check: ReferenceCheck): Promise<Set<number>> {
  const { index, cuts } = check;
  const unknown = unknownContainers(index);
  if (cuts === undefined) {
    const ids = index.referenceIds.filter((id) => id >= 0);
    return new Set([...ids, ...(await referencesOf(source, [...unknown], check))]);
  }
  const ids = new Set<number>();
  const searched: number[] = [];
  for (const { start, end } of cuts) {
    for (let at: number | undefined = start.coffset; at !== undefined && at < end.coffset; at = index.splitAt(at, 0)) {
      for (const { referenceId } of index.slicesIn(at)) if (referenceId >= 0) ids.add(referenceId);
      if (unknown.has(at)) searched.push(at);
    }
  }
  for (const id of await referencesOf(source, searched, check)) ids.add(id);
  return ids;
}

const unknownByIndex = new WeakMap<CraiIndex, ReadonlySet<number>>();

/**
 * Returns the starts of the containers of several references that the index does not name, as it is made of container headers.
 */
function unknownContainers(index: CraiIndex): ReadonlySet<number> {
  const known = unknownByIndex.get(index);
  if (known !== undefined) return known;
  const starts = new Set<number>();
  for (const { referenceId, containerStart } of index.slices()) if (referenceId === -2) starts.add(containerStart);
  unknownByIndex.set(index, starts);
  return starts;
}

/** Containers that are searched for their references. Of more of them, only the references of the regions are looked for. */
const SEARCHED_CONTAINERS = 32;

const searchedFiles = new WeakMap<CramFile, Map<number, ReadonlySet<number>>>();

/** Returns the references of the records in some containers of several references, each of which is searched once. */
async function referencesOf(
  source: ByteSource,
  containerStarts: readonly number[],
  { file, regionIds, version, signal }: FileReading & Pick<ReferenceCheck, 'regionIds'>,
): Promise<Iterable<number>> {
  // Not those of the header, which may name references that no record has.
  if (containerStarts.length > SEARCHED_CONTAINERS) return regionIds;
  const searched = searchedFiles.get(file) ?? new Map<number, ReadonlySet<number>>();
  searchedFiles.set(file, searched);
  const ids = new Set<number>();
  for (const start of containerStarts) {
    const found = searched.get(start) ?? (await searchContainer(source, start, { file, version, signal }));
    searched.set(start, found);
    for (const id of found) ids.add(id);
  }
  return ids;
}

/** Returns the references of the records in a container, or all of the header if its records are not sorted or it is too long. */
async function searchContainer(source: ByteSource, start: number, options: FileReading): Promise<ReadonlySet<number>> {
  const container = await loadContainer(source, start, options);
  // A container that is too long cannot be decoded either.
  if (container === undefined) return new Set(options.file.references.keys());
  const ids = new Set<number>();
  try {
    for (const { referenceId } of parseCramSliceSpans(container.blocks, container)) {
      await loopTurns.next();
      if (referenceId >= 0) ids.add(referenceId);
    }
    return ids;
  } catch (error) {
    if (error instanceof FormatError) return new Set(options.file.references.keys());
    throw error;
  }
}

async function findReference(
  id: number,
  { file, reference = NO_REFERENCE, signal }: Pick<ReferenceCheck, 'file' | 'reference' | 'signal'>,
): Promise<boolean> {
  const { name, length, md5, uri } = file.references[id] ?? { name: '', length: 0 };
  if (length === 0) return true;
  return (await reference({ name, length, md5, uri, start: 0, end: 1, signal })) !== undefined;
}

/** Throws `HtsgetError` UnsupportedFormat unless the containers of a reference are decoded without it. */
async function checkUnneeded(
  source: ByteSource,
  id: number,
  { known, file, index, version }: ReferenceCheck & { readonly known: CheckedReferences },
): Promise<void> {
  const first = firstContainer(index, id);
  if (first === undefined) return;
  if (known.isNeeded === undefined) {
    // The same container whichever reference is missing, so that the answer does not depend on the requests before.
    const start = firstContainer(index, index.referenceIds.find((other) => other >= 0) ?? id) ?? first;
    // Requests at the same time share the container, so that none of them may abort it.
    known.isNeeded = isReferenceNeeded(source, start, { file, version });
    known.isNeeded.catch(() => {
      known.isNeeded = undefined;
    });
  }
  if (!(await known.isNeeded)) return;
  const { name, md5 } = file.references[id] ?? { name: String(id) };
  const digest = md5 === undefined ? 'without MD5' : `MD5 ${md5}`;
  const missing = `reference ${JSON.stringify(name)} (${digest}) is not available here`;
  const message = `BAM of this object is made from CRAM, whose ${missing}; format=CRAM needs no reference`;
  const cause = new FormatError('MISSING_REFERENCE', missing, { offset: 0 });
  throw new HtsgetError('UnsupportedFormat', message, { cause });
}

/** Returns the start of the first container that may have records of a reference. */
function firstContainer(index: CraiIndex, referenceId: number): number | undefined {
  return index.containers({ referenceId, start: 0, end: Number.MAX_SAFE_INTEGER })[0]?.start;
}

/** Returns whether the first slice of a container is decoded with bases that the file lacks. */
async function isReferenceNeeded(source: ByteSource, start: number, options: FileReading): Promise<boolean> {
  const container = await loadContainer(source, start, options);
  return container !== undefined && needsReference(container.blocks, container);
}

/** A container to look into. */
interface LoadedContainer extends CramContainerSource {
  readonly blocks: Uint8Array;
  /** Bytes from the start of the file to the blocks. */
  readonly offset: number;
}

/** Reads a container; undefined if it is too long to be decoded. */
async function loadContainer(
  source: ByteSource,
  start: number,
  options: FileReading,
): Promise<LoadedContainer | undefined> {
  const header = await readContainer(source, start, options);
  if (header.length > MAX_CONTAINER_BYTES) return undefined;
  const offset = start + header.headerLength;
  const blocks = await source.read({ start: offset, end: offset + header.length }, options);
  return { blocks, offset, header, version: options.file.version };
}
