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
  type Responses,
  refer,
  type Schema,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const TIME: Schema = { type: 'string', format: 'date-time' };
const FLAG: Schema = { type: 'boolean' };
const TEXTS = listOf(TEXT);
const ACCESS_URL = { url: { type: 'string', format: 'uri' }, headers: TEXTS };
const PASSPORTS: Schema = { ...TEXTS, description: 'GA4GH Passports.' };

/** Returns the answer to a request that names several objects. */
function bulkOf(member: string, schema: string): Schema {
  return objectOf({
    summary: objectOf({ requested: COUNT, resolved: COUNT, unresolved: COUNT }),
    unresolved_drs_objects: listOf(objectOf({ error_code: { type: 'integer' }, object_ids: TEXTS })),
    [member]: listOf(refer(schema)),
  });
}

export const DRS_SCHEMAS: Schemas = {
  DrsError: objectOf({ msg: TEXT, status_code: { type: 'integer', minimum: 400, maximum: 599 } }),
  DrsAccessUrl: objectOf(ACCESS_URL, ['url']),
  DrsBulkAccessUrl: objectOf({ ...ACCESS_URL, drs_object_id: TEXT, drs_access_id: TEXT }, ['url']),
  DrsAuthorizations: objectOf(
    {
      drs_object_id: TEXT,
      supported_types: listOf({ enum: ['None', 'BasicAuth', 'BearerAuth', 'PassportAuth'] }),
      passport_auth_issuers: TEXTS,
      bearer_auth_issuers: TEXTS,
    },
    ['supported_types'],
  ),
  DrsObject: objectOf(
    {
      id: TEXT,
      name: TEXT,
      self_uri: { type: 'string', format: 'uri' },
      size: COUNT,
      created_time: TIME,
      updated_time: TIME,
      version: TEXT,
      mime_type: TEXT,
      checksums: { ...listOf(objectOf({ type: TEXT, checksum: TEXT })), minItems: 1 },
      access_methods: listOf(
        objectOf(
          {
            type: { enum: ['https', 'htsget'] },
            access_url: refer('DrsAccessUrl'),
            access_id: TEXT,
            authorizations: refer('DrsAuthorizations'),
          },
          ['type'],
        ),
      ),
      contents: listOf(refer('DrsContentsObject')),
      description: TEXT,
      aliases: TEXTS,
    },
    ['id', 'name', 'self_uri', 'size', 'created_time', 'updated_time', 'checksums'],
  ),
  DrsContentsObject: objectOf({ name: TEXT, id: TEXT, drs_uri: TEXTS, contents: listOf(refer('DrsContentsObject')) }, [
    'name',
    'id',
    'drs_uri',
  ]),
  DrsBulkObjects: bulkOf('resolved_drs_object', 'DrsObject'),
  DrsBulkAccessUrls: bulkOf('resolved_drs_object_access_urls', 'DrsBulkAccessUrl'),
};

const BINARY: Schema = { type: 'string', format: 'binary' };
const BYTES = {
  ...contentOf('application/octet-stream', BINARY),
  ...contentOf('application/gzip', BINARY),
  ...contentOf('text/x-fasta', TEXT),
  ...contentOf('text/plain', TEXT),
};
const OBJECT_ID = pathParameter(
  'object_id',
  'The name of a file, such as a.bam or a.bam.bai, percent-encoded; a bundle such as reads/a.',
);
const PENDING: Responses = { '202': { description: 'Checksums are being computed: retry after `Retry-After`.' } };
const ERRORS = [400, 401, 403, 404, 405, 413, 500, 503];

function operation(
  operationId: string,
  summary: string,
  responses: Responses,
  more: Partial<OpenApiOperation> = {},
): OpenApiOperation {
  return { operationId, tags: ['DRS'], summary, ...more, responses: withErrors('DrsError', ERRORS, responses) };
}

function bodyOf(properties: Readonly<Record<string, Schema>>): Pick<OpenApiOperation, 'requestBody'> {
  return { requestBody: { content: jsonContent(objectOf(properties, [])) } };
}

function found(description: string, schema: string): Responses {
  return { '200': { description, content: jsonContent(refer(schema)) } };
}

const EXPAND = queryParameter('expand', 'Whether bundles in a bundle list their contents.', FLAG);
const DESCRIBED = { ...found('The description.', 'DrsObject'), ...PENDING };
const FILE: Responses = {
  '200': { description: 'The file.', content: BYTES },
  '206': { description: 'The requested range.', content: BYTES },
  '304': { description: 'The client has the current file.' },
  '307': { description: 'The store sends the file.' },
};

/** The paths of GA4GH DRS 1.5, and of the bytes of its objects. */
export const DRS_PATHS: Paths = {
  '/ga4gh/drs/v1/service-info': {
    get: {
      ...operation('getDrsServiceInfo', 'DRS service-info', found('The document.', 'DrsServiceInfo')),
      security: [],
    },
  },
  '/ga4gh/drs/v1/objects/{object_id}': {
    parameters: [OBJECT_ID],
    get: operation('getDrsObject', 'The size, checksums and access methods of a file', DESCRIBED, {
      parameters: [EXPAND],
    }),
    post: operation(
      'postDrsObject',
      'The same for the owner of passports',
      DESCRIBED,
      bodyOf({ expand: FLAG, passports: PASSPORTS }),
    ),
  },
  '/ga4gh/drs/v1/objects/{object_id}/access/{access_id}': {
    parameters: [OBJECT_ID, pathParameter('access_id', 'An access id of the description.')],
    get: operation('getDrsAccessUrl', 'The URL of the bytes of a file', found('The URL.', 'DrsAccessUrl')),
    post: operation(
      'postDrsAccessUrl',
      'The same for the owner of passports',
      found('The URL.', 'DrsAccessUrl'),
      bodyOf({ passports: PASSPORTS }),
    ),
  },
  '/ga4gh/drs/v1/objects': {
    post: operation(
      'postDrsObjects',
      'The descriptions of several files',
      found('The descriptions.', 'DrsBulkObjects'),
      {
        parameters: [EXPAND],
        ...bodyOf({ bulk_object_ids: TEXTS, passports: PASSPORTS }),
      },
    ),
  },
  '/ga4gh/drs/v1/objects/access': {
    post: operation(
      'postDrsAccessUrls',
      'The URLs of the bytes of several files',
      found('The URLs.', 'DrsBulkAccessUrls'),
      {
        ...bodyOf({
          bulk_object_access_ids: listOf(objectOf({ bulk_object_id: TEXT, bulk_access_ids: TEXTS })),
          passports: PASSPORTS,
        }),
      },
    ),
  },
  '/files/{path}': {
    parameters: [
      pathParameter('path', 'The name of a file. Slashes in it need not be encoded.'),
      queryParameter('token', 'The signature of a URL that DRS returned.'),
      headerParameter('Range', 'A byte range of the file.'),
    ],
    get: {
      operationId: 'getFile',
      tags: ['DRS'],
      summary: 'A stored file as a whole, or a range of it',
      responses: withErrors('DrsError', [401, 403, 404, 405, 409, 412, 416, 500, 503], FILE),
    },
  },
};
