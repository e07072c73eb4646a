import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import type { BuiltIndexes, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { fetchFile } from '../read-ticket.js';

/** A store in memory, with the names of what was called. */
class KeptIndexes implements BuiltIndexes {
  readonly kept = new Map<string, Uint8Array>();
  readonly calls: string[] = [];

  async load({ data }: StoredFile, version: string): Promise<Uint8Array | undefined> {
    this.calls.push('load');
    return this.kept.get(`${data.key} ${version}`);
  }

  async save({ data }: StoredFile, version: string, index: Uint8Array): Promise<void> {
    this.calls.push('save');
    this.kept.set(`${data.key} ${version}`, index);
  }
}

/** A file without its index, and the number of times that it was read from its start to its end. */
function unindexed(name: string): { readonly file: StoredFile; readonly scans: () => number } {
  const { format, data } = fixtureFile(name);
  return countScans(format, data);
}

function countScans(format: StoredFile['format'], source: ByteSource): ReturnType<typeof unindexed> {
  let scans = 0;
  const data: ByteSource = {
    key: source.key,
    stat: () => source.stat(),
    read: (range, options) => source.read(range, options),
    stream(range, options) {
      if (range.start === 0) scans++;
      return source.stream(range, options);
    },
  };
  return { file: { format, data }, scans: () => scans };
}

/** Returns the bytes of a region from a service of its own, as one that has just started. */
async function fetchRegion(name: string, file: StoredFile, builtIndexes: BuiltIndexes): Promise<Uint8Array> {
  const path = `${fixturePathOf(name)}&referenceName=chr1&start=1000&end=3000`;
  return fetchFile(fixtureHandler({ builtIndexes }, { [name]: [file] }), path);
}

describe.each(['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf'])('%s without its index', (name) => {
  test('is indexed once for several services, whose answers are the same', async () => {
    const indexes = new KeptIndexes();
    const first = unindexed(name);
    const expected = await fetchRegion(name, first.file, indexes);
    expect(indexes.calls).toEqual(['load', 'save']);
    const second = unindexed(name);
    expect(await fetchRegion(name, second.file, indexes)).toEqual(expected);
    expect(indexes.calls).toEqual(['load', 'save', 'load']);
    expect(first.scans() - second.scans()).toBe(1);
  });

  test('is indexed anew if what was kept is damaged, or cannot be read or written', async () => {
    const indexes = new KeptIndexes();
    const expected = await fetchRegion(name, unindexed(name).file, indexes);
    for (const bytes of [...indexes.kept.values()].flatMap((kept) => [kept.subarray(0, 9), Uint8Array.of(1, 2, 3)])) {
      for (const key of indexes.kept.keys()) indexes.kept.set(key, bytes);
      expect(await fetchRegion(name, unindexed(name).file, indexes)).toEqual(expected);
      expect([...indexes.kept.values()]).not.toEqual([bytes]);
    }
    const failing: BuiltIndexes = {
      load: () => Promise.reject(new Error('no')),
      save: () => Promise.reject(new Error('no')),
    };
    expect(await fetchRegion(name, unindexed(name).file, failing)).toEqual(expected);
  });
});

test('a file that cannot be indexed is tried once for several services', async () => {
  const sam = '@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:1000\n';
  const record = (position: number): Buffer => {
    const bytes = Buffer.alloc(38);
    bytes.writeInt32LE(34, 0);
    bytes.writeInt32LE(position, 8);
    bytes.writeUInt8(2, 12);
    bytes.writeInt32LE(-1, 24);
    bytes.writeInt32LE(-1, 28);
    bytes.write('r\0', 36, 'latin1');
    return bytes;
  };
  const header = Buffer.alloc(8);
  header.write('BAM\u0001', 'latin1');
  header.writeInt32LE(sam.length, 4);
  const references = Buffer.from('\u0001\0\0\0\u0005\0\0\0chr1\0\u00e8\u0003\0\0', 'latin1');
  const data = Buffer.concat([header, Buffer.from(sam), references, record(500), record(10)]);
  const source = memorySource(Buffer.concat([deflateBlocks(data), EOF_MARKER]), { key: 'unsorted', version: '1' });
  const indexes = new KeptIndexes();
  const answers: Uint8Array[] = [];
  const scans: number[] = [];
  for (let service = 0; service < 2; service++) {
    const counted = countScans('BAM', source);
    const handler = fixtureHandler({ builtIndexes: indexes }, { unsorted: [counted.file] });
    answers.push(await fetchFile(handler, '/reads/unsorted?referenceName=chr1&start=0&end=100'));
    scans.push(counted.scans());
  }
  expect(indexes.calls).toEqual(['load', 'save', 'load']);
  expect([...indexes.kept.values()]).toEqual([new Uint8Array()]);
  expect(answers[1]).toEqual(answers[0]);
  expect((scans[0] ?? 0) - (scans[1] ?? 0)).toBe(1);
});

test('an index that is stored beside its file is not kept', async () => {
  const indexes = new KeptIndexes();
  await fetchRegion('reads.bam', fixtureFile('reads.bam'), indexes);
  expect(indexes.calls).toEqual([]);
});
