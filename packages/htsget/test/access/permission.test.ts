import { EOF_MARKER } from '@htskit/bgzf';
import type { HtsgetFormat, HtsgetRegion, Ticket } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, excessGrowth, expectations, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { restrictRegions } from '../../src/access/permission.js';
import type { HtsgetOptions, Permission, StoredFile } from '../../src/index.js';
import { decodeFile } from '../decode-file.js';
import { bamNames, bcfNames, fixtureFile, fixtureHandler, fixturePathOf, vcfNames } from '../fixture-files.js';
import { fetchError, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';
import { isWithin, spansOf } from '../record-spans.js';

const region = (referenceName: string, start?: number, end?: number): HtsgetRegion => ({
  referenceName,
  ...(start !== undefined && { start }),
  ...(end !== undefined && { end }),
});

describe('restrictRegions', () => {
  test.each<[string, HtsgetRegion[], HtsgetRegion[], HtsgetRegion[]]>([
    ['a region inside', [region('a', 5, 9)], [region('a', 0, 10)], [region('a', 5, 9)]],
    ['a region partly outside', [region('a', 5, 19)], [region('a', 0, 10)], [region('a', 5, 10)]],
    ['a whole reference', [region('a')], [region('a', 3, 10)], [region('a', 3, 10)]],
    ['a region of a reference that is permitted', [region('a', 3, 10)], [region('a')], [region('a', 3, 10)]],
    ['a reference that is permitted', [region('a')], [region('a')], [region('a')]],
    ['unplaced reads', [region('*')], [region('*')], [region('*')]],
    ['an empty region inside', [region('a', 5, 5)], [region('a', 0, 10)], [region('a', 5, 5)]],
    [
      'an empty region after others',
      [region('a', 5, 20), region('a', 20, 20)],
      [region('a', 20, 30)],
      [region('a', 20, 20)],
    ],
    [
      'regions that overlap',
      [region('a', 4, 9), region('a', 0, 5)],
      [region('a', 2, 6), region('a', 6, 8)],
      [region('a', 2, 8)],
    ],
    ['an invalid region', [region('a', 5, 4)], [region('a', 0, 10)], [region('a', 5, 4)]],
    [
      'parts of several',
      [region('a'), region('b')],
      [region('a', 1, 2), region('a', 4, 5), region('c')],
      [region('a', 1, 2), region('a', 4, 5)],
    ],
  ])('returns the permitted part of %s', (_, asked, permitted, left) => {
    expect(restrictRegions(asked, permitted)).toEqual(left);
  });

  test.each<[string, HtsgetRegion[], HtsgetRegion[]]>([
    ['another reference', [region('b')], [region('a')]],
    ['bases after the permitted ones', [region('a', 10, 20)], [region('a', 0, 10)]],
    ['an empty region outside', [region('a', 11, 11)], [region('a', 0, 10)]],
    ['unplaced reads', [region('*')], [region('a')]],
    ['a reference if only unplaced reads are permitted', [region('a')], [region('*')]],
    ['an invalid region of another reference', [region('b', 9, 3)], [region('a')]],
    ['everything if nothing is permitted', [region('a')], []],
  ])('refuses %s', (_, asked, permitted) => {
    expect(() => restrictRegions(asked, permitted)).toThrow(expect.objectContaining({ code: 'PermissionDenied' }));
  });

  test('returns exactly the bases that are both requested and permitted', () => {
    const random = createRandom(5);
    const createSome = (): HtsgetRegion[] =>
      Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        const start = Math.floor(random() * 30);
        return region(random() < 0.5 ? 'a' : 'b', start, start + 1 + Math.floor(random() * 9));
      });
    const basesOf = (regions: readonly HtsgetRegion[]): Set<string> =>
      new Set(
        regions.flatMap(({ referenceName, start = 0, end = 0 }) =>
          Array.from({ length: end - start }, (_, index) => `${referenceName}:${start + index}`),
        ),
      );
    for (let i = 0; i < 300; i++) {
      const [asked, permitted] = [createSome(), createSome()];
      const both = Array.from(basesOf(asked)).filter((base) => basesOf(permitted).has(base));
      expect(Array.from(basesOf(permittedParts(asked, permitted))).sort(), `round ${i}`).toEqual(both.sort());
    }
  });

  test('takes linear time for many regions that overlap many', () => {
    const prepare = (size: number) => ({
      permitted: Array.from({ length: size }, (_, i) => region('a', i * 20_000, i * 20_000 + 150)),
      requested: Array.from({ length: size / 20 }, (_, i) => region('a', i)),
    });
    const { requested, permitted } = prepare(20_000);
    expect(restrictRegions(requested, permitted)).toHaveLength(permitted.length);
    const growth = excessGrowth(prepare, (input) => restrictRegions(input.requested, input.permitted), { size: 1000 });
    expect(growth).toBeLessThan(8);
  });

  test('sorts the regions of a frozen array once, and then looks only at the requested references', () => {
    let readCount = 0;
    const count = (referenceName: string, start: number): HtsgetRegion => ({
      get referenceName() {
        readCount++;
        return referenceName;
      },
      start,
      end: start + 10,
    });
    const permitted = Object.freeze(Array.from({ length: 1000 }, (_, i) => count(`chr${i % 20}`, i * 20)));
    const first = restrictRegions([region('chr3', 0, 100)], permitted);
    expect(first).toEqual([region('chr3', 60, 70)]);
    expect(readCount).toBeGreaterThanOrEqual(1000);
    readCount = 0;
    expect(restrictRegions([region('chr3', 0, 100)], permitted)).toEqual(first);
    expect(readCount).toBe(0);
  });

  test('reads an array that is not frozen each time', () => {
    const permitted = [region('a', 0, 10)];
    expect(restrictRegions([region('a')], permitted)).toEqual([region('a', 0, 10)]);
    permitted[0] = region('a', 3, 5);
    expect(restrictRegions([region('a')], permitted)).toEqual([region('a', 3, 5)]);
  });
});

