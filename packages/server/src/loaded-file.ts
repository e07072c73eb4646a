import type { SequenceCollection } from '@htskit/refget';
import type { SequenceFile } from './sequence-file.js';
import type { FoundFile } from './sequence-roots.js';

/** A file whose sequences are served. */
export interface LoadedFile extends SequenceFile {
  /** What was found when it was read. */
  readonly found: FoundFile;
  /** Undefined for a store, and for a file without sequences. */
  readonly collection: SequenceCollection | undefined;
}

/** A file that could not be loaded. */
export interface FailedFile {
  readonly found: FoundFile;
  readonly message: string;
  /** How often, without a success or a change between. */
  readonly failureCount: number;
  /** When it is tried again, by `performance.now()`; infinite for a file that is wrong, until it changes. */
  readonly retryAt: number;
}
