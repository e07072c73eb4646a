import {
  copyFileSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@htskit/storage/memory';
import {
  bgunzip,
  byteSourceContract,
  decodeBam,
  expectations,
  fixturePath,
  hasEofMarker,
  readFixture,
  toOrdinals,
  toSamText,
} from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countedSource, type GetFileOptions, getFile } from '../../../src/commands/get/local-file.js';
import { parseSelection } from '../../../src/commands/record-selection.js';
import { UsageError } from '../../../src/errors.js';
import { lines } from '../../interop-tools.js';
import { selectSam } from '../../sam-selection.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-get-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);
const options = (): GetFileOptions => ({
  regions: [],
  isHeaderOnly: false,
  precision: 'exact',
  output: place('out'),
  showsProgress: false,
  signal: new AbortController().signal,
});

/** What is written of a file. */
async function get(path: string, given: Partial<GetFileOptions> = {}): Promise<Buffer> {
  const { byteLength } = await getFile(path, { ...options(), ...given });
  const written = readFileSync(place('out'));
  expect(byteLength).toBe(written.length);
  return written;
}

const samLines = (bam: Uint8Array): string[] => lines(toSamText(decodeBam(bam)));

/** The lines of VCF after the header. */
function recordLines(text: Uint8Array): string[] {
  return lines(Buffer.from(text).toString('utf8')).filter((line) => !line.startsWith('#'));
}

/** A region of a fixture that has records, as people write it, and their indexes in the file. */
function regionOf(name: string): { readonly region: string; readonly ordinals: readonly number[] } {
  const { regions } = expectations(name as `${string}.bam`);
  const ordered = regions.toSorted((a, b) => toOrdinals(b.records).length - toOrdinals(a.records).length);
  const chosen = ordered[Math.floor(ordered.length / 4)];
  if (chosen === undefined || chosen.records.length === 0) throw new Error(`${name} has no such region`);
  const { referenceName, start, end, records } = chosen;
  return { region: `{${referenceName}}:${start + 1}-${end}`, ordinals: toOrdinals(records) };
}

