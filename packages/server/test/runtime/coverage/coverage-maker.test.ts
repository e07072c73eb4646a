import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeCoverageFile } from '../../../src/coverage/coverage-file.js';
import { pruneCoverageFolder } from '../../../src/runtime/coverage/coverage-folder.js';
import { CoverageMaker } from '../../../src/runtime/coverage/coverage-maker.js';

let folder: string;
let messages: string[];
let maker: CoverageMaker;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  messages = [];
  maker = new CoverageMaker((message) => messages.push(message));
});
afterEach(async () => {
  await maker.close();
  rmSync(folder, { recursive: true });
});

const job = (name: string) => ({ input: join(folder, name), output: join(folder, `${name}.coverage.bw`) });

test('makes the bigWig files that are requested, each once', async () => {
  copyFileSync(fixturePath('reads.bam'), join(folder, 'reads.bam'));
  copyFileSync(fixturePath('reads.cram'), join(folder, 'reads.cram'));
  for (const name of ['reads.bam', 'reads.cram', 'reads.bam']) maker.request(job(name), '1');
  await maker.settled();
  expect(messages).toEqual([]);
  const names = ['reads.bam', 'reads.bam.coverage.bw', 'reads.cram', 'reads.cram.coverage.bw'];
  expect(readdirSync(folder).sort()).toEqual(names);
  const expected = join(folder, 'expected.bw');
  const { signal } = new AbortController();
  await writeCoverageFile(fixturePath('reads.bam'), expected, { signal, onWarning: () => undefined });
  expect(readFileSync(job('reads.bam').output).equals(readFileSync(expected))).toBe(true);
});

test('reports a file that cannot be read, and makes it when it has changed', async () => {
  writeFileSync(join(folder, 'a.bam'), 'nothing');
  maker.request(job('a.bam'), '1');
  maker.request(job('a.bam'), '1');
  await maker.settled();
  expect(messages).toEqual([expect.stringMatching(/^the depth of .*a\.bam could not be computed: /)]);
  copyFileSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
  maker.request(job('a.bam'), '2');
  await maker.settled();
  expect(readdirSync(folder).sort()).toEqual(['a.bam', 'a.bam.coverage.bw']);
});

test('leaves a file to the process that has claimed it, unless that has ended', async () => {
  copyFileSync(fixturePath('reads.bam'), join(folder, 'reads.bam'));
  const { output } = job('reads.bam');
  writeFileSync(`${output}.claim`, '1');
  writeFileSync(`${output}.part`, 'half');
  maker.request(job('reads.bam'), '1');
  await maker.settled();
  expect(readdirSync(folder)).not.toContain('reads.bam.coverage.bw');
  utimesSync(`${output}.claim`, 1, 1);
  maker.request(job('reads.bam'), '1');
  await maker.settled();
  expect(readdirSync(folder).sort()).toEqual(['reads.bam', 'reads.bam.coverage.bw']);
});

test('makes the bigWig of a source that is elsewhere, and keeps the folder within its limit', async () => {
  const version = '"1"';
  const source = memorySource(readFixture('reads.cram'), { key: 'https://example.org/reads.cram?key=secret', version });
  const limited = { path: folder, maxBytes: 1 };
  const [old, made] = ['a', 'b'].map((letter) => join(folder, `${letter.repeat(32)}.bw`)) as [string, string];
  writeFileSync(old, 'old');
  writeFileSync(`${old}.part`, 'abandoned');
  writeFileSync(join(folder, 'other.bw'), 'not ours');
  for (const path of [old, `${old}.part`]) utimesSync(path, 1, 1);
  maker.request({ input: source, output: made, folder: { ...limited, maxBytes: 1e6 } }, version);
  await maker.settled();
  expect(messages).toEqual([]);
  const expected = join(folder, 'expected.bw');
  const { signal } = new AbortController();
  await writeCoverageFile(fixturePath('reads.cram'), expected, { signal, onWarning: () => undefined });
  expect(readFileSync(made).equals(readFileSync(expected))).toBe(true);
  expect(readdirSync(folder)).not.toContain(`${'a'.repeat(32)}.bw.part`);
  expect(readdirSync(folder)).toContain(`${'a'.repeat(32)}.bw`);
  await pruneCoverageFolder({ ...limited, maxBytes: readFileSync(made).length });
  expect(readdirSync(folder).sort()).toEqual([`${'b'.repeat(32)}.bw`, 'expected.bw', 'other.bw']);
});

test('reports a source that fails or has changed, without the query of its URL', async () => {
  const source = memorySource(readFixture('reads.bam'), {
    key: 'https://example.org/reads.bam?key=secret',
    version: '2',
  });
  maker.request({ input: source, output: join(folder, 'made.bw') }, '1');
  await maker.settled();
  expect(messages).toEqual([
    expect.stringMatching(/^the depth of https:\/\/example\.org\/reads\.bam could not be computed: /),
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test('makes nothing more when it is closed, and leaves nothing half done', async () => {
  for (const name of ['a.bam', 'b.bam']) {
    copyFileSync(fixturePath('reads.bam'), join(folder, name));
    maker.request(job(name), '1');
  }
  await maker.close();
  maker.request(job('a.bam'), '2');
  expect(readdirSync(folder).sort()).toEqual(['a.bam', 'b.bam']);
  expect(messages).toEqual([]);
});
