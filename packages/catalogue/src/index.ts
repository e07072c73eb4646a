export { type FileCatalogue, type FileCatalogueOptions, fileCatalogue } from './drs/file-catalogue.js';
export type { ServedSequences, StoredSequences } from './drs/sequence-files.js';
export type { Delivery } from './locations/remote-storage.js';
export { type BucketObjectsOptions, bucketObjects } from './objects/bucket-objects.js';
export {
  type Decrypt,
  joinObjects,
  type ObjectCatalogue,
  type ObjectEntry,
  prefixObjects,
} from './objects/object-catalogue.js';
export { type StoreObjectsOptions, storeObjects } from './objects/store-objects.js';
