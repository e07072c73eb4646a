import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bgunzip, createRandom, fixturePath } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  createBcfRewriter,
  createVcfRewriter,
  type KeySelection,
  parseBcfHeader,
  parseVcfHeader,
} from '../src/index.js';
import { passPieces } from './record-pieces.js';
import { isKept, rewriteLine } from './vcf/rewrite-line.js';

/** Random selections for each file, in addition to those that drop one key or all but one. */
const RANDOM_SELECTIONS = 12;

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];

function filesOf(suffix: string): { readonly name: string; readonly data: Uint8Array }[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => ({ name, data: bgunzip(readFileSync(join(folder, name))) }))
      // External files that bcftools rejects or warns about cannot be compared. The fixtures are clean.
      .filter(({ name, data }) => folder !== external || isClean(name, data)),
  );
}

function isClean(name: string, data: Uint8Array): boolean {
  const { status, stderr } = spawnSync('bcftools', ['view', '-Ou'], { input: data, maxBuffer: 1 << 28 });
  const clean = status === 0 && stderr.length === 0;
  if (!clean) process.stderr.write(`${name} is skipped: ${stderr.toString().split('\n')[0]}\n`);
  return clean;
}

/** Returns the output of bcftools. Throws if it fails or prints a warning. */
function bcftools(input: Uint8Array, ...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('bcftools', args, { input, maxBuffer: 1 << 28 });
  if (status !== 0 || stderr.length > 0) throw new Error(`bcftools ${args.join(' ')}: ${status} ${stderr.toString()}`);
  return stdout;
}

/** Returns the lines of the records. */
function viewLines(file: Uint8Array): string[] {
  return bcftools(file, 'view', '-H').toString().split('\n').slice(0, -1);
}

/** Returns the records of uncompressed BCF. */
function encodedRecords(bcf: Uint8Array): Uint8Array {
  return bcf.subarray(parseBcfHeader(bcf).byteLength);
}

/** Returns the keys of INFO and FORMAT that a header declares, with the full names that bcftools uses. */
function declaredKeys(text: string): { readonly name: string; readonly fullName: string }[] {
  return Array.from(text.matchAll(/^##(INFO|FORMAT)=<ID=([^,>]+)/gm), ([, column = '', name = '']) => ({
    name,
    fullName: `${column}/${name}`,
  }));
}

/** Returns selections that drop nothing, everything, one key, all keys but one, or a random subset. */
function selectionsOf(names: readonly string[]): KeySelection[] {
  const random = createRandom(6);
  const some = (): string[] => names.filter(() => random() < 0.5);
  return [
    {},
    { tags: [] },
    ...names.flatMap((name) => [{ notags: [name] }, { tags: [name] }]),
    ...Array.from({ length: RANDOM_SELECTIONS }, () => ({
      tags: random() < 0.4 ? undefined : some(),
      notags: random() < 0.4 ? undefined : some(),
    })),
  ];
}

interface VariantFile {
  /** Whether it is BCF. */
  readonly isEncoded: boolean;
  readonly text: string;
  readonly header: Uint8Array;
  readonly records: Uint8Array;
  readonly rewrite: (selection: KeySelection) => Uint8Array;
}

function openVcf(data: Uint8Array): VariantFile {
  const { text, byteLength } = parseVcfHeader(data);
  const records = data.subarray(byteLength);
  const rewrite = (selection: KeySelection): Uint8Array => passPieces(createVcfRewriter(selection), records, [65_280]);
  return { isEncoded: false, text, header: data.subarray(0, byteLength), records, rewrite };
}

function openBcf(data: Uint8Array): VariantFile {
  const { text, byteLength, strings } = parseBcfHeader(data);
  const records = data.subarray(byteLength);
  const rewrite = (selection: KeySelection): Uint8Array =>
    passPieces(createBcfRewriter(selection, strings), records, [65_280]);
  return { isEncoded: true, text, header: data.subarray(0, byteLength), records, rewrite };
}

