import { createHash } from 'node:crypto';
import type { ByteSource, SourceStat } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import {
  type Checksum,
  createDrsHandler,
  type DrsBundle,
  type DrsFile,
  type DrsObject,
  type DrsOptions,
} from '../src/index.js';

export const PUBLIC_URL = 'https://data.example.org';
const TIME = Date.UTC(2026, 0, 31, 12);

/** A source of bytes with a version and a time. */
export function sourceOf(bytes: Uint8Array, key: string, stat: Partial<SourceStat> = {}): ByteSource {
  const source = memorySource(bytes, { key, version: '1' });
  return {
    key,
    stat: async () => ({ size: bytes.length, version: '1', modifiedAt: TIME, ...stat }),
    read: (range, options) => source.read(range, options),
    stream: (range, options) => source.stream(range, options),
  };
}

export const BAM: Uint8Array = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
export const BAI: Uint8Array = Uint8Array.of(66, 65, 73, 1);

export const FILES: Readonly<Record<string, DrsFile | DrsBundle>> = {
  'a.bam': {
    kind: 'file',
    id: 'a.bam',
    data: sourceOf(BAM, 'a.bam'),
    htsgetUrl: `${PUBLIC_URL}/reads/a?format=BAM`,
    aliases: ['sample:1'],
  },
  'a.bam.bai': { kind: 'file', id: 'a.bam.bai', data: sourceOf(BAI, 'a.bam.bai') },
  'deep/b c.bam': { kind: 'file', id: 'deep/b c.bam', data: sourceOf(BAM, 'b.bam') },
  'reads/a': {
    kind: 'bundle',
    id: 'reads/a',
    contents: [
      { id: 'a.bam', name: 'a.bam' },
      { id: 'a.bam.bai', name: 'a.bam.bai' },
    ],
  },
  nested: { kind: 'bundle', id: 'nested', contents: [{ id: 'reads/a', name: 'a' }] },
};

export type Handler = (request: Request) => Promise<Response>;

/** Creates a handler of the files above, and of others. */
export function serviceOf(
  options: Partial<DrsOptions> = {},
  more: Readonly<Record<string, DrsFile | DrsBundle>> = {},
): Handler {
  const files = { ...FILES, ...more };
  return createDrsHandler({
    publicUrl: PUBLIC_URL,
    resolve: async (id) => (Object.hasOwn(files, id) ? files[id] : undefined),
    onError: () => undefined,
    ...options,
  });
}

/** Requests a path. */
export function ask(handler: Handler, path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(`http://localhost${path}`, init));
}

export const API = '/ga4gh/drs/v1';

/** Requests the description of an object. */
export async function describeObject(handler: Handler, id: string, init?: RequestInit): Promise<DrsObject> {
  return (await (await ask(handler, `${API}/objects/${encodeURIComponent(id)}`, init)).json()) as DrsObject;
}

export function post(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

export function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Lets `Bearer owner` and the passport `visa` see everything, and `Bearer part` a region. `a.open` is public. */
export const authorize: NonNullable<DrsOptions['authorize']> = ({ request, id, passports }) => {
  if (id.startsWith('open')) return 'all';
  const token = request.headers.get('authorization');
  if (token === 'Bearer owner' || passports.includes('visa')) return { regions: 'all', subject: 'owner' };
  if (token === 'Bearer part') return { regions: [{ referenceName: 'chr1' }], subject: 'guest' };
  return token === null ? 'unauthenticated' : 'forbidden';
};

/** The checksums of bytes, computed independently. */
export function checksumsOf(bytes: Uint8Array | string): readonly Checksum[] {
  return [
    { type: 'sha-256', checksum: createHash('sha256').update(bytes).digest('hex') },
    { type: 'md5', checksum: createHash('md5').update(bytes).digest('hex') },
  ];
}
