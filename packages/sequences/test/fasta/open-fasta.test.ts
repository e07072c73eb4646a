import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER, type GziIndex } from '@htskit/bgzf';
import { SequenceDigester } from '@htskit/digest';
import type { FaiRecord } from '@htskit/indexes';
import { fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, expectations, fixturePath, readFixture, splitBgzf } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGzi, FaiChecker } from '../../src/fasta/check-indexes.js';
import { type OpenFastaOptions, openFasta } from '../../src/fasta/open-fasta.js';
import { countingSource } from './counting-source.js';
import { readBases, sequencesOf } from './read-bases.js';

const ascii = (text: string) => new TextEncoder().encode(text);
const openText = (text: string, options: Partial<OpenFastaOptions> = {}) =>
  openFasta({ data: memorySource(ascii(text)), ...options });
const failsWith = (code: string) => expect.objectContaining({ code }) as unknown;

describe.each(['genome.fa', 'genome.fa.gz', 'crlf.fa'] as const)('%s', (file) => {
  const expected = expectations(file);
  const circular = new Set(expected.sequences.filter((sequence) => sequence.circular).map(({ name }) => name));
  const [fai = '', gzi] = expected.index.map((name) => fixturePath(name));
  const indexes = { fai: fileSource(fai), ...(gzi !== undefined && { gzi: fileSource(gzi) }) };
  const text = file.endsWith('.gz') ? bgunzip(readFixture(file)) : readFixture(file);

  test.each([
    ['with its indexes', indexes],
    ['without indexes', {}],
  ])('returns its records %s', async (_, given) => {
    const sequences = await openFasta({
      data: fileSource(fixturePath(file)),
      ...given,
      circular,
      namingAuthority: 'test',
    });
    expect(sequences.map(({ name }) => name)).toEqual(expected.sequences.map(({ name }) => name));
    expect(sequences.map(({ metadata }) => metadata)).toEqual(
      expected.sequences.map(({ name, length, md5, sha512t24u, trunc512, circular }) => ({
        length,
        md5,
        sha512t24u,
        trunc512,
        circular,
        aliases: [{ alias: name, namingAuthority: 'test' }],
      })),
    );
  });

  test('returns the slices of samtools in upper case', async () => {
    const sequences = await openFasta({ data: fileSource(fixturePath(file)) });
    const byName = new Map(expected.sequences.map(({ name }, index) => [name, sequences[index]]));
    const found = await Promise.all(
      expected.slices.map(async ({ name, start, end }) => {
        const sequence = byName.get(name);
        return sequence && (await readBases(sequence, { start, end }));
      }),
    );
    expect(found.length).toBeGreaterThan(4);
    expect(found).toEqual(expected.slices.map(({ bases }) => bases.toUpperCase()));
  });

  test('returns any range of any record', async () => {
    const sequences = await openFasta({ data: memorySource(readFixture(file)) });
    const texts = [...sequencesOf(text).values()];
    await fc.assert(
      fc.asyncProperty(fc.nat(sequences.length - 1), fc.nat(), fc.nat(), async (index, a, b) => {
        const [sequence, bases] = [sequences[index], texts[index]];
        if (sequence === undefined || bases === undefined) throw new Error('no such record');
        const [start = 0, end = 0] = [a, b].map((n) => n % (bases.length + 1)).sort((x, y) => x - y);
        expect(await readBases(sequence, { start, end })).toBe(bases.slice(start, end));
        expect(new TextDecoder().decode(await sequence.read({ start, end }))).toBe(bases.slice(start, end));
      }),
      { numRuns: 60 },
    );
  });
});

