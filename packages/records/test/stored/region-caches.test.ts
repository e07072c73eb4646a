import { memorySource } from '@htskit/storage/memory';
import { createRandom, fixturePath, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { openRecords, openTabix, type Region } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';

const FILES = [
  ['reads.bam', 'bai'],
  ['straddle.bam', 'bai'],
  ['reads.cram', 'crai'],
  ['multiref.cram', 'crai'],
  ['variants.vcf.gz', 'tbi'],
  ['variants.bcf', 'csi'],
  ['variants.vcf.gz', 'tabix'],
] as const;
const BUDGETS = [0, 5000, 400_000, undefined];

/** A file of any format. */
interface ReadableFile {
  readonly references: readonly { readonly name: string; readonly length: number | undefined }[];
  recordBytes(
    regions?: Region | readonly Region[],
    options?: { readonly scan?: boolean; readonly signal?: AbortSignal },
  ): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

/** Opens a file, by default without its index. */
function open(name: string, kind?: string, cacheBytes?: number): Promise<ReadableFile> {
  const options = { cacheBytes, reference: genomeReference, onWarning: () => undefined };
  if (kind === 'tabix') return openTabix(fixturePath(name), fixturePath(`${name}.tbi`), options);
  // A source of no place has no index beside it.
  if (kind === undefined) return openRecords(memorySource(readFixture(name)), { ...options, namePrefix: name });
  return openRecords(fixturePath(name), { ...options, index: fixturePath(`${name}.${kind}`) });
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts).toString('latin1');
}

describe.each(FILES)('%s with its %s', (name, kind) => {
  const random = createRandom(17);
  const randomRegion = ({ references }: ReadableFile): Region => {
    const { name: referenceName, length = 100_000 } = references[Math.floor(random() * references.length)] ?? {
      name: '',
    };
    const start = Math.floor(random() * Math.min(length, 100_000));
    return { referenceName, start, end: start + Math.ceil(random() ** 3 * 50_000) };
  };

  test.each(BUDGETS)(
    'has the records of a scan with a budget of %s, read once, again, and at once',
    async (cacheBytes) => {
      const [file, alone] = [await open(name, kind, cacheBytes), await open(name)];
      for (let pass = 0; pass < volume(20); pass++) {
        const regions = Array.from({ length: 1 + Math.floor(random() * 6) }, () => randomRegion(file));
        const expected = await bytesOf(alone.recordBytes(regions, { scan: true }));
        expect(await bytesOf(file.recordBytes(regions))).toBe(expected);
        const [first, second] = await Promise.all([
          bytesOf(file.recordBytes(regions)),
          bytesOf(file.recordBytes(regions)),
        ]);
        expect(first).toBe(expected);
        expect(second).toBe(expected);
      }
      await Promise.all([file.close(), alone.close()]);
    },
  );

  test('has them after other readings were aborted or left', async () => {
    const [file, alone] = [await open(name, kind), await open(name)];
    const { name: referenceName = '' } = file.references[0] ?? {};
    const region = { referenceName, start: 0, end: 60_000 };
    const expected = await bytesOf(alone.recordBytes(region, { scan: true }));
    expect(expected.length).toBeGreaterThan(0);
    const controller = new AbortController();
    const aborted = bytesOf(file.recordBytes(region, { signal: controller.signal }));
    const other = bytesOf(file.recordBytes(region));
    const left = file.recordBytes(region);
    await left.next();
    await left.return();
    controller.abort();
    await Promise.allSettled([aborted]);
    expect(await other).toBe(expected);
    expect(await bytesOf(file.recordBytes(region))).toBe(expected);
    await Promise.all([file.close(), alone.close()]);
  });
});
