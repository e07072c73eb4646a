import { WRONG_MEMBERS, withMember } from '../refget/document-mutations.js';
import type { HeadFilter } from '../refget/requests.js';
import { changeHeaders, changeJson, changeRequest, changeText, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

type Document = Record<string, unknown>;

const UNKNOWN_DIGEST = '_'.repeat(32);
const isInfo: HeadFilter = ({ pathname }) => pathname === '/service-info';
const isCollection: HeadFilter = ({ pathname }) => pathname.startsWith('/collection/');
const isLevel =
  (level: number): HeadFilter =>
  (url, request) =>
    isCollection(url, request) && url.searchParams.get('level') === String(level);
const isPath =
  (pathname: string): HeadFilter =>
  (url) =>
    url.pathname.startsWith(pathname);

const SCHEMA_MUTATIONS: readonly Mutation[] = [
  { rule: 'seqcol.service-info.document', fault: 'answers 404 for /service-info', break: withStatus(404, isInfo) },
  ...(
    [
      ...WRONG_MEMBERS,
      ['artifact', 'type.artifact', 'refget.seqcol'],
      ['schema', 'seqcol.schema', 'https://schema.example/seqcol.json'],
      ['inherent', 'seqcol.schema.ga4gh', undefined],
      ['recommended-inherent', 'seqcol.schema.ga4gh.inherent', ['lengths', 'names', 'sequences']],
      ['required', 'seqcol.schema.required', ['names']],
      ['all-attributes', 'seqcol.schema.properties', { names: {}, lengths: {} }],
    ] as const
  ).map(
    ([rule, path, value]): Mutation => ({
      rule: `seqcol.service-info.${rule}`,
      fault: `has ${JSON.stringify(value)} as ${path}`,
      break: changeJson(isInfo, (document) => withMember(document, path, value)),
    }),
  ),
  {
    rule: 'seqcol.service-info.openapi',
    fault: 'has no description',
    break: withStatus(404, isPath('/openapi.json')),
  },
];

/** Changes an attribute of a level. */
function changeAttribute(level: number, name: string, change: (value: unknown) => unknown): Mutation['break'] {
  return changeJson(isLevel(level), (document) => ({ ...document, [name]: change(document[name]) }));
}

const reversed = (value: unknown): unknown => (value as readonly unknown[]).toReversed();

const COLLECTION_MUTATIONS: readonly Mutation[] = [
  { rule: 'seqcol.collection.levels', fault: 'does not have level 1', break: withStatus(400, isLevel(1)) },
  {
    rule: 'seqcol.collection.default-level',
    fault: 'sends level 1 without a level',
    break: changeRequest(
      (url, request) => isCollection(url, request) && url.search === '',
      (url) => url.searchParams.set('level', '1'),
    ),
  },
  {
    rule: 'seqcol.collection.names',
    fault: 'has names as numbers',
    break: changeAttribute(2, 'names', () => [1, 2, 3]),
  },
  {
    rule: 'seqcol.collection.lengths',
    fault: 'has lengths as strings',
    break: changeAttribute(2, 'lengths', (lengths) => (lengths as readonly number[]).map(String)),
  },
  {
    rule: 'seqcol.collection.sequences',
    fault: 'has digests without SQ.',
    break: changeAttribute(2, 'sequences', (digests) =>
      (digests as readonly string[]).map((digest) => digest.slice(3)),
    ),
  },
  {
    rule: 'seqcol.collection.collated',
    fault: 'has a name too few',
    break: changeAttribute(2, 'names', (names) => (names as readonly string[]).slice(1)),
  },
  {
    rule: 'seqcol.collection.same-attributes',
    fault: 'leaves attributes that are not inherent out of level 2',
    break: changeAttribute(2, 'sorted_sequences', () => undefined),
  },
  {
    rule: 'seqcol.collection.transient',
    fault: 'has transient attributes at level 2',
    break: changeAttribute(2, 'sorted_name_length_pairs', () => []),
  },
  {
    rule: 'seqcol.collection.refget',
    fault: 'has lengths that are not those of the sequences',
    break: changeAttribute(2, 'lengths', (lengths) => (lengths as readonly number[]).map((length) => length + 1)),
  },
  {
    rule: 'seqcol.collection.content-type',
    fault: 'sends a collection as text',
    break: changeHeaders(isCollection, (headers) => headers.set('content-type', 'text/plain')),
  },
  {
    rule: 'seqcol.collection.unknown',
    fault: 'answers 200 for an unknown collection',
    break: withStatus(200, isPath(`/collection/${UNKNOWN_DIGEST}`)),
  },
  {
    rule: 'seqcol.digests.attributes',
    fault: 'sends names in another order than it has digested',
    break: changeAttribute(2, 'names', reversed),
  },
  {
    rule: 'seqcol.digests.collection',
    fault: 'has other names than it has digested',
    break: changeAttribute(1, 'names', () => UNKNOWN_DIGEST),
  },
  ...(['name_length_pairs', 'sorted_name_length_pairs', 'sorted_sequences'] as const).map(
    (name): Mutation => ({
      rule: `seqcol.digests.${name.replaceAll('_', '-')}`,
      fault: `has another digest of ${name}`,
      break: changeAttribute(1, name, () => UNKNOWN_DIGEST),
    }),
  ),
];

const isList: HeadFilter = ({ pathname }) => pathname === '/list/collection';
const listedWith =
  (...names: readonly string[]): HeadFilter =>
  (url, request) =>
    isList(url, request) && names.every((name) => url.searchParams.has(name));

/** Changes the results of lists. */
function changeResults(
  matches: HeadFilter,
  change: (results: readonly unknown[]) => readonly unknown[],
): Mutation['break'] {
  return changeJson(matches, (document) => ({
    ...document,
    results: change(document['results'] as readonly unknown[]),
  }));
}

function changePagination(matches: HeadFilter, change: (pagination: Document) => Document): Mutation['break'] {
  return changeJson(matches, (document) => ({ ...document, pagination: change(document['pagination'] as Document) }));
}

const LIST_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'seqcol.list.document',
    fault: 'sends the results alone',
    break: changeJson(isList, ({ results }) => results),
  },
  {
    rule: 'seqcol.list.pagination',
    fault: 'has no total',
    break: changePagination(isList, (pagination) => withMember(pagination, 'total', undefined)),
  },
  {
    rule: 'seqcol.list.first-page',
    fault: 'counts pages from 1',
    break: changePagination(isList, (pagination) => ({ ...pagination, page: Number(pagination['page']) + 1 })),
  },
  {
    rule: 'seqcol.list.page-size',
    fault: 'ignores page_size',
    break: changeRequest(isList, ({ searchParams }) => searchParams.delete('page_size')),
  },
  {
    rule: 'seqcol.list.pages',
    fault: 'ignores page',
    break: changeRequest(isList, ({ searchParams }) => searchParams.delete('page')),
  },
  {
    rule: 'seqcol.list.total',
    fault: 'has the number of results of the page as total',
    break: changePagination(listedWith('page_size'), (pagination) => ({ ...pagination, total: 1 })),
  },
  {
    rule: 'seqcol.list.after-last-page',
    fault: 'answers 404 after the last page',
    break: withStatus(404, ({ searchParams }) => searchParams.get('page') === '100000'),
  },
  ...(
    [
      ['filter', 'names'],
      ['filter-non-inherent', 'lengths'],
      ['filter-transient', 'sorted_name_length_pairs'],
    ] as const
  ).map(
    ([rule, name]): Mutation => ({
      rule: `seqcol.list.${rule}`,
      fault: `finds nothing by ${name}`,
      break: changeResults(listedWith(name), () => []),
    }),
  ),
  {
    rule: 'seqcol.list.filter-excludes',
    fault: 'ignores the filter',
    break: changeRequest(isList, ({ searchParams }) => searchParams.delete('sequences')),
  },
  {
    rule: 'seqcol.list.filter-all',
    fault: 'uses the first of several filters',
    break: changeRequest(listedWith('names', 'sequences'), ({ searchParams }) => searchParams.delete('sequences')),
  },
  {
    rule: 'seqcol.list.filter-unknown',
    fault: 'lists everything by an unknown digest',
    break: changeRequest(isList, ({ searchParams }) => searchParams.delete('names')),
  },
  {
    rule: 'seqcol.list.object-type',
    fault: 'lists objects of any type',
    break: withStatus(200, isPath('/list/htskit-conform')),
  },
];

