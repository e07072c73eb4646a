import { planFile, type StoredFile, streamPlan } from '@htskit/htsget';
import { indexBam } from '@htskit/indexes';
import { readChunks } from '@htskit/io';
import type { HtsgetRegion } from '@htskit/protocol';
import { openAlignments, openVariants } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, fixturePath, readFixture, volume } from '@htskit/testing';
import { expect, test, vi } from 'vitest';
import { readDepth } from '../../src/index.js';
import { BASE, createHandler, fetchBins, type Handler } from './coverage-service.js';

const LENGTHS: Readonly<Record<string, number>> = { chr1: 150_000, chr2: 40_000 };

/** The depth of each base, or the number of variants that start there, by reference. */
async function valuesOf(datatype: 'reads' | 'variants'): Promise<Record<string, Float64Array>> {
  const values = Object.fromEntries(Object.entries(LENGTHS).map(([name, length]) => [name, new Float64Array(length)]));
  if (datatype === 'variants') {
    for await (const { referenceName, start } of (await openVariants(fixturePath('variants.vcf.gz'))).records()) {
      const bases = values[referenceName];
      if (bases !== undefined) bases[start] = (bases[start] ?? 0) + 1;
    }
    return values;
  }
  const file = await openAlignments(fixturePath('reads.bam'));
  for await (const { referenceId, length, start, end, depth } of readDepth(file, undefined)) {
    const bases = values[file.references[referenceId]?.name ?? ''];
    for (let i = 0; i < length; i++) bases?.fill(depth[i] ?? 0, start[i], end[i]);
  }
  return values;
}

function createRules(seed: number) {
  const random = createRandom(seed);
  const region = (longest: number): Required<HtsgetRegion> => {
    const referenceName = random() < 0.7 ? 'chr1' : 'chr2';
    const start = Math.floor(random() * (LENGTHS[referenceName] ?? 0));
    return { referenceName, start, end: start + 1 + Math.floor(random() * longest) };
  };
  return { random, region };
}

test.each(['reads', 'variants'] as const)('random rules: bins count permitted bases only, of %s', async (datatype) => {
  const values = await valuesOf(datatype);
  const { random, region } = createRules(23);
  const id = datatype === 'reads' ? 'bam' : 'vcf';
  let [shown, refused] = [0, 0];
  for (let round = 0; round < volume(150); round++) {
    const regions = Array.from({ length: 1 + Math.floor(random() * 4) }, () => region(20_000));
    const handler: Handler = createHandler({ authorize: () => ({ regions }) });
    const { referenceName, start, end: last } = region(60_000);
    const end = Math.min(last, LENGTHS[referenceName] ?? 0);
    const bins = 1 + Math.floor(random() * 8);
    const path = `${id}?datatype=${datatype}&referenceName=${referenceName}&start=${start}&end=${end}&bins=${bins}`;
    const allowed = new Float64Array(end - start);
    for (const permitted of regions.filter((each) => each.referenceName === referenceName)) {
      for (let base = Math.max(start, permitted.start); base < Math.min(end, permitted.end); base++) {
        allowed[base - start] = values[referenceName]?.[base] ?? 0;
      }
    }
    const isAllowed = regions.some(
      (each) => each.referenceName === referenceName && each.start < end && each.end > start,
    );
    const response = await handler(new Request(`${BASE}/${path}`));
    expect(response.status, `round ${round}`).toBe(isAllowed ? 200 : 403);
    refused += isAllowed ? 0 : 1;
    if (!isAllowed) continue;
    shown += 1;
    const found = await fetchBins(handler, path);
    const edges = Array.from({ length: bins + 1 }, (_, i) => Math.floor((i * (end - start)) / bins));
    const sums = edges.slice(0, -1).map((from, i) => allowed.subarray(from, edges[i + 1]).reduce((a, b) => a + b, 0));
    const means = sums.map((sum, i) => sum / Math.max(1, (edges[i + 1] ?? 0) - (edges[i] ?? 0)));
    const rounded = means.map((mean) => Number(Math.fround(mean).toPrecision(6)));
    const expected = datatype === 'variants' ? { counts: sums } : { mean: rounded };
    expect(found, `round ${round}`).toMatchObject({ estimated: false, ...expected });
  }
  expect(Math.min(shown, refused)).toBeGreaterThan(volume(15));
});

