import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { REGION_FORMS } from '@htskit/formats/internal';
import type { Permission, PermittedSamples } from '@htskit/htsget';
import type { HtsgetRegion } from '@htskit/protocol';
import { z } from 'zod';
import { describeError, ofFile } from '../errors.js';
import { readNames } from '../files/read-names.js';
import { parseRegion } from '../stored-file/parse-region.js';
import { permittedSamples, uniteSamples } from './permitted-samples.js';
import { accessPath, type Bearer, type Policy } from './policy.js';

type ClaimValue = string | number | boolean;

/** A glob of object paths. Its first segment is validated, since a rule for `cohort/**` would match nothing. */
export const objectGlob = z
  .string()
  .refine(
    (text) => /^(?:reads|variants|sequence|collection|comparison|list|attribute|\*)\/.|^\*\*/.test(text),
    'expected reads/…, variants/…, sequence/…, collection/…, comparison/…, list/…, attribute/…, */… or **',
  )
  .describe('Object paths: * matches any characters except /, and ** matches any characters.');

const claimValue = z.union([z.string(), z.number(), z.boolean()], 'expected a string, a number or a boolean');

const region = z.string().refine(isRegion, `expected ${REGION_FORMS}`);

export const accessRule = z.strictObject({
  claims: z
    .record(z.string(), z.union([claimValue, z.array(claimValue).min(1)], 'expected a value or a list of values'))
    // An empty object would match every token.
    .refine((claims) => Object.keys(claims).length > 0, 'expected at least one claim')
    .optional()
    .describe('Claims that the token must have. Each claim, or one element of it if it is a list, must equal a value.'),
  objects: z.array(objectGlob).min(1).default(['**']),
  regions: z
    .array(region)
    .min(1)
    .optional()
    .describe('The regions to which access is restricted; * for unplaced reads.'),
  regionsFile: z
    .string()
    .min(1)
    .optional()
    .describe('A BED file of regions to which access is restricted, in addition to regions.'),
  samples: permittedSamples
    .optional()
    .describe(
      'The samples to which access is restricted: columns of variants, and SM of read groups; or those left out.',
    ),
  samplesFile: z
    .string()
    .min(1)
    .optional()
    .describe('A file with one sample in each line, in addition to the list of samples.'),
});

/** Grants the bearers of some tokens access to some objects. */
export type AccessRule = z.infer<typeof accessRule>;

/** A rule with its BED file read and its globs compiled. */
interface LoadedRule {
  readonly claims: readonly (readonly [name: string, values: readonly ClaimValue[]])[];
  readonly globs: readonly ((path: string) => boolean)[];
  /** Undefined for the whole object. The array is frozen, so that its sorted form can be cached. */
  readonly regions: readonly HtsgetRegion[] | undefined;
  /** Undefined for all samples. */
  readonly samples: PermittedSamples | undefined;
}

/**
 * Creates the policy of a list of rules: a bearer may see the union of what the matching rules permit. If they restrict samples, and
 * differ in regions, the first one decides, because regions and samples together have no union that a permission could state. Files
 * are read relative to `directory`. Throws Error with the path for one that cannot be read or is malformed.
 */
export async function createRulePolicy(rules: readonly AccessRule[], directory: string): Promise<Policy> {
  const loaded = await Promise.all(rules.map((rule) => loadRule(rule, directory)));
  const unions = new RegionUnions();
  return (bearer, request) => {
    const path = accessPath(request);
    const matching = loaded.filter((rule) => hasClaims(rule, bearer) && rule.globs.some((matches) => matches(path)));
    return unitePermissions(matching, unions);
  };
}

function unitePermissions([first, ...others]: readonly LoadedRule[], unions: RegionUnions): Permission {
  if (first === undefined) return 'forbidden';
  const matching = [first, ...others];
  const limitsSamples = matching.some(({ samples }) => samples !== undefined);
  const limitsRegions = matching.some(({ regions }) => regions !== undefined);
  if (limitsSamples && limitsRegions && others.length > 0) return unitePermissions([first], unions);
  const lists = matching.flatMap(({ regions }) => (regions === undefined ? [] : [regions]));
  const regions = lists.length < matching.length ? 'all' : unions.get(lists);
  const samples = uniteSamples(matching.map((rule) => rule.samples));
  return regions === 'all' && samples === undefined ? 'all' : { regions, ...(samples && { samples }) };
}

