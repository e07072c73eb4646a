import { expect, test } from 'vitest';
import { HtsgetError, type HtsgetErrorName, toErrorBody } from '../../src/htsget/error.js';

// htsget 1.3.1, "Errors"
const STATUSES: Record<HtsgetErrorName, number> = {
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
  expect(new HtsgetError(code as HtsgetErrorName, 'no').status).toBe(status);
});

test('an error can have another status, say when to try again, and keep its cause to itself', () => {
  const cause = new Error('secret');
  const error = new HtsgetError('InternalServerError', 'later', { status: 503, retryAfterSeconds: 5, cause });
  expect(error).toMatchObject({ name: 'HtsgetError', status: 503, retryAfterSeconds: 5, cause });
  expect(toErrorBody(error)).toEqual({ htsget: { error: 'InternalServerError', message: 'later' } });
  expect('cause' in new HtsgetError('NotFound', 'no')).toBe(false);
});

test('an error of authentication asks for a bearer token, by a challenge of its own where it has one', () => {
  expect(new HtsgetError('InvalidAuthentication', 'no').challenge).toBe('Bearer');
  expect(new HtsgetError('PermissionDenied', 'no').challenge).toBeUndefined();
  const challenge = 'Bearer error="insufficient_scope"';
  expect(new HtsgetError('PermissionDenied', 'no', { challenge }).challenge).toBe(challenge);
});
