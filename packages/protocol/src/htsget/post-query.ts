import {
  checkQuery,
  type Datatype,
  type HtsgetQuery,
  invalidInput,
  QUERY_PARAMETERS,
  type UncheckedRegion,
} from './query.js';

/**
 * Parses a POST request (htsget 1.3.1, "POST request body"). `params` are those of the URL, which must not contain a
 * parameter of the protocol; `body` is JSON or empty. A member that is null counts as absent (noodles sends
 * `"class":null`). Throws `HtsgetError` InvalidInput, or UnsupportedFormat. A service that answers an unknown id with
 * NotFound should do so before it reports UnsupportedFormat.
 *
 * Time and memory are proportional to the length of the body, which the caller has to limit.
 *
 * @example
 * const query = parseHtsgetPost('variants', new URLSearchParams(), '{"regions":[{"referenceName":"chr1","end":1000}]}');
 * // { datatype: 'variants', format: 'VCF', regions: [{ referenceName: 'chr1', end: 1000 }] }
 */
export function parseHtsgetPost(datatype: Datatype, params: URLSearchParams, body: string): HtsgetQuery {
  for (const name of QUERY_PARAMETERS) {
    if (params.has(name)) throw invalidInput(`a POST takes ${name} in its body, not in its URL`);
  }
  const members = parseBody(body);
  for (const name of ['referenceName', 'start', 'end']) {
    if (memberOf(members, name) !== undefined) throw invalidInput(`a POST takes ${name} within regions only`);
  }
  const query = {
    format: stringMember(members, 'format'),
    class: stringMember(members, 'class'),
    fields: datatype === 'reads' ? stringsMember(members, 'fields') : undefined,
    tags: stringsMember(members, 'tags'),
    notags: stringsMember(members, 'notags'),
    regions: regionsMember(members),
  };
  return checkQuery(datatype, query, { allowEmptyRegions: false });
}

function parseBody(body: string): JsonObject {
  if (body.trim() === '') return {};
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw invalidInput('the body must be a JSON object');
  return value;
}

function parseJsonBody(body: string): unknown {
  try {
    return parseJson(body);
  } catch (cause) {
    // A SyntaxError, or a RangeError if arrays are nested thousands of levels deep.
    throw invalidInput('the body is not valid JSON', cause);
  }
}

function regionsMember(members: JsonObject): UncheckedRegion[] | undefined {
  const regions = memberOf(members, 'regions');
  if (regions === undefined) return undefined;
  if (!Array.isArray(regions)) throw invalidInput('regions must be an array');
  if (regions.length === 0) throw invalidInput('regions must hold at least one region');
  return regions.map(toRegion);
}

function toRegion(region: unknown): UncheckedRegion {
  if (!isJsonObject(region)) throw invalidInput('a region must be a JSON object');
  const referenceName = stringMember(region, 'referenceName');
  if (referenceName === undefined) throw invalidInput('a region needs a referenceName');
  return { referenceName, start: numberMember(region, 'start'), end: numberMember(region, 'end') };
}

function numberMember(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  if (value === undefined || value instanceof JsonNumber) return value?.literal;
  throw invalidInput(`${name} must be a number`);
}

function stringMember(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  if (value === undefined || typeof value === 'string') return value;
  throw invalidInput(`${name} must be a string`);
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

/**
 * A JSON number as its literal text. JSON.parse would round numbers above 2^53 and would not distinguish `1e3` from `1000`
 * or `-0` from `0`.
 */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** A JSON object that `parseJson` returned. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON text and returns each number in it as a `JsonNumber`. Throws the errors of JSON.parse. */
export function parseJson(text: string): unknown {
  JSON.parse(text);
  // In valid JSON each number outside of a string is a number literal, and a string followed by a colon is a key. Numbers
  // are turned into strings; a first letter that is removed again distinguishes them ("n") from strings ("s").
  const marked = text.replace(STRING_OR_NUMBER, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => (typeof value === 'string' ? unmark(value) : value));
}

// The part that matches strings has no alternation inside its loop, so backtracking needs little stack.
const STRING_OR_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

function unmark(value: string): string | JsonNumber {
  const content = value.slice(1);
  return value.startsWith('n') ? new JsonNumber(content) : content;
}

/** Whether a value that `parseJson` returned is an object, not null, an array, a number or a string. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
