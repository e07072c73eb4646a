import { type Authority, refgetJsonMediaType, refgetTextMediaType } from '@htskit/protocol';
import {
  COUNT,
  type Content,
  listOf,
  objectOf,
  type Parameter,
  type Paths,
  refer,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const ERRORS = { name: 'RefgetError', statuses: [400, 401, 403, 404, 405, 406, 500, 503] };

const SEQUENCE: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'A digest: MD5, TRUNC512 or `SQ.…`, with or without its namespace; or a name with its naming authority.',
  schema: TEXT,
};

/** Returns the schemas of refget. The key of the `SQ.…` digest is the name of the authority. */
export function refgetSchemas(authority: Authority): Schemas {
  return {
    RefgetError: objectOf({ status: { type: 'integer', minimum: 400, maximum: 599 }, type: TEXT, message: TEXT }),
    SequenceMetadata: objectOf({
      metadata: objectOf({
        id: TEXT,
        md5: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        [authority]: { type: 'string', pattern: '^SQ\\.[\\w-]{32}$' },
        trunc512: { type: 'string', pattern: '^[0-9a-f]{48}$' },
        length: { ...COUNT, description: 'The length of the sequence in bases.' },
        aliases: listOf(objectOf({ alias: TEXT, naming_authority: TEXT })),
        circular: { type: 'boolean' },
      }),
    }),
    Sequence: objectOf({ id: TEXT, sequence: { type: 'string', pattern: '^[A-Z]*$' } }),
  };
}

/** Returns the paths of sequences, metadata and service-info (refget 2.0.0). */
export function refgetPaths(authority: Authority): Paths {
  const json = jsonOf(authority);
  return {
    '/sequence/service-info': {
      get: {
        operationId: 'getSequenceServiceInfo',
        tags: ['refget'],
        summary: 'Service-info of sequences',
        security: [],
        responses: withErrors(
          { '200': { description: 'The document.', content: json('RefgetServiceInfo') } },
          { name: 'RefgetError', statuses: [405, 406, 500, 503] },
        ),
      },
    },
    '/sequence/{id}/metadata': {
      parameters: [SEQUENCE],
      get: {
        operationId: 'getSequenceMetadata',
        tags: ['refget'],
        summary: 'Digests, length and aliases of a sequence',
        responses: withErrors(
          {
            '200': { description: 'The document.', content: json('SequenceMetadata') },
            '300': several(authority),
            '304': { description: 'The document matches If-None-Match.' },
          },
          { ...ERRORS, statuses: [...ERRORS.statuses, 409] },
        ),
      },
    },
    '/sequence/{id}': { parameters: [SEQUENCE], get: sequenceOperation(authority) },
  };
}

function sequenceOperation(authority: Authority): NonNullable<Paths[`/${string}`]['get']> {
  const [plain = ''] = refgetTextMediaType(authority).split(';');
  const content: Content = {
    [plain]: { schema: { type: 'string', pattern: '^[A-Z]*$' } },
    'text/x-fasta': { schema: { type: 'string', pattern: '^>[^\\n]+\\n' } },
    ...jsonOf(authority)('Sequence'),
  };
  return {
    operationId: 'getSequence',
    tags: ['refget'],
    summary: 'A reference sequence, or a part of it',
    parameters: [
      { name: 'start', in: 'query', description: 'The first base, 0-based.', schema: COUNT },
      {
        name: 'end',
        in: 'query',
        description:
          'The end of the subsequence, 0-based and exclusive. It may be less than start if the sequence is circular.',
        schema: COUNT,
      },
      { name: 'Range', in: 'header', description: 'A range of bases, in place of start and end.', schema: TEXT },
      { name: 'If-Match', in: 'header', description: 'Entity tags, one of which the bases must have.', schema: TEXT },
    ],
    responses: withErrors(
      {
        '200': { description: 'The bases.', content },
        '206': { description: 'The requested range.', content },
        '300': several(authority),
        '303': { description: 'The bases are at the URL of Location; 302 or 307 by configuration.' },
        '304': { description: 'The sequence matches If-None-Match.' },
      },
      { ...ERRORS, statuses: [...ERRORS.statuses, 409, 412, 416, 501] },
    ),
  };
}

function several(authority: Authority): { readonly description: string; readonly content: Content } {
  const [mediaType = ''] = refgetJsonMediaType(authority).split(';');
  return {
    description: 'The digests of the sequences that have this name.',
    content: { [mediaType]: { schema: listOf(TEXT) } },
  };
}

function jsonOf(authority: Authority): (schema: string) => Content {
  const [mediaType = ''] = refgetJsonMediaType(authority).split(';');
  return (schema) => ({ [mediaType]: { schema: refer(schema) } });
}
