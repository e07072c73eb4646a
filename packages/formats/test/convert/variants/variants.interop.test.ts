import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bgunzip, fixturePath } from '@htskit/testing';
import { afterAll, expect, test } from 'vitest';
import { createBcfToVcf, createVcfToBcf, parseBcfHeader, parseVcfHeader } from '../../../src/index.js';
import { bcfRecordLength } from '../../../src/internal.js';
import { passPieces } from '../../record-pieces.js';
import { RANDOM_HEADER, randomVcf } from './random-vcf.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(?:vcf\.gz|bcf)$/.test(name))
    .map((name) => ({ name, path: join(folder, name) })),
);

function run(command: string, ...args: string[]): Buffer {
  return execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 });
}

function bcftools(output: '-Ou' | '-Ov', path: string): Uint8Array {
  return run('bcftools', 'view', '--no-version', output, path);
}

/** bcftools adds the contigs of an index that the header lacks. */
function indexedContigs(path: string): string[] {
  const isIndexed = ['.tbi', '.csi'].some((suffix) => existsSync(path + suffix));
  return isIndexed ? run('tabix', '-l', path).toString().split('\n').slice(0, -1) : [];
}

function linesOf(text: Uint8Array): string[] {
  return Buffer.from(text).toString('latin1').split('\n');
}

function toBcf(vcf: Uint8Array, extraContigs: readonly string[] = []): Uint8Array {
  const { text, byteLength } = parseVcfHeader(vcf);
  const converter = createVcfToBcf({ text, extraContigs });
  return Buffer.concat([converter.header, passPieces(converter, vcf.subarray(byteLength), [65_280])]);
}

function toVcf(bcf: Uint8Array): Uint8Array {
  const { text, byteLength } = parseBcfHeader(bcf);
  const converter = createBcfToVcf({ text });
  return Buffer.concat([converter.header, passPieces(converter, bcf.subarray(byteLength), [65_280])]);
}

/**
 * Returns the records that start at `start` in hexadecimal, without rlen: bcftools 1.16 lets END be before the end of REF, and
 * knows no SVLEN.
 */
function recordsOf(bcf: Uint8Array, start: number): string[] {
  const records: string[] = [];
  for (let at = start; at < bcf.length; ) {
    const end = at + (bcfRecordLength(bcf, at) ?? bcf.length);
    records.push(Buffer.from(bcf.slice(at, end).fill(0, RLEN, RLEN + 4)).toString('hex'));
    at = end;
  }
  return records;
}

/** The offset of rlen in a record (VCFv4.3 §6.3.1). */
const RLEN = 16;

let compared = 0;

/** Expects the conversions of a VCF file to equal those of bcftools, and returns the lines that were compared. */
function compareConversions(path: string): number {
  const vcf = path.endsWith('.gz') ? bgunzip(readFileSync(path)) : readFileSync(path);
  const bcf = toBcf(vcf, path.endsWith('.gz') ? indexedContigs(path) : []);
  const expected = bcftools('-Ou', path);
  expect(linesOf(toVcf(bcf))).toEqual(linesOf(bcftools('-Ov', path)));
  expect(parseBcfHeader(bcf).text).toBe(parseBcfHeader(expected).text);
  const { byteLength } = parseBcfHeader(bcf);
  expect(recordsOf(bcf, byteLength)).toEqual(recordsOf(expected, byteLength));
  expect(bcf.length).toBe(expected.length);
  const lines = linesOf(vcf).length;
  compared += lines;
  return lines;
}

test.each(files.filter(({ name }) => name.endsWith('.vcf.gz')))(
  '$name is converted both ways as bcftools does',
  ({ path }) => {
    expect(compareConversions(path)).toBeGreaterThan(0);
  },
);

test.each(files.filter(({ name }) => name.endsWith('.bcf')))(
  '$name is converted both ways as bcftools does',
  ({ path }) => {
    const vcf = toVcf(bgunzip(readFileSync(path)));
    expect(linesOf(vcf)).toEqual(linesOf(bcftools('-Ov', path)));
    const text = join(scratch, 'converted.vcf');
    writeFileSync(text, vcf);
    expect(compareConversions(text)).toBeGreaterThan(0);
  },
);

/** Lines of the header that bcftools leaves out, since they are malformed or repeat others. Conversions keep them. */
const LEFT_OUT =
  /^##(?:source="a program, with commas"\n(?=##contig)|contig=<ID=chr1,length=5>\n|FILTER=<ID=malformed.*\n|malformed.*\n)/gm;

test.each([1, 2, 3])('random values of all types are converted both ways as bcftools does (seed %d)', (seed) => {
  const path = join(scratch, `random-${seed}.vcf`);
  writeFileSync(path, RANDOM_HEADER.replaceAll(LEFT_OUT, '') + randomVcf({ seed, count: 5000 }));
  expect(compareConversions(path)).toBeGreaterThan(5000);
});

test('the comparisons covered more than 5,000 lines', () => {
  expect(compared).toBeGreaterThan(5_000);
});