describe('records', () => {
  test.each([
    ['without a last line end', '>a\nACGT\nAC\n>b\nACG', ['ACGTAC', 'ACG']],
    ['without sequence', '>a\n>b\nACG\n>c\n', ['', 'ACG', '']],
    ['with blank lines between them', '>a\nACGT\n\n>b\nAC\n\n', ['ACGT', 'AC']],
    ['with blanks at the end of lines', '>a\nAC \nGT \n', ['ACGT']],
    ['in lower case', '>a\nacgtnry\n', ['ACGTNRY']],
    ['with more in the name line', '>a >b\tACGT\nAC\n', ['AC']],
    ['with one name twice', '>a\nAC\n>a\nGT\n', ['AC', 'GT']],
    ['without a name', '>\nAC\n>b\nGT\n', ['AC', 'GT']],
    ['with an asterisk at the end of a protein', '>a\nMKV\nVKM\n*\n>b\nMK*\n', ['MKVVKM', 'MK']],
    ['after a byte order mark', '\ufeff>a\nAC\nGT\n', ['ACGT']],
    ['of several widths', '>a\nACGT\nA\n>b\nAC\nGT\n', ['ACGTA', 'ACGT']],
  ])('%s are served', async (_, text, expected) => {
    const sequences = await openText(text);
    expect(await Promise.all(sequences.map((sequence) => readBases(sequence)))).toEqual(expected);
  });

  test('are empty for an empty file', async () => {
    expect(await openText('')).toEqual([]);
  });

  test('have no aliases without a naming authority', async () => {
    const [sequence] = await openText('>a\nAC\n');
    expect(sequence?.metadata).toMatchObject({ aliases: [], circular: false });
  });

  test.each([
    ['lines of unequal length', '>a\nACGT\nACGTA\n', 'UNADDRESSABLE'],
    ['a short line in the middle', '>a\nACGT\nAC\nACGT\n', 'UNADDRESSABLE'],
    ['a blank line between two others', '>a\nACGT\n\nACGT\n', 'UNADDRESSABLE'],
    ['white space between bases', '>a\nAC GT\n', 'UNADDRESSABLE'],
    ['an asterisk at the end of each line', '>a\nAC*\nGT*\n', 'UNADDRESSABLE'],
    ['text before the first name', 'ACGT\n>a\nAC\n', 'INVALID_DATA'],
    ['lines that end with CR alone', '>a\rACGT\r', 'INVALID_DATA'],
    ['the stop of a protein within it', '>a\nM*KV\n', 'UNADDRESSABLE'],
    ['gaps', '>a\nAC-GT\n', 'UNADDRESSABLE'],
    ['digits', '>a\nAC1GT\n', 'UNADDRESSABLE'],
  ])('are rejected with %s', async (_, text, code) => {
    await expect(openText(text)).rejects.toEqual(failsWith(code));
  });

  test('that cannot be read in place are left out if a callback receives them', async () => {
    const leftOut: string[] = [];
    const all: string[] = [];
    const sequences = await openText('>a\nAC\n>b\nACGT\nAC\nAC\n>c\nAC-GT\n>d\nGT\n', {
      onUnaddressable: ({ name }) => leftOut.push(name),
      onRecord: ({ name }) => all.push(name),
      fai: memorySource(ascii('a\t2\t3\t2\t3\nb\t8\t9\t4\t5\nc\t5\t23\t5\t6\nd\t2\t32\t2\t3\n')),
    });
    expect(sequences.map(({ name }) => name)).toEqual(['a', 'd']);
    expect(leftOut).toEqual(['b', 'c']);
    expect(all).toEqual(['a', 'b', 'c', 'd']);
  });

  test('hold all printable characters with characters: sam', async () => {
    const text = '>a\nac-g\n*T1~\nN\n';
    const leftOut: string[] = [];
    const [sequence] = await openText(text, { characters: 'sam', onUnaddressable: ({ name }) => leftOut.push(name) });
    if (sequence === undefined) throw new Error('the record was left out');
    expect(sequence.metadata.md5).toBe(createHash('md5').update('AC-G*T1~N').digest('hex'));
    expect(await readBases(sequence)).toBe('AC-G*T1~N');
    expect(new TextDecoder().decode(await sequence.read({ start: 2, end: 5 }))).toBe('-G*');
    expect(leftOut).toEqual([]);
  });

  test('with other characters are rejected with characters: strict', async () => {
    expect(await openText('>a\nAC\n', { characters: 'strict' })).toHaveLength(1);
    await expect(openText('>a\nAC*\n', { characters: 'strict' })).rejects.toEqual(failsWith('INVALID_RECORD'));
  });

  test('match a .fai of samtools, which counts other characters and lists a name once', async () => {
    const text = '>a\nMKV*\n>b\nAC\n>b\nGT\n';
    const fai = memorySource(ascii('a\t4\t3\t4\t5\nb\t2\t11\t2\t3\n'));
    expect((await openText(text, { fai })).map(({ name }) => name)).toEqual(['a', 'b', 'b']);
    const other = memorySource(ascii('a\t3\t3\t4\t5\nb\t2\t11\t2\t3\n'));
    await expect(openText(text, { fai: other })).rejects.toEqual(failsWith('INDEX_MISMATCH'));
  });

  test('beyond the limit are rejected', async () => {
    const limits = { sequences: 2 };
    expect(await openText('>a\nA\n>b\nC\n', { limits })).toHaveLength(2);
    await expect(openText('>a\nA\n>b\nC\n>c\nG\n', { limits })).rejects.toEqual(failsWith('LIMIT_EXCEEDED'));
  });
});

