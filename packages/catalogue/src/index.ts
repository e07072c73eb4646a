export type { Delivery } from './locations/remote-storage.js';
export { type BucketObjectsOptions, bucketObjects } from './objects/bucket-objects.js';
export { joinObjects, type ObjectCatalogue, prefixObjects } from './objects/object-catalogue.js';
export type { ObjectEntry } from './objects/object-kind.js';
