export { BlockCache, type BlockCacheOptions } from './block-cache.js';
export { cachedSource } from './cached-source.js';
