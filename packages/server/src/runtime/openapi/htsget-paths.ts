import { type Authority, type Datatype, FIELD_NAMES, FORMATS, htsgetMediaType } from '@htskit/protocol';
import type { Features } from '../service/features.js';
import { extensionMembers, extensionParameters, TICKET_RESTRICTION } from './htsget-extensions.js';
import {
  COUNT,
  contentOf,
  headerParameter,
  jsonContent,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Parameter,
  type Paths,
  pathParameter,
  queryParameter,
  type Responses,
  refer,
  type Schema,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

type Extensions = Pick<Features, 'extensions'>;

const ERRORS = [400, 401, 403, 404, 405, 413, 500, 503];

const FORMAT: Readonly<Record<Datatype, string>> = {
  reads: 'The format of the data, case-insensitive. BAM is also made from CRAM, unless conversions are switched off.',
  variants:
    'The format of the data, case-insensitive. VCF and BCF are also made from each other, unless conversions are switched off.',
};
const CLASS = 'Requests only the header.';
const REFERENCE = 'A reference name of the header, or `*` for unplaced reads.';
const START = 'The first base, 0-based.';
const END = 'The end of the region, 0-based and exclusive.';

const SCHEMAS: Schemas = {
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
  ObjectListing: objectOf(
    {
      objects: {
        ...listOf(
          objectOf(
            {
              datatype: { enum: ['reads', 'variants'] },
              id: TEXT,
              formats: {
                ...listOf({ enum: [...FORMATS.reads, ...FORMATS.variants] }),
                description: 'The formats that the object can be answered in, stored or converted.',
              },
              isEncrypted: { enum: [true], description: 'Given if a file of the object is stored encrypted.' },
            },
            ['datatype', 'id', 'formats'],
          ),
        ),
        description: 'The objects that the request may see.',
      },
      isComplete: { type: 'boolean', description: 'Whether no further objects follow.' },
      next: { ...TEXT, description: 'The value of `after` for the next page, if there is one.' },
      refusal: { ...TEXT, description: 'Why the token of the request was refused, if it was.' },
    },
    ['objects', 'isComplete'],
  ),
};

/** Returns the schemas of queries, tickets and errors (htsget 1.3.1). */
export function htsgetSchemas({ extensions }: Extensions): Schemas {
  return {
    ...SCHEMAS,
    Ticket: objectOf({
      htsget: objectOf(
        {
          format: { enum: [...FORMATS.reads, ...FORMATS.variants] },
          urls: {
            ...listOf(refer('TicketBlock')),
            description: 'The blocks of the file, to be fetched and concatenated in this order.',
          },
          md5: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'The MD5 of the whole file, if it is known.' },
          ...(extensions && { restricted: refer('TicketRestriction') }),
        },
        ['format', 'urls'],
      ),
    }),
    ...(extensions && { TicketRestriction: TICKET_RESTRICTION }),
    ReadsQuery: query('reads', extensions),
    VariantsQuery: query('variants', extensions),
  };
}

/** Returns the paths of tickets, blocks and service-info (htsget 1.3.1). */
export function htsgetPaths(authority: Authority, { extensions }: Extensions): Paths {
  return {
    ...datatypePaths('reads', { authority, extensions }),
    ...datatypePaths('variants', { authority, extensions }),
    '/blocks/{token}': BLOCK,
  };
}

interface DatatypeOptions extends Extensions {
  readonly authority: Authority;
}

function datatypePaths(datatype: Datatype, { authority, extensions }: DatatypeOptions): Paths {
  const name = datatype === 'reads' ? 'Reads' : 'Variants';
  const document = (description: string, schema: string): Responses => ({
    '200': { description, content: contentOf(htsgetMediaType(authority), refer(schema)) },
  });
  const ticket = document('The ticket.', 'Ticket');
  const one = operation(`get${name}`, `A ticket for ${datatype} of one region or of the whole file`, ERRORS, ticket);
  const many = operation(`post${name}`, `A ticket for ${datatype} of any number of regions`, ERRORS, ticket);
  const serviceInfo = operation(
    `get${name}ServiceInfo`,
    `Service-info of ${datatype}`,
    [400, 404, 405, 500, 503],
    document('The document.', 'HtsgetServiceInfo'),
  );
  return {
    [`/${datatype}/service-info`]: { get: { ...serviceInfo, security: [] } },
    [`/${datatype}/{id}`]: {
      parameters: [pathParameter('id', 'The id of an object. Slashes in it need not be encoded.')],
      get: { ...one, parameters: queryParameters(datatype, extensions) },
      post: { ...many, requestBody: { content: jsonContent(refer(`${name}Query`)) } },
    },
  };
}

const BYTES = contentOf('application/octet-stream', { type: 'string', format: 'binary' });

const BLOCK = {
  parameters: [
    pathParameter('token', 'The signed token of a ticket.'),
    headerParameter('Range', 'A byte range of the block.'),
  ],
  get: {
    ...operation('getBlock', 'A block of a ticket', [403, 404, 405, 409, 416, 500, 503], {
      '200': { description: 'The block.', content: BYTES },
      '206': { description: 'The requested range.', content: BYTES },
    }),
    description: 'The signature of the token grants access; no other credentials are required.',
    security: [],
  },
} as const;

function operation(
  operationId: string,
  summary: string,
  errors: readonly number[],
  responses: Responses,
): OpenApiOperation {
  return { operationId, tags: ['htsget'], summary, responses: withErrors('HtsgetError', errors, responses) };
}

function queryParameters(datatype: Datatype, extensions: boolean): Parameter[] {
  const fields = queryParameter('fields', `Fields to keep, separated by commas: ${FIELD_NAMES.join(', ')}.`);
  return [
    queryParameter('format', FORMAT[datatype], { enum: [...FORMATS[datatype]] }),
    queryParameter('class', CLASS, { const: 'header' }),
    queryParameter('referenceName', REFERENCE),
    queryParameter('start', START, COUNT),
    queryParameter('end', END, COUNT),
    ...(datatype === 'reads' ? [fields] : []),
    queryParameter('tags', 'Tags to keep, separated by commas.'),
    queryParameter('notags', 'Tags to drop, separated by commas.'),
    ...(extensions ? extensionParameters(datatype) : []),
  ];
}

function query(datatype: Datatype, extensions: boolean): Schema {
  const members = {
    format: { enum: [...FORMATS[datatype]], description: FORMAT[datatype] },
    class: { const: 'header', description: CLASS },
    tags: { ...listOf(TEXT), description: 'Tags to keep.' },
    notags: { ...listOf(TEXT), description: 'Tags to drop.' },
    regions: { ...listOf(refer('Region')), minItems: 1 },
  };
  const fields = { ...listOf({ enum: [...FIELD_NAMES] }), description: 'Fields to keep.' };
  return objectOf(
    { ...members, ...(datatype === 'reads' && { fields }), ...(extensions && extensionMembers(datatype)) },
    [],
  );
}
