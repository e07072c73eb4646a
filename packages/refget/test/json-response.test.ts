import { StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import { expect, test } from 'vitest';
import { toRefgetError } from '../src/json-response.js';

const key = 'secret/path';

test('keeps an error that is meant for the client', () => {
  const error = new RefgetError('Unauthorized', 'no');
  expect(toRefgetError(error)).toBe(error);
});

test.each([
  [new StorageError('UNAVAILABLE', 'x', { key, isTransient: true }), 503, 5],
  [new StorageError('CHANGED', 'x', { key }), 503, 5],
  [new StorageError('UNAVAILABLE', 'x', { key }), 500, undefined],
  [new StorageError('NOT_FOUND', 'x', { key }), 500, undefined],
  [new Error(key), 500, undefined],
  ['text', 500, undefined],
])('converts %s to status %i', (failure, status, retryAfterSeconds) => {
  const error = toRefgetError(failure);
  expect(error).toMatchObject({ status, retryAfterSeconds, cause: failure });
  expect(error.message).not.toContain(key);
});
