import { type Authority, refgetJsonMediaType, refgetTextMediaType } from '@htskit/protocol';
import {
  COUNT,
  type Content,
  contentOf,
  headerParameter,
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

const ERRORS = [400, 401, 403, 404, 405, 406, 500, 503];

const SEQUENCE = pathParameter(
  'id',
  'A digest: MD5, TRUNC512 or `SQ.…`, with or without its namespace; or a name with its naming authority.',
);
const END = 'The end of the subsequence, 0-based and exclusive. It may be less than start if the sequence is circular.';

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
  const json = (schema: Schema): Content => contentOf(refgetJsonMediaType(authority), schema);
  const several = { description: 'The digests of the sequences that have this name.', content: json(listOf(TEXT)) };
  const content: Content = {
    ...contentOf(refgetTextMediaType(authority), { type: 'string', pattern: '^[A-Z]*$' }),
    ...contentOf('text/x-fasta', { type: 'string', pattern: '^>[^\\n]+\\n' }),
    ...json(refer('Sequence')),
  };
  const serviceInfo = operation('getSequenceServiceInfo', 'Service-info of sequences', [405, 406, 500, 503], {
    '200': { description: 'The document.', content: json(refer('RefgetServiceInfo')) },
  });
  const metadata = operation('getSequenceMetadata', 'Digests, length and aliases of a sequence', [...ERRORS, 409], {
    '200': { description: 'The document.', content: json(refer('SequenceMetadata')) },
    '300': several,
    '304': { description: 'The document matches If-None-Match.' },
  });
  const bases = operation('getSequence', 'A reference sequence, or a part of it', [...ERRORS, 409, 412, 416, 501], {
    '200': { description: 'The bases.', content },
    '206': { description: 'The requested range.', content },
    '300': several,
    '303': { description: 'The bases are at the URL of Location; 302 or 307 by configuration.' },
    '304': { description: 'The sequence matches If-None-Match.' },
  });
  const parameters = [
    queryParameter('start', 'The first base, 0-based.', COUNT),
    queryParameter('end', END, COUNT),
    headerParameter('Range', 'A range of bases, in place of start and end.'),
    headerParameter('If-Match', 'Entity tags, one of which the bases must have.'),
  ];
  return {
    '/sequence/service-info': { get: { ...serviceInfo, security: [] } },
    '/sequence/{id}/metadata': { parameters: [SEQUENCE], get: metadata },
    '/sequence/{id}': { parameters: [SEQUENCE], get: { ...bases, parameters } },
  };
}

function operation(
  operationId: string,
  summary: string,
  errors: readonly number[],
  responses: Responses,
): OpenApiOperation {
  return { operationId, tags: ['refget'], summary, responses: withErrors('RefgetError', errors, responses) };
}