describe('compression', () => {
  test('by gzip is rejected with a hint at bgzip', async () => {
    const data = memorySource(gzipSync('>a\nACGT\n'));
    await expect(openFasta({ data })).rejects.toEqual(failsWith('UNSUPPORTED_COMPRESSION'));
    await expect(openFasta({ data })).rejects.toThrow(/bgzip/);
  });

  test('in empty and tiny blocks is read', async () => {
    const blocks = ['', '>a\nAC', 'G', '', 'T\nACGT\n>b', '\nTTTT\n'].map((text) => deflateBlocks(ascii(text)));
    const empty = EOF_MARKER;
    const data = memorySource(new Uint8Array([...empty, ...blocks.flatMap((block) => [...block, ...empty])]));
    const sequences = await openFasta({ data });
    expect(await Promise.all(sequences.map((sequence) => readBases(sequence)))).toEqual(['ACGTACGT', 'TTTT']);
  });

  test('that is truncated is rejected, within a block and after any block', async () => {
    const bytes = readFixture('genome.fa.gz');
    const cuts = splitBgzf(bytes).map(({ coffset }) => coffset);
    expect(cuts.length).toBeGreaterThan(3);
    for (const byteLength of [40_000, ...cuts.slice(1)]) {
      const data = memorySource(bytes.subarray(0, byteLength));
      await expect(openFasta({ data }), `${byteLength}`).rejects.toEqual(failsWith('TRUNCATED'));
    }
    const data = memorySource(bytes.subarray(0, cuts.at(-1)));
    await expect(openFasta({ data })).rejects.toThrow(/EOF marker is missing.*compress it again with bgzip/);
  });
});

describe('indexes', () => {
  const text = '>a\nACGT\nAC\n>b\nGG\n';

  test.each([
    ['huge lines', 'a\t6\t3\t9007199254740991\t9007199254740991\nb\t2\t14\t2\t3\n'],
    ['an offset past the end of the file', 'a\t6\t9000\t4\t5\nb\t2\t14\t2\t3\n'],
    ['a length past the end of the file', 'a\t600\t3\t4\t5\nb\t2\t14\t2\t3\n'],
    ['another order', 'b\t2\t14\t2\t3\na\t6\t3\t4\t5\n'],
    ['nothing', ''],
  ])('rejects a .fai with %s', async (_, fai) => {
    await expect(openText(text, { fai: memorySource(ascii(fai)) })).rejects.toEqual(failsWith('INDEX_MISMATCH'));
  });

  test.each([
    'a\t6\t-3\t4\t5\n',
    'a\tNaN\t3\t4\t5\n',
    'a\t6\t3\t5\t4\n',
    'a\t6\t3\t0\t0\n',
    'a\t1e3\t3\t4\t5\n',
    'a\n',
  ])('rejects the .fai %j', async (fai) => {
    await expect(openText(text, { fai: memorySource(ascii(fai)) })).rejects.toEqual(failsWith('INVALID_DATA'));
  });

  test('rejects the .gzi of another file', async () => {
    const gzi = memorySource(new Uint8Array(8));
    const data = memorySource(readFixture('genome.fa.gz'));
    await expect(openFasta({ data, gzi })).rejects.toEqual(failsWith('INDEX_MISMATCH'));
  });

  test('rejects an index beyond the limit without reading it', async () => {
    const fai = countingSource(new Uint8Array(100));
    await expect(openText(text, { fai, limits: { indexBytes: 99 } })).rejects.toEqual(failsWith('LIMIT_EXCEEDED'));
    expect(fai.bytesRead).toBe(0);
  });

  test('rejects a .fai with a line of more than 1 MiB without reading all of it', async () => {
    const fai = countingSource(new Uint8Array(2 ** 22).fill(0x61));
    await expect(openText(text, { fai })).rejects.toEqual(failsWith('LIMIT_EXCEEDED'));
    expect(fai.bytesRead).toBeLessThan(2 ** 21);
  });
});

