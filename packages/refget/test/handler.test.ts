import { StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import type { SequenceCatalogue } from '@htskit/sequences';
import { describe, expect, test, vi } from 'vitest';
import { createCatalogue } from '../src/catalogue/catalogue.js';
import { createPlainRefgetHandler } from '../src/handler.js';
import type { RefgetOptions } from '../src/options.js';
import { LINEAR, service } from './sequence-service.js';

const { md5 } = LINEAR.metadata;

// The responses to each kind of request are in the table of answers.

test('no catalogue shadows service-info', async () => {
  const catalogue: SequenceCatalogue = { find: () => [LINEAR] };
  const response = await service({ catalogue })('/sequence/service-info');
  expect(await response.json()).toMatchObject({ type: { artifact: 'refget' } });
});

test('a plain response has few bases as bytes, and the headers of a Response', async () => {
  const path = `/sequence/${md5}?start=2&end=5`;
  const handle = createPlainRefgetHandler({ catalogue: createCatalogue([LINEAR]) });
  const plain = await handle(new Request(`http://localhost${path}`));
  const response = await service({ catalogue: createCatalogue([LINEAR]) })(path);
  expect(plain).not.toBeInstanceOf(Response);
  expect(plain.body).toEqual(new Uint8Array(await response.arrayBuffer()));
  expect([plain.status, [...new Headers(plain.headers)]]).toEqual([response.status, [...response.headers]]);
});

describe('failures', () => {
  test.each([
    [new Error('secret'), 500, null],
    [new StorageError('UNAVAILABLE', 'secret', { key: 'secret', isTransient: true }), 503, '5'],
  ])('answers %s of the catalogue with %i and reports it with the sequence', async (failure, status, retryAfter) => {
    const reported: unknown[] = [];
    const call = service({
      catalogue: { find: () => Promise.reject(failure) },
      onError: (...args) => reported.push(args),
    });
    const response = await call(`/sequence/${md5}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await response.text()).not.toContain('secret');
    expect(reported).toEqual([[failure, { resource: 'sequence', id: md5 }, undefined]]);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects a limit of %d', (subsequence) => {
    expect(() => service({ limits: { subsequence } })).toThrow(RangeError);
  });

  test('are reported to console.error by default', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const failure = new Error('secret');
    const response = await service({ catalogue: { find: () => Promise.reject(failure) } })(`/sequence/${md5}`);
    expect(response.status).toBe(500);
    expect(error.mock.calls).toEqual([[failure, { resource: 'sequence', id: md5 }, undefined]]);
    error.mockRestore();
  });

  test('are answered even if the error hook throws', async () => {
    const onError = (): void => {
      throw new Error('in the hook');
    };
    const call = service({ catalogue: { find: () => Promise.reject(new Error('secret')) }, onError });
    expect((await call(`/sequence/${md5}`)).status).toBe(500);
  });
});

describe('authorize', () => {
  const path = `/sequence/${md5}`;

  test.each([
    ['all', 200, null],
    ['unauthenticated', 401, 'Bearer'],
    ['forbidden', 403, null],
  ] as const)('%s is answered with %i', async (permission, status, challenge) => {
    const response = await service({ authorize: () => permission })(path);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, challenge]);
  });

  test('gets the request, the object and a signal, before the object is looked up', async () => {
    const inputs: unknown[] = [];
    const call = service({
      authorize: ({ request, resource, id, signal }) => {
        inputs.push([request.headers.get('authorization'), resource, id, signal instanceof AbortSignal]);
        return 'forbidden';
      },
      catalogue: { find: () => Promise.reject(new Error('looked up')) },
    });
    const init = { headers: { authorization: 'Bearer x' } };
    expect((await call('/sequence/insdc%3AX.1/metadata', init)).status).toBe(403);
    expect((await call('/sequence/service-info', init)).status).toBe(200);
    expect(inputs).toEqual([['Bearer x', 'sequence', 'insdc:X.1', true]]);
  });

  test('may throw the error of the response', async () => {
    const authorize = (): never => {
      throw new RefgetError('Unauthorized', 'expired', { challenge: 'Bearer error="invalid_token"' });
    };
    const response = await service({ authorize })(path);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  test.each([undefined, null, true, 'none', { regions: [] }])(
    'does not permit anything by returning %j',
    async (value) => {
      const reported: unknown[] = [];
      const authorize = (() => value) as unknown as NonNullable<RefgetOptions['authorize']>;
      const response = await service({ authorize, onError: (error) => reported.push(error) })(path);
      expect(response.status).toBe(500);
      expect(reported).toEqual([new TypeError('authorize() must return a Permission')]);
    },
  );
});

describe('prefix', () => {
  test('is stripped from the paths of all resources', async () => {
    const call = service({ prefix: '/refget' });
    expect(await (await call(`/refget/sequence/${md5}`)).text()).toBe('ACGTNACGTR');
    expect((await call('/refget/sequence/service-info')).status).toBe(200);
  });

  test.each([
    [{ prefix: '/refget' }, `/sequence/${md5}`, /expected \/refget\/sequence\/ID$/],
    [{}, `/refget/sequence/${md5}`, /"prefix" option$/],
  ])('with %j, %s is a 404 that hints at the mount', async (options, path, message) => {
    const response = await service(options)(path);
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ message: expect.stringMatching(message) as string }),
    ]);
  });

  test('must begin with a slash', () => {
    expect(() => service({ prefix: 'refget' })).toThrow(RangeError);
  });
});

test('undefined options mean the defaults', async () => {
  const call = service({
    authority: undefined,
    circularSupported: undefined,
    limits: { subsequence: undefined },
    onError: undefined,
  });
  expect(await (await call('/sequence/service-info')).json()).toMatchObject({
    type: { group: 'org.ga4gh' },
    refget: { circular_supported: true, subsequence_limit: 0 },
  });
});
