import type { S3Credentials } from '@htskit/storage/s3';

/** The bindings of wrangler.jsonc, and secrets. */
export interface Bindings {
  readonly BUCKET: R2Bucket;
  /** The URL of the Worker for clients. */
  readonly PUBLIC_URL: string;
  /** At least 16 bytes, alike in all isolates: each accepts the block URLs of the others. */
  readonly SIGNING_KEY: string;
  /** The prefix of the files that htsget serves. Empty: the whole bucket. */
  readonly OBJECTS: string;
  /** The prefix of the store that `htskit refget import` wrote. Empty: no refget. */
  readonly SEQUENCES: string;
  /** Compressed bytes of a region up to which it is cut, and its depth counted, record by record. */
  readonly EXACT_BYTES: string;
  /** Compressed bytes of one block URL: those that are sent as they are stored. */
  readonly BLOCK_BYTES: string;
  /** `true`: also converts, filters and encrypts records. */
  readonly TRANSFORMS: string;
  /** Compressed bytes of one block URL whose records are converted or filtered. */
  readonly TRANSFORM_BYTES: string;
  /** The URL of the bucket's account for the S3 API. Empty: the Worker sends all data. Otherwise tickets hold presigned URLs. */
  readonly S3_ENDPOINT: string;
  readonly S3_BUCKET: string;
  readonly S3_ACCESS_KEY_ID?: string;
  readonly S3_SECRET_ACCESS_KEY?: string;
}

/** Returns a setting that is a number of bytes. */
export function toBytes(bindings: Bindings, name: 'EXACT_BYTES' | 'BLOCK_BYTES' | 'TRANSFORM_BYTES'): number {
  const text = bindings[name];
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a number of bytes, found "${text}"`);
  return Number(text);
}

export function toCredentials({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Bindings): S3Credentials {
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    throw new Error('S3_ENDPOINT needs the secrets S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  }
  return { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
}
