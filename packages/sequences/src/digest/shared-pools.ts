import { BgzfPool } from '@htskit/bgzf';
import { DigestPool } from './digest-pool.js';

// Shared by all files. The workers start with the first file that is worth it and do not keep a process alive.
export const sharedDigestPool: DigestPool = new DigestPool();
export const sharedBgzfPool: BgzfPool = new BgzfPool();
