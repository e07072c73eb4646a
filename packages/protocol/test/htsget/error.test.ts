import { expect, test } from 'vitest';
import { HtsgetError, type HtsgetErrorCode, toHtsgetErrorBody } from '../../src/htsget/error.js';

// htsget 1.3.1, "Errors"
const STATUSES: Record<HtsgetErrorCode, number> = {
  InvalidAuthentication: 401,
  PermissionDenied: 403,
  NotFound: 404,
  PayloadTooLarge: 413,
  UnsupportedFormat: 400,
  InvalidInput: 400,
  InvalidRange: 400,
  InternalServerError: 500,
};

test.each(Object.entries(STATUSES))('%s has the status %d', (code, status) => {
  expect(new HtsgetError(code as HtsgetErrorCode, 'no').status).toBe(status);
});

test('an error can have another status and a retry delay, and its body does not contain its cause', () => {
  const cause = new Error('secret');
  const error = new HtsgetError('InternalServerError', 'later', { status: 503, retryAfterSeconds: 5, cause });
  expect(error).toMatchObject({ name: 'HtsgetError', status: 503, retryAfterSeconds: 5, cause });
  expect(toHtsgetErrorBody(error)).toEqual({ htsget: { error: 'InternalServerError', message: 'later' } });
  expect('cause' in new HtsgetError('NotFound', 'no')).toBe(false);
});

test('the challenge of a 401 is Bearer unless the error has its own', () => {
  expect(new HtsgetError('InvalidAuthentication', 'no').challenge).toBe('Bearer');
  expect(new HtsgetError('PermissionDenied', 'no').challenge).toBeUndefined();
  const challenge = 'Bearer error="insufficient_scope"';
  expect(new HtsgetError('PermissionDenied', 'no', { challenge }).challenge).toBe(challenge);
});
