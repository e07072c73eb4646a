import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HtsgetRegion } from '@htskit/protocol';
import { z } from 'zod';
import { describeError, ofFile } from '../errors.js';
import { parseRegion, REGION_FORMS } from '../stored-file/parse-region.js';
import { createGlob } from './glob.js';
import { accessPath, type Bearer, type Policy } from './policy.js';

type ClaimValue = string | number | boolean;

/** Who may see what. */
export interface AccessRule {
  /** Without any, whoever has a valid token. */
  readonly claims?: Record<string, ClaimValue | ClaimValue[]> | undefined;
  readonly objects: string[];
  readonly regions?: string[] | undefined;
  readonly regionsFile?: string | undefined;
}

/** A glob of objects: what it begins with is checked, since a rule for `cohort/**` would be one for nothing. */
export const objectGlob: z.ZodType<string> = z
  .string()
  .refine(
    (text) => /^(?:reads|variants|sequence|collection|comparison|list|attribute|\*)\/.|^\*\*/.test(text),
    'expected reads/…, variants/…, sequence/…, collection/…, comparison/…, list/…, attribute/…, */… or **',
  )
  .describe('Objects by their paths: * stands for any characters but /, ** for any.');

const claimValue = z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number or a boolean');

const region = z.string().refine(isRegion, `expected ${REGION_FORMS}`);

export const accessRule: z.ZodType<AccessRule> = z.strictObject({
  claims: z
    .record(z.string(), z.union([claimValue, z.array(claimValue).min(1)], 'expected a value or a list of values'))
    // Without a claim it would be a rule for everybody.
    .refine((claims) => Object.keys(claims).length > 0, 'expected at least one claim')
    .optional()
    .describe('Each of these claims of the token has this value, or one of these, or is a list that holds one.'),
  objects: z.array(objectGlob).min(1).default(['**']),
  regions: z.array(region).min(1).optional().describe('Nothing but these regions; * for unplaced reads.'),
  regionsFile: z.string().min(1).optional().describe('Nothing but the regions of this BED file, and those of regions.'),
});

/** A rule whose file is read and whose globs are ready. */
interface LoadedRule {
  readonly claims: readonly (readonly [name: string, values: readonly ClaimValue[]])[];
  readonly globs: readonly ((path: string) => boolean)[];
  /** Undefined for all of the object. Frozen, so that they are sorted but once. */
  readonly regions: readonly HtsgetRegion[] | undefined;
}

/**
 * The policy of a table of rules: whoever matches several may see what any of them permits, and nobody else anything. Reads
 * the BED files, relative to a folder. Throws, with the path, for one that cannot be read or is malformed.
 */
export async function createRulePolicy(rules: readonly AccessRule[], directory: string): Promise<Policy> {
  const loaded = await Promise.all(rules.map((rule) => loadRule(rule, directory)));
  const unions = new RegionUnions();
  return (bearer, request) => {
    const path = accessPath(request);
    const matching = loaded.filter((rule) => isOf(rule, bearer) && rule.globs.some((matches) => matches(path)));
    if (matching.length === 0) return 'forbidden';
    const lists = matching.flatMap(({ regions }) => (regions === undefined ? [] : [regions]));
    return lists.length < matching.length ? 'all' : { regions: unions.get(lists) };
  };
}

async function loadRule({ claims, objects, regions, regionsFile }: AccessRule, directory: string): Promise<LoadedRule> {
  const listed = regionsFile === undefined ? [] : await readBed(resolve(directory, regionsFile));
  return {
    claims: Object.entries(claims ?? {}).map(([name, values]) => [name, [values].flat()]),
    globs: objects.map(createGlob),
    regions:
      regions === undefined && regionsFile === undefined
        ? undefined
        : Object.freeze([...(regions ?? []).map((text) => parseRegion(text, undefined)), ...listed]),
  };
}

function isOf({ claims }: LoadedRule, bearer: Bearer): boolean {
  return claims.every(([name, values]) => {
    const found: unknown = Object.hasOwn(bearer.claims, name) ? bearer.claims[name] : undefined;
    return [found].flat().some((value) => values.some((wanted) => wanted === value));
  });
}

async function readBed(path: string): Promise<readonly HtsgetRegion[]> {
  try {
    return parseBedRegions(await readFile(path, 'utf8'));
  } catch (error) {
    // With its causes, which are of ours.
    throw ofFile(path, new Error(describeError(error), { cause: error }));
  }
}

function isRegion(text: string): boolean {
  try {
    parseRegion(text, undefined);
    return true;
  } catch {
    return false;
  }
}

/** Regions of one file; each request goes through them. */
const MAX_REGIONS = 100_000;

/**
 * The regions of a BED file, by its first three columns (BED 1.0, §1): 0-based and half-open as it counts. Blank lines,
 * comments, and lines `track` and `browser` are passed over. Throws Error, with the line, for another line that is no
 * region, for one that is empty, and for more than 100,000.
 */
export function parseBedRegions(text: string): readonly HtsgetRegion[] {
  const regions: HtsgetRegion[] = [];
  for (const [rank, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|(?:track|browser)(?:\s|$)|$)/.test(line)) continue;
    const [referenceName = '', startText = '', endText = ''] = line.split(/[\t ]+/, 3);
    const [start, end] = [parsePosition(startText), parsePosition(endText)];
    if (referenceName === '' || !(start < end)) {
      throw new Error(`line ${rank + 1}: expected a name, a start and a greater end`);
    }
    if (regions.length === MAX_REGIONS) throw new Error(`line ${rank + 1}: more than ${MAX_REGIONS} regions`);
    regions.push({ referenceName, start, end });
  }
  return regions;
}

/** NaN for what is no position. */
function parsePosition(text: string): number {
  const position = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : Number.NaN;
}

type Regions = readonly HtsgetRegion[];

/** Unions that are kept, each of some rules: bearers who match the same rules have the same one. */
const MAX_UNIONS = 16;

/** The regions of several lists together, each time the same frozen array for the same lists. */
export class RegionUnions {
  /** The oldest first. */
  readonly #unions: { readonly lists: readonly Regions[]; readonly regions: Regions }[] = [];

  get(lists: readonly Regions[]): Regions {
    const [first, ...others] = lists;
    if (first !== undefined && others.length === 0) return first;
    const known = this.#unions.find((union) => isSame(union.lists, lists));
    if (known !== undefined) return known.regions;
    const regions = Object.freeze(lists.flat());
    if (this.#unions.push({ lists, regions }) > MAX_UNIONS) this.#unions.shift();
    return regions;
  }
}

function isSame(a: readonly Regions[], b: readonly Regions[]): boolean {
  return a.length === b.length && a.every((list, rank) => list === b[rank]);
}