const isAttribute = isPath('/attribute/collection/');

const ATTRIBUTE_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'seqcol.attribute.values',
    fault: 'wraps the value into an object',
    break: changeText(isAttribute, (text) => `{"value":${text}}`),
  },
  {
    rule: 'seqcol.attribute.digests',
    fault: 'sends lengths as strings',
    break: changeText(isPath('/attribute/collection/lengths/'), (text) => text.replace(/\d+/g, '"$&"')),
  },
  {
    rule: 'seqcol.attribute.transient',
    fault: 'answers 200 for a transient attribute',
    break: withStatus(200, isPath('/attribute/collection/sorted_name_length_pairs/')),
  },
  {
    rule: 'seqcol.attribute.unknown-digest',
    fault: 'answers 500 for an unknown digest',
    break: withStatus(500, isPath(`/attribute/collection/names/${UNKNOWN_DIGEST}`)),
  },
  {
    rule: 'seqcol.attribute.unknown-name',
    fault: 'answers 500 for an unknown attribute',
    break: withStatus(500, isPath('/attribute/collection/htskit-conform')),
  },
];

export const SEQCOL_MUTATIONS: readonly Mutation[] = [
  ...SCHEMA_MUTATIONS,
  ...COLLECTION_MUTATIONS,
  ...LIST_MUTATIONS,
  ...ATTRIBUTE_MUTATIONS,
];
