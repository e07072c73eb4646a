import {
  COUNT,
  listOf,
  type Operation,
  objectOf,
  type Parameter,
  type Paths,
  type Response,
  refer,
  type Schema,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const DIGEST: Schema = { type: 'string', pattern: '^[\\w-]{32}$' };
const ERRORS = [401, 403, 405, 406, 500, 503];

const pathParameter = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: TEXT,
});

const COUNTS: Schema = { type: 'object', additionalProperties: COUNT };

const ATTRIBUTES = [
  'lengths',
  'names',
  'sequences',
  'name_length_pairs',
  'sorted_sequences',
  'sorted_name_length_pairs',
];

export const COLLECTION_SCHEMAS: Schemas = {
  Collection: objectOf({
    names: listOf(TEXT),
    lengths: listOf(COUNT),
    sequences: listOf(TEXT),
    name_length_pairs: listOf(objectOf({ name: TEXT, length: COUNT })),
    sorted_sequences: listOf(TEXT),
  }),
  CollectionDigests: objectOf(Object.fromEntries(ATTRIBUTES.map((name) => [name, DIGEST]))),
  CollectionList: objectOf({
    results: listOf(DIGEST),
    pagination: objectOf({ page: COUNT, page_size: COUNT, total: COUNT }),
  }),
  Comparison: objectOf({
    digests: objectOf({ a: { type: ['string', 'null'] }, b: { type: ['string', 'null'] } }),
    attributes: objectOf({ a_only: listOf(TEXT), b_only: listOf(TEXT), a_and_b: listOf(TEXT) }),
    array_elements: objectOf({
      a_count: COUNTS,
      b_count: COUNTS,
      a_and_b_count: COUNTS,
      a_and_b_same_order: { type: 'object', additionalProperties: { type: ['boolean', 'null'] } },
    }),
  }),
  Attribute: listOf({ anyOf: [TEXT, COUNT, { type: 'object' }] }),
};

/** Collections of sequences, and what they have in common (sequence collections 1.0.0). */
export const COLLECTION_PATHS: Paths = {
  '/service-info': {
    get: {
      ...operation('getCollectionServiceInfo', 'What is served of sequence collections', refer('SeqcolServiceInfo')),
      security: [],
    },
  },
  '/list/collection': {
    get: {
      ...operation('listCollections', 'The digests of collections', refer('CollectionList'), [400]),
      parameters: [
        { name: 'page', in: 'query', description: 'Counted from 0.', schema: COUNT },
        { name: 'page_size', in: 'query', description: 'Digests of a page.', schema: { type: 'integer', minimum: 1 } },
        ...ATTRIBUTES.map(
          (name): Parameter => ({ name, in: 'query', description: `The digest of their ${name}.`, schema: TEXT }),
        ),
      ],
    },
  },
  '/collection/{digest}': {
    parameters: [pathParameter('digest', 'Of a collection.')],
    get: {
      ...operation(
        'getCollection',
        'A collection',
        { anyOf: [refer('Collection'), refer('CollectionDigests'), DIGEST] },
        [400, 404],
      ),
      parameters: [
        {
          name: 'level',
          in: 'query',
          description: '2, the default, for all of it; 1 for the digests of its attributes; 0 for its own.',
          schema: { enum: ['0', '1', '2'] },
        },
      ],
    },
  },
  '/attribute/collection/{attribute}/{digest}': {
    parameters: [pathParameter('attribute', 'Its name.'), pathParameter('digest', 'Of the attribute.')],
    get: operation('getAttribute', 'An attribute of collections', refer('Attribute'), [404]),
  },
  '/comparison/{a}/{b}': {
    parameters: [pathParameter('a', 'The digest of a collection.'), pathParameter('b', 'That of another.')],
    get: operation('compareCollections', 'What two collections have in common', refer('Comparison'), [404]),
  },
  '/comparison/{a}': {
    parameters: [pathParameter('a', 'The digest of a collection.')],
    post: {
      ...operation(
        'compareWithCollection',
        'What a collection has in common with one of yours',
        refer('Comparison'),
        [400, 404, 413],
      ),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: objectOf({ names: listOf(TEXT), lengths: listOf(COUNT), sequences: listOf(TEXT) }),
          },
        },
      },
    },
  },
};

function operation(operationId: string, summary: string, schema: Schema, errors: readonly number[] = []): Operation {
  const found: Response = { description: 'The document.', content: { 'application/json': { schema } } };
  const isComparedWithBody = operationId === 'compareWithCollection';
  const unchanged = { '304': { description: 'It is the one that If-None-Match names.' } };
  const responses = { '200': found, ...(isComparedWithBody ? {} : unchanged) };
  const statuses = [...ERRORS, ...errors];
  return {
    operationId,
    tags: ['sequence collections'],
    summary,
    responses: withErrors(responses, { name: 'RefgetError', statuses }),
  };
}
