import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import { fromFilehandleError } from '../../src/filehandle/from-filehandle.js';

test.each([
  [401, 'ACCESS_DENIED', false],
  [403, 'ACCESS_DENIED', false],
  [404, 'NOT_FOUND', false],
  [410, 'NOT_FOUND', false],
  [400, 'UNAVAILABLE', false],
  [408, 'UNAVAILABLE', true],
  [425, 'UNAVAILABLE', true],
  [429, 'UNAVAILABLE', true],
  [500, 'UNAVAILABLE', true],
  [501, 'UNAVAILABLE', false],
  [502, 'UNAVAILABLE', true],
  [503, 'UNAVAILABLE', true],
  [504, 'UNAVAILABLE', true],
])('HTTP %i is %s, isTransient: %s', (status, code, isTransient) => {
  const cause = new Error(`HTTP ${status} fetching https://secret.example/object`);
  const error = fromFilehandleError(cause, 'k');
  expect(error).toMatchObject({ code, isTransient, cause, key: 'k' });
  expect(error.message).not.toContain('secret');
});

test('a fetch that failed is UNAVAILABLE for now', () => {
  const cause = new Error('fetch failed fetching https://secret.example/', { cause: new TypeError('fetch failed') });
  const error = fromFilehandleError(cause, 'k');
  expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: true, cause });
  expect(error.message).not.toContain('secret');
});

test.each([
  [Object.assign(new Error('ENOENT: /secret'), { code: 'ENOENT' }), 'NOT_FOUND'],
  [Object.assign(new Error('EACCES: /secret'), { code: 'EACCES' }), 'ACCESS_DENIED'],
  [new Error('said HTTP 404 somewhere'), 'UNAVAILABLE'],
  [new Error('secret'), 'UNAVAILABLE'],
  ['HTTP 404 as a string', 'UNAVAILABLE'],
])('what a local file or an unknown filehandle throws (%o) is %s', (cause, code) => {
  expect(fromFilehandleError(cause, 'k')).toMatchObject({ code, isTransient: false, cause });
});

test('a StorageError stays as it is', () => {
  const error = new StorageError('CHANGED', 'no', { key: 'k' });
  expect(fromFilehandleError(error, 'other')).toBe(error);
});
