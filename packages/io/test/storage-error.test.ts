import { expect, test } from 'vitest';
import { StorageError } from '../src/storage-error.js';

test('an error has a code, the key of its source and a cause', () => {
  const cause = new Error('EIO');
  const error = new StorageError('UNAVAILABLE', 'no answer', { key: 'k', isTransient: true, cause });
  expect(error).toMatchObject({ name: 'StorageError', code: 'UNAVAILABLE', key: 'k', isTransient: true, cause });
});

test('an error is not transient unless it is said to be', () => {
  const error = new StorageError('NOT_FOUND', 'no', { key: 'k' });
  expect(error.isTransient).toBe(false);
  expect('cause' in error).toBe(false);
});
