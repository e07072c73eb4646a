import { TimeSlice } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import type { ArrayAttribute } from '@htskit/sequences';
import {
  ARRAY_ATTRIBUTES,
  canonicalStrings,
  collectionDigest,
  digestTexts,
  isWellFormed,
  TRANSIENT_ATTRIBUTE,
} from '@htskit/sequences/internal';
import { type ComparedArray, type ComparedCollection, pairArray } from './compare-collections.js';

/**
 * Parses a client's collection from its level 2 as JSON text (sequence collections 1.0.0, §3.3). Attributes may be missing.
 * Attributes outside of the schema are counted but not compared. The collection has a digest if it has names and sequences.
 *
 * Throws RefgetError Bad Request. Time and memory are proportional to the length of the text, which the caller must bound.
 */
export async function parseLocalCollection(text: string, signal?: AbortSignal): Promise<ComparedCollection> {
  const members = Object.entries(parseObject(text));
  const attributes = new Map<string, ComparedArray | undefined>();
  for (const [name, value] of members)
    attributes.set(name, isKnown(name) ? PARSERS[name](value) : toOpaque(name, value));
  const lengths = COLLATED.flatMap((name) => attributes.get(name)?.length ?? []);
  if (lengths.length === 0) throw badRequest(`the collection needs at least one of ${COLLATED.join(', ')}`);
  if (new Set(lengths).size > 1) throw badRequest(`${COLLATED.join(', ')} must have equally many elements`);
  // Level 2 omits the transient attribute, which follows from these two.
  if (attributes.has('names') && attributes.has('lengths')) attributes.set(TRANSIENT_ATTRIBUTE, undefined);
  return { digest: await digestLocal(attributes, new TimeSlice(signal)), attributes };
}

/** Attributes with one element for each sequence. */
const COLLATED = ['lengths', 'name_length_pairs', 'names', 'sequences'] as const;

const PARSERS: Readonly<Record<ArrayAttribute, (value: unknown) => ComparedArray>> = {
  lengths: (value) => parseArray('lengths', value, isLength, 'a whole number'),
  name_length_pairs(value) {
    const pairs = parseArray('name_length_pairs', value, isPair, 'an object of name and length');
    return pairArray(
      pairs.map(({ name }) => name),
      pairs.map(({ length }) => length),
    );
  },
  names: (value) => parseArray('names', value, isText, 'a string of well-formed Unicode'),
  sequences: (value) => parseArray('sequences', value, isText, 'a digest'),
  sorted_sequences: (value) => parseArray('sorted_sequences', value, isText, 'a digest'),
};

function isKnown(name: string): name is ArrayAttribute {
  return ARRAY_ATTRIBUTES.some((known) => known === name);
}

/** No collection of this service has such an attribute, so its elements are never compared. */
function toOpaque(name: string, value: unknown): ComparedArray | undefined {
  if (name === TRANSIENT_ATTRIBUTE || !Array.isArray(value)) return undefined;
  return { length: value.length, at: () => undefined };
}

/** Most levels of nested arrays and objects; the schema has three. */
const MAX_DEPTH = 64;

function parseObject(text: string): object {
  if (isDeeperThan(text, MAX_DEPTH)) throw badRequest(`the body is JSON nested deeper than ${MAX_DEPTH}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RefgetError('Bad Request', 'the body is not valid JSON', { cause });
  }
  if (isObject(value)) return value;
  throw badRequest('the body must be a JSON object: a sequence collection at level 2');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseArray<T>(name: string, value: unknown, isElement: (element: unknown) => element is T, what: string): T[] {
  if (!Array.isArray(value)) throw badRequest(`${name} must be an array`);
  const elements: unknown[] = value;
  const odd = elements.findIndex((element) => !isElement(element));
  if (odd >= 0) throw badRequest(`element ${odd + 1} of ${name} must be ${what}`);
  return elements as T[];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value);
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPair(value: unknown): value is { readonly name: string; readonly length: number } {
  return isObject(value) && 'name' in value && 'length' in value && isText(value.name) && isLength(value.length);
}

async function digestLocal(
  attributes: ReadonlyMap<string, ComparedArray | undefined>,
  slice: TimeSlice,
): Promise<string | null> {
  // Both were checked to hold strings.
  const [names, sequences] = [attributes.get('names'), attributes.get('sequences')] as (string[] | undefined)[];
  if (names === undefined || sequences === undefined || names.length === 0) return null;
  return collectionDigest({
    names: (await digestTexts(canonicalStrings(names), slice)).digest,
    sequences: (await digestTexts(canonicalStrings(sequences), slice)).digest,
  });
}

function badRequest(message: string): RefgetError {
  return new RefgetError('Bad Request', message);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns whether a JSON text nests arrays and objects deeper than `maxDepth`. Checked before parsing, because 4 MB of brackets
 * block JSON.parse for 4 s. For text that is not JSON, the result holds as far as JSON.parse reads.
 */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) {
      isInString = true;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth++;
      if (depth > maxDepth) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth--;
    }
  }
  return false;
}
