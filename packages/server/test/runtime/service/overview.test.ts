import type { ObjectEntry } from '@htskit/catalogue';
import { HtsgetError } from '@htskit/protocol';
import { deferred } from '@htskit/testing';
import { expect, test } from 'vitest';
import { ALL_FEATURES } from '../../../src/runtime/service/features.js';
import { answerOverview } from '../../../src/runtime/service/overview.js';
import {
  type ListQuery,
  type ObjectListing,
  VisibleObjects,
  type VisibleObjectsOptions,
} from '../../../src/runtime/service/visible-objects.js';

const ENTRIES: readonly ObjectEntry[] = [
  { id: 'cohort/a b', datatype: 'reads', formats: ['CRAM'] },
  { id: 'both', datatype: 'reads', formats: ['BAM', 'CRAM'] },
  { id: 'calls', datatype: 'variants', formats: ['BCF'] },
];

/** Requests the overview of a server with some objects. */
async function overview(
  options: Partial<VisibleObjectsOptions> & { readonly entries?: readonly ObjectEntry[] } = {},
  accept = '*/*',
): Promise<Response> {
  const { entries = ENTRIES, ...others } = options;
  const visible = new VisibleObjects({ catalogue: { list: async () => entries }, ...others });
  return answerOverview(new Request('http://a.example/', { headers: { accept } }), visible, ALL_FEATURES);
}

async function listing(options: Parameters<typeof overview>[0]): Promise<ObjectListing> {
  return (await (await overview(options, 'application/json')).json()) as ObjectListing;
}

const entriesOf = (count: number): ObjectEntry[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, datatype: 'reads', formats: ['BAM'] }));

test('lists the formats that each object can be answered in', async () => {
  const response = await overview();
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^htskit: .*\n\n\/reads\/\{id\} /);
  expect(text.slice(text.indexOf('\nObjects'))).toBe(`
Objects, and the formats that each can be answered in:

/reads/cohort/a%20b  BAM CRAM
/reads/both          BAM CRAM
/variants/calls      VCF BCF VCFTEXT
`);
});

test('lists only stored formats if conversions are switched off', async () => {
  const { objects } = await listing({ conversions: false });
  expect(objects.map(({ formats }) => formats)).toEqual([['CRAM'], ['BAM', 'CRAM'], ['BCF']]);
});

test('is JSON for a client that accepts only that', async () => {
  const response = await overview({}, 'application/json');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({
    objects: [
      { datatype: 'reads', id: 'cohort/a b', formats: ['BAM', 'CRAM'] },
      { datatype: 'reads', id: 'both', formats: ['BAM', 'CRAM'] },
      { datatype: 'variants', id: 'calls', formats: ['VCF', 'BCF', 'VCFTEXT'] },
    ],
    isComplete: true,
  });
});

test('lists the objects that the request may see', async () => {
  const authorize: VisibleObjectsOptions['authorize'] = ({ id }) => {
    if (id === 'calls') throw new HtsgetError('InvalidAuthentication', 'the token is not valid');
    return id === 'both' ? { regions: [{ referenceName: 'chr1' }] } : 'forbidden';
  };
  expect(await listing({ authorize })).toEqual({
    objects: [{ datatype: 'reads', id: 'both', formats: ['BAM', 'CRAM'] }],
    isComplete: true,
  });
  expect(await listing({ authorize: () => 'unauthenticated' })).toEqual({ objects: [], isComplete: true });
});

/** Returns a hook that counts the decisions that are made at once, and decides when the event loop has turned. */
function createSlowHook(decide: (id: string) => 'all' | 'forbidden') {
  const counts = { asked: 0, running: 0, most: 0 };
  const authorize: VisibleObjectsOptions['authorize'] = async ({ id }) => {
    counts.asked++;
    counts.running++;
    counts.most = Math.max(counts.most, counts.running);
    await new Promise(setImmediate);
    counts.running--;
    return decide(id);
  };
  return { counts, authorize };
}

