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
  type Schemas,
  TEXT,
  withErrors,
} from './openapi-types.js';

const NUMBERS = listOf({ type: 'number' });

export const COVERAGE_SCHEMAS: Schemas = {
  Coverage: objectOf(
    {
      estimated: { type: 'boolean', description: 'Whether the values are estimates from the index.' },
      referenceName: TEXT,
      start: COUNT,
      end: COUNT,
      mean: { ...NUMBERS, description: 'The mean depth of each bin of reads.' },
      max: { ...NUMBERS, description: 'The greatest depth of each bin of reads, unless estimated.' },
      counts: { ...NUMBERS, description: 'The number of variants that start in each bin.' },
    },
    ['estimated', 'referenceName', 'start', 'end'],
  ),
};

const BYTES = { type: 'string', format: 'binary' } as const;
const ID = pathParameter('id', 'The id of an object. Slashes in it need not be encoded.');

/** The paths of the depth of reads and the density of variants. */
export const COVERAGE_PATHS: Paths = {
  '/coverage/{id}': {
    parameters: [ID],
    get: {
      operationId: 'getCoverage',
      tags: ['coverage'],
      summary: 'The depth of reads, or the density of variants, by bins of a region',
      parameters: [
        queryParameter('datatype', 'The datatype of the object. Default: reads.', { enum: ['reads', 'variants'] }),
        { ...queryParameter('referenceName', 'A reference name of the header.'), required: true },
        queryParameter('start', 'The first base, 0-based.', COUNT),
        queryParameter('end', 'The end of the region, 0-based and exclusive.', COUNT),
        queryParameter('bins', 'The number of bins. Default: 100.', { type: 'integer', minimum: 1 }),
      ],
      responses: withErrors('HtsgetError', [400, 401, 403, 404, 405, 500, 503], {
        '200': {
          description: 'The values of the bins, as JSON or, if `Accept` asks for it, as little-endian 32-bit numbers.',
          content: { ...jsonContent(refer('Coverage')), ...contentOf('application/octet-stream', BYTES) },
        },
        '304': { description: 'The client has the current values.' },
      }),
    },
  },
  '/coverage/{id}.bw': {
    parameters: [ID, headerParameter('Range', 'A byte range of the file.')],
    get: {
      operationId: 'getCoverageFile',
      tags: ['coverage'],
      summary: 'The depth of reads of a whole file, as bigWig',
      responses: withErrors('HtsgetError', [401, 403, 404, 405, 416, 500, 503], {
        '200': { description: 'The file.', content: contentOf('application/octet-stream', BYTES) },
        '206': { description: 'The requested range.', content: contentOf('application/octet-stream', BYTES) },
        '304': { description: 'The client has the current file.' },
      }),
    },
  },
};
