import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzip } from '@htskit/bgzf';
import { parseCramHeader } from '@htskit/formats';
import { cramEofContainer, isCramEofContainer } from '@htskit/formats/internal';
import { fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { indexCram, parseCrai } from '../../src/index.js';
import { readContainers } from '../support/cram-containers.js';

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];
const temporary = mkdtempSync(join(tmpdir(), 'htskit-crai-'));
afterAll(() => rmSync(temporary, { recursive: true }));

const paths = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cram'))
    .map((name) => join(folder, name)),
);

/** Flag, reference, position and CIGAR, which can be read without a reference sequence. */
const PLACES_ONLY = ['--input-fmt-option', 'required_fields=0x2e'];
const SLICES_PER_FILE = 9;
const SLICE_OPTIONS = ['seqs_per_slice=300', 'slices_per_container=3'];
/** Options with which CRAM files are written, besides those of their slices. */
const PROFILES = [
  ...['2.1', '3.0', '3.1'].flatMap((version) =>
    ['fast', 'small', 'archive'].map((profile) => `version=${version},${profile}`),
  ),
  'version=3.0,use_bzip2,use_rans=0',
  'version=3.1,archive,level=9,use_arith',
  'version=3.1,lossy_names,no_ref',
];

function samtools(...args: string[]): string {
  return execFileSync('samtools', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

function textOf(index: Uint8Array): string {
  return new TextDecoder().decode(gunzip(index));
}

async function ourIndex(path: string): Promise<string> {
  return textOf(
    await indexCram(
      (async function* () {
        yield new Uint8Array(readFileSync(path));
      })(),
    ),
  );
}

function theirIndex(path: string): string {
  const index = join(temporary, 'index.crai');
  samtools('index', '-o', index, path);
  return textOf(readFileSync(index));
}

describe('indexCram writes what samtools index does', () => {
  test.each(paths)('of %s', async (path) => {
    expect(await ourIndex(path)).toBe(theirIndex(path));
  });

  test.each(PROFILES)('of slices of several references, %s', async (profile) => {
    for (const multiple of [0, 1]) {
      const path = join(temporary, 'made.cram');
      const options = [profile, ...SLICE_OPTIONS, `multi_seq_per_slice=${multiple}`].join(',');
      const source = fixturePath('reads-csi.bam');
      samtools(
        'view',
        '--no-PG',
        '-C',
        '-T',
        fixturePath('genome.fa'),
        '--output-fmt-option',
        options,
        '-o',
        path,
        source,
      );
      const expected = theirIndex(path);
      expect(await ourIndex(path)).toBe(expected);
      expect(expected.split('\n').length).toBeGreaterThan(4);
    }
  });
});

describe('the containers of a region contain every record', () => {
  test.each(paths)('of %s', (path) => {
    const bytes = new Uint8Array(readFileSync(path));
    const { version, references, byteLength } = parseCramHeader(bytes);
    const index = parseCrai(readFileSync(`${path}.crai`));
    const end = readContainers(bytes).find(({ header }) => isCramEofContainer(header))?.start ?? bytes.length;
    const cut = join(temporary, 'cut.cram');
    const bed = join(temporary, 'region.bed');
    const count = (file: string): number => Number(samtools('view', '-c', '-L', bed, ...PLACES_ONLY, file));
    let compared = 0;
    for (const { referenceId, alignmentStart, alignmentSpan } of [...index.slices()].slice(0, SLICES_PER_FILE)) {
      const { name } = references[referenceId] ?? {};
      if (name === undefined) continue;
      const middle = alignmentStart + Math.floor(alignmentSpan / 2);
      for (const start of [alignmentStart - 1, middle, alignmentStart + alignmentSpan - 2]) {
        const query = { referenceId, start, end: start + 1 };
        const parts = index.containers(query).map((range) => bytes.subarray(range.start, range.end ?? end));
        writeFileSync(cut, Buffer.concat([bytes.subarray(0, byteLength), ...parts, cramEofContainer(version)]));
        writeFileSync(bed, `${name}\t${query.start}\t${query.end}\n`);
        const expected = count(path);
        expect(count(cut), `${name}:${query.start}-${query.end}`).toBe(expected);
        compared += expected;
      }
    }
    expect(compared > 0 || index.sliceCount === 0).toBe(true);
  });
});
