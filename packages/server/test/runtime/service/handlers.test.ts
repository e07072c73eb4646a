import { HtsgetError } from '@htskit/protocol';
import { expect, test, vi } from 'vitest';
import { routeOf } from '../../../src/runtime/request-route.js';
import { createFailureLog, createHandler } from '../../../src/runtime/service/handlers.js';
import type { ServedFiles } from '../../../src/runtime/service/served-files.js';

test.each(['/', '/page/objects', '/page/objects/reads/a'])(
  'answers %s with 503 if authorization fails',
  async (path) => {
    const files = {
      objects: { list: async () => [{ id: 'a', datatype: 'reads', formats: ['BAM'] }], resolve: async () => [] },
      sequences: { collections: {} },
    } as unknown as ServedFiles;
    const failure = new HtsgetError('InternalServerError', 'unavailable', { status: 503, retryAfterSeconds: 5 });
    const report = vi.fn<() => void>();
    const handler = createHandler(
      {
        publicUrl: 'http://a.example',
        signingKeys: [new Uint8Array(32)],
        authority: 'ga4gh',
        report,
        htsget: { authorize: () => Promise.reject(failure) },
      },
      files,
    );
    const { status, headers } = await handler(new Request(`http://a.example${path}`), routeOf(path));
    expect([status, new Headers(headers).get('retry-after')]).toEqual([503, '5']);
    expect(report).toHaveBeenCalledExactlyOnceWith(failure, { name: undefined, requestId: undefined });
  },
);

test('logs failures with the object and the id of the request', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('the disk failed');
  };
  const files = {
    objects: { resolve: fail },
    sequences: { find: fail, collections: { find: fail, findAttribute: fail, list: fail } },
  } as unknown as ServedFiles;
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const options = {
    publicUrl: 'http://a.example',
    signingKeys: [new Uint8Array(32)],
    authority: 'ga4gh',
    report: createFailureLog(log),
  } as const;
  const handler = createHandler(options, files);
  const digest = 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2';
  const get = (path: string, headers = {}): unknown =>
    handler(new Request(`http://a.example${path}`, { headers }), routeOf(path));
  await get('/reads/a', { 'x-request-id': 'r1' });
  await get(`/sequence/${digest}`, { 'x-request-id': 'r2' });
  await get('/list/collection');
  expect(lines).toEqual([
    'reads/a: the disk failed (request r1)',
    `sequence/${digest}: the disk failed (request r2)`,
    'list/collection: the disk failed',
  ]);
});

test('logs one failure once, and never an id that is unknown', () => {
  const lines: string[] = [];
  const report = createFailureLog((line) => lines.push(line));
  const failure = new Error('the disk failed');
  report(failure, { name: undefined, requestId: undefined });
  report(failure, { name: 'reads/a', requestId: 'r1' });
  report(new Error('the disk failed'), { name: 'reads/a', requestId: 'r1' });
  expect(lines).toEqual(['the disk failed', 'reads/a: the disk failed (request r1)']);
});
