import { expect, test } from 'vitest';
import { RefgetError, type RefgetErrorCode, toRefgetErrorBody } from '../../src/refget/error.js';

// refget 2.0.0, "Errors", and further statuses of HTTP
const STATUSES: Record<RefgetErrorCode, number> = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Found': 404,
  'Method Not Allowed': 405,
  'Not Acceptable': 406,
  Conflict: 409,
  'Content Too Large': 413,
  'Range Not Satisfiable': 416,
  'Internal Server Error': 500,
  'Not Implemented': 501,
  'Service Unavailable': 503,
};

test.each(Object.entries(STATUSES))('%s has the status %d', (code, status) => {
  expect(new RefgetError(code as RefgetErrorCode, 'no').status).toBe(status);
});

test('an error has a retry delay, and its body does not contain its cause', () => {
  const cause = new Error('secret');
  const error = new RefgetError('Service Unavailable', 'later', { cause, retryAfterSeconds: 5 });
  expect(error).toMatchObject({ name: 'RefgetError', retryAfterSeconds: 5, cause });
  expect(toRefgetErrorBody(error)).toEqual({ status: 503, type: 'Service Unavailable', message: 'later' });
  expect('cause' in new RefgetError('Conflict', 'no')).toBe(false);
});

test('the challenge of a 401 is Bearer unless the error has its own', () => {
  expect(new RefgetError('Unauthorized', 'no').challenge).toBe('Bearer');
  expect(new RefgetError('Forbidden', 'no').challenge).toBeUndefined();
  const challenge = 'Bearer error="invalid_token"';
  expect(new RefgetError('Unauthorized', 'no', { challenge }).challenge).toBe(challenge);
});
