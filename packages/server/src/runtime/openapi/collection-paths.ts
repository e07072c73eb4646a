import {
  COUNT,
  listOf,
  type OpenApiOperation,
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
  RegionBases: listOf(objectOf({ chrom_name: TEXT, start: COUNT, end: COUNT, sequence: TEXT })),
  Attribute: listOf({ anyOf: [TEXT, COUNT, { type: 'object' }] }),
};

const RANGE: Parameter = { name: 'Range', in: 'header', description: 'A byte range of the file.', schema: TEXT };

const PAGE_PARAMETERS: readonly Parameter[] = [
  { name: 'page', in: 'query', description: 'The number of the page, from 0.', schema: COUNT },
  {
    name: 'page_size',
    in: 'query',
    description: 'The number of digests per page.',
    schema: { type: 'integer', minimum: 1 },
  },
];

/** Sequence collections and their comparison (sequence collections 1.0.0). */
export const COLLECTION_PATHS: Paths = {
  '/service-info': {
    get: {
      ...operation('getCollectionServiceInfo', 'Service-info of sequence collections', refer('SeqcolServiceInfo')),
      security: [],
    },
  },
  '/list/collection': {
    get: {
      ...operation('listCollections', 'The digests of collections', refer('CollectionList'), [400]),
      parameters: [
        ...PAGE_PARAMETERS,
        ...ATTRIBUTES.map(
          (name): Parameter => ({
            name,
            in: 'query',
            description: `The digest of the attribute ${name}.`,
            schema: TEXT,
          }),
        ),
      ],
    },
  },
  '/list/attributes/{attribute}': {
    parameters: [pathParameter('attribute', 'The name of an attribute.')],
    get: {
      ...operation(
        'listAttributes',
        'The digests that an attribute has in the collections',
        refer('CollectionList'),
        [400, 404],
      ),
      parameters: PAGE_PARAMETERS,
    },
  },
  '/collection/{digest}': {
    parameters: [pathParameter('digest', 'The digest of a collection.')],
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
          description: '2 (default) returns the attributes, 1 their digests, 0 the digest of the collection.',
          schema: { enum: ['0', '1', '2'] },
        },
      ],
    },
  },
  '/collection/{digest}/fasta': {
    parameters: [pathParameter('digest', 'The digest of a collection.'), RANGE],
    get: fileOperation('getCollectionFasta', 'A collection as a FASTA file of 60 bases per line', 'text/x-fasta'),
  },
  '/collection/{digest}/fasta.fai': {
    parameters: [pathParameter('digest', 'The digest of a collection.'), RANGE],
    get: fileOperation('getCollectionFastaIndex', 'The index of that FASTA file', 'text/plain'),
  },
  '/collection/{digest}/regions': {
    parameters: [pathParameter('digest', 'The digest of a collection.')],
    post: {
      ...operation(
        'getCollectionRegions',
        'The bases of regions of a collection',
        refer('RegionBases'),
        [400, 404, 413, 416],
      ),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: listOf(objectOf({ chrom: TEXT, start: COUNT, end: COUNT })) } },
      },
    },
  },
  '/attribute/collection/{attribute}/{digest}': {
    parameters: [
      pathParameter('attribute', 'The name of an attribute.'),
      pathParameter('digest', 'The digest of the attribute.'),
    ],
    get: operation('getAttribute', 'An attribute of collections', refer('Attribute'), [404]),
  },
  '/comparison/{a}/{b}': {
    parameters: [
      pathParameter('a', 'The digest of a collection.'),
      pathParameter('b', 'The digest of another collection.'),
    ],
    get: operation('compareCollections', 'Comparison of two collections', refer('Comparison'), [404]),
  },
  '/comparison/{a}': {
    parameters: [pathParameter('a', 'The digest of a collection.')],
    post: {
      ...operation(
        'compareWithCollection',
        'Comparison of a collection with the one in the body',
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

function operation(
  operationId: string,
  summary: string,
  schema: Schema,
  errors: readonly number[] = [],
): OpenApiOperation {
  const found: Response = { description: 'The document.', content: { 'application/json': { schema } } };
  const isPost = operationId === 'compareWithCollection' || operationId === 'getCollectionRegions';
  const unchanged = { '304': { description: 'The document matches If-None-Match.' } };
  const responses = { '200': found, ...(isPost ? {} : unchanged) };
  const statuses = [...ERRORS, ...errors];
  return {
    operationId,
    tags: ['sequence collections'],
    summary,
    responses: withErrors(responses, { name: 'RefgetError', statuses }),
  };
}

function fileOperation(operationId: string, summary: string, mediaType: string): OpenApiOperation {
  const content = { [mediaType]: { schema: TEXT } };
  const responses = {
    '200': { description: 'The file.', content },
    '206': { description: 'The requested range.', content },
    '304': { description: 'The file matches If-None-Match.' },
  };
  const statuses = [...ERRORS, 404, 412, 416, 501].sort((a, b) => a - b);
  return {
    operationId,
    tags: ['sequence collections'],
    summary,
    responses: withErrors(responses, { name: 'RefgetError', statuses }),
  };
}
