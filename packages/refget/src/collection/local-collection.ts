import { RefgetError } from '@htskit/protocol';
import { isWellFormed } from './canonical-json.js';
import {
  ARRAY_ATTRIBUTES,
  type ArrayAttribute,
  canonicalStrings,
  TRANSIENT_ATTRIBUTE,
} from './collection-attributes.js';
import { type ComparedArray, type ComparedCollection, pairArray } from './compare-collections.js';
import { isDeeperThan } from './json-depth.js';
import { collectionDigest, digestTexts } from './sequence-collection.js';
import { Turns } from './turns.js';

/**
 * A client's own collection from its level 2 as JSON text (sequence collections 1.0.0, §3.3). Attributes may be missing, and
 * others than those of the schema are counted, but not looked into. Has a digest where there are names and sequences.
 * Throws RefgetError: Bad Request. The caller bounds the length of the text; time and memory are proportional to it.
 */
export async function parseLocalCollection(text: string, signal?: AbortSignal): Promise<ComparedCollection> {
  const members = Object.entries(parseObject(text));
  const attributes = new Map<string, ComparedArray | undefined>();
  for (const [name, value] of members)
    attributes.set(name, isKnown(name) ? PARSERS[name](value) : toOpaque(name, value));
  const lengths = COLLATED.flatMap((name) => attributes.get(name)?.length ?? []);
  if (lengths.length === 0) throw badRequest(`the collection needs at least one of ${COLLATED.join(', ')}`);
  if (new Set(lengths).size > 1) throw badRequest(`${COLLATED.join(', ')} must have equally many elements`);
  // Level 2 leaves it out, but it follows from these two.
  if (attributes.has('names') && attributes.has('lengths')) attributes.set(TRANSIENT_ATTRIBUTE, undefined);
  return { digest: await digestLocal(attributes, new Turns(signal)), attributes };
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

/** No collection of this service has such an attribute, so that nothing is compared with its elements. */
function toOpaque(name: string, value: unknown): ComparedArray | undefined {
  if (name === TRANSIENT_ATTRIBUTE || !Array.isArray(value)) return undefined;
  return { length: value.length, at: () => undefined };
}

/** Of arrays and objects within each other; those of the schema are three. */
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
  turns: Turns,
): Promise<string | null> {
  // What these two hold was checked to be strings.
  const [names, sequences] = [attributes.get('names'), attributes.get('sequences')] as (string[] | undefined)[];
  if (names === undefined || sequences === undefined || names.length === 0) return null;
  return collectionDigest({
    names: (await digestTexts(canonicalStrings(names), turns)).digest,
    sequences: (await digestTexts(canonicalStrings(sequences), turns)).digest,
  });
}

function badRequest(message: string): RefgetError {
  return new RefgetError('Bad Request', message);
}
