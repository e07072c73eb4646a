import type { StorageLocation } from '@htskit/catalogue/internal';
import { afterEach, beforeEach, onTestFinished } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { startBucket, type TestBucket } from '../../bucket.js';

export type SharedCache = Exclude<StorageLocation, { readonly kind: 'http' }>;

/** The number of files in the bucket. */
export const FILES = 20;
const SIGNING_KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
export const IN_BUCKET: SharedCache = { kind: 's3', bucket: 'bucket', key: 'shared cache' };

/** A bucket of files, and the replicas that serve them. */
export interface Replicas {
  readonly bucket: TestBucket;
  /** The messages of all replicas. */
  readonly logged: readonly string[];
  /** A bigWig beside a file answers all but regions of less than `exactBytes`. */
  readonly start: (
    sharedCache: SharedCache,
    coverageLimits?: { readonly exactBytes: number },
  ) => Promise<RunningServer>;
  /** Requests tickets of all files in turn, and returns the requests to the bucket. */
  readonly fetchTickets: (server: RunningServer, tickets: number) => Promise<readonly string[]>;
}

/** Creates a bucket for each test, whose files have an index beside them or none. */
export function useReplicas({ isIndexed }: { readonly isIndexed: boolean }): () => Replicas {
  let current: Replicas | undefined;
  beforeEach(async () => {
    const bucket = await startBucket();
    for (let file = 0; file < FILES; file++) {
      await bucket.put({
        [`data/${file}.bam`]: 'reads.bam',
        ...(isIndexed && { [`data/${file}.bam.bai`]: 'reads.bam.bai' }),
      });
    }
    current = toReplicas(bucket);
  });
  afterEach(() => current?.bucket.server.close());
  return () => {
    if (current === undefined) throw new Error('there is no bucket');
    return current;
  };
}

function toReplicas(bucket: TestBucket): Replicas {
  const logged: string[] = [];
  return {
    bucket,
    logged,
    async start(sharedCache, coverageLimits) {
      const server = await serve({
        paths: [],
        objectLocations: [{ location: { kind: 's3', bucket: 'bucket', key: 'data' } }],
        s3: bucket.s3,
        // Each ticket asks for the version of its file, as one that comes some seconds after the last does.
        statSeconds: 0,
        sharedCache,
        signingKeys: [SIGNING_KEY],
        ...(coverageLimits && { coverageLimits }),
        host: '127.0.0.1',
        port: 0,
        authority: 'ga4gh',
        log: (message) => logged.push(message),
      });
      onTestFinished(() => server.close());
      return server;
    },
    async fetchTickets({ url }, tickets) {
      bucket.requests.length = 0;
      for (let ticket = 0; ticket < tickets; ticket++) {
        const start = (ticket * 97) % 50_000;
        const query = `referenceName=chr1&start=${start}&end=${start + 1000}`;
        const response = await fetch(`${url}/reads/${ticket % FILES}?${query}`);
        if (response.status !== 200) throw new Error(await response.text());
        await response.arrayBuffer();
      }
      return [...bucket.requests];
    },
  };
}