type BgzfName = `${string}.bam` | `${string}.vcf.gz` | `${string}.bcf`;
type BgzfFormat = 'BAM' | 'VCF' | 'BCF';

/** The records of each block of a ticket, decoded alone as the body of a file. Throws if a header block has records. */
async function blockRecords(handler: Handler, format: BgzfFormat, { htsget }: Ticket): Promise<string[]> {
  const header = new Uint8Array(await (await fetch(htsget.urls[0]?.url ?? '')).arrayBuffer());
  const records: string[] = [];
  for (const block of htsget.urls) {
    const response = block.url.startsWith('data:') ? await fetch(block.url) : await handler(new Request(block.url));
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isHeader = block.class === 'header';
    const decoded = decodeFile(format, Buffer.concat([...(isHeader ? [] : [header]), bytes, EOF_MARKER]));
    if (isHeader && decoded.records.length > 0) throw new Error('a header block with records');
    records.push(...decoded.records);
  }
  return records;
}

/** Empty if the request is denied. */
function permittedParts(asked: readonly HtsgetRegion[], permitted: readonly HtsgetRegion[]): readonly HtsgetRegion[] {
  try {
    return restrictRegions(asked, permitted);
  } catch {
    return [];
  }
}

/** Random regions of the references of a file. */
function createRegions(name: BgzfName, random: () => number): () => HtsgetRegion[] {
  const { references, regions } = expectations(name as `${string}.bam`);
  const names = [...references.map((reference) => reference.name), ...(name.endsWith('.bam') ? ['*'] : [])];
  return () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const known = regions[Math.floor(random() * regions.length)];
      const referenceName = names[Math.floor(random() * names.length)] ?? '*';
      if (referenceName === '*' || random() < 0.1) return { referenceName };
      if (known !== undefined && random() < 0.4) return region(known.referenceName, known.start, known.end + 1);
      const length = references.find((reference) => reference.name === referenceName)?.length ?? 1;
      const start = Math.floor(random() * length);
      return region(referenceName, start, start + 1 + Math.floor(random() * length * random()));
    });
}

interface Served {
  readonly name: string;
  readonly options: Partial<HtsgetOptions>;
  readonly file: (name: BgzfName) => StoredFile;
}

const withoutIndex = (name: string): StoredFile => {
  const { format, data } = fixtureFile(name);
  return { format, data };
};

