import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AccessRule, type Policy, rules } from '@htskit/access';
import { REGION_FORMS } from '@htskit/formats/internal';
import { FORMATS, type HtsgetRegion, type PermittedSamples } from '@htskit/protocol';
import { z } from 'zod';
import { describeError, ofFile } from '../errors.js';
import { readNames } from '../files/read-names.js';
import { parseRegion } from '../stored-file/parse-region.js';

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

const sampleName = z.string().min(1).max(1000);

/** A list of samples, which may be empty, or all samples but those of a list. */
const permittedSamples: z.ZodType<PermittedSamples> = z.union(
  [z.array(sampleName), z.strictObject({ except: z.array(sampleName).min(1) })],
  'expected a list of samples, or { except: [...] }',
);

/** The part of an object to which access is restricted. */
const limitsShape = {
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
  formats: z
    .array(z.enum([...FORMATS.reads, ...FORMATS.variants]))
    .min(1)
    .optional()
    .describe('The formats to which answers of htsget are restricted. Default: all.'),
} as const;

export const ruleSection = z.strictObject({
  claims: z
    .record(z.string(), z.union([claimValue, z.array(claimValue).min(1)], 'expected a value or a list of values'))
    // An empty object would match every token.
    .refine((claims) => Object.keys(claims).length > 0, 'expected at least one claim')
    .optional()
    .describe('Claims that the token must have. Each claim, or one element of it if it is a list, must equal a value.'),
  objects: z.array(objectGlob).min(1).default(['**']),
  ...limitsShape,
});

/** The grant of a visa for a dataset. All objects would be too much to be the default. */
export const datasetSection = z.strictObject({ objects: z.array(objectGlob).min(1), ...limitsShape });

/** A rule with names of files. */
interface RuleSection extends z.infer<typeof datasetSection>, Pick<AccessRule, 'claims' | 'datasets'> {}

/**
 * Creates the policy of a list of rules. Files are read relative to `directory`. Throws Error with the path for one that cannot be
 * read or is malformed.
 */
export async function createRulePolicy(sections: readonly RuleSection[], directory: string): Promise<Policy> {
  return rules(await Promise.all(sections.map((section) => loadRule(section, directory))));
}

async function loadRule(section: RuleSection, directory: string): Promise<AccessRule> {
  const { claims, datasets, objects, regions, regionsFile, formats } = section;
  const listed = regionsFile === undefined ? [] : await readBed(resolve(directory, regionsFile));
  const isRestricted = regions !== undefined || regionsFile !== undefined;
  return {
    claims,
    datasets,
    objects,
    formats,
    regions: isRestricted ? [...(regions ?? []).map((text) => parseRegion(text, undefined)), ...listed] : undefined,
    samples: await loadSamples(section, directory),
  };
}

async function loadSamples(
  { samples, samplesFile }: RuleSection,
  directory: string,
): Promise<PermittedSamples | undefined> {
  if (samplesFile === undefined) return samples;
  const listed = await readNames(resolve(directory, samplesFile));
  if (samples === undefined) return listed;
  return 'except' in samples ? { except: [...samples.except, ...listed] } : [...samples, ...listed];
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