describe('opening', () => {
  test('reads the data in one pass and reports its progress', async () => {
    const bytes = readFixture('genome.fa.gz');
    const data = countingSource(bytes);
    const progress: number[] = [];
    await openFasta({ data, onProgress: ({ bytesRead, size }) => progress.push(bytesRead / size) });
    expect([data.streams, data.reads]).toEqual([1, 1]);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    const data = memorySource(new Uint8Array(2_000_000).fill(0x0a));
    const opening = openFasta({ data, signal: controller.signal, onProgress: () => controller.abort() });
    await expect(opening).rejects.toEqual(failsWith('ABORTED'));
  });

  test('digests the bases that the sequences return', async () => {
    for (const sequence of await openFasta({ data: memorySource(readFixture('genome.fa.gz')) })) {
      const digests = new SequenceDigester().update(ascii(await readBases(sequence))).digest();
      expect(sequence.metadata).toMatchObject(digests);
    }
  });
});

function checkFai(listed: readonly FaiRecord[], found: readonly FaiRecord[]): void {
  const checker = new FaiChecker(found);
  for (const record of listed) checker.push(record);
  checker.finish();
}

describe('a .fai', () => {
  const a: FaiRecord = { name: 'a', length: 100, offset: 3, lineBases: 60, lineBytes: 61 };
  const b: FaiRecord = { name: 'b', length: 10, offset: 108, lineBases: 10, lineBytes: 11 };
  const empty: FaiRecord = { name: 'e', length: 0, offset: 122, lineBases: 0, lineBytes: 0 };

  test.each<readonly [string, readonly FaiRecord[]]>([
    ['is that of the FASTA', [a, b, empty]],
    ['leaves out sequences without bases', [a, b]],
    ['says of one line what its file end makes of it', [a, { ...b, lineBytes: 10 }, empty]],
    ['says of one line what other lines would be', [a, { ...b, lineBases: 60, lineBytes: 61 }, empty]],
    ['says anything of no lines', [a, b, { ...empty, offset: 0, lineBases: 1, lineBytes: 1 }]],
  ])('accepts one that %s', (_, listed) => {
    expect(() => checkFai(listed, [a, b, empty])).not.toThrow();
  });

  test.each<readonly [string, readonly FaiRecord[]]>([
    ['is empty', []],
    ['lacks a sequence', [a]],
    ['lacks the first sequence', [b]],
    ['has another order', [b, a]],
    ['has one more sequence', [a, b, { ...b, name: 'c' }]],
    ['has another name', [{ ...a, name: 'A' }, b]],
    ['has another length', [{ ...a, length: 99 }, b]],
    ['has another offset', [{ ...a, offset: 4 }, b]],
    ['has other lines', [{ ...a, lineBases: 61, lineBytes: 62 }, b]],
    ['has other line ends', [{ ...a, lineBytes: 62 }, b]],
    ['has a line that is too short', [a, { ...b, lineBases: 5 }]],
    ['has an offset that is too large', [{ ...a, offset: 2 ** 52 }, b]],
    ['has numbers that are none', [{ ...a, lineBases: Number.NaN }, b]],
  ])('rejects one that %s', (_, listed) => {
    expect(() => checkFai(listed, [a, b, empty])).toThrow(expect.objectContaining({ code: 'INDEX_MISMATCH' }));
  });
});

describe('a .gzi', () => {
  const gzi = (...entries: readonly (readonly [number, number])[]): GziIndex => ({
    coffsets: Float64Array.from(entries, ([coffset]) => coffset),
    uncompressedOffsets: Float64Array.from(entries, ([, uncompressedOffset]) => uncompressedOffset),
  });
  const found = gzi([20, 100], [50, 200]);

  test.each([
    ['is that of the file', found],
    ['lists the first block', gzi([0, 0], [20, 100], [50, 200])],
    ['lists an empty block', gzi([20, 100], [40, 200], [50, 200])],
    ['lists the block at the end', gzi([20, 100], [50, 200], [90, 300])],
  ])('accepts one that %s', (_, listed) => {
    expect(() => checkGzi(listed, found, 300)).not.toThrow();
  });

  test.each([
    ['is empty', gzi()],
    ['lacks a block', gzi([20, 100])],
    ['has one more block', gzi([20, 100], [50, 200], [70, 250])],
    ['has another coffset', gzi([20, 100], [51, 200])],
    ['has another uncompressed offset', gzi([20, 100], [50, 201])],
  ])('rejects one that %s', (_, listed) => {
    expect(() => checkGzi(listed, found, 300)).toThrow(expect.objectContaining({ code: 'INDEX_MISMATCH' }));
  });

  test('accepts an empty one for a single block', () => {
    expect(() => checkGzi(gzi(), gzi(), 100)).not.toThrow();
  });
});
