import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { drsObjectsUrl, parseDrsUri } from '../../src/mapped/drs-client.node.js';
import { findFiles } from '../objects/find-files.js';
import { openMappedObjects, type Respond, requestOf, startService, type TestService } from './services.js';

const BAM = readFixture('reads.bam');
const BAI = readFixture('reads.bam.bai');
const PREFIX = '/ga4gh/drs/v1/objects/';

type Methods = (origin: string) => readonly object[];

/** A DRS server with an object `1`, whose data needs a header of its own, and an index `2`. */
async function startDrs(methods: Methods, more: object = {}): Promise<TestService> {
  const respond: Respond = ({ url = '', headers }) => {
    const path = url.startsWith(PREFIX) ? url.slice(PREFIX.length) : undefined;
    if (path === '1') {
      return { body: { id: '1', size: BAM.length, name: 'x.bam', access_methods: methods(service.origin), ...more } };
    }
    if (path === '2')
      return { body: { access_methods: [{ type: 'https', access_url: { url: `${service.origin}/i` } }] } };
    if (path === '1/access/a%20b') return { body: { url: `${service.origin}/d`, headers: ['X-Key:  secret'] } };
    if (url === '/i') return { body: BAI, headers: { etag: '"2"' } };
    const isRead = url === '/d' && (headers['x-key'] === 'secret' || more !== NEEDS_KEY);
    return isRead ? { body: BAM, headers: { etag: '"1"' } } : { status: 404 };
  };
  const service: TestService = await startService(respond);
  return service;
}

const NEEDS_KEY = {};

const METHODS: readonly (readonly [name: string, methods: Methods])[] = [
  [
    'an access URL',
    (origin) => [
      { type: 's3', access_url: { url: 's3://b/x' } },
      { type: 'https', access_url: { url: `${origin}/d` } },
    ],
  ],
  ['an access id', () => [{ type: 'https', access_id: 'a b' }]],
  [
    'headers',
    (origin) => [{ type: 'https', access_url: { url: `${origin}/d`, headers: ['X-Key: secret', 'Host: other'] } }],
  ],
  ['a URL and an id', (origin) => [{ type: 'https', access_id: 'a b', access_url: { url: `${origin}/d` } }]],
];

test.each(METHODS)('serves an object of a DRS server by %s', async (_, methods) => {
  const { host } = await startDrs(methods);
  const location = `drs://${host}/1`;
  const catalogue = await openMappedObjects([{ kind: 'drs', id: 'study/A', location, index: `drs://${host}/2` }]);
  expect(await findFiles(catalogue, 'study/A')).toEqual([['BAM', BAM.length, BAI.length]]);
  expect(await findFiles(catalogue, '1')).toBeUndefined();
});

test('sends the headers of the access method to the host of the data', async () => {
  const { host } = await startDrs(() => [{ type: 'https', access_id: 'a b' }], NEEDS_KEY);
  const catalogue = await openMappedObjects([{ kind: 'drs', id: 'a', location: `drs://${host}/1` }]);
  expect(await findFiles(catalogue, 'a')).toEqual([['BAM', BAM.length, undefined]]);
});

test('serves the ids of a rule, with the token of the user for the DRS server', async () => {
  const { host, requests } = await startDrs((origin) => [{ type: 'https', access_url: { url: `${origin}/d` } }]);
  const location = `drs://${host}/\${object}`;
  const catalogue = await openMappedObjects([
    { kind: 'rule', match: 'drs/(?<object>.+)', location, folder: '/', forward: ['authorization'] },
  ]);
  const [file] = (await catalogue.resolve('drs/1', 'reads', requestOf('alice'))) ?? [];
  expect(file?.format).toBe('BAM');
  expect(requests.every(({ authorization }) => authorization === 'Bearer alice')).toBe(true);
  expect(await catalogue.resolve('drs/absent', 'reads', requestOf('alice'))).toBeUndefined();
});

test.each<[string, Methods, object]>([
  ['without a method of the type https', () => [{ type: 'gs', access_url: { url: 'gs://b/x' } }], {}],
  ['without methods', () => [], {}],
  ['with an unknown access id', () => [{ type: 'https', access_id: 'other' }], {}],
  ['of another size', (origin) => [{ type: 'https', access_url: { url: `${origin}/d` } }], { size: 1 }],
  ['with an address of a cloud', () => [{ type: 'https', access_url: { url: 'http://169.254.169.254/x.bam' } }], {}],
  ['with a file', () => [{ type: 'https', access_url: { url: 'file:///x.bam' } }], {}],
])('an object %s is not served', async (_, methods, more) => {
  const { host } = await startDrs(methods, more);
  const catalogue = await openMappedObjects([{ kind: 'drs', id: 'a', location: `drs://${host}/1` }]);
  await expect(catalogue.resolve('a', 'reads')).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
});

test.each([
  ['drs://drs.example.org/314159', { host: 'drs.example.org', id: '314159' }],
  ['drs://DRS.example.org:8443/a/b', { host: 'drs.example.org:8443', id: 'a/b' }],
  ['drs://[::1]:80/a', { host: '[::1]:80', id: 'a' }],
  ['drs://dg.4503:dg.4503/01b048d0', undefined],
  ['drs://host/..', undefined],
  ['drs://host/', undefined],
  ['drs://user@host/a', undefined],
  ['https://host/a', undefined],
])('parses %s as %j', (text, uri) => {
  expect(parseDrsUri(text)).toEqual(uri);
});

test('only this machine is asked without TLS', () => {
  expect(
    ['drs.example.org', 'localhost', '127.0.0.1:8080', 'localhost.example', '127.0.0.1.example'].map(drsObjectsUrl),
  ).toEqual([
    'https://drs.example.org/ga4gh/drs/v1/objects/',
    'http://localhost/ga4gh/drs/v1/objects/',
    'http://127.0.0.1:8080/ga4gh/drs/v1/objects/',
    'https://localhost.example/ga4gh/drs/v1/objects/',
    'https://127.0.0.1.example/ga4gh/drs/v1/objects/',
  ]);
});
