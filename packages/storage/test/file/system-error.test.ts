import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import { toStorageError } from '../../src/file/system-error.js';

test.each([
  ['ENOENT', 'NOT_FOUND', false],
  ['ENOTDIR', 'NOT_FOUND', false],
  ['EISDIR', 'NOT_FOUND', false],
  ['ELOOP', 'NOT_FOUND', false],
  ['ENAMETOOLONG', 'NOT_FOUND', false],
  ['EACCES', 'ACCESS_DENIED', false],
  ['EPERM', 'ACCESS_DENIED', false],
  ['EIO', 'UNAVAILABLE', false],
  ['EMFILE', 'UNAVAILABLE', true],
  ['ENFILE', 'UNAVAILABLE', true],
  ['ESTALE', 'UNAVAILABLE', true],
])('%s is %s, isTransient: %s', (code, storageCode, isTransient) => {
  const cause = Object.assign(new Error(`${code}: failed, open '/secret/path'`), { code });
  const error = toStorageError(cause, '/secret/path');
  expect(error).toMatchObject({ code: storageCode, isTransient, cause, key: '/secret/path' });
  expect(error.message).not.toContain('secret');
});

test.each([new Error('secret'), new RangeError('Array buffer allocation failed'), 'secret', undefined])(
  'what has no code (%o) is UNAVAILABLE',
  (cause) => {
    expect(toStorageError(cause, 'k')).toMatchObject({ code: 'UNAVAILABLE', isTransient: false, cause });
  },
);

test('a StorageError stays as it is', () => {
  const error = new StorageError('CHANGED', 'no', { key: 'k' });
  expect(toStorageError(error, 'other')).toBe(error);
});
