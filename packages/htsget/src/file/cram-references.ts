import type { CramReferenceSource } from '@htskit/formats';
import type { CraiIndex } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import { streamTransform, type TransformOptions } from '../deliver/transform/stream-transform.js';
import type { CutSegment } from '../plan/plan.js';
import type { CramConversion } from './conversion.js';
import type { CramFile } from './cram-file.js';

export interface ReferenceCheck extends TransformOptions {
  readonly file: CramFile;
  readonly index: CraiIndex;
  readonly conversion: CramConversion;
  /** The containers to decode. Default: all of them. */
  readonly cuts?: readonly CutSegment[] | undefined;
}

/** References that are requested at the same time. */
const CONCURRENCY = 16;

/**
 * Throws `HtsgetError` UnsupportedFormat if the containers to decode need a reference that is not available. A file whose first
 * such container embeds its reference, or is stored without one, needs none. Each available reference is looked for once per file.
 */
export async function checkReferences(source: ByteSource, check: ReferenceCheck): Promise<void> {
  const { file, reference, signal } = check;
  const known = checkedReferences(file, reference);
  const ids = [...plannedReferences(check)].filter((id) => !known.available.has(id));
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
  isNeeded?: boolean;
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
function plannedReferences({ index, cuts }: ReferenceCheck): Set<number> {
  if (cuts === undefined) return new Set(index.referenceIds.filter((id) => id >= 0));
  const ids = new Set<number>();
  for (const { start, end } of cuts) {
    for (let at: number | undefined = start.coffset; at !== undefined && at < end.coffset; at = index.splitAt(at, 0)) {
      for (const { referenceId } of index.slicesIn(at)) if (referenceId >= 0) ids.add(referenceId);
    }
  }
  return ids;
}

async function findReference(
  id: number,
  { file, reference = NO_REFERENCE, signal }: Pick<ReferenceCheck, 'file' | 'reference' | 'signal'>,
): Promise<boolean> {
  const { name, length, md5 } = file.references[id] ?? { name: '', length: 0 };
  if (length === 0) return true;
  return (await reference({ name, length, md5, start: 0, end: 1, signal })) !== undefined;
}

/** Throws `HtsgetError` UnsupportedFormat unless the containers of a reference are decoded without it. */
async function checkUnneeded(
  source: ByteSource,
  id: number,
  { known, file, index, conversion, ...options }: ReferenceCheck & { readonly known: CheckedReferences },
): Promise<void> {
  const [range] = index.containers({ referenceId: id, start: 0, end: Number.MAX_SAFE_INTEGER });
  if (range !== undefined && known.isNeeded === undefined) {
    const end = Math.min(index.splitAt(range.start, 0) ?? file.end, file.end);
    known.isNeeded = await needsReference(source, { start: range.start, end }, { ...options, conversion });
  }
  if (known.isNeeded !== true) return;
  const { name, md5 } = file.references[id] ?? { name: String(id) };
  const digest = md5 === undefined ? 'without MD5' : `MD5 ${md5}`;
  const message = `BAM of this object is made from CRAM, whose reference ${JSON.stringify(name)} (${digest}) is not available here`;
  throw new HtsgetError('UnsupportedFormat', message);
}

/** Thrown by the reference source of `needsReference`. */
class ReferenceNeeded extends Error {}

/** Decodes the first slice of a range of containers, and returns whether it requests a reference. */
async function needsReference(
  source: ByteSource,
  byteRange: { readonly start: number; readonly end: number },
  { conversion: { header, sliceBytes }, ...options }: TransformOptions & Pick<ReferenceCheck, 'conversion'>,
): Promise<boolean> {
  const reference = async (): Promise<never> => {
    throw new ReferenceNeeded('the slice needs a reference');
  };
  const description = { kind: 'cram', header, sliceBytes, start: byteRange.start } as const;
  try {
    for await (const _ of streamTransform(source, { byteRange, description }, { ...options, reference })) break;
    return false;
  } catch (error) {
    if (error instanceof ReferenceNeeded) return true;
    throw error;
  }
}
