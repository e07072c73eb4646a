export {
  SdaArchive,
  type SdaArchiveOptions,
  type SdaFile,
  type SdaHeader,
  type SdaRequestOptions,
} from './sda-archive.js';
export { type SdaSourceOptions, sdaSource } from './sda-source.js';
