import {
  COUNT,
  contentOf,
  headerParameter,
  jsonContent,
  listOf,
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

const byBin = (description: string): Schema => ({ ...listOf({ type: ['number', 'null'], minimum: 0 }), description });

export const COVERAGE_SCHEMAS: Schemas = {
  Coverage: objectOf(
    {
      referenceName: TEXT,
      start: COUNT,
      end: { ...COUNT, description: 'The end of the last bin, at most that of the reference.' },
      estimated: { type: 'boolean', description: 'Whether the depth is estimated from the index.' },
      mean: byBin('By bin, the mean depth of the bases that the request may see; null if it may see none.'),
      max: byBin('By bin, the greatest depth of such a base. Absent from estimates.'),
    },
    ['referenceName', 'start', 'end', 'estimated', 'mean'],
  ),
};

const FLOATS = contentOf('application/octet-stream', { type: 'string', format: 'binary' });

/** The paths of the depth of alignments. */
export const COVERAGE_PATHS: Paths = {
  '/coverage/{id}': {
    parameters: [pathParameter('id', 'The id of alignments. Slashes in it need not be encoded.')],
    get: {
      operationId: 'getCoverage',
      tags: ['coverage'],
      summary: 'The depth of a region of alignments by bin',
      description: 'Exact if the region is short. That of a longer one is estimated from the index.',
      parameters: [
        queryParameter('referenceName', 'A reference name of the header. Required.'),
        queryParameter('start', 'The first base, 0-based.', COUNT),
        queryParameter('end', 'The end of the region, 0-based and exclusive.', COUNT),
        queryParameter('bins', 'The number of bins. Default: 1000.', { type: 'integer', minimum: 1 }),
        headerParameter('If-None-Match', 'Entity tags of earlier answers.'),
      ],
      responses: withErrors('HtsgetError', [400, 401, 403, 404, 405, 406, 413, 500, 503], {
        '200': {
          description: 'The bins, or the means alone as little-endian 32-bit floats.',
          content: { ...jsonContent(refer('Coverage')), ...FLOATS },
        },
        '304': { description: 'The answer matches If-None-Match.' },
      }),
    },
  },
};
