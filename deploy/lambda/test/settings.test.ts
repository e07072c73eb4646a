import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../src/settings.js';

const HTSKIT_KEY = 'utf8:0123456789abcdef';
const BUCKET = { HTSKIT_BUCKET: 'genomes/run 1', HTSKIT_KEY, AWS_REGION: 'eu-west-1' };

test('a bucket and a key are enough', async () => {
  const settings = await readSettings({ ...BUCKET, AWS_ACCESS_KEY_ID: 'id' }, 'streamed');
  expect(settings.objectLocations).toMatchObject([{ location: { kind: 's3', bucket: 'genomes', key: 'run 1' } }]);
  expect(settings.s3).toMatchObject({ region: 'eu-west-1', credentials: expect.any(Function) as unknown });
  expect(settings.signingKeys).toEqual([Buffer.from('0123456789abcdef')]);
  expect(settings.publicUrl).toBeUndefined();
});

test('the bucket sends the blocks of a buffered function', async () => {
  const settings = await readSettings(BUCKET, 'buffered');
  expect(settings.objectLocations).toMatchObject([{ delivery: 'presigned' }]);
});

test('a configuration is a text in which variables are expanded', async () => {
  const text = `
publicUrl: https://data.example.org
htsget: { locations: [{ location: "s3://\${HTSKIT_BUCKET}" }], precision: exact }
auth: { signingKeys: ["\${HTSKIT_KEY}"] }`;
  const settings = await readSettings({ ...BUCKET, HTSKIT_CONFIG: text }, 'streamed');
  expect(settings).toMatchObject({
    publicUrl: 'https://data.example.org',
    htsget: { precision: 'exact' },
    page: false,
  });
});

test('a configuration is a file beside the function', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-lambda-'));
  writeFileSync(join(folder, 'genomes.yaml'), `auth: { signingKeys: ["${HTSKIT_KEY}"] }\nauthority: std`);
  const environment = { LAMBDA_TASK_ROOT: folder, HTSKIT_CONFIG: 'genomes.yaml' };
  expect(await readSettings(environment, 'streamed')).toMatchObject({ authority: 'std' });
  rmSync(folder, { recursive: true });
});

test('HTSKIT_PUBLIC_URL is the public URL of a configuration without one', async () => {
  const url = 'https://htsget.example.org';
  expect(await readSettings({ ...BUCKET, HTSKIT_PUBLIC_URL: url }, 'streamed')).toMatchObject({ publicUrl: url });
});

test('blocks of the function fit into its responses', async () => {
  const limits = async (mode: 'streamed' | 'buffered', setting: string): Promise<object | undefined> => {
    const HTSKIT_CONFIG = `htsget: { locations: [{ location: "s3://b" }], ${setting} }\nauth: { signingKeys: ["${HTSKIT_KEY}"] }`;
    const { htsget } = await readSettings({ HTSKIT_CONFIG }, mode);
    const { blockBytes, convertedBytes } = htsget?.limits ?? {};
    return { blockBytes, convertedBytes };
  };
  expect(await limits('streamed', 'maxBlockBytes: 1000000')).toEqual({
    blockBytes: 1_000_000,
    convertedBytes: 2 ** 24,
  });
  expect(await limits('streamed', 'precision: auto')).toEqual({ blockBytes: 50_000_000, convertedBytes: 2 ** 24 });
  expect(await limits('buffered', 'maxBlockBytes: 9000000')).toEqual({ blockBytes: 4_000_000, convertedBytes: 1e6 });
});

test('a function without a bucket or a key does not start', async () => {
  await expect(readSettings({ HTSKIT_KEY }, 'streamed')).rejects.toThrow('set HTSKIT_BUCKET, or HTSKIT_CONFIG');
  await expect(readSettings({ HTSKIT_BUCKET: 'genomes' }, 'streamed')).rejects.toThrow('instances must share a key');
});
