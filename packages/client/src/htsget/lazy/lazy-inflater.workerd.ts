import type { RangeInflater } from '@htskit/bgzf/internal';
import { inflateFromStart } from './inflate-from-start.js';

// Nothing is loaded later in workerd: it compiles WebAssembly only while the first modules are evaluated.

export function loadInflater(): Promise<RangeInflater> {
  return Promise.resolve(inflateFromStart());
}
