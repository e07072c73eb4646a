import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { s3ObjectStore } from '@htskit/storage/s3';
import { fixturePath, readFixture } from '@htskit/testing';
import { expect, vi } from 'vitest';
import { startBucket, type TestBucket } from '../../bucket.js';

/** Files to prepare, by their names, and the extensions of their indexes. */
export const FILES: Readonly<Record<string, readonly string[]>> = {
  'reads.bam': ['.bai'],
  'deep/longref.bam': ['.csi'],
  'v31.cram': ['.crai'],
  'variants.bcf': ['.csi'],
  'deep/variants.vcf.gz': ['.tbi'],
  'genome.fa': ['.fai'],
  'genome.fa.gz': ['.fai', '.gzi'],
};

/** The indexes that are made of them. */
export const INDEXES: readonly string[] = Object.entries(FILES).flatMap(([name, extensions]) =>
  extensions.map((extension) => name + extension),
);

/** The fixture with the content of a file. */
export function fixtureOf(name: string): string {
  return name.replace(/^.*\//, '');
}

/** Copies files into a folder. */
export function copyFiles(folder: string, names: readonly string[] = Object.keys(FILES)): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(fixturePath(fixtureOf(name)), join(folder, name));
  }
}

/** A bucket with files, which commands of this process reach. */
export async function fillBucket(names: readonly string[] = Object.keys(FILES)): Promise<TestBucket> {
  const bucket = await startBucket();
  await bucket.put(Object.fromEntries(names.map((name) => [name, fixtureOf(name)])));
  for (const [name, value] of Object.entries(environmentOf(bucket))) vi.stubEnv(name, value);
  return bucket;
}

/** The variables with which a command reaches a bucket. */
export function environmentOf({ s3 }: TestBucket): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
}

/** Returns the keys and contents of the objects in a bucket. */
export async function objectsOf({ s3, server }: TestBucket): Promise<Map<string, Buffer>> {
  const store = s3ObjectStore({ ...s3, bucket: server.bucket });
  const objects = new Map<string, Buffer>();
  for await (const key of store.list('')) {
    const source = store.source(key);
    const { size } = await source.stat();
    objects.set(key, Buffer.from(await source.read({ start: 0, end: size })));
  }
  return objects;
}

/** Expects an index to be that of the tools, however it is compressed. */
export function expectIndex(name: string, found: Uint8Array | undefined): void {
  const expected = inflated(readFixture(fixtureOf(name)));
  expect([name, inflated(found ?? new Uint8Array()).compare(expected)]).toEqual([name, 0]);
}

function inflated(bytes: Uint8Array): Buffer {
  return bytes[0] === 0x1f ? gunzipSync(bytes) : Buffer.from(bytes);
}
