import { DigestPool } from '@htskit/sequences';

/** One for all files: its workers do not keep a process alive, and start when the first long file is opened. */
export const digestPool: DigestPool = new DigestPool();
