export type {
  R2BucketBinding,
  R2Condition,
  R2Listed,
  R2Listing,
  R2ReadOptions,
  R2StoredBody,
  R2StoredObject,
  R2WriteOptions,
} from './r2-bucket.js';
export { type R2ObjectStoreOptions, r2ObjectStore } from './r2-object-store.js';
