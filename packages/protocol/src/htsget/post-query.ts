import type { QueryParameters } from '../parameter.js';
import { HtsgetError, invalidInput } from './error.js';
import { isJsonObject, type JsonBody, type JsonBodyLimits, type JsonObject, parseJsonBody } from './json-body.js';
import {
  checkQuery,
  type Datatype,
  type HtsgetParseOptions,
  type HtsgetQuery,
  NO_EXTENSIONS,
  queryParameters,
} from './query.js';
import type { UncheckedRegion } from './region.js';

const EMPTY_BODY: JsonBody = { members: {}, exactMembers: {} };

/** Options of parsing a POST request. */
export interface HtsgetPostOptions extends HtsgetParseOptions {
  /** The maximum number of regions. Default 1000. */
  readonly maxRegions?: number;
}

const DEFAULT_MAX_REGIONS = 1000;
/** Returns the limits of a body with this number of regions: four times the values that they need, and some for other members. */
function bodyLimits(maxRegions: number): JsonBodyLimits {
  return { maxStructuralCharacters: 4096 + 32 * maxRegions, maxLongIntegers: 8 * maxRegions };
}

/**
 * Parses a POST request (htsget 1.3.1, "POST request body"). `params` are those of the URL, which must not contain a
 * parameter of the protocol; `body` is JSON or empty. A member that is null counts as absent (noodles sends
 * `"class":null`). Throws `HtsgetError` InvalidInput, or UnsupportedFormat. A service that answers an unknown id with
 * NotFound should do so before it reports UnsupportedFormat. Throws PayloadTooLarge for more regions than the limit, and for
 * a body of far more values than these regions need.
 *
 * Time and memory are proportional to the length of the body, which the caller has to limit.
 *
 * @example
 * const query = parseHtsgetPost('variants', new URLSearchParams(), '{"regions":[{"referenceName":"chr1","end":1000}]}');
 * // { datatype: 'variants', format: 'VCF', regions: [{ referenceName: 'chr1', end: 1000 }] }
 */
export function parseHtsgetPost(
  datatype: Datatype,
  params: QueryParameters,
  body: string,
  { maxRegions = DEFAULT_MAX_REGIONS, extensions = true }: HtsgetPostOptions = {},
): HtsgetQuery {
  for (const name of queryParameters({ extensions })) {
    if (params.has(name)) throw invalidInput(`a POST takes ${name} in its body, not in its URL`);
  }
  const { members, exactMembers } = body.trim() === '' ? EMPTY_BODY : parseJsonBody(body, bodyLimits(maxRegions));
  for (const name of ['referenceName', 'start', 'end']) {
    if (memberOf(members, name) !== undefined) throw invalidInput(`a POST takes ${name} within regions only`);
  }
  const query = {
    format: stringMember(members, 'format'),
    class: stringMember(members, 'class'),
    fields: datatype === 'reads' ? stringsMember(members, 'fields') : undefined,
    tags: stringsMember(members, 'tags'),
    notags: stringsMember(members, 'notags'),
    regions: regionsMember(members, exactMembers, maxRegions),
    ...(extensions ? extensionMembers(members) : NO_EXTENSIONS),
  };
  return checkQuery(datatype, query, { extensions, allowEmptyRegions: false });
}

function extensionMembers(members: JsonObject): typeof NO_EXTENSIONS {
  return {
    samples: stringsMember(members, 'samples'),
    samplesUpdate: stringMember(members, 'samplesUpdate'),
    requireFlags: integerMember(members, 'requireFlags'),
    excludeFlags: integerMember(members, 'excludeFlags'),
    minMappingQuality: integerMember(members, 'minMappingQuality'),
    encryptionScheme: stringMember(members, 'encryptionScheme'),
  };
}

function regionsMember(
  members: JsonObject,
  exactMembers: JsonObject,
  maxRegions: number,
): UncheckedRegion[] | undefined {
  const regions = memberOf(members, 'regions');
  if (regions === undefined) return undefined;
  if (!Array.isArray(regions)) throw invalidInput('regions must be an array');
  if (regions.length === 0) throw invalidInput('regions must hold at least one region');
  if (regions.length > maxRegions) throw new HtsgetError('PayloadTooLarge', `more than ${maxRegions} regions`);
  const exactRegions = memberOf(exactMembers, 'regions');
  return regions.map((region, index) => toRegion(region, Array.isArray(exactRegions) ? exactRegions[index] : region));
}

function toRegion(region: unknown, exactRegion: unknown): UncheckedRegion {
  if (!isJsonObject(region)) throw invalidInput('a region must be a JSON object');
  const referenceName = stringMember(region, 'referenceName');
  if (referenceName === undefined) throw invalidInput('a region needs a referenceName');
  const exact = isJsonObject(exactRegion) ? exactRegion : region;
  return {
    referenceName,
    start: coordinateMember(region, exact, 'start'),
    end: coordinateMember(region, exact, 'end'),
  };
}

/**
 * Returns a number as text: digits if it is an integer of at least 0, however JSON writes it. `1e5` and `100000.0` are the
 * integer 100000, as R sends it, and -0 is 0.
 */
function coordinateMember(region: JsonObject, exactRegion: JsonObject, name: string): string | undefined {
  const value = memberOf(region, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw invalidInput(`${name} must be a number`);
  const digits = exactRegion[name];
  if (typeof digits === 'string') return digits;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
}

function stringMember(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  if (value === undefined || typeof value === 'string') return value;
  throw invalidInput(`${name} must be a string`);
}

/** Returns an integer, or the text that stands for one, as text: JSON has no hexadecimal numbers. */
function integerMember(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'number' ? String(value) : stringMember(object, name);
}

function stringsMember(object: JsonObject, name: string): string[] | undefined {
  const value = memberOf(object, name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((element) => typeof element === 'string')) return value;
  throw invalidInput(`${name} must be an array of strings`);
}

function memberOf(object: JsonObject, name: string): unknown {
  return object[name] ?? undefined;
}
