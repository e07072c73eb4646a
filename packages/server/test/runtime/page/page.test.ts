import { gunzipSync, gzipSync } from 'node:zlib';
import type { ObjectEntry } from '@htskit/catalogue';
import { fileSource } from '@htskit/storage/file';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { DetailedListing, DetailedObject } from '../../../src/runtime/page/object-details.js';
import { Page, type PageOptions } from '../../../src/runtime/page/page.js';
import type { PageAsset } from '../../../src/runtime/page/page-assets.js';
import { VisibleObjects, type VisibleObjectsOptions } from '../../../src/runtime/service/visible-objects.js';

const ENTRIES: readonly ObjectEntry[] = [
  { id: 'cohort/a', datatype: 'reads', formats: ['BAM'] },
  { id: 'gone', datatype: 'reads', formats: ['BAM'] },
];

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function asset(text: string, mediaType: string): PageAsset {
  const bytes = new TextEncoder().encode(text);
  return { mediaType, bytes, gzipped: async () => gzipSync(bytes) };
}

const ASSETS = new Map([
  ['index.html', asset('<h1>objects</h1><script nonce="NONCE"></script>', 'text/html; charset=utf-8')],
  ['docs.html', asset('<h1>API</h1>', 'text/html; charset=utf-8')],
  ['page/main-1.js', asset('export {};', 'text/javascript; charset=utf-8')],
]);

interface Given extends Partial<PageOptions> {
  readonly authorize?: VisibleObjectsOptions['authorize'];
}

/** Requests a path of a page with two objects. The second one cannot be read. */
async function request(
  path: string,
  headers: Record<string, string> = {},
  given: Given = {},
): Promise<Response | undefined> {
  const { authorize, ...options } = given;
  const visible = new VisibleObjects({ catalogue: { list: async () => ENTRIES }, authorize });
  const file = (name: string): ReturnType<typeof fileSource> => fileSource(fixturePath(name));
  const page = new Page({
    publicUrl: 'https://data.example/genomics',
    storeOrigins: [],
    isGuarded: authorize !== undefined,
    visible,
    catalogue: {
      resolve: async (id) => {
        if (id === 'gone') return [{ format: 'BAM', data: file('gone.bam') }];
        return id === 'cohort/a'
          ? [{ format: 'BAM', data: file('reads.bam'), index: file('reads.bam.bai') }]
          : undefined;
      },
    },
    assets: { find: async (name) => ASSETS.get(name) },
    ...options,
  });
  const url = new URL(path, 'http://a.example');
  return page.answer(new Request(url, { headers }), url.pathname);
}

async function json<Value>(path: string, given: Given = {}): Promise<Value> {
  return (await (await request(path, {}, given))?.json()) as Value;
}

test('answers / as a document for browsers only', async () => {
  const document = await request('/', { accept: HTML });
  expect(await document?.text()).toMatch(/^<h1>objects<\/h1>/);
  expect(document?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await request('/', { accept: '*/*' })).toBeUndefined();
  expect(await request('/', { accept: 'application/json' })).toBeUndefined();
  expect(await (await request('/docs'))?.text()).toBe('<h1>API</h1>');
});

