import { expect, test } from 'vitest';
import { parseSubsequence, RefgetError, type RefgetErrorCode, toRefgetErrorBody } from '../src/refget.js';

// refget 2.0.0, "Errors", and further statuses of HTTP
const STATUSES: Record<RefgetErrorCode, number> = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Found': 404,
  'Method Not Allowed': 405,
  'Not Acceptable': 406,
  Conflict: 409,
  'Precondition Failed': 412,
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

test.each([
  ['', {}],
  ['start=0', { start: 0 }],
  ['end=0', { end: 0 }],
  ['start=10&end=20', { start: 10, end: 20 }],
  ['start=20&end=10', { start: 20, end: 10 }],
  ['start=5&end=5', { start: 5, end: 5 }],
  ['start=007', { start: 7 }],
  ['end=4294967295', { end: 4_294_967_295 }],
  ['accept=text/plain&start=1&accept=x', { start: 1 }],
  ['Start=1', {}],
])('parses %j as %o', (query, subsequence) => {
  expect(parseSubsequence(new URLSearchParams(query))).toEqual(subsequence);
});

test.each([
  'start=abc',
  'start=10abc',
  'start=-1',
  'start=',
  'start',
  'start=1.5',
  'start=%2B1',
  'start=+1',
  'start=1%20',
  'start=0x10',
  'start=1e3',
  'start=4294967296',
  'start=99999999999999999999999999',
  'start=1&start=1',
  'end=abc',
  'end=-1',
  'end=4294967296',
  'end=1&end=2',
  'start=5&end=x',
])('rejects %j as a bad request', (query) => {
  expect(() => parseSubsequence(new URLSearchParams(query))).toThrow(
    expect.objectContaining({ constructor: RefgetError, status: 400, code: 'Bad Request' }),
  );
});

test('a message quotes the first 40 characters of a long value', () => {
  const params = new URLSearchParams({ start: 'x'.repeat(1000) });
  expect(() => parseSubsequence(params)).toThrow(`found "${'x'.repeat(40)}…"`);
});