/** Returns a BAM file with the records that overlap some regions alone, with its index. */
async function cutFile(regions: readonly HtsgetRegion[]): Promise<StoredFile> {
  const stored = {
    format: 'BAM',
    data: memorySource(readFixture('reads.bam')),
    index: memorySource(readFixture('reads.bam.bai')),
  } as const;
  const query = { regions, skipsUnknown: true };
  const plan = await planFile(stored, query, { precision: 'exact', isRestricted: true });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of streamPlan(plan, stored.data)) chunks.push(chunk.slice());
  const data = new Blob(chunks);
  const index = await indexBam(readChunks(data.stream()));
  return { format: 'BAM', data: memorySource(new Uint8Array(await data.arrayBuffer())), index: memorySource(index) };
}

test('random rules: values, sizes and entity tags are those of a file without other records', async () => {
  const { random, region } = createRules(29);
  let shown = 0;
  for (let round = 0; round < volume(60); round++) {
    const regions = Array.from({ length: 1 + Math.floor(random() * 4) }, () => region(20_000));
    const authorize = () => ({ regions });
    const file = await cutFile(regions);
    const handlers = [createHandler({ authorize }), createHandler({ authorize, resolve: async () => [file] })];
    const { referenceName, start, end } = regions[0] ?? region(1);
    const asked = { start: Math.max(0, start - Math.floor(random() * 9000)), end: end + Math.floor(random() * 9000) };
    const bins = 1 + Math.floor(random() * 40);
    const path = `bam?referenceName=${referenceName}&start=${asked.start}&end=${asked.end}&bins=${bins}`;
    for (const accept of ['application/json', 'application/octet-stream']) {
      const request = (): Request => new Request(`${BASE}/${path}`, { headers: { accept } });
      const answers = handlers.map(async (handler) => {
        const response = await handler(request());
        const body = Buffer.from(await response.arrayBuffer()).toString('base64');
        return { status: response.status, headers: [...response.headers], body };
      });
      const [whole, cut] = await Promise.all(answers);
      expect(whole, `round ${round}`).toEqual(cut);
      shown += whole?.status === 200 ? 1 : 0;
    }
  }
  expect(shown).toBeGreaterThan(volume(30));
});

test('a restricted request gets no estimate and no whole file', async () => {
  const summaries = { find: async () => memorySource(new Uint8Array(9), { key: 'summary' }) };
  const regions = [{ referenceName: 'chr1', start: 0, end: 90_000 }];
  const handler = createHandler({ authorize: () => ({ regions }), summaries, limits: { exactBytes: 1000 } });
  const bins = await handler(new Request(`${BASE}/bam?referenceName=chr1`));
  expect([bins.status, await bins.text()]).toEqual([400, expect.stringContaining('too long for exact values')]);
  expect((await handler(new Request(`${BASE}/bam.bw`))).status).toBe(403);
});

test.each([
  ['unauthenticated', 401],
  ['forbidden', 403],
] as const)('a request that is %s is answered before anything is looked up', async (permission, status) => {
  const resolve = () => Promise.reject(new Error('looked up'));
  const handler = createHandler({ authorize: () => permission, resolve });
  for (const path of ['bam?referenceName=chr1', 'bam.bw']) {
    expect((await handler(new Request(`${BASE}/${path}`))).status).toBe(status);
  }
});

test.each(['bam?referenceName=chr1', 'bam.bw', 'vcf?datatype=variants&referenceName=chr1'])(
  '%s of an object that is stored encrypted is refused unless plain delivery is on',
  async (path) => {
    const summaries = { find: async () => undefined, make: vi.fn<() => void>() };
    const id = path.startsWith('vcf') ? 'variants.vcf.gz' : 'reads.bam';
    const file: StoredFile = {
      format: path.startsWith('vcf') ? 'VCF' : 'BAM',
      data: memorySource(readFixture(id), { key: id, version: '1' }),
      isEncrypted: true,
    };
    const request = (): Request => new Request(`${BASE}/${path}`);
    const refusing = createHandler({ resolve: async () => [file], summaries });
    expect((await refusing(request())).status).toBe(403);
    expect(summaries.make).not.toHaveBeenCalled();
    const allowing = createHandler({ resolve: async () => [file], summaries, plainDelivery: true });
    expect((await allowing(request())).status).not.toBe(403);
  },
);

test('the depth is that of a plain file if another one of the object is encrypted', async () => {
  const data = memorySource(readFixture('reads.bam'), { key: 'bam' });
  const encrypted: StoredFile = { format: 'BAM', data, isEncrypted: true };
  const cram: StoredFile = {
    format: 'CRAM',
    data: memorySource(readFixture('reads.cram'), { key: 'cram' }),
    index: memorySource(readFixture('reads.cram.crai'), { key: 'crai' }),
  };
  const handler = createHandler({ resolve: async () => [encrypted, cram] });
  expect(await fetchBins(handler, 'bam?referenceName=chr1&bins=4')).toMatchObject({ estimated: false });
});
