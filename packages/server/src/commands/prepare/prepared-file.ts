import type { BgzfPool } from '@htskit/bgzf';
import type { CramReferenceSource } from '@htskit/formats';
import type { ByteSource, SourceStat } from '@htskit/io';
import type { CharacterPolicy } from '@htskit/sequences';
import type { Identity } from '../../stored-file/identity.js';
import type { PreparedLocation } from './prepared-location.js';

/** A kind of result that is made of a file. */
export type PreparedKind = 'index' | 'coverage' | 'digests' | 'checksums';

/** How files are prepared. */
export interface PrepareOptions {
  readonly kinds: readonly PreparedKind[];
  /** Inflates files. */
  readonly pool: BgzfPool;
  /** The number of threads that read ahead while the coverage of one file is made. */
  readonly workers: number;
  readonly keys: Identity;
  readonly reference: CramReferenceSource;
  /** A folder for temporary files. */
  readonly temporary: string;
  /** The folder of digests, which lie beside the files by default, and of checksums. */
  readonly cache?: string;
  readonly characters?: CharacterPolicy;
  readonly signal: AbortSignal;
}

/** A file that is prepared, at one of its versions. */
export interface PreparedFile {
  readonly key: string;
  readonly location: PreparedLocation;
  /** The file as it is stored, perhaps encrypted. */
  readonly stored: ByteSource;
  readonly stat: SourceStat;
  readonly warn: (message: string) => void;
}
