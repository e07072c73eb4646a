import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { s3ObjectStore } from '@htskit/storage/s3';
import { startServer, type TestServer } from '@htskit/testing';
import { findPort, Replica } from './replica.js';

/** The gateway that radosgw.mjs starts. */
export interface Gateway {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
}

/** Replicas behind nginx that serve what lies in a bucket of Ceph's gateway, and have nothing in common but that. */
export interface Fleet {
  /** The URL of nginx, for clients. */
  readonly url: string;
  /** The URL of the gateway. */
  readonly bucketUrl: string;
  readonly replicas: readonly Replica[];
  stop(): Promise<void>;
}

export interface FleetOptions {
  /** A folder for the configuration. */
  readonly scratch: string;
  /** Files for the bucket, with their indexes. */
  readonly paths: readonly string[];
  /** A FASTA whose sequences are imported to a store in the bucket. */
  readonly fasta: string;
}

/** An address for each, as machines have: the port of one that is dead is not taken by the connections of others. */
const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

/** The objects are there twice: sent by the replicas, and by the bucket. A long file has several blocks. */
const CONFIGURATION = `
publicUrl: \${FLEET_URL}
htsget:
  precision: exact
  maxBlockBytes: 12000000
  locations:
    - { location: 's3://\${FLEET_BUCKET}/data' }
    - { location: 's3://\${FLEET_BUCKET}/data', prefix: presigned, delivery: presigned }
refget:
  sources:
    - { location: 's3://\${FLEET_BUCKET}/refget' }
s3: { endpoint: '\${FLEET_ENDPOINT}', forcePathStyle: true }
auth: { signingKeys: ['\${FLEET_KEY}'] }
log: { level: warn }
`;

export async function startFleet({ scratch, paths, fasta }: FleetOptions): Promise<Fleet> {
  const ports = await Promise.all(HOSTS.map(findPort));
  const addresses = HOSTS.map((host, rank) => `${host}:${ports[rank]}`);
  const [gateway, balancer] = await Promise.all([
    startServer<Gateway>('radosgw.mjs'),
    startServer<{ readonly url: string }>('balancer.mjs', ...addresses),
  ]);
  const config = join(scratch, 'htskit.yaml');
  await writeFile(config, CONFIGURATION);
  const environment = environmentOf(gateway, balancer);
  const replicas = HOSTS.map((host, rank) => new Replica({ host, port: ports[rank] ?? 0, config, environment }));
  const stop = async (): Promise<void> => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await Promise.all([gateway.stop(), balancer.stop()]);
  };
  try {
    await fillBucket(gateway.details, paths, fasta);
    await Promise.all(replicas.map((replica) => replica.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: balancer.details.url, bucketUrl: gateway.details.endpoint, replicas, stop };
}

function environmentOf(
  { details: gateway }: TestServer<Gateway>,
  { details: balancer }: TestServer<{ readonly url: string }>,
): Record<string, string> {
  return {
    FLEET_URL: balancer.url,
    FLEET_ENDPOINT: gateway.endpoint,
    FLEET_BUCKET: gateway.bucket,
    FLEET_KEY: `hex:${randomBytes(32).toString('hex')}`,
    AWS_ACCESS_KEY_ID: gateway.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
  };
}

async function fillBucket(
  { endpoint, bucket, accessKeyId, secretAccessKey }: Gateway,
  paths: readonly string[],
  fasta: string,
): Promise<void> {
  const options = { bucket, endpoint, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } };
  const objects = s3ObjectStore({ ...options, prefix: 'data/' });
  for (const path of paths) await objects.put(basename(path), await readFile(path));
  const data = fileSource(fasta);
  await importFasta({ store: s3ObjectStore({ ...options, prefix: 'refget/' }), data });
  await data.close();
}
