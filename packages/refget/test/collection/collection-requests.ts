import { sequenceCollection } from '@htskit/sequences';
import type { WireRequest } from '@htskit/testing/adapter-bindings';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { createRefgetHandler } from '../../src/handler.js';
import type { RefgetOptions } from '../../src/options.js';
import { LINEAR } from '../sequence-service.js';
import { COMPLIANCE } from './published.js';

const { base, subset } = COMPLIANCE;

export const collections = createCollectionCatalogue(
  await Promise.all(Object.values(COMPLIANCE).map(({ members }) => sequenceCollection(members))),
);

/** Creates a handler of the collections of the compliance tests. */
export const handlerOf = (options: Partial<RefgetOptions> = {}): ((request: Request) => Promise<Response>) =>
  createRefgetHandler({ catalogue: createCatalogue([LINEAR]), collections, ...options });

/** Level 2 of `base`. */
export const BASE_ARRAYS = {
  lengths: [8, 4, 4],
  name_length_pairs: base.members.map(({ name, metadata }) => ({ length: metadata.length, name })),
  names: ['chrX', 'chr1', 'chr2'],
  sequences: base.members.map(({ metadata }) => metadata.sha512t24u),
  sorted_sequences: base.members.map(({ metadata }) => metadata.sha512t24u).sort(),
};

const SORTED_DIGESTS = Object.values(COMPLIANCE)
  .map(({ digest }) => digest)
  .sort();

type Headers = Readonly<Record<string, string>>;

export const get = (path: string, headers: Headers = {}): WireRequest => ({ method: 'GET', path, headers });

export const post = (path: string, body: unknown, headers: Headers = {}): WireRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const pagination = (page: number, pageSize: number, total = 6): object => ({ page, page_size: pageSize, total });

/** Requests and the documents of their responses. */
export const ANSWERS: readonly (readonly [path: string, document: unknown])[] = [
  [`/collection/${base.digest}`, BASE_ARRAYS],
  [`/collection/${base.digest}/?level=2`, BASE_ARRAYS],
  [`/collection/${base.digest}?level=1&unknown=1`, base.level1],
  [`/collection/${base.digest}?level=0`, base.digest],
  [`/attribute/collection/lengths/${base.level1.lengths}`, BASE_ARRAYS.lengths],
  [`/attribute/collection/names/${base.level1.names}`, BASE_ARRAYS.names],
  [`/attribute/collection/sequences/${base.level1.sequences}`, BASE_ARRAYS.sequences],
  [`/attribute/collection/sorted_sequences/${base.level1.sorted_sequences}`, BASE_ARRAYS.sorted_sequences],
  [`/attribute/collection/name_length_pairs/${base.level1.name_length_pairs}`, BASE_ARRAYS.name_length_pairs],
  ['/list/collection', { results: SORTED_DIGESTS, pagination: pagination(0, 100) }],
  ['/list/collection?page=1&page_size=4', { results: SORTED_DIGESTS.slice(4), pagination: pagination(1, 4) }],
  ['/list/collection?page=1000000000&page_size=10000', { results: [], pagination: pagination(1e9, 10_000) }],
  [
    `/list/collection?names=${base.level1.names}&lengths=${base.level1.lengths}`,
    { results: [base.digest], pagination: pagination(0, 100, 1) },
  ],
  [
    `/list/collection?names=${base.level1.names}&names=${subset.level1.names}`,
    { results: [], pagination: pagination(0, 100, 0) },
  ],
  ['/list/collection?sorted_name_length_pairs=unknown', { results: [], pagination: pagination(0, 100, 0) }],
];

export const NOT_FOUND: readonly string[] = [
  '/collection/unknown',
  `/collection/${base.digest.toLowerCase()}`,
  `/collection/${base.level1.names}`,
  '/collection',
  `/comparison/${base.digest}/unknown`,
  `/comparison/unknown/${base.digest}`,
  '/list/sequence',
  `/attribute/collection/names/${base.level1.lengths}`,
  `/attribute/collection/unknown/${base.level1.names}`,
  `/attribute/collection/constructor/${base.level1.names}`,
  // Transient: it is a digest only.
  `/attribute/collection/sorted_name_length_pairs/${base.level1.sorted_name_length_pairs}`,
];

export const BAD_QUERIES: readonly string[] = [
  ...['3', '-1', '', 'two', '1.0', '01', '1&level=1'].map((level) => `/collection/${base.digest}?level=${level}`),
  ...['-1', '', '1.5', 'x', '1000000001', '99999999999999999999', '0&page=0'].map(
    (page) => `/list/collection?page=${page}`,
  ),
  ...['0', '-1', '', '10001', '1e3', '1&page_size=1'].map((size) => `/list/collection?page_size=${size}`),
  '/list/collection?unknown=1',
  '/list/collection?__proto__=1',
  `/list/collection?Names=${base.level1.names}`,
];

export const BAD_BODIES: readonly (readonly [name: string, request: WireRequest, status: number])[] = [
  ['no body', post(`/comparison/${base.digest}`, ''), 400],
  ['no JSON', post(`/comparison/${base.digest}`, '{'), 400],
  ['an array', post(`/comparison/${base.digest}`, []), 400],
  ['nothing to compare', post(`/comparison/${base.digest}`, {}), 400],
  [
    'another charset',
    post(`/comparison/${base.digest}`, BASE_ARRAYS, { 'content-type': 'text/plain; charset=utf-16' }),
    400,
  ],
  ['a content coding', post(`/comparison/${base.digest}`, BASE_ARRAYS, { 'content-encoding': 'gzip' }), 400],
  ['an unknown digest', post('/comparison/unknown', BASE_ARRAYS), 404],
  ['more bytes than the limit', post(`/comparison/${base.digest}`, { names: ['x'.repeat(5000)] }), 413],
];
