export type { Clock } from './http/clock.js';
export type { HttpOptions } from './http/transport.js';
export type { S3Options } from './s3/bucket.js';
export type { S3Credentials, S3CredentialsProvider } from './s3/credentials.js';
export type { S3Location } from './s3/object-url.js';
export { type S3ObjectStore, type S3ObjectStoreOptions, s3ObjectStore } from './s3/s3-object-store.js';
export {
  type PresignContext,
  type PresignedLocation,
  type S3Source,
  type S3SourceOptions,
  s3Source,
} from './s3/s3-source.js';
