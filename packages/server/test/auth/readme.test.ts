import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonServer } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuthSection } from '../../src/auth/auth-section.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { ask, guardedApp } from './guarded-app.js';

const environment = {
  BLOCK_KEY: 'base64:EBESExQVFhcYGRobHB0eHw==',
  OLD_BLOCK_KEY: 'hex:000102030405060708090a0b0c0d0e0f',
};

const key = await createKey('one');
let folder: string;
let issuer: JsonServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-readme-'));
  writeFileSync(join(folder, 'panel.bed'), 'chr1\t5000\t9000\n');
  issuer = await JsonServer.start(keySetOf(key));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await issuer.stop();
});

const README = '../../README.md';
const REFERENCE = '../../../../docs/configuration.md';

/** Returns the section of the configuration in a document. */
function readExample(document: string): AuthSection | undefined {
  const text = readFileSync(new URL(document, import.meta.url), 'utf8');
  const [, yaml = ''] = /## Authentication and authorisation\n.*?```yaml\n(.*?)```/s.exec(text) ?? [];
  return parseConfig(yaml, { file: 'htskit.yaml', environment }).config.auth;
}

test('the example of the reference permits what its rules say', async () => {
  const app = await guardedApp({ ...readExample(REFERENCE), jwt: jwtOf(issuer) }, { directory: folder });
  const statusOf = async (path: string, claims?: object): Promise<number> => {
    const scope = 'read:genomic_reads read:genomic_variants';
    const token = claims && (await signToken(key, { scope, ...claims }));
    return (await app(ask(path, token))).status;
  };
  expect(await statusOf('/reads/demo/a')).toBe(200);
  expect(await statusOf('/reads/cohort/a')).toBe(401);
  expect(await statusOf('/sequence/abc')).toBe(404);
  expect(await statusOf('/collection/abc')).toBe(401);
  const curator = { groups: ['curators'] };
  expect(await statusOf('/variants/any', curator)).toBe(200);
  const panel = { sub: 'bob', groups: ['panel-b'] };
  expect(await statusOf('/reads/cohort/a?referenceName=chr1', panel)).toBe(200);
  expect(await statusOf('/reads/cohort/a?referenceName=chr2', panel)).toBe(403);
  expect(await statusOf('/reads/trio/a', panel)).toBe(403);
  expect(await statusOf('/reads/trio/a?referenceName=chr1&start=6000&end=7000', {})).toBe(200);
  expect(await statusOf('/reads/trio/a?referenceName=chr1&start=9000&end=9100', {})).toBe(403);
});

test.each([README, REFERENCE])('the example of %s is a valid section', async (document) => {
  const example = readExample(document);
  expect(example?.rules?.length).toBeGreaterThan(1);
  await expect(guardedApp({ ...example }, { directory: folder })).resolves.toBeTypeOf('function');
});
