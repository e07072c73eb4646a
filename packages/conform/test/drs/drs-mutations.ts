import { WRONG_MEMBERS, withMember } from '../refget/document-mutations.js';
import type { HeadFilter } from '../refget/requests.js';
import { changeAnswer, changeBytes, changeHeaders, changeJson, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

const API = '/ga4gh/drs/v1';
const isInfo: HeadFilter = ({ pathname }) => pathname === `${API}/service-info`;
const isObject: HeadFilter = ({ pathname }) => /\/objects\/[^/]+$/.test(pathname) && !isUnknownPath(pathname);
const isBundle: HeadFilter = ({ pathname }) => pathname === `${API}/objects/reads%2Flab`;
const isUnknown: HeadFilter = ({ pathname }) => isUnknownPath(pathname);
const isAccess: HeadFilter = ({ pathname }) => pathname.endsWith('/access/https');
const isBytes: HeadFilter = ({ pathname }) => pathname.startsWith('/files/');

function isUnknownPath(pathname: string): boolean {
  return pathname.includes('htskit-conform-no-such-object');
}

/** Sets a member of the descriptions that match. */
function setMember(matches: HeadFilter, name: string, value: unknown): Mutation['break'] {
  return changeJson(matches, (document) => withMember(document, name, value));
}

const CHECKSUM = { type: 'md5', checksum: '0'.repeat(32) };

export const DRS_MUTATIONS: readonly Mutation[] = [
  ...[...WRONG_MEMBERS, ['artifact', 'type.artifact', 'refget'] as const].map(
    ([rule, path, value]): Mutation => ({
      rule: `drs.service-info.${rule}`,
      fault: `has ${JSON.stringify(value)} as ${path}`,
      break: changeJson(isInfo, (document) => withMember(document, path, value)),
    }),
  ),
  { rule: 'drs.object.document', fault: 'answers 202 for a description', break: withStatus(202, isObject) },
  {
    rule: 'drs.object.id',
    fault: 'has an id that it does not know',
    break: setMember(isObject, 'id', 'htskit-conform-no-such-object'),
  },
  {
    rule: 'drs.object.self-uri',
    fault: 'has an https:// URI',
    break: setMember(isObject, 'self_uri', 'https://a.example/x'),
  },
  { rule: 'drs.object.size', fault: 'has the size as a string', break: setMember(isObject, 'size', '1000') },
  {
    rule: 'drs.object.created-time',
    fault: 'has a date alone',
    break: setMember(isObject, 'created_time', '2026-01-01'),
  },
  {
    rule: 'drs.object.updated-time',
    fault: 'has a time in seconds',
    break: setMember(isObject, 'updated_time', 1_767_225_600),
  },
  { rule: 'drs.object.checksums', fault: 'has no checksums', break: setMember(isObject, 'checksums', []) },
  { rule: 'drs.object.name', fault: 'has a path as name', break: setMember(isObject, 'name', 'a/b c') },
  {
    rule: 'drs.object.access-methods',
    fault: 'has methods without a URL',
    break: setMember(isObject, 'access_methods', [{ type: 'https' }]),
  },
  {
    rule: 'drs.object.access-types',
    fault: 'has a type of its own',
    break: setMember(isObject, 'access_methods', [{ type: 'http', access_id: 'https' }]),
  },
  {
    rule: 'drs.bundle.names',
    fault: 'has a name twice',
    break: setMember(isBundle, 'contents', [
      { name: 'a', id: 'reads.bam' },
      { name: 'a', id: 'reads.bam.csi' },
    ]),
  },
  {
    rule: 'drs.bundle.contents',
    fault: 'contains an object that it does not describe',
    break: setMember(isBundle, 'contents', [{ name: 'a', id: 'htskit-conform-no-such-object' }]),
  },
  {
    rule: 'drs.bundle.checksums',
    fault: 'has another checksum of a bundle',
    break: setMember(isBundle, 'checksums', [CHECKSUM]),
  },
  { rule: 'drs.bundle.size', fault: 'has 0 as the size of a bundle', break: setMember(isBundle, 'size', 0) },
  { rule: 'drs.errors.unknown-id', fault: 'answers 400 for an unknown id', break: withStatus(400, isUnknown) },
  {
    rule: 'drs.errors.body',
    fault: 'has another body of errors',
    break: changeJson(isUnknown, () => ({ error: 'not found' })),
  },
  {
    rule: 'drs.cors.object',
    fault: 'allows no other origin',
    break: changeHeaders(isObject, (headers) => headers.delete('access-control-allow-origin')),
  },
  {
    rule: 'drs.access.url',
    fault: 'answers an access id with a path',
    break: changeJson(isAccess, () => ({ url: '/files/reads.bam' })),
  },
  {
    rule: 'drs.access.unknown',
    fault: 'answers any access id',
    break: withStatus(200, ({ pathname }) => pathname.endsWith('/access/htskit-conform')),
  },
  {
    rule: 'drs.data.status',
    fault: 'answers 403 for the bytes',
    break: changeAnswer(isBytes, () => new Response('forbidden', { status: 403 })),
  },
  { rule: 'drs.data.size', fault: 'sends a byte too few', break: changeBytes(isBytes, (bytes) => bytes.subarray(1)) },
  {
    rule: 'drs.data.checksums',
    fault: 'sends other bytes',
    break: changeBytes(isBytes, (bytes) => bytes.toReversed()),
  },
];