const SERVED: readonly Served[] = [
  { name: 'by default', options: {}, file: fixtureFile },
  { name: 'with precision chunks', options: { precision: 'chunks', limits: { exactBytes: 0 } }, file: fixtureFile },
  { name: 'in many blocks', options: { limits: { blockBytes: 70_000 } }, file: fixtureFile },
  { name: 'without an index', options: {}, file: withoutIndex },
  { name: 'without an index and too long for one', options: { limits: { indexedBytes: 0 } }, file: withoutIndex },
  {
    name: 'with delivery by the store',
    options: { precision: 'chunks' },
    file: (name) => ({ ...fixtureFile(name), locate: () => Promise.reject(new Error('locate was called')) }),
  },
];

const names: readonly BgzfName[] = [...bamNames, ...vcfNames, ...bcfNames].filter(
  (name) => name !== 'no-references.bam' && !name.startsWith('empty'),
);

describe.each(names)('%s', (name) => {
  const { format } = fixtureFile(name) as { format: BgzfFormat };
  const stored = decodeFile(format, readFixture(name), { requireEof: false });
  const spans = spansOf(format, stored);
  const recordsWithin = (isWanted: (span: (typeof spans)[number]) => boolean) =>
    stored.records.filter((_, index) => spans[index] !== undefined && isWanted(spans[index]));

  test.each(SERVED.map((served) => [served.name, served] as const))(
    '%s, the blocks hold exactly the permitted ones of the requested records',
    async (_, { options, file }) => {
      const random = createRandom(name.length);
      const nextRegions = createRegions(name, random);
      let permitted: HtsgetRegion[] = [];
      const authorize = (): Permission => ({ regions: permitted });
      const handler = fixtureHandler({ ...options, authorize }, { [name]: [file(name)] });
      const path = fixturePathOf(name).replace(/\?.*/, '');
      for (let round = 0; round < volume(12); round++) {
        permitted = nextRegions();
        const whole = await fetchTicket(handler, fixturePathOf(name));
        const wanted = recordsWithin((span) => permitted.some((other) => isWithin(span, other)));
        expect((await blockRecords(handler, format, whole)).length).toBe(wanted.length);
        expect(await blockRecords(handler, format, whole)).toEqual(wanted);

        const asked = nextRegions();
        const body = JSON.stringify({ format, regions: asked });
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        const answer = await fetchTicket(handler, path, init)
          .then((ticket) => blockRecords(handler, format, ticket))
          .catch(({ message }: Error) => message.slice(0, 3));
        const confined = permittedParts(asked, permitted);
        const confinedRecords = recordsWithin((span) => confined.some((other) => isWithin(span, other)));
        expect(answer).toEqual(confined.length === 0 ? '403' : confinedRecords);
      }
    },
  );

  test.each([
    ['its index', fixtureFile],
    ['an index built on demand', withoutIndex],
  ])('with %s, hundreds of small regions select each overlapping record once, in file order', async (_, file) => {
    const random = createRandom(name.length + 1);
    const references = new Map<string, number>();
    for (const { referenceName, end } of spans) {
      if (referenceName !== undefined) references.set(referenceName, Math.max(end, references.get(referenceName) ?? 0));
    }
    const regions = Array.from(references, ([referenceName, length]) =>
      Array.from({ length: volume(300) }, () => {
        const start = Math.floor(random() * length);
        return region(referenceName, start, start + 1 + Math.floor(random() * 40));
      }),
    ).flat();
    const handler = fixtureHandler({ authorize: () => ({ regions }) }, { [name]: [file(name)] });
    const ticket = await fetchTicket(handler, fixturePathOf(name));
    const wanted = recordsWithin((span) => regions.some((other) => isWithin(span, other)));
    expect(await blockRecords(handler, format, ticket)).toEqual(wanted);
    expect(Math.max(...ticket.htsget.urls.map(({ url }) => (url.startsWith('data:') ? 0 : url.length)))).toBeLessThan(
      8192,
    );
  });

  test('with its index, or a stale or damaged one, only permitted records are sent', async () => {
    const { data, index } = fixtureFile(name);
    if (index === undefined) return;
    const bytes = await index.read({ start: 0, end: (await index.stat()).size });
    const others = [
      'reads.bam.bai',
      'straddle.bam.bai',
      'reads-csi.bam.csi',
      'variants.bcf.csi',
      'variants.vcf.gz.tbi',
    ];
    const indexes = [
      bytes,
      ...others.map((other) => readFixture(other)),
      ...Array.from(mutations(bytes, { seed: 5, count: volume(60) }), (mutation) => mutation.bytes),
    ];
    const nextRegions = createRegions(name, createRandom(3));
    const outcomes = { answered: 0, failed: 0 };
    for (const other of indexes) {
      const permitted = nextRegions();
      const stale: StoredFile = { format, data, index: memorySource(other) };
      const handler = fixtureHandler({ authorize: () => ({ regions: permitted }) }, { [name]: [stale] });
      const records = await fetchTicket(handler, fixturePathOf(name))
        .then((ticket) => blockRecords(handler, format, ticket))
        .catch(() => undefined);
      outcomes[records === undefined ? 'failed' : 'answered']++;
      const allowed = new Set(recordsWithin((span) => permitted.some((one) => isWithin(span, one))));
      expect(records?.filter((record) => !allowed.has(record)) ?? []).toEqual([]);
    }
    expect(outcomes.answered).toBeGreaterThan(0);
  });
});