test('makes eight decisions at once, and keeps the order of the objects', async () => {
  const { counts, authorize } = createSlowHook((id) => (Number(id.slice(1)) % 2 === 0 ? 'all' : 'forbidden'));
  const { objects, isComplete } = await listing({ entries: entriesOf(50), authorize });
  expect(objects.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => `a${2 * index}`));
  expect(isComplete).toBe(true);
  expect(counts).toEqual({ asked: 50, running: 0, most: 8 });
});

test('decides about no more objects than it needs, but for those that are decided at once', async () => {
  const { counts, authorize } = createSlowHook(() => 'all');
  const { objects, isComplete } = await listing({ entries: entriesOf(200), authorize });
  expect([objects.length, isComplete]).toEqual([100, false]);
  expect(objects.at(-1)?.id).toBe('a99');
  expect(counts.asked).toBeLessThan(100 + 8);
});

test('begins no decision after five seconds, and says that there may be more', async () => {
  let milliseconds = 0;
  const { counts, authorize } = createSlowHook(() => {
    milliseconds += 200;
    return 'all';
  });
  const { objects, isComplete } = await listing({ entries: entriesOf(90), authorize, now: () => milliseconds });
  expect(isComplete).toBe(false);
  expect(objects.length).toBe(counts.asked);
  expect(counts.asked).toBeLessThan(25 + 8);
});

test('begins no decision once the hook cannot decide', async () => {
  let asked = 0;
  const authorize = async (): Promise<never> => {
    asked++;
    await new Promise(setImmediate);
    throw new HtsgetError('InternalServerError', 'authorization is temporarily unavailable', { status: 503 });
  };
  await expect(listing({ entries: entriesOf(100), authorize })).rejects.toMatchObject({ status: 503 });
  await new Promise(setImmediate);
  expect(asked).toBe(8);
});

test('lists the first 100 objects, and looks at no more than 200', async () => {
  const { objects, isComplete } = await listing({ entries: entriesOf(101) });
  expect([objects.length, isComplete]).toEqual([100, false]);
  expect(await (await overview({ entries: entriesOf(101) })).text()).toMatch(/\nand more: \/\?after=reads%2Fa99\n$/);
  const asked: string[] = [];
  const authorize: VisibleObjectsOptions['authorize'] = ({ id }) => {
    asked.push(id);
    return 'forbidden';
  };
  expect(await listing({ entries: entriesOf(201), authorize })).toEqual({ objects: [], isComplete: false });
  expect(asked).toHaveLength(200);
});

test('lists the objects after the last one of a page', async () => {
  const entries = entriesOf(250).sort((a, b) => (a.id < b.id ? -1 : 1));
  const visible = new VisibleObjects({ catalogue: { list: async () => entries } });
  const ids: string[] = [];
  const pages: (string | undefined)[] = [];
  let after: string | undefined;
  do {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const request = new Request(`http://a.example/${query}`, { headers: { accept: 'application/json' } });
    const { objects, next } = (await (await answerOverview(request, visible, ALL_FEATURES)).json()) as ObjectListing;
    ids.push(...objects.map(({ id }) => id));
    pages.push(next);
    after = next;
  } while (after !== undefined);
  expect(ids).toEqual(entries.map(({ id }) => id));
  expect(pages).toHaveLength(3);
});

test('continues after an object that is gone', async () => {
  const visible = new VisibleObjects({ catalogue: { list: async () => entriesOf(5) } });
  const { objects } = await visible.list(new Request('http://a.example/'), { after: 'reads/a2b' });
  expect(objects.map(({ id }) => id)).toEqual(['a3', 'a4']);
});

test('lists the objects of a datatype and a format', async () => {
  const visible = new VisibleObjects({ catalogue: { list: async () => ENTRIES } });
  const request = new Request('http://a.example/');
  const idsOf = async (query: ListQuery): Promise<string[]> =>
    (await visible.list(request, query)).objects.map(({ id }) => id);
  expect(await idsOf({ datatype: 'variants' })).toEqual(['calls']);
  // CRAM can be answered as BAM.
  expect(await idsOf({ format: 'bam' })).toEqual(['cohort/a b', 'both']);
  expect(await idsOf({ format: 'VCF', datatype: 'reads' })).toEqual([]);
});