let compared = 0;

/** Rewrites a file, and lists its differences from an independent rewriting of its text and from the result of bcftools. */
function findFaults(file: VariantFile): string[] {
  const original = viewLines(Buffer.concat([file.header, file.records]));
  const names = declaredKeys(file.text).map(({ name }) => name);
  return selectionsOf([...new Set(names)]).flatMap((selection) => {
    const rewritten = file.rewrite(selection);
    const lines = viewLines(Buffer.concat([file.header, rewritten]));
    const annotated = annotate(file, selection);
    const isSame = isEqual(lines, original);
    compared += lines.length;
    const faults = {
      'text differs': !isEqual(
        lines,
        original.map((line) => rewriteLine(line, selection)),
      ),
      'text differs from that of bcftools': !isEqual(lines, viewLines(annotated)),
      'bytes differ from those of bcftools':
        file.isEncoded && Buffer.compare(rewritten, encodedRecords(annotated)) !== 0,
      'not smaller': rewritten.length > file.records.length || (rewritten.length === file.records.length && !isSame),
    };
    const found = Object.entries(faults).filter(([, isFound]) => isFound);
    return found.map(([fault]) => `${JSON.stringify(selection)}: ${fault}`);
  });
}

/** Returns a file rewritten by bcftools, as BCF. */
function annotate({ text, header, records }: VariantFile, selection: KeySelection): Buffer {
  const dropped = declaredKeys(text).filter(({ name }) => !isKept(name, selection));
  const fullNames = dropped.map(({ fullName }) => fullName);
  const command = fullNames.length === 0 ? ['view'] : ['annotate', '-x', fullNames.join()];
  return bcftools(Buffer.concat([header, records]), ...command, '--no-version', '-Ou');
}

function isEqual(lines: readonly string[], others: readonly string[]): boolean {
  return lines.length === others.length && lines.every((line, index) => line === others[index]);
}

describe('rewritten files agree with bcftools', () => {
  test.each(filesOf('.vcf.gz'))('$name', ({ data }) => {
    expect(findFaults(openVcf(data))).toEqual([]);
  });

  test.each(filesOf('.bcf'))('$name', ({ data }) => {
    expect(findFaults(openBcf(data))).toEqual([]);
  });

  test.each(['\n', '\r\n'])('lines that end with %j and lack trailing values', (lineFeed) => {
    const random = createRandom(7);
    const { header, records } = openVcf(bgunzip(readFileSync(fixturePath('variants.vcf.gz'))));
    const shorten = (sample: string): string => {
      const values = sample.split(':');
      return values.slice(0, 1 + Math.floor(random() * values.length)).join(':');
    };
    const lines = Buffer.from(records).toString().trimEnd().split('\n');
    const shortened = lines.map((line) => {
      const columns = line.split('\t');
      return [...columns.slice(0, 9), ...columns.slice(9).map(shorten)].join('\t');
    });
    const text = Buffer.from(header).toString() + shortened.join('\n');
    expect(findFaults(openVcf(new TextEncoder().encode(text.replaceAll('\n', lineFeed))))).toEqual([]);
  });

  test('VCF and BCF are rewritten alike', () => {
    const [vcf, bcf] = [
      openVcf(bgunzip(readFileSync(fixturePath('variants.vcf.gz')))),
      openBcf(bgunzip(readFileSync(fixturePath('variants.bcf')))),
    ];
    for (const selection of [{}, { tags: [] }, { notags: ['DP', 'AD'] }, { tags: ['END', 'GT', 'FT'] }]) {
      const [ofVcf, ofBcf] = [vcf, bcf].map(({ header, rewrite }) =>
        viewLines(Buffer.concat([header, rewrite(selection)])),
      );
      expect(ofVcf).toEqual(ofBcf);
      expect(ofVcf?.length).toBeGreaterThan(4000);
    }
  });

  test('the comparisons covered more than 500,000 records', () => {
    expect(compared).toBeGreaterThan(500_000);
  });
});
