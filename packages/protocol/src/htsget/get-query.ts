import type { QueryParameters } from '../parameter.js';
import { invalidInput } from './error.js';
import {
  checkQuery,
  type Datatype,
  type HtsgetParseOptions,
  type HtsgetQuery,
  NO_EXTENSIONS,
  queryParameters,
} from './query.js';
import type { UncheckedRegion } from './region.js';

/**
 * Parses the query of a GET request (htsget 1.3.1, "GET query parameters"). Throws `HtsgetError` InvalidInput, or
 * UnsupportedFormat. A service that answers an unknown id with NotFound should do so before it reports UnsupportedFormat.
 *
 * @example
 * const { searchParams } = new URL('https://example.org/reads/NA12878?referenceName=chr1&start=99&end=150');
 * const query = parseHtsgetGet('reads', searchParams);
 * // { datatype: 'reads', format: 'BAM', regions: [{ referenceName: 'chr1', start: 99, end: 150 }] }
 */
export function parseHtsgetGet(
  datatype: Datatype,
  params: QueryParameters,
  options: HtsgetParseOptions = {},
): HtsgetQuery {
  for (const name of queryParameters(options)) {
    if (params.getAll(name).length > 1) throw invalidInput(`${name} is given more than once`);
  }
  const query = {
    format: params.get('format') ?? undefined,
    class: params.get('class') ?? undefined,
    fields: params.get('fields')?.split(','),
    tags: toNames(params.get('tags')),
    notags: toNames(params.get('notags')),
    regions: toRegions(params),
    ...(options.extensions === false ? NO_EXTENSIONS : toExtensions(params)),
  };
  return checkQuery(datatype, query, { ...options, allowEmptyRegions: true });
}

function toExtensions(params: QueryParameters): typeof NO_EXTENSIONS {
  return {
    samples: toNames(params.get('samples')),
    samplesUpdate: params.get('samplesUpdate') ?? undefined,
    requireFlags: params.get('requireFlags') ?? undefined,
    excludeFlags: params.get('excludeFlags') ?? undefined,
    minMappingQuality: params.get('minMappingQuality') ?? undefined,
    encryptionScheme: params.get('encryptionScheme') ?? undefined,
  };
}

/** An empty value is the empty list. */
function toNames(value: string | null): string[] | undefined {
  return value === '' ? [] : value?.split(',');
}

function toRegions(params: QueryParameters): [UncheckedRegion] | undefined {
  const region = {
    referenceName: params.get('referenceName') ?? undefined,
    start: params.get('start') ?? undefined,
    end: params.get('end') ?? undefined,
  };
  return Object.values(region).every((value) => value === undefined) ? undefined : [region];
}
