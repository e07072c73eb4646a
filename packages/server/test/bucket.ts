import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture, S3Server } from '@htskit/testing';

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };

/** An S3 server in this process whose bucket holds some fixtures. */
export interface TestBucket {
  readonly server: S3Server;
  readonly s3: { readonly endpoint: string; readonly forcePathStyle: true; readonly credentials: typeof keys };
  /** The requests since the last `put`, such as `HEAD a.bam`. */
  readonly requests: string[];
  /** Stores fixtures under keys. */
  put(objects: Readonly<Record<string, string>>): Promise<void>;
}

export async function startBucket(): Promise<TestBucket> {
  const server = await S3Server.start({ keys });
  const s3 = { endpoint: server.endpoint, forcePathStyle: true as const, credentials: keys };
  const store = s3ObjectStore({ ...s3, bucket: server.bucket });
  const requests: string[] = [];
  server.interfere = ({ method, key }) => {
    requests.push(`${method} ${key}`);
    return undefined;
  };
  return {
    server,
    s3,
    requests,
    async put(objects) {
      for (const [key, fixture] of Object.entries(objects)) await store.put(key, readFixture(fixture));
      requests.length = 0;
    },
  };
}
