import {
  COUNT,
  contentOf,
  jsonContent,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Paths,
  pathParameter,
  queryParameter,
  type Responses,
  refer,
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

export const SEQREPO_SCHEMAS: Schemas = {
  Problem: objectOf(
    { status: { type: 'integer', minimum: 400, maximum: 599 }, title: TEXT, detail: TEXT, type: TEXT },
    ['status', 'title', 'detail', 'type'],
  ),
  SeqRepoPing: objectOf({ dependencies: objectOf({}), url: TEXT, version: TEXT }),
  SeqRepoMetadata: objectOf({
    added: { type: 'null', description: 'Not known here.' },
    aliases: { ...listOf(TEXT), description: 'Each with its namespace, digests included.' },
    alphabet: { type: 'null', description: 'Not known here.' },
    length: COUNT,
  }),
};

const ALIAS = pathParameter('alias', 'A namespace and a name, a digest, or a name. Slashes in it need not be encoded.');

/** The paths of the REST service of SeqRepo, for vrs-python, hgvs and other clients. */
export const SEQREPO_PATHS: Paths = {
  '/seqrepo/1/ping': {
    get: {
      ...operation('pingSeqRepo', 'Whether there is a service of SeqRepo', [405, 503], {
        '200': { description: 'There is.', content: jsonContent(refer('SeqRepoPing')) },
      }),
      security: [],
    },
  },
  '/seqrepo/1/sequence/{alias}': {
    parameters: [ALIAS],
    get: {
      ...operation('getSeqRepoSequence', 'A sequence, or a part of it', [400, 401, 403, 405, 422, 500, 503], {
        '200': { description: 'The bases.', content: contentOf('text/plain', { type: 'string', pattern: '^[A-Z]*$' }) },
        '304': { description: 'The client has the bases.' },
        '404': { description: 'There is no such sequence.' },
      }),
      parameters: [
        queryParameter('start', 'The first base, 0-based.', COUNT),
        queryParameter(
          'end',
          'The end of the part, 0-based and exclusive. It may be past that of the sequence.',
          COUNT,
        ),
      ],
    },
  },
  '/seqrepo/1/metadata/{alias}': {
    parameters: [ALIAS],
    get: operation('getSeqRepoMetadata', 'Length and aliases of a sequence', [400, 401, 403, 405, 422, 500, 503], {
      '200': { description: 'The document.', content: jsonContent(refer('SeqRepoMetadata')) },
      '304': { description: 'The client has the document.' },
      '404': { description: 'There is no such sequence.' },
    }),
  },
};

function operation(
  operationId: string,
  summary: string,
  errors: readonly number[],
  responses: Responses,
): OpenApiOperation {
  return { operationId, tags: ['SeqRepo'], summary, responses: withErrors('Problem', errors, responses) };
}
