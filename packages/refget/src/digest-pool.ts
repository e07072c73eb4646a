import { DigestPool } from '@htskit/digest';

/** One for all files: its workers do not keep a process alive, and start when the first long file is opened. */
export const digestPool: DigestPool = new DigestPool();
