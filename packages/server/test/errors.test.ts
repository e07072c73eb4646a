import { HtsgetClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import { describeFailure, ofFile, UsageError } from '../src/errors.js';

const system = (details: object): Error => Object.assign(new Error('as the system says it'), details);
const STORAGE = 'the request cannot be made';
const storage = (cause: unknown): Error => new StorageError('UNAVAILABLE', STORAGE, { key: 'k', cause });
const unreachable = (cause: unknown): Error =>
  new HtsgetClientError('NETWORK', 'the server cannot be reached', { cause });

test.each<[string, unknown, string]>([
  ['a missing file', system({ code: 'ENOENT', path: '/x' }), '/x: no such file or folder'],
  ['a file below a file', system({ code: 'ENOTDIR', path: '/x/y' }), '/x/y: no such file or folder'],
  ['a file of others', system({ code: 'EACCES', path: '/x' }), '/x: permission denied'],
  [
    'a port that is taken',
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
    'a host that is none',
    system({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'h' }),
    'cannot listen on h: not an address of this machine; use --host 0.0.0.0 for all of them (ENOTFOUND)',
  ],
  ['what else the system says', system({ code: 'EIO', path: '/x' }), 'as the system says it'],
  ['what is no error', 'text', 'text'],
  [
    'a server that is not there',
    unreachable(new TypeError('fetch failed', { cause: system({ code: 'ECONNREFUSED' }) })),
    'the server cannot be reached: connection refused',
  ],
  ['a server, for no reason that is told', unreachable(new TypeError('fetch failed')), 'the server cannot be reached'],
  [
    'a store whose credentials are missing',
    storage(new Error('the environment has no AWS_ACCESS_KEY_ID')),
    'the request cannot be made: the environment has no AWS_ACCESS_KEY_ID',
  ],
  ['a store, and not the URL that fetch tells', storage(new TypeError('Invalid URL: http://u:p@h')), STORAGE],
  ['a store, and not what the system says', storage(system({ code: 'ECONNRESET' })), STORAGE],
  ['a store, for no reason that is told', storage(undefined), STORAGE],
])('%s', (_, error, message) => {
  expect(describeFailure(error)).toBe(message);
});

test('an error of a file has its path in front, once; one of whoever typed the command stays as it is', () => {
  const error = new Error('it is damaged');
  expect(ofFile('a.bam', error)).toMatchObject({ message: 'a.bam: it is damaged', cause: error });
  const missing = system({ code: 'ENOENT', path: 'a.bam' });
  expect(ofFile('a.bam', missing).message).toBe('a.bam: no such file or folder');
  const usage = new UsageError('wrong');
  expect(ofFile('a.bam', usage)).toBe(usage);
});