describe('a permission of some regions', () => {
  const permission: Permission = { regions: [region('chr1', 1000, 20_000), region('chrElsewhere'), region('*')] };
  const handler = fixtureHandler({ authorize: () => permission });

  test('always permits the header', async () => {
    for (const name of ['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf']) {
      const path = `${fixturePathOf(name)}&class=header`;
      expect(await fetchFile(handler, path)).toEqual(await fetchFile(fixtureHandler(), path));
    }
  });

  test('skips references that the file lacks', async () => {
    const { records } = decodeFile('BCF', await fetchFile(handler, fixturePathOf('variants.bcf')));
    expect(records.length).toBeGreaterThan(100);
  });

  test.each(['no region', 'no region that the file has'])('of %s yields only the header', async (what) => {
    const regions = what === 'no region' ? [] : [region('chrElsewhere')];
    const confined = fixtureHandler({ authorize: () => ({ regions }) });
    const answer = decodeFile('BAM', await fetchFile(confined, '/reads/reads.bam'));
    expect(answer.records).toEqual([]);
  });

  test('does not reveal by its errors which references a file has', async () => {
    for (const referenceName of ['chr2', 'chr99']) {
      const answer = await fetchError(handler, `/reads/reads.bam?referenceName=${referenceName}`);
      expect(answer).toEqual([403, 'PermissionDenied']);
    }
    expect(await fetchError(handler, '/reads/reads.bam?referenceName=chrElsewhere')).toEqual([404, 'NotFound']);
  });

  test('still rejects an invalid range', async () => {
    const query = '/reads/reads.bam?referenceName=chr1&start=1500&end=1400';
    expect(await fetchError(handler, query)).toEqual([400, 'InvalidRange']);
  });

  test.each([
    ['BAM if the object has it', ['reads.cram', 'reads.bam'], false, /request BAM$/],
    ['BAM if it can be made', ['reads.cram'], true, /request BAM$/],
    ['nothing else otherwise', ['reads.cram'], false, /cut to them$/],
  ] as const)('denies CRAM and suggests %s', async (_, files, conversions, message) => {
    const both = fixtureHandler({ authorize: () => permission, conversions }, { both: files.map(fixtureFile) });
    const response = await both(new Request(`${PUBLIC_URL}/reads/both?format=CRAM&referenceName=chr1`));
    expect(response.status).toBe(403);
    const { htsget } = (await response.json()) as { htsget: { error: string; message: string } };
    expect(htsget.error).toBe('PermissionDenied');
    expect(htsget.message).toMatch(message);
  });

  test('of more than 64 regions is PayloadTooLarge for a file without an index', async () => {
    const regions = Array.from({ length: 65 }, (_, index) => region('chr1', index * 100, index * 100 + 50));
    const objects = { many: [withoutIndex('reads.bam')] };
    const options = { limits: { indexedBytes: 0 } };
    const many = fixtureHandler({ ...options, authorize: () => ({ regions }) }, objects);
    expect(await fetchError(many, '/reads/many')).toEqual([413, 'PayloadTooLarge']);
    const fewer = fixtureHandler({ ...options, authorize: () => ({ regions: regions.slice(0, 64) }) }, objects);
    expect((await fetchTicket(fewer, '/reads/many')).htsget.urls.length).toBeGreaterThan(2);
  });

  test('holds for a Range of a filtered block', async () => {
    const { htsget } = await fetchTicket(handler, '/reads/reads.bam');
    const url = htsget.urls[1]?.url ?? '';
    const whole = Buffer.from(await (await handler(new Request(url))).arrayBuffer());
    const response = await handler(new Request(url, { headers: { range: 'bytes=0-999999' } }));
    expect([response.status, response.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-${whole.length - 1}/${whole.length}`,
    ]);
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
  });
});

describe('authorize', () => {
  test('is called once per ticket, with the id and the request, and not for blocks or service-info', async () => {
    const authorize = vi.fn<NonNullable<HtsgetOptions['authorize']>>().mockReturnValue('all');
    const handler = fixtureHandler({ authorize });
    const { htsget } = await fetchTicket(handler, '/reads/reads.bam', { headers: { authorization: 'Bearer abc' } });
    expect(authorize).toHaveBeenCalledTimes(1);
    const input = authorize.mock.calls[0]?.[0];
    expect(input).toMatchObject({ datatype: 'reads', id: 'reads.bam' });
    expect(input?.request.headers.get('authorization')).toBe('Bearer abc');
    await (await handler(new Request(htsget.urls[1]?.url ?? ''))).arrayBuffer();
    await handler(new Request(`${PUBLIC_URL}/reads/service-info`));
    expect(authorize).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(htsget)).not.toContain('abc');
  });

  test.each([undefined, null, true, 'yes', {}, { regions: 'chr1' }, []])(
    'that returns %j instead of a Permission permits nothing',
    async (permission) => {
      const handler = fixtureHandler({ authorize: () => permission as Permission });
      expect(await fetchError(handler, '/reads/reads.bam')).toEqual([500, 'InternalServerError']);
    },
  );

  test('that denies a request prevents every lookup', async () => {
    const resolve = vi.fn<HtsgetOptions['resolve']>();
    for (const permission of ['unauthenticated', 'forbidden'] as const) {
      const handler = fixtureHandler({ resolve, authorize: () => permission });
      const status = permission === 'forbidden' ? 403 : 401;
      expect((await fetchError(handler, '/reads/reads.bam'))[0]).toBe(status);
    }
    expect(resolve).not.toHaveBeenCalled();
  });
});

describe('a permission for some formats', () => {
  const files = { both: [fixtureFile('reads.cram'), fixtureFile('reads.bam')], calls: [fixtureFile('variants.bcf')] };
  const permitting = (formats: readonly HtsgetFormat[]): Handler =>
    fixtureHandler({ authorize: () => ({ regions: 'all', formats }) }, files);

  test.each<[string, readonly HtsgetFormat[], number]>([
    ['/reads/both', ['BAM'], 200],
    ['/reads/both', ['CRAM'], 403],
    ['/reads/both?format=CRAM', ['CRAM'], 200],
    ['/reads/both?format=CRAM', ['BAM'], 403],
    ['/reads/both?class=header', ['CRAM'], 403],
    ['/variants/calls', ['BCF', 'VCFTEXT'], 403],
    ['/variants/calls?format=BCF', ['BCF', 'VCFTEXT'], 200],
    ['/variants/calls?format=VCFTEXT', ['BCF', 'VCFTEXT'], 200],
    ['/variants/calls?format=BCF', [], 403],
  ])('%s with %j: %d', async (path, formats, status) => {
    expect((await permitting(formats)(new Request(`${PUBLIC_URL}${path}`))).status).toBe(status);
  });

  test('names the formats, and does not narrow the records', async () => {
    const refused = await permitting(['BCF', 'VCFTEXT'])(new Request(`${PUBLIC_URL}/variants/calls`));
    expect(await refused.text()).toContain('request BCF or VCFTEXT');
    const all = fixtureHandler({}, files);
    expect(await fetchFile(permitting(['BAM']), '/reads/both')).toEqual(await fetchFile(all, '/reads/both'));
  });

  test('must be a list of texts', async () => {
    for (const formats of ['BAM', [1], null]) {
      const authorize = (): Permission => ({ regions: 'all', formats }) as unknown as Permission;
      const handler = fixtureHandler({ authorize, onError: () => undefined }, files);
      expect((await handler(new Request(`${PUBLIC_URL}/reads/both`))).status).toBe(500);
    }
  });
});