test('no page begins after an object that the request may not see', async () => {
  const authorize: VisibleObjectsOptions['authorize'] = ({ id }) => (id === 'a3' ? 'all' : 'forbidden');
  expect(await listing({ entries: entriesOf(300), authorize })).toMatchObject({ isComplete: false, next: 'reads/a3' });
});

test('says why a token is refused, if it was sent and nothing is visible', async () => {
  const authorize: VisibleObjectsOptions['authorize'] = () => {
    throw new HtsgetError('InvalidAuthentication', 'the token has expired');
  };
  const visible = new VisibleObjects({ catalogue: { list: async () => ENTRIES }, authorize });
  const list = (headers: Record<string, string>): Promise<ObjectListing> =>
    visible.list(new Request('http://a.example/', { headers }));
  expect(await list({ authorization: 'Bearer a' })).toMatchObject({ objects: [], refusal: 'the token has expired' });
  expect(await list({})).toEqual({ objects: [], isComplete: true });
});

test('reads the catalogue at most once in ten seconds', async () => {
  let count = 0;
  let milliseconds = 0;
  const list = async (): Promise<ObjectEntry[]> => entriesOf(++count);
  const visible = new VisibleObjects({ catalogue: { list }, now: () => milliseconds });
  const request = new Request('http://a.example/');
  await Promise.all([visible.list(request), visible.list(request)]);
  milliseconds = 9999;
  await visible.list(request);
  expect(count).toBe(1);
  milliseconds = 10_000;
  await visible.list(request);
  expect(count).toBe(2);
});

test('does not read the catalogue again while a listing takes longer than ten seconds', async () => {
  let count = 0;
  let milliseconds = 0;
  const { promise, resolve } = deferred<readonly ObjectEntry[]>();
  const list = (): Promise<readonly ObjectEntry[]> => {
    count++;
    return promise;
  };
  const visible = new VisibleObjects({ catalogue: { list }, now: () => milliseconds });
  const request = new Request('http://a.example/');
  const first = visible.list(request);
  milliseconds = 60_000;
  const second = visible.list(request);
  resolve(ENTRIES);
  await Promise.all([first, second]);
  milliseconds = 69_999;
  await visible.list(request);
  expect(count).toBe(1);
});

test('authorizes no further object for a client that has left', async () => {
  const leaving = new AbortController();
  const asked: string[] = [];
  const authorize: VisibleObjectsOptions['authorize'] = ({ id }) => {
    asked.push(id);
    leaving.abort();
    return 'all';
  };
  const visible = new VisibleObjects({ catalogue: { list: async () => entriesOf(100) }, authorize });
  await visible.list(new Request('http://a.example/', { signal: leaving.signal }));
  expect(asked).toEqual(['a0']);
});

test('lists no objects if the keys of a bucket may not be listed', async () => {
  const visible = new VisibleObjects({ catalogue: { list: () => Promise.reject(new Error('access denied')) } });
  const response = await answerOverview(new Request('http://a.example/'), visible, ALL_FEATURES);
  expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('Objects')]);
});

test('leaves out the paths that are switched off', async () => {
  const visible = new VisibleObjects({ catalogue: { list: async () => [] } });
  const features = { ...ALL_FEATURES, coverage: false, drs: false, seqrepo: false };
  const request = new Request('http://a.example/');
  const all = (await (await answerOverview(request, visible, ALL_FEATURES)).text()).split('\n');
  const some = (await (await answerOverview(request, visible, features)).text()).split('\n');
  const left = all.filter((line) => !some.includes(line)).map((line) => line.split(/[ {]/, 1)[0]);
  expect(left).toEqual(['/coverage/', '/files/', '/ga4gh/drs/v1/objects/', '/seqrepo/1/sequence/']);
});
