import { type Authority, type Datatype, FIELD_NAMES, FORMATS, htsgetMediaType } from '@htskit/protocol';
import {
  COUNT,
  type Content,
  type ErrorResponses,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Parameter,
  type Paths,
  refer,
  type Schema,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const ERRORS = { name: 'HtsgetError', statuses: [400, 401, 403, 404, 405, 413, 500, 503] };

const FORMAT: Readonly<Record<Datatype, string>> = {
  reads: 'The format of the data, case-insensitive. BAM is also made from CRAM, unless conversions are switched off.',
  variants:
    'The format of the data, case-insensitive. VCF and BCF are also made from each other, unless conversions are switched off.',
};
const CLASS = 'Requests only the header.';
const REFERENCE = 'A reference name of the header, or `*` for unplaced reads.';
const START = 'The first base, 0-based.';
const END = 'The end of the region, 0-based and exclusive.';

export const HTSGET_SCHEMAS: Schemas = {
  HtsgetError: objectOf({
    htsget: objectOf({
      error: {
        enum: [
          'InvalidAuthentication',
          'PermissionDenied',
          'NotFound',
          'PayloadTooLarge',
          'UnsupportedFormat',
          'InvalidInput',
          'InvalidRange',
          'InternalServerError',
        ],
      },
      message: TEXT,
    }),
  }),
  Ticket: objectOf({
    htsget: objectOf(
      {
        format: { enum: [...FORMATS.reads, ...FORMATS.variants] },
        urls: {
          ...listOf(refer('TicketBlock')),
          description: 'The blocks of the file, to be fetched and concatenated in this order.',
        },
        md5: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'The MD5 of the whole file, if it is known.' },
      },
      ['format', 'urls'],
    ),
  }),
  TicketBlock: objectOf(
    {
      url: { type: 'string', format: 'uri', description: 'A signed URL with an expiry, or a data URI.' },
      headers: { type: 'object', additionalProperties: TEXT, description: 'Headers to send with the request.' },
      class: { enum: ['header', 'body'] },
    },
    ['url'],
  ),
  Region: objectOf(
    {
      referenceName: { type: 'string', description: REFERENCE },
      start: { ...COUNT, description: START },
      end: { ...COUNT, description: END },
    },
    ['referenceName'],
  ),
  ObjectListing: objectOf({
    objects: {
      ...listOf(
        objectOf({
          datatype: { enum: ['reads', 'variants'] },
          id: TEXT,
          formats: {
            ...listOf({ enum: [...FORMATS.reads, ...FORMATS.variants] }),
            description: 'The formats that the object can be answered in, stored or converted.',
          },
        }),
      ),
      description: 'The objects that the request may see.',
    },
    isComplete: { type: 'boolean', description: 'Whether these are all of them.' },
  }),
  ReadsQuery: query('reads'),
  VariantsQuery: query('variants'),
};

/** Returns the paths of tickets, blocks and service-info (htsget 1.3.1). */
export function htsgetPaths(authority: Authority): Paths {
  return { ...datatypePaths('reads', authority), ...datatypePaths('variants', authority), '/blocks/{token}': BLOCK };
}

function datatypePaths(datatype: Datatype, authority: Authority): Paths {
  const name = datatype === 'reads' ? 'Reads' : 'Variants';
  const json = jsonOf(authority);
  const ticket = { '200': { description: 'The ticket.', content: json('Ticket') } };
  const serviceInfo: OpenApiOperation = {
    operationId: `get${name}ServiceInfo`,
    tags: ['htsget'],
    summary: `Service-info of ${datatype}`,
    security: [],
    responses: withErrors(
      { '200': { description: 'The document.', content: json('HtsgetServiceInfo') } },
      without(401, 403, 413),
    ),
  };
  const object: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of an object. Slashes in it need not be encoded.',
    schema: TEXT,
  };
  return {
    [`/${datatype}/service-info`]: { get: serviceInfo },
    [`/${datatype}/{id}`]: {
      parameters: [object],
      get: {
        operationId: `get${name}`,
        tags: ['htsget'],
        summary: `A ticket for ${datatype} of one region or of the whole file`,
        parameters: queryParameters(datatype),
        responses: withErrors(ticket, ERRORS),
      },
      post: {
        operationId: `post${name}`,
        tags: ['htsget'],
        summary: `A ticket for ${datatype} of any number of regions`,
        requestBody: { content: { 'application/json': { schema: refer(`${name}Query`) } } },
        responses: withErrors(ticket, ERRORS),
      },
    },
  };
}

const BLOCK = {
  parameters: [
    { name: 'token', in: 'path', required: true, description: 'The signed token of a ticket.', schema: TEXT },
    { name: 'Range', in: 'header', description: 'A byte range of the block.', schema: TEXT },
  ],
  get: {
    operationId: 'getBlock',
    tags: ['htsget'],
    summary: 'A block of a ticket',
    description: 'The signature of the token grants access; no other credentials are required.',
    security: [],
    responses: withErrors(
      {
        '200': { description: 'The block.', content: bytes() },
        '206': { description: 'The requested range.', content: bytes() },
      },
      { name: 'HtsgetError', statuses: [403, 404, 405, 409, 416, 500, 503] },
    ),
  },
} as const;

function bytes(): Content {
  return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
}

function jsonOf(authority: Authority): (schema: string) => Content {
  const [mediaType = ''] = htsgetMediaType(authority).split(';');
  return (schema) => ({ [mediaType]: { schema: refer(schema) } });
}

function without(...statuses: readonly number[]): ErrorResponses {
  return { ...ERRORS, statuses: ERRORS.statuses.filter((status) => !statuses.includes(status)) };
}

function queryParameters(datatype: Datatype): Parameter[] {
  const parameter = (name: string, description: string, schema: Schema): Parameter => ({
    name,
    in: 'query',
    description,
    schema,
  });
  return [
    parameter('format', FORMAT[datatype], { enum: [...FORMATS[datatype]] }),
    parameter('class', CLASS, { const: 'header' }),
    parameter('referenceName', REFERENCE, TEXT),
    parameter('start', START, COUNT),
    parameter('end', END, COUNT),
    ...(datatype === 'reads'
      ? [parameter('fields', `Fields to keep, separated by commas: ${FIELD_NAMES.join(', ')}.`, TEXT)]
      : []),
    parameter('tags', 'Tags to keep, separated by commas.', TEXT),
    parameter('notags', 'Tags to drop, separated by commas.', TEXT),
  ];
}

function query(datatype: Datatype): Schema {
  const members = {
    format: { enum: [...FORMATS[datatype]], description: FORMAT[datatype] },
    class: { const: 'header', description: CLASS },
    tags: { ...listOf(TEXT), description: 'Tags to keep.' },
    notags: { ...listOf(TEXT), description: 'Tags to drop.' },
    regions: { ...listOf(refer('Region')), minItems: 1 },
  };
  const fields = { ...listOf({ enum: [...FIELD_NAMES] }), description: 'Fields to keep.' };
  return objectOf(datatype === 'reads' ? { ...members, fields } : members, []);
}
