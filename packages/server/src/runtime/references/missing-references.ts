import type { ObjectCatalogue } from '@htskit/catalogue';
import { type CramReferenceSource, FileLoader, planFile, type StoredFile } from '@htskit/htsget';
import type { SourceStat } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import type { ServedFiles } from '../service/served-files.js';
import { createReferenceSource, type FurtherReferences } from './reference-source.js';

/** CRAM files that are checked. Each costs the header, the index and a slice. */
const CHECKED_FILES = 100;
/** Files that a warning names. */
const NAMED_FILES = 5;

interface ReferenceCheckOptions {
  readonly loader?: FileLoader;
  readonly stat?: SourceStat;
  readonly reference: CramReferenceSource;
}

/**
 * Returns why a CRAM file cannot be answered as BAM: a reference that it needs is not available. Returns undefined for other files.
 * Throws what reading the file throws.
 */
export async function findMissingReference(
  file: StoredFile,
  options: ReferenceCheckOptions,
): Promise<string | undefined> {
  if (file.format !== 'CRAM') return undefined;
  try {
    await planFile(file, { format: 'BAM' }, options);
    return undefined;
  } catch (error) {
    if (error instanceof HtsgetError && error.code === 'UnsupportedFormat') return error.message;
    throw error;
  }
}

/** An object whose CRAM file cannot be answered as BAM, and why. */
interface UnreferencedObject {
  readonly name: string;
  readonly reason: string;
}

/** Returns the objects whose CRAM files need references that are not available, among the first hundred with CRAM. */
export async function findUnreferenced(
  objects: Pick<ObjectCatalogue, 'list' | 'resolve'>,
  reference: CramReferenceSource,
): Promise<readonly UnreferencedObject[]> {
  const entries = (await objects.list()).filter(({ formats }) => formats.includes('CRAM')).slice(0, CHECKED_FILES);
  const options = { loader: new FileLoader(), reference };
  const found: UnreferencedObject[] = [];
  for (const { datatype, id } of entries) {
    const file = (await objects.resolve(id, datatype))?.find(({ format }) => format === 'CRAM');
    // A file that cannot be read is reported when it is requested.
    const reason = file && (await findMissingReference(file, options).catch(() => undefined));
    if (reason !== undefined) found.push({ name: `${datatype}/${id}`, reason });
  }
  return found;
}

/** Logs a warning if CRAM files need references that are not served, after all sequences have been digested. */
export async function warnOfMissingReferences(
  { objects, sequences }: Pick<ServedFiles, 'objects' | 'sequences'>,
  { reference, log }: { readonly reference?: FurtherReferences; readonly log: (message: string) => void },
): Promise<void> {
  await sequences.settled();
  const found = await findUnreferenced(objects, createReferenceSource(sequences, reference));
  const [first] = found;
  if (first === undefined) return;
  const names = found.slice(0, NAMED_FILES).map(({ name }) => name);
  if (found.length > NAMED_FILES) names.push(`${found.length - NAMED_FILES} more`);
  log(`${names.join(', ')}: ${first.reason}`);
}
