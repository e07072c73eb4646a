export { type MemorySourceOptions, memorySource } from './memory-source.js';
export { memoryStore } from './memory-store.js';
