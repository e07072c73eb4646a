import { HtsgetClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import { describeError, describeFailure, ofFile, ofUrl, UsageError } from '../src/errors.js';

const system = (details: object): Error => Object.assign(new Error('a system error'), details);
const STORAGE = 'the request cannot be created';
const storage = (cause: unknown): Error => new StorageError('UNAVAILABLE', STORAGE, { key: 'k', cause });
const unreachable = (cause: unknown): Error =>
  new HtsgetClientError('NETWORK', 'cannot connect to the server', { cause });

test.each<[string, unknown, string]>([
  ['a missing file', system({ code: 'ENOENT', path: '/x' }), '/x: no such file or folder'],
  ['a file below a file', system({ code: 'ENOTDIR', path: '/x/y' }), '/x/y: no such file or folder'],
  ['a file without permission', system({ code: 'EACCES', path: '/x' }), '/x: permission denied'],
  [
    'a port in use',
    system({ code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 80 }),
    'cannot listen on 127.0.0.1:80: the port is in use; use another --port, or 0 for a free one (EADDRINUSE)',
  ],
  [
    'a low port',
    system({ code: 'EACCES', syscall: 'listen', port: 80 }),
    'cannot listen on port 80: permission denied; use a port of 1024 or above',
  ],
  [
    'another machine',
    system({ code: 'EADDRNOTAVAIL', syscall: 'listen', address: '10.1.1.1' }),
    'cannot listen on 10.1.1.1: not an address of this machine; use --host 0.0.0.0 for all of them (EADDRNOTAVAIL)',
  ],
  [
    'an invalid host',
    system({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'h' }),
    'cannot listen on h: not an address of this machine; use --host 0.0.0.0 for all of them (ENOTFOUND)',
  ],
  ['another system error', system({ code: 'EIO', path: '/x' }), 'a system error'],
  ['a value that is not an error', 'text', 'text'],
  [
    'a missing server',
    unreachable(new TypeError('fetch failed', { cause: system({ code: 'ECONNREFUSED' }) })),
    'cannot connect to the server: connection refused',
  ],
  [
    'a refused connection',
    unreachable(
      new TypeError('fetch failed', { cause: system({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 1 }) }),
    ),
    'cannot connect to 127.0.0.1:1: connection refused',
  ],
  [
    'a host with several addresses',
    unreachable(
      new TypeError('fetch failed', {
        cause: new AggregateError([system({ code: 'ETIMEDOUT', address: '::1', port: 80 })]),
      }),
    ),
    'cannot connect to [::1]:80: connection timed out',
  ],
  ['a server, without a reason', unreachable(new TypeError('fetch failed')), 'cannot connect to the server'],
  [
    'a store whose credentials are missing',
    storage(new Error('the environment variable AWS_ACCESS_KEY_ID is not set')),
    'the request cannot be created: the environment variable AWS_ACCESS_KEY_ID is not set',
  ],
  ['a store, without the URL in the cause', storage(new TypeError('Invalid URL: http://u:p@h')), STORAGE],
  ['a store, without a system error as the cause', storage(system({ code: 'ECONNRESET' })), STORAGE],
  ['a store, without a cause', storage(undefined), STORAGE],
])('%s', (_, error, message) => {
  expect(describeFailure(error)).toBe(message);
});

test('describes a server whose host is not found, and not as an address to listen on', () => {
  const cause = system({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'store' });
  const error = new StorageError('UNAVAILABLE', 'cannot connect', {
    key: 'k',
    cause: new TypeError('fetch failed', { cause }),
  });
  expect(describeError(error)).toBe('cannot connect: fetch failed: store: host not found');
});

test.each([
  ['htsget://127.0.0.1:8080/x', 'http://127.0.0.1:8080'],
  ['htsget://data.example/x', 'https://data.example'],
])('says what to request instead of %s', (url, base) => {
  const error = ofUrl(url, new HtsgetClientError('INVALID_TICKET', 'expected a JSON object'));
  expect((error as Error).message).toBe(
    `${base}/x is not an htsget URL; expected ${base}/reads/ID or ${base}/variants/ID; htskit ls ${base}/ lists them`,
  );
});

test('prefixes an error with the path of its file once, and keeps a usage error', () => {
  const error = new Error('it is damaged');
  expect(ofFile('a.bam', error)).toMatchObject({ message: 'a.bam: it is damaged', cause: error });
  const missing = system({ code: 'ENOENT', path: 'a.bam' });
  expect(ofFile('a.bam', missing).message).toBe('a.bam: no such file or folder');
  const usage = new UsageError('wrong');
  expect(ofFile('a.bam', usage)).toBe(usage);
});
