export { BlockCache, type BlockCacheOptions } from './cache/block-cache.js';
export { cachedSource } from './cache/cached-source.js';
