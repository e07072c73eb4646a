export { type FilehandleSourceOptions, fromBufferFilehandle, fromFilehandle } from './from-filehandle.js';
export type { BufferFilehandle, Filehandle, FilehandleReadOptions, FilehandleStat } from './generic-filehandle.js';
export { type SourceFilehandle, type SourceReadFileOptions, toFilehandle } from './to-filehandle.js';
