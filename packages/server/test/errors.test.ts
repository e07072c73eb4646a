import { HtsgetClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import { describeFailure, ofFile, UsageError } from '../src/errors.js';

const system = (details: object): Error => Object.assign(new Error('as the system says it'), details);
const STORAGE = 'the request cannot be created';
const storage = (cause: unknown): Error => new StorageError('UNAVAILABLE', STORAGE, { key: 'k', cause });
const unreachable = (cause: unknown): Error =>
  new HtsgetClientError('NETWORK', 'cannot connect to the server', { cause });

test.each<[string, unknown, string]>([
  ['a missing file', system({ code: 'ENOENT', path: '/x' }), '/x: there is no such file or folder'],
  ['a file below a file', system({ code: 'ENOTDIR', path: '/x/y' }), '/x/y: there is no such file or folder'],
  ['a file of others', system({ code: 'EACCES', path: '/x' }), '/x: this user may not read or write it'],
  [
    'a port that is taken',
    system({ code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 80 }),
    'port 80 of 127.0.0.1 is taken by another program: give another --port, or 0 for a free one (EADDRINUSE)',
  ],
  [
    'a low port',
    system({ code: 'EACCES', syscall: 'listen', port: 80 }),
    'this user may not listen on port 80: give one from 1024 on',
  ],
  [
    'another machine',
    system({ code: 'EADDRNOTAVAIL', syscall: 'listen', address: '10.1.1.1' }),
    '10.1.1.1 is no address of this machine: --host 0.0.0.0 is all that it has (EADDRNOTAVAIL)',
  ],
  [
    'a host that is none',
    system({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'h' }),
    'h is no address of this machine: --host 0.0.0.0 is all that it has (ENOTFOUND)',
  ],
  ['what else the system says', system({ code: 'EIO', path: '/x' }), 'as the system says it'],
  ['what is no error', 'text', 'text'],
  [
    'a server that is not there',
    unreachable(new TypeError('fetch failed', { cause: system({ code: 'ECONNREFUSED' }) })),
    'cannot connect to the server: ECONNREFUSED',
  ],
  ['a server, for no reason that is told', unreachable(new TypeError('fetch failed')), 'cannot connect to the server'],
  [
    'a store whose credentials are missing',
    storage(new Error('the environment variable AWS_ACCESS_KEY_ID is not set')),
    'the request cannot be created: the environment variable AWS_ACCESS_KEY_ID is not set',
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
  expect(ofFile('a.bam', missing).message).toBe('a.bam: there is no such file or folder');
  const usage = new UsageError('wrong');
  expect(ofFile('a.bam', usage)).toBe(usage);
});
