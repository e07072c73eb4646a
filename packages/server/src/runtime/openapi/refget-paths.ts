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
  description:
    'A digest: MD5, TRUNC512 or `SQ.…`, each also behind its namespace; or a name behind its naming authority.',
  schema: TEXT,
};

/** The schemas of refget; the digest `SQ.…` has the name of the authority. */
export function refgetSchemas(authority: Authority): Schemas {
  return {
    RefgetError: objectOf({ status: { type: 'integer', minimum: 400, maximum: 599 }, type: TEXT, message: TEXT }),
    SequenceMetadata: objectOf({
      metadata: objectOf({
        id: TEXT,
        md5: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        [authority]: { type: 'string', pattern: '^SQ\\.[\\w-]{32}$' },
        trunc512: { type: 'string', pattern: '^[0-9a-f]{48}$' },
        length: { ...COUNT, description: 'Bases of the sequence.' },
        aliases: listOf(objectOf({ alias: TEXT, naming_authority: TEXT })),
        circular: { type: 'boolean' },
      }),
    }),
    Sequence: objectOf({ id: TEXT, sequence: { type: 'string', pattern: '^[A-Z]*$' } }),
  };
}

/** Sequences, their metadata and service-info (refget 2.0.0). */
export function refgetPaths(authority: Authority): Paths {
  const json = jsonOf(authority);
  return {
    '/sequence/service-info': {
      get: {
        operationId: 'getSequenceServiceInfo',
        tags: ['refget'],
        summary: 'What is served of sequences',
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
            '304': { description: 'It is the one that If-None-Match names.' },
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
      { name: 'start', in: 'query', description: 'The first base, counted from 0.', schema: COUNT },
      {
        name: 'end',
        in: 'query',
        description: 'The base behind the last one; of a circular sequence also one before start.',
        schema: COUNT,
      },
      { name: 'Range', in: 'header', description: 'A part of it, instead of start and end.', schema: TEXT },
    ],
    responses: withErrors(
      {
        '200': { description: 'The bases.', content },
        '206': { description: 'Those that Range asks for.', content },
        '300': several(authority),
        '303': { description: 'The bases lie where Location says; 302 and 307 by configuration.' },
        '304': { description: 'They are those that If-None-Match names.' },
      },
      { ...ERRORS, statuses: [...ERRORS.statuses, 409, 416, 501] },
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