test('allows documents only scripts with the nonce of the response, and data of the server and of the stores', async () => {
  const document = (await request('/', { accept: HTML }, { storeOrigins: ['https://*.s3.example'] })) ?? new Response();
  const [, nonce] = /nonce="([\w+/]{24})"/.exec(await document.text()) ?? [];
  const policy = document.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toContain(`script-src 'nonce-${nonce}'`);
  expect(
    policy
      .find((directive) => directive.startsWith('style-src'))
      ?.split(' ')
      .slice(1),
  ).toEqual([`'nonce-${nonce}'`, expect.stringMatching(/^'sha256-/), expect.stringMatching(/^'sha256-/)]);
  expect(policy).toContain("connect-src 'self' https://data.example https://*.s3.example data:");
  expect(policy).toEqual(
    expect.arrayContaining(
      ["default-src 'none'", "frame-src 'none'", "object-src 'none'", "worker-src 'none'", "base-uri 'none'"].concat([
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    ),
  );
  expect(policy.join()).not.toContain('unsafe');
  expect(document.headers.get('x-content-type-options')).toBe('nosniff');
  expect(document.headers.get('cache-control')).toBe('no-store');
});

test('uses each nonce once', async () => {
  const policies = await Promise.all(
    ['/docs', '/docs'].map(async (path) => (await request(path))?.headers.get('content-security-policy')),
  );
  expect(new Set(policies).size).toBe(2);
});

test('allows the documentation of the API inline styles, and no inline script', async () => {
  const policy = (await request('/docs'))?.headers.get('content-security-policy')?.split('; ');
  expect(policy).toContainEqual(expect.stringMatching(/^script-src 'nonce-[\w+/]{24}'$/));
  expect(policy).toContain("style-src 'self' 'unsafe-inline'");
});

test('serves assets compressed and for ever', async () => {
  const plain = await request('/page/main-1.js', { 'accept-encoding': 'gzip;q=0 ,br' });
  expect(await plain?.text()).toBe('export {};');
  expect(plain?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const compressed = await request('/page/main-1.js', { 'accept-encoding': 'br, gzip' });
  expect(compressed?.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(new Uint8Array((await compressed?.arrayBuffer()) ?? [])).toString()).toBe('export {};');
});

test.each(['/page/other.js', '/page/', '/healthz', '/page/..%2Fpackage.json'])('does not answer %s', async (path) => {
  expect(await request(path)).toBeUndefined();
});

test('has no page without built files', async () => {
  const assets = { find: async () => undefined };
  expect(await request('/', { accept: HTML }, { assets })).toBeUndefined();
});

test('lists objects with their files', async () => {
  expect(await json<DetailedListing>('/page/objects')).toEqual({
    objects: [
      {
        datatype: 'reads',
        id: 'cohort/a',
        formats: ['BAM'],
        files: [{ format: 'BAM', bytes: 323_817, index: 'BAI' }],
      },
      { datatype: 'reads', id: 'gone', formats: ['BAM'], files: [{ format: 'BAM' }] },
    ],
    isComplete: true,
    isGuarded: false,
    checksListed: false,
  });
});

test('lists the objects whose names contain a text in any letter case', async () => {
  const { objects } = await json<DetailedListing>('/page/objects?search=COHORT%2F');
  expect(objects.map(({ id }) => id)).toEqual(['cohort/a']);
});

test('lists only what a request may see, and says that there may be more', async () => {
  const authorize: Given['authorize'] = async ({ id }) => (id === 'gone' ? 'all' : 'unauthenticated');
  const { objects, isGuarded } = await json<DetailedListing>('/page/objects', { authorize });
  expect([objects.map(({ id }) => id), isGuarded]).toEqual([['gone'], true]);
  const hidden = await request('/page/objects/reads/cohort/a', {}, { authorize });
  expect([hidden?.status, await hidden?.json()]).toEqual([
    404,
    { message: 'there is no such object, or the token may not see it' },
  ]);
});

test('describes an object with a region that has records if the request asks for it', async () => {
  expect(await json<DetailedObject>('/page/objects/reads/cohort/a')).not.toHaveProperty('example');
  const { example, regions, files } = await json<DetailedObject>('/page/objects/reads/cohort/a?example');
  expect(example).toEqual({ referenceName: 'chr1', start: 0, end: 16_384 });
  expect([regions, files.length]).toEqual([undefined, 1]);
});

test('describes an object with the regions that a request may see', async () => {
  const permitted = [{ referenceName: 'chr2', start: 5000 }];
  const object = await json<DetailedObject>('/page/objects/reads/cohort/a?example', {
    authorize: () => ({ regions: permitted }),
  });
  expect(object.regions).toEqual(permitted);
  expect(object.example).toEqual({ referenceName: 'chr2', start: 5000, end: 21_384 });
});

test('names no region with reads to a request that may see some samples, whose reads may be elsewhere', async () => {
  const object = await json<DetailedObject>('/page/objects/reads/cohort/a?example', {
    authorize: () => ({ regions: 'all', samples: ['other'] }),
  });
  expect(object).not.toHaveProperty('example');
});

test.each([
  '/page/objects/reads/other',
  '/page/objects/reads/a/../b',
  '/page/objects/reads/service-info',
  '/page/objects/x',
])('returns 404 for %s', async (path) => {
  const response = await request(path);
  expect([response?.status, await response?.json()]).toEqual([404, { message: 'there is no such object' }]);
});
