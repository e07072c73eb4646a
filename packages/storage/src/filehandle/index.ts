export {
  type BufferFilehandle,
  type Filehandle,
  type FilehandleReadOptions,
  type FilehandleStat,
  type SourceFilehandle,
  type SourceReadFileOptions,
  toFilehandle,
} from './filehandle.js';
export { type FilehandleSourceOptions, fromBufferFilehandle, fromFilehandle } from './from-filehandle.js';