async function loadRule(rule: AccessRule, directory: string): Promise<LoadedRule> {
  const { claims, objects, regions, regionsFile } = rule;
  const listed = regionsFile === undefined ? [] : await readBed(resolve(directory, regionsFile));
  return {
    claims: Object.entries(claims ?? {}).map(([name, values]) => [name, [values].flat()]),
    globs: objects.map(createGlob),
    regions:
      regions === undefined && regionsFile === undefined
        ? undefined
        : Object.freeze([...(regions ?? []).map((text) => parseRegion(text, undefined)), ...listed]),
    samples: await loadSamples(rule, directory),
  };
}

async function loadSamples(
  { samples, samplesFile }: AccessRule,
  directory: string,
): Promise<PermittedSamples | undefined> {
  if (samplesFile === undefined) return samples;
  const listed = await readNames(resolve(directory, samplesFile));
  if (samples === undefined) return listed;
  return 'except' in samples ? { except: [...samples.except, ...listed] } : [...samples, ...listed];
}

function hasClaims({ claims }: LoadedRule, bearer: Bearer): boolean {
  return claims.every(([name, values]) => {
    const found: unknown = Object.hasOwn(bearer.claims, name) ? bearer.claims[name] : undefined;
    return [found].flat().some((value) => values.some((wanted) => wanted === value));
  });
}

async function readBed(path: string): Promise<readonly HtsgetRegion[]> {
  try {
    return parseBedRegions(await readFile(path, 'utf8'));
  } catch (error) {
    // The causes are included: they are our own errors.
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

/** The maximum number of regions in a file: each request iterates over them. */
const MAX_REGIONS = 100_000;

/**
 * Parses the regions of a BED file from its first three columns (BED 1.0 §1), which are 0-based and half-open. Blank lines,
 * comments, `track` and `browser` lines are skipped. Throws Error with the line number for a malformed line, an empty region,
 * and more than 100,000 regions.
 */
export function parseBedRegions(text: string): readonly HtsgetRegion[] {
  const regions: HtsgetRegion[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|(?:track|browser)(?:\s|$)|$)/.test(line)) continue;
    const [referenceName = '', startText = '', endText = ''] = line.split(/[\t ]+/, 3);
    const [start, end] = [parsePosition(startText), parsePosition(endText)];
    if (referenceName === '' || !(start < end)) {
      throw new Error(`line ${index + 1}: expected a name, a start and an end greater than the start`);
    }
    if (regions.length === MAX_REGIONS) throw new Error(`line ${index + 1}: more than ${MAX_REGIONS} regions`);
    regions.push({ referenceName, start, end });
  }
  return regions;
}

/** Returns NaN for an invalid position. */
function parsePosition(text: string): number {
  const position = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : Number.NaN;
}

type Regions = readonly HtsgetRegion[];

/** The maximum number of cached unions. Bearers who match the same rules share one. */
const MAX_UNIONS = 16;

/** Caches the concatenation of lists of regions, so that the same lists always yield the same frozen array. */
export class RegionUnions {
  /** In order of insertion. */
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
  return a.length === b.length && a.every((list, index) => list === b[index]);
}

/**
 * Compiles a glob: `*` matches any number of characters except `/`, `**` any number of any characters, and every other
 * character itself.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? [];
  return (path) => {
    // All possible next tokens are tracked at once, so that no path takes exponential time as with a backtracking match.
    let next = withoutStars(tokens, [0]);
    for (const character of path) {
      const after = Array.from(next).flatMap((index) => {
        const token = tokens[index];
        if (token === '**' || (token === '*' && character !== '/')) return [index];
        return token === character && token !== '*' ? [index + 1] : [];
      });
      if (after.length === 0) return false;
      next = withoutStars(tokens, after);
    }
    return next.has(tokens.length);
  };
}

/** Returns the indexes, and those after stars that match nothing. */
function withoutStars(tokens: readonly string[], indexes: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of indexes) {
    let index = start;
    reached.add(index);
    for (let token = tokens[index]; token === '*' || token === '**'; token = tokens[index]) reached.add(++index);
  }
  return reached;
}
