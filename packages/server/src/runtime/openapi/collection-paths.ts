import { COLLECTION_ATTRIBUTES } from '@htskit/sequences/internal';
import {
  COUNT,
  contentOf,
  headerParameter,
  jsonContent,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Paths,
  pathParameter,
  queryParameter,
  refer,
  type Schema,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const DIGEST: Schema = { type: 'string', pattern: '^[\\w-]{32}$' };
const COUNTS: Schema = { type: 'object', additionalProperties: COUNT };
const ORDERS: Schema = { type: 'object', additionalProperties: { type: ['boolean', 'null'] } };
const DIGEST_OR_NULL: Schema = { type: ['string', 'null'] };

export const COLLECTION_SCHEMAS: Schemas = {
  Collection: objectOf({
    names: listOf(TEXT),
    lengths: listOf(COUNT),
    sequences: listOf(TEXT),
    name_length_pairs: listOf(objectOf({ name: TEXT, length: COUNT })),
    sorted_sequences: listOf(TEXT),
  }),
  CollectionDigests: objectOf(Object.fromEntries(COLLECTION_ATTRIBUTES.map((name) => [name, DIGEST]))),
  CollectionList: objectOf({
    results: listOf(DIGEST),
    pagination: objectOf({ page: COUNT, page_size: COUNT, total: COUNT }),
  }),
  Comparison: objectOf({
    digests: objectOf({ a: DIGEST_OR_NULL, b: DIGEST_OR_NULL }),
    attributes: objectOf({ a_only: listOf(TEXT), b_only: listOf(TEXT), a_and_b: listOf(TEXT) }),
    array_elements: objectOf({
      a_count: COUNTS,
      b_count: COUNTS,
      a_and_b_count: COUNTS,
      a_and_b_same_order: ORDERS,
    }),
  }),
  RegionBases: listOf(objectOf({ chrom_name: TEXT, start: COUNT, end: COUNT, sequence: TEXT })),
  Attribute: listOf({ anyOf: [TEXT, COUNT, { type: 'object' }] }),
};

const PAGE_PARAMETERS = [
  queryParameter('page', 'The number of the page, from 0.', COUNT),
  queryParameter('page_size', 'The number of digests per page.', { type: 'integer', minimum: 1 }),
];
const LEVEL = '2 (default) returns the attributes, 1 their digests, 0 the digest of the collection.';
const COLLECTION = pathParameter('digest', 'The digest of a collection.');
const FILE_PARAMETERS = [COLLECTION, headerParameter('Range', 'A byte range of the file.')];
const ATTRIBUTE = pathParameter('attribute', 'The name of an attribute.');
const FIRST = pathParameter('a', 'The digest of a collection.');

/** Sequence collections and their comparison (sequence collections 1.0.0). */
export const COLLECTION_PATHS: Paths = {
  '/service-info': {
    get: {
      ...getOperation('getCollectionServiceInfo', 'Service-info of sequence collections', refer('SeqcolServiceInfo')),
      security: [],
    },
  },
  '/list/collection': {
    get: {
      ...getOperation('listCollections', 'The digests of collections', refer('CollectionList'), [400]),
      parameters: [
        ...PAGE_PARAMETERS,
        ...COLLECTION_ATTRIBUTES.map((name) => queryParameter(name, `The digest of the attribute ${name}.`)),
      ],
    },
  },
  '/list/attributes/{attribute}': {
    parameters: [ATTRIBUTE],
    get: {
      ...getOperation(
        'listAttributes',
        'The digests that an attribute has in the collections',
        refer('CollectionList'),
        [400, 404],
      ),
      parameters: PAGE_PARAMETERS,
    },
  },
  '/collection/{digest}': {
    parameters: [COLLECTION],
    get: {
      ...getOperation(
        'getCollection',
        'A collection',
        { anyOf: [refer('Collection'), refer('CollectionDigests'), DIGEST] },
        [400, 404],
      ),
      parameters: [queryParameter('level', LEVEL, { enum: ['0', '1', '2'] })],
    },
  },
  '/collection/{digest}/fasta': {
    parameters: FILE_PARAMETERS,
    get: fileOperation('getCollectionFasta', 'A collection as a FASTA file of 60 bases per line', 'text/x-fasta'),
  },
  '/collection/{digest}/fasta.fai': {
    parameters: FILE_PARAMETERS,
    get: fileOperation('getCollectionFastaIndex', 'The index of that FASTA file', 'text/plain'),
  },
  '/collection/{digest}/regions': {
    parameters: [COLLECTION],
    post: {
      ...operation('getCollectionRegions', 'The bases of regions of a collection', [400, 404, 413, 416], {
        '200': { description: 'The document.', content: jsonContent(refer('RegionBases')) },
      }),
      requestBody: jsonBody(listOf(objectOf({ chrom: TEXT, start: COUNT, end: COUNT }))),
    },
  },
  '/attribute/collection/{attribute}/{digest}': {
    parameters: [ATTRIBUTE, pathParameter('digest', 'The digest of the attribute.')],
    get: getOperation('getAttribute', 'An attribute of collections', refer('Attribute'), [404]),
  },
  '/comparison/{a}/{b}': {
    parameters: [FIRST, pathParameter('b', 'The digest of another collection.')],
    get: getOperation('compareCollections', 'Comparison of two collections', refer('Comparison'), [404]),
  },
  '/comparison/{a}': {
    parameters: [FIRST],
    post: {
      ...operation('compareWithCollection', 'Comparison of a collection with the one in the body', [400, 404, 413], {
        '200': { description: 'The document.', content: jsonContent(refer('Comparison')) },
      }),
      requestBody: jsonBody(objectOf({ names: listOf(TEXT), lengths: listOf(COUNT), sequences: listOf(TEXT) })),
    },
  },
};

function operation(
  operationId: string,
  summary: string,
  errors: readonly number[],
  responses: OpenApiOperation['responses'],
): OpenApiOperation {
  const statuses = [401, 403, 405, 406, 500, 503, ...errors];
  const tags = ['sequence collections'];
  return { operationId, tags, summary, responses: withErrors('RefgetError', statuses, responses) };
}

function getOperation(
  operationId: string,
  summary: string,
  schema: Schema,
  errors: readonly number[] = [],
): OpenApiOperation {
  return operation(operationId, summary, errors, {
    '200': { description: 'The document.', content: jsonContent(schema) },
    '304': { description: 'The document matches If-None-Match.' },
  });
}

function fileOperation(operationId: string, summary: string, mediaType: string): OpenApiOperation {
  const content = contentOf(mediaType, TEXT);
  return operation(operationId, summary, [404, 412, 416, 501], {
    '200': { description: 'The file.', content },
    '206': { description: 'The requested range.', content },
    '304': { description: 'The file matches If-None-Match.' },
  });
}

function jsonBody(schema: Schema): OpenApiOperation['requestBody'] {
  return { required: true, content: jsonContent(schema) };
}