describe('getFile', () => {
  test.each(['reads.bam', 'reads-csi.bam', 'straddle.bam', 'extra-subfield.bam', 'no-eof.bam', 'longref.bam'])(
    '%s: writes the records of a region with the selected parts',
    async (name) => {
      const all = samLines(await get(fixturePath(name)));
      expect(all).toEqual(lines(toSamText(decodeBam(readFixture(name), { requireEof: false }))));
      const { region, ordinals } = regionOf(name);
      const wanted = all.filter((_, ordinal) => ordinals.includes(ordinal));
      expect(samLines(await get(fixturePath(name), { regions: [region] }))).toEqual(wanted);
      for (const selection of [
        parseSelection({ tags: '' }),
        parseSelection({ tags: 'NM,RG', fields: 'QNAME,FLAG,RNAME,POS,CIGAR' }),
        parseSelection({ notags: 'NM', fields: 'QUAL,RNEXT' }),
      ]) {
        expect(samLines(await get(fixturePath(name), { regions: [region], selection }))).toEqual(
          wanted.map((line) => selectSam(line, selection)),
        );
      }
    },
  );

  test.each(['variants.vcf.gz', 'variants-csi.vcf.gz'])(
    '%s: writes the records of a region, compressed or as text',
    async (name) => {
      const all = recordLines(bgunzip(readFixture(name)));
      const { region, ordinals } = regionOf(name);
      const wanted = all.filter((_, ordinal) => ordinals.includes(ordinal));
      const compressed = await get(fixturePath(name), { regions: [region] });
      expect(hasEofMarker(compressed)).toBe(true);
      expect(recordLines(bgunzip(compressed))).toEqual(wanted);
      const text = await get(fixturePath(name), { regions: [region], format: 'VCFTEXT' });
      expect(text.equals(bgunzip(compressed))).toBe(true);
      const bare = await get(fixturePath(name), { regions: [region], selection: parseSelection({ tags: '' }) });
      const fixedColumns = (line: string): string => line.split('\t').slice(0, 7).join('\t');
      expect(recordLines(bgunzip(bare)).map((line) => line.replace(/(\t\.)+$/, ''))).toEqual(
        wanted.map((line) => fixedColumns(line).replace(/(\t\.)+$/, '')),
      );
    },
  );

  test('variants.bcf: writes the records of a region with some of their keys', async () => {
    const { region, ordinals } = regionOf('variants.bcf');
    const whole = bcfRecords(readFixture('variants.bcf'));
    const wanted = whole.filter((_, ordinal) => ordinals.includes(ordinal));
    expect(bcfRecords(await get(fixturePath('variants.bcf'), { regions: [region] }))).toEqual(wanted);
    const selection = parseSelection({ tags: 'GT' });
    const selected = bcfRecords(await get(fixturePath('variants.bcf'), { regions: [region], selection }));
    expect(selected).toHaveLength(wanted.length);
    // Contig and position of each stay.
    expect(selected.map((record) => record.slice(8, 16))).toEqual(wanted.map((record) => record.slice(8, 16)));
    expect(selected.join('').length).toBeLessThan(wanted.join('').length);
  });

  test.each(['reads.cram', 'v31.cram', 'multiref.cram'])('%s: writes whole containers', async (name) => {
    const file = readFixture(name);
    expect((await get(fixturePath(name))).compare(file)).toBe(0);
    const header = await get(fixturePath(name), { isHeaderOnly: true });
    const eof = file.subarray(file.length - 38);
    const part = await get(fixturePath(name), { regions: [regionOf(name).region] });
    const body = part.subarray(header.length - eof.length, part.length - eof.length);
    expect(part.subarray(part.length - eof.length).equals(eof)).toBe(true);
    expect(body.length).toBeGreaterThan(0);
    expect(Buffer.from(file).includes(body)).toBe(true);
  });

  test('writes exactly the unplaced reads without an index', async () => {
    copyFileSync(fixturePath('reads.bam'), place('alone.bam'));
    const all = samLines(readFixture('reads.bam'));
    const unplaced = all.filter((line) => line.split('\t')[2] === '*');
    expect(samLines(await get(place('alone.bam'), { regions: ['*'] }))).toEqual(unplaced);
    expect(unplaced.length).toBeGreaterThan(0);
    expect(unplaced.length).toBeLessThan(all.length);
  });

  test('writes only the header, at a compression level', async () => {
    const header = await get(fixturePath('reads.bam'), { isHeaderOnly: true, regions: ['chr1'] });
    expect(decodeBam(header).headerText).toBe(expectations('reads.bam').header);
    expect(decodeBam(header).records).toEqual([]);
    const lengths = [];
    for (const compressionLevel of [0, 1, 9]) {
      const selection = parseSelection({ notags: 'NM' });
      lengths.push((await get(fixturePath('reads.bam'), { selection, compressionLevel })).length);
    }
    expect(lengths.toSorted((a, b) => b - a)).toEqual(lengths);
    expect(new Set(lengths).size).toBe(3);
  });

  test('refuses to overwrite the input or its index under any name', async () => {
    for (const name of ['reads.bam', 'reads.bam.bai']) copyFileSync(fixturePath(name), place(name));
    symlinkSync('reads.bam', place('link'));
    linkSync(place('reads.bam.bai'), place('hard'));
    for (const name of ['reads.bam', 'link', 'reads.bam.bai', 'hard']) {
      await expect(get(place('reads.bam'), { output: place(name) })).rejects.toThrow('refusing to overwrite the input');
    }
    await expect(get(place('link'), { output: place('reads.bam') })).rejects.toThrow('refusing to overwrite the input');
    for (const name of ['reads.bam', 'reads.bam.bai']) {
      expect(readFileSync(place(name)).compare(readFixture(name as 'reads.bam'))).toBe(0);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['hard', 'link', 'reads.bam', 'reads.bam.bai']);
  });

  test('keeps the existing file on failure and leaves no other', async () => {
    const bytes = Uint8Array.from(readFixture('reads.bam'));
    bytes.fill(0, 200_000, 200_100);
    writeFileSync(place('damaged.bam'), bytes);
    writeFileSync(place('out'), 'old');
    await expect(get(place('damaged.bam'), { selection: parseSelection({ tags: '' }) })).rejects.toThrow(
      /at byte|offset/,
    );
    const controller = new AbortController();
    controller.abort();
    await expect(get(fixturePath('reads.bam'), { signal: controller.signal })).rejects.toThrow('aborted');
    await expect(get(fixturePath('reads.bam'), { regions: ['nothing'] })).rejects.toThrow(
      'unknown reference "nothing"',
    );
    expect(readFileSync(place('out'), 'utf8')).toBe('old');
    expect(readdirSync(folder).toSorted()).toEqual(['damaged.bam', 'out']);
  });

  test('refuses a selection without effect', async () => {
    for (const written of [{ fields: 'QNAME' }, { tags: '' }, { notags: 'NM' }]) {
      const refused = get(fixturePath('reads.cram'), { selection: parseSelection(written) });
      await expect(refused).rejects.toThrow(UsageError);
      await expect(refused).rejects.toThrow('CRAM is cut in whole containers');
    }
    for (const name of ['variants.vcf.gz', 'variants.bcf']) {
      const refused = get(fixturePath(name), { selection: parseSelection({ fields: 'POS' }) });
      await expect(refused).rejects.toThrow(UsageError);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('on a terminal', () => {
  const { isTTY } = process.stdout;
  beforeEach(() => {
    process.stdout.isTTY = true;
  });
  afterEach(() => {
    process.stdout.isTTY = isTTY;
  });

  test.each(['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf'])('is rejected: %s', async (name) => {
    const refused = getFile(fixturePath(name), { ...options(), output: '-' });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow('to a terminal; use -o FILE');
  });
});

/** The records of a BCF file, each as text of its bytes. */
function bcfRecords(file: Uint8Array): string[] {
  const data = Buffer.from(bgunzip(file));
  const records: string[] = [];
  for (let at = 9 + data.readUInt32LE(5); at < data.length; ) {
    const end = at + 8 + data.readUInt32LE(at) + data.readUInt32LE(at + 4);
    records.push(data.toString('latin1', at, end));
    at = end;
  }
  return records;
}

describe('parseSelection', () => {
  test('parses names by the rules of the protocol', () => {
    expect(parseSelection({})).toEqual({});
    expect(parseSelection({ fields: 'SEQ,QNAME,SEQ', tags: '', notags: 'NM,RG' })).toEqual({
      fields: ['SEQ', 'QNAME'],
      tags: [],
      notags: ['NM', 'RG'],
    });
  });

  test.each([
    [{ fields: 'QNAME,NAME' }, /^fields must be of QNAME, .*; found "NAME"$/],
    [{ fields: '' }, /^fields must be of QNAME/],
    [{ tags: 'NM,' }, /^tags has an empty element$/],
    [{ tags: 'NM,RG', notags: 'RG' }, /^"RG" is both in tags and in notags$/],
  ])('rejects %j', (written, message) => {
    expect(() => parseSelection(written)).toThrow(UsageError);
    expect(() => parseSelection(written)).toThrow(message);
  });
});

byteSourceContract(
  'countedSource',
  (bytes) => {
    let bytesRead = 0;
    const source = countedSource(memorySource(bytes), (count) => {
      bytesRead = count;
    });
    return { source, bytesRead: () => bytesRead };
  },
  { without: ['missing', 'version', 'replace'] },
);

test('counts the bytes of every read and stream', async () => {
  const counts: number[] = [];
  const source = countedSource(memorySource(new Uint8Array(1000)), (bytesRead) => counts.push(bytesRead));
  await source.read({ start: 990, end: 2000 });
  await source.stream({ start: 0, end: 400 }).getReader().read();
  await source.read({ start: 0, end: 1 });
  expect(counts).toEqual([10, 410, 411]);
});

describe('getFile of a CRAM as BAM', () => {
  test('writes exactly the records of the regions, with the fields and tags that are kept', async () => {
    const { regions } = expectations('reads.cram');
    const region = regions.find(({ records }) => records.length > 3);
    if (region === undefined) throw new Error('the fixture has too few regions');
    const { referenceName, start, end, records } = region;
    const given = { format: 'BAM', regions: [`{${referenceName}}:${start + 1}-${end}`] } as const;
    const all = samLines(await get(fixturePath('reads.cram'), { format: 'BAM' })).filter(
      (line) => !line.startsWith('@'),
    );
    const part = await get(fixturePath('reads.cram'), given);
    expect(hasEofMarker(part)).toBe(true);
    const lineOf = (bam: Uint8Array): string[] => samLines(bam).filter((line) => !line.startsWith('@'));
    expect(lineOf(part)).toEqual(toOrdinals(records).map((ordinal) => all[ordinal]));
    const few = lineOf(await get(fixturePath('reads.cram'), { ...given, selection: { tags: [] } }));
    expect(few.every((line) => line.split('\t').length === 11)).toBe(true);
  });

  test('takes the references from a FASTA', async () => {
    const path = fixturePath('referenced/reads.cram');
    const given = { format: 'BAM', reference: fixturePath('genome.fa') } as const;
    const bases = samLines(await get(path, given)).map((line) => line.split('\t')[9]);
    expect(bases).toEqual(samLines(readFixture('reads-csi.bam')).map((line) => line.split('\t')[9]));
    await expect(get(path, { format: 'BAM' })).rejects.toMatchObject({ code: 'UnsupportedFormat' });
  });
});
