import { BlockCache } from '@htskit/storage/cache';
import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture, S3Server } from '@htskit/testing';
import { RemoteStorage } from '../../src/locations/remote-storage.js';

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };

/** A bucket in this process that holds some fixtures. */
export interface TestBucket {
  readonly server: S3Server;
  readonly s3: { endpoint: string; forcePathStyle: true; credentials: typeof keys };
  readonly storage: RemoteStorage;
  /** The requests so far, such as `HEAD a.bam`. */
  readonly requests: string[];
  /** Stores fixtures under keys. */
  put(objects: Readonly<Record<string, string>>): Promise<void>;
}

export async function startBucket(): Promise<TestBucket> {
  const server = await S3Server.start({ keys });
  const requests: string[] = [];
  const s3 = { endpoint: server.endpoint, forcePathStyle: true as const, credentials: keys };
  const store = s3ObjectStore({ ...s3, bucket: server.bucket });
  server.interfere = ({ method, key }) => {
    requests.push(`${method} ${key}`);
    return undefined;
  };
  return {
    server,
    s3,
    requests,
    storage: new RemoteStorage({ s3, cache: new BlockCache(), presignSeconds: 60 }),
    async put(objects) {
      for (const [key, fixture] of Object.entries(objects)) await store.put(key, readFixture(fixture));
      requests.length = 0;
    },
  };
}
