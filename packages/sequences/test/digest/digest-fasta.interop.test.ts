import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestFasta } from '../../src/index.js';

interface DictLine {
  readonly name: string;
  readonly length: number;
  readonly md5: string;
}

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-sequences-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Returns the `@SQ` lines of `samtools dict`. */
function samtoolsDict(path: string): DictLine[] {
  const dict = execFileSync('samtools', ['dict', path], { encoding: 'utf8' });
  const field = (line: string, tag: string) => new RegExp(`\t${tag}:([^\t]*)`).exec(line)?.[1] ?? '';
  return dict
    .split('\n')
    .filter((line) => line.startsWith('@SQ'))
    .map((line) => ({ name: field(line, 'SN'), length: Number(field(line, 'LN')), md5: field(line, 'M5') }));
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

test.each(['plain', 'gzip', 'bgzip'])('digests a %s file like samtools dict', async (compression) => {
  const path = join(folder, 'sequences.fa');
  writeFileSync(path, dna.map(([name, lines]) => `>${name} description\n${lines}`).join(''));
  const bytes = compression === 'plain' ? readFileSync(path) : execFileSync(compression, ['-c', path]);
  const digests: DictLine[] = [];
  for await (const { name, length, md5 } of digestFasta(Readable.from([bytes]))) digests.push({ name, length, md5 });
  expect(digests).toEqual(samtoolsDict(path));
});

test('digests any bytes with characters: sam like samtools dict', async () => {
  const path = join(folder, 'hostile.fa');
  // Lines that begin with + or @ are omitted here, since samtools takes them for FASTQ, and so is >, which we refuse within lines.
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index))
    .join('')
    .replace('>', '');
  const records = [
    ['printable', `A${printable}\n`],
    ['protein', 'mkv*\nMKV*\n'],
    ['gaps', 'AC--GT\n-\n.A~\n'],
    ['white', 'A C\tG\n\nT\r\n'],
    ['bytes', 'A\u0001C\u007fG\u00e9T\u00ff\n'],
    ['marks', 'A<C\nG@+T\n'],
    ...Array.from({ length: 200 }, (_, length) => [`random-${length}`, sequenceOf('ACGTacgt*-.1~[`{ ', length + 1)]),
  ];
  const text = records.map(([name, lines]) => `>${name}\nA${lines}`).join('');
  writeFileSync(path, Buffer.from(text, 'latin1'));
  const digests: DictLine[] = [];
  for await (const { name, length, md5 } of digestFasta(createReadStream(path), { characters: 'sam' })) {
    digests.push({ name, length, md5 });
  }
  expect(digests).toHaveLength(records.length);
  expect(digests).toEqual(samtoolsDict(path));
});
