import type { Datatype, HtsgetQuery } from './query.js';
import { checkQuery, invalidInput, type UncheckedRegion } from './query-rules.js';

/** The parameters that the protocol defines (htsget 1.3.1, "GET query parameters"); all others are ignored. */
export const QUERY_PARAMETERS = [
  'format',
  'class',
  'referenceName',
  'start',
  'end',
  'fields',
  'tags',
  'notags',
] as const;

/**
 * Parses the query of a GET request. Throws HtsgetError: InvalidInput; or UnsupportedFormat, which an unknown id outranks.
 */
export function parseHtsgetGet(datatype: Datatype, params: URLSearchParams): HtsgetQuery {
  for (const name of QUERY_PARAMETERS) {
    if (params.getAll(name).length > 1) throw invalidInput(`${name} is given more than once`);
  }
  const query = {
    format: params.get('format') ?? undefined,
    class: params.get('class') ?? undefined,
    fields: params.get('fields')?.split(','),
    tags: toTags(params.get('tags')),
    notags: toTags(params.get('notags')),
    regions: toRegions(params),
  };
  return checkQuery(datatype, query, { allowEmptyRegions: true });
}

/** The empty list is spelled as the empty value. */
function toTags(value: string | null): string[] | undefined {
  return value === '' ? [] : value?.split(',');
}

function toRegions(params: URLSearchParams): [UncheckedRegion] | undefined {
  const region = {
    referenceName: params.get('referenceName') ?? undefined,
    start: params.get('start') ?? undefined,
    end: params.get('end') ?? undefined,
  };
  return Object.values(region).every((value) => value === undefined) ? undefined : [region];
}
