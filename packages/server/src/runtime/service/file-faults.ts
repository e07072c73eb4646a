import type { CramReferenceSource, FileLoader, StoredFile } from '@htskit/htsget';
import { describeError } from '../../errors.js';
import { findMissingReference } from '../references/missing-references.js';

/** Why a file is not answered, or not in all formats. */
export interface FileFault {
  /** `damaged`: it is truncated, or its index is of another file. `doubtful`: it may be. `reference-less`: CRAM without its reference. */
  readonly kind: 'damaged' | 'doubtful' | 'reference-less';
  /** May contain paths. */
  readonly message: string;
}

export interface FaultOptions {
  readonly loader: FileLoader;
  readonly reference: CramReferenceSource;
}

/** Finds the faults of a file, with the same checks as before an answer is made of it. Throws what reading the file throws. */
export async function findFaults(file: StoredFile, { loader, reference }: FaultOptions): Promise<readonly FileFault[]> {
  const stat = await file.data.stat();
  const header = await loader.header(file, stat);
  const index = file.index === undefined ? undefined : await loader.index(file, stat);
  const { truncation, mismatch, doubt } = await loader.check(file, stat, { file: header, index });
  const fault = (kind: FileFault['kind'], error: unknown): FileFault[] =>
    error === undefined ? [] : [{ kind, message: describeError(error) }];
  const faults = [...fault('damaged', truncation), ...fault('damaged', mismatch), ...fault('doubtful', doubt)];
  if (truncation !== undefined) return faults;
  const missing = await findMissingReference(file, { loader, stat, reference });
  return missing === undefined ? faults : [...faults, { kind: 'reference-less', message: missing }];
}
