import { StorageError } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { createCatalogue, type SequenceCatalogue } from '../src/catalogue.js';
import { createPlainRefgetHandler } from '../src/handler.js';
import { LINEAR, service } from './sequence-service.js';

const { md5 } = LINEAR.metadata;

// What is answered to which request is in the table of answers.

test('service-info is not shadowed by a catalogue that knows every id', async () => {
  const catalogue: SequenceCatalogue = { find: () => [LINEAR] };
  const response = await service({ catalogue })('/sequence/service-info');
  expect(await response.json()).toMatchObject({ type: { artifact: 'refget' } });
});

test('a plain answer of few bases has them as bytes, and says what a Response says', async () => {
  const path = `/sequence/${md5}?start=2&end=5`;
  const handle = createPlainRefgetHandler({ catalogue: createCatalogue([LINEAR]) });
  const plain = await handle(new Request(`http://localhost${path}`));
  const response = await service({ catalogue: createCatalogue([LINEAR]) })(path);
  expect(plain).not.toBeInstanceOf(Response);
  expect(plain.body).toEqual(new Uint8Array(await response.arrayBuffer()));
  expect([plain.status, [...plain.headers]]).toEqual([response.status, [...response.headers]]);
});

describe('failures', () => {
  test.each([
    [new Error('secret'), 500, null],
    [new StorageError('UNAVAILABLE', 'secret', { key: 'secret', isTransient: true }), 503, '5'],
  ])('%s of the catalogue is answered with %i and reported', async (failure, status, retryAfter) => {
    const reported: unknown[] = [];
    const call = service({
      catalogue: { find: () => Promise.reject(failure) },
      onError: (error) => reported.push(error),
    });
    const response = await call(`/sequence/${md5}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await response.text()).not.toContain('secret');
    expect(reported).toEqual([failure]);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', (subsequenceLimit) => {
    expect(() => service({ subsequenceLimit })).toThrow(RangeError);
  });
});
