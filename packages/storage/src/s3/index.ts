export { type S3Location, type S3Options, toBucketUrl } from './bucket.js';
export type { S3Credentials, S3CredentialsProvider } from './credentials.js';
export { type S3ObjectStore, type S3ObjectStoreOptions, s3ObjectStore } from './s3-object-store.js';
export {
  type PresignContext,
  type PresignedLocation,
  type S3Source,
  type S3SourceOptions,
  s3Source,
} from './s3-source.js';
