import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type NormalizeOptions,
  normalizeSequence,
  SequenceDigester,
  type SequenceDigests,
  sha512t24u,
} from '../src/index.js';
import { hashEngines } from './hash-engines.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const ascii = (text: string) => new TextEncoder().encode(text);

function digestsOf(text: string, options: NormalizeOptions = {}): SequenceDigests {
  const digester = new SequenceDigester(options);
  const bytes = ascii(text);
  for (let at = 0; at < bytes.length; at += 50_021) digester.update(bytes.subarray(at, at + 50_021));
  return digester.digest();
}

interface NamedSequence {
  readonly name: string;
  readonly length: number;
  readonly md5: string;
}

/** Returns the `@SQ` lines of `samtools dict`. */
function samtoolsDict(fasta: string): NamedSequence[] {
  writeFileSync(join(folder, 'sequences.fa'), fasta);
  const dict = execFileSync('samtools', ['dict', join(folder, 'sequences.fa')], { encoding: 'utf8' });
  const field = (line: string, tag: string) => new RegExp(`\t${tag}:([^\t]*)`).exec(line)?.[1] ?? '';
  return dict
    .split('\n')
    .filter((line) => line.startsWith('@SQ'))
    .map((line) => ({ name: field(line, 'SN'), length: Number(field(line, 'LN')), md5: field(line, 'M5') }));
}

/** Returns the first word of the output of `md5sum` or `sha512sum`. */
function coreutils(command: 'md5sum' | 'sha512sum', bytes: Uint8Array): string {
  return execFileSync(command, { input: bytes, encoding: 'utf8' }).split(' ')[0] ?? '';
}

/** Returns the same `length` letters of `alphabet` in every run, in lines of `lineLength`. */
function sequenceOf(alphabet: string, length: number, { lineLength = 60, lineEnd = '\n' } = {}): string {
  let state = length;
  const lines: string[] = [];
  for (let at = 0; at < length; at += lineLength) {
    let line = '';
    for (let base = at; base < Math.min(at + lineLength, length); base++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      line += alphabet[(state >>> 16) % alphabet.length];
    }
    lines.push(line + lineEnd);
  }
  return lines.join('');
}

const dna: readonly [string, string][] = [
  ['upper', sequenceOf('ACGT', 300_000)],
  ['masked', sequenceOf('ACGTNacgtnRYKMSWBDHVU', 300_001, { lineLength: 70 })],
  ['crlf', sequenceOf('ACGTn', 200_000, { lineLength: 80, lineEnd: '\r\n' })],
  ['one-line', sequenceOf('acgt', 1_000_003, { lineLength: 1_000_003 })],
  ['empty', ''],
  ['one', 'a\n'],
  ...Array.from({ length: 300 }, (_, length): [string, string] => [`short-${length}`, sequenceOf('ACGTacgt', length)]),
];

test('lengths and MD5 of 306 sequences equal those of samtools dict', () => {
  const theirs = samtoolsDict(dna.map(([name, lines]) => `>${name} description\n${lines}`).join(''));
  const ours = dna.map(([name, lines]) => {
    const { length, md5 } = digestsOf(lines);
    return { name, length, md5 };
  });
  expect(theirs).toEqual(ours);
});

test('samtools dict counts the asterisks of proteins like characters: sam', () => {
  const lines = sequenceOf('ACDEFGHIKLMNPQRSTVWY*', 100_000);
  const { length, md5 } = digestsOf(lines, { characters: 'sam' });
  expect(samtoolsDict(`>protein\n${lines}`)).toEqual([{ name: 'protein', length, md5 }]);
});

test.each(dna.slice(0, 6))('%s: the digests equal md5sum and sha512sum of the normalised sequence', (_, lines) => {
  const bases = ascii(lines.replaceAll(/[\r\n]/g, '').toUpperCase());
  const { length, md5, sha512t24u: sq, trunc512 } = digestsOf(lines);
  expect(Buffer.compare(normalizeSequence(ascii(lines)), bases)).toBe(0);
  expect(length).toBe(bases.length);
  expect(md5).toBe(coreutils('md5sum', bases));
  expect(trunc512).toBe(coreutils('sha512sum', bases).slice(0, 48));
  expect(sq).toBe(`SQ.${sha512t24u(bases)}`);
});

test.each(hashEngines)('the hashes of %s equal md5sum and sha512sum', (_, engine) => {
  const bytes = Uint8Array.from({ length: 400_003 }, (_byte, index) => Math.imul(index + 1, 0x9e3779b1) >>> 24);
  const md5 = engine.createMd5();
  const sha512 = engine.createSha512();
  md5.update(bytes);
  sha512.update(bytes);
  expect(Buffer.from(md5.digest()).toString('hex')).toBe(coreutils('md5sum', bytes));
  expect(Buffer.from(sha512.digest()).toString('hex')).toBe(coreutils('sha512sum', bytes));
});

const external = process.env['HTSKIT_EXTERNAL_DATA'];

// The sequences of the refget compliance suite with their published digests.
describe.skipIf(external === undefined)('published sequences in HTSKIT_EXTERNAL_DATA', () => {
  test.each([
    [
      'I.faa',
      {
        length: 230_218,
        md5: '6681ac2f62509cfc220d78751b8dc524',
        sha512t24u: 'SQ.lZyxiD_ByprhOUzrR1o1bq0ezO_1gkrn',
        trunc512: '959cb1883fc1ca9ae1394ceb475a356ead1ecceff5824ae7',
      },
    ],
    [
      'NC.faa',
      {
        length: 5_386,
        md5: '3332ed720ac7eaa9b3655c06f6b9e196',
        sha512t24u: 'SQ.IIXILYBQCpHdC4qpI3sOQ_HAeAm9bmeF',
        trunc512: '2085c82d80500a91dd0b8aa9237b0e43f1c07809bd6e6785',
      },
    ],
  ])('%s has its published digests', (name, expected) => {
    const fasta = readFileSync(join(external ?? '', name), 'latin1');
    expect(digestsOf(fasta.slice(fasta.indexOf('\n')))).toEqual(expected);
  });
});
