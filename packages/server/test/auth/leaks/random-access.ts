import type { HtsgetFormat } from '@htskit/protocol';
import { CELL_BASES, CELLS, OBJECTS, placeOf, SAMPLES, type SecretObject } from './secret-files.js';

export type Pick = <Value>(values: readonly Value[]) => Value;

/** A rule of the configuration, as numbers. */
export interface RandomRule {
  /** The group that a token must have, or the dataset that a visa must grant. A rule without either is for every token. */
  readonly group?: string;
  readonly dataset?: string;
  readonly objects: readonly string[];
  readonly cells?: readonly number[];
  readonly samples?: readonly number[];
  /** Whether the samples are written as the others that are left out. */
  readonly isExcept: boolean;
  readonly formats?: readonly HtsgetFormat[];
}

export const GROUPS = ['g1', 'g2', 'g3'] as const;
export const DATASETS = ['D1', 'D2', 'D3'] as const;
const GLOBS = ['**', 'reads/**', 'variants/**', '*/d1/**', '*/d2/**', ...OBJECTS.map(toPath)];
const FORMATS: readonly (readonly HtsgetFormat[])[] = [['BAM'], ['VCF'], ['BCF', 'BAM'], ['VCFTEXT'], ['CRAM']];

function toPath({ datatype, id }: SecretObject): string {
  return `${datatype}/${id}`;
}

function subset<Value>(values: readonly Value[], pick: Pick): Value[] {
  return values.filter(() => pick([true, false]));
}

/** Creates a rule with limits of any kinds, most often of none or one. */
export function randomRule(owner: RuleOwner, pick: Pick): RandomRule {
  const hasRegions = pick([true, false, false]);
  const cells = subset(CELLS, pick);
  return {
    ...owner,
    objects: [pick(GLOBS), pick(GLOBS)],
    isExcept: pick([true, false]),
    ...(hasRegions && { cells: cells.length > 0 ? cells : [pick(CELLS)] }),
    ...(pick([true, false, false]) && { samples: subset([...SAMPLES.keys()], pick) }),
    ...(pick([true, false, false, false]) && { formats: pick(FORMATS) }),
  };
}

type RuleOwner = { readonly group?: string; readonly dataset?: string };

/** Returns a rule as the configuration has it, without its owner. */
export function toSection({ objects, cells, samples, isExcept, formats }: RandomRule): object {
  const named = (wanted: readonly number[]): string[] => [...wanted.map((sample) => SAMPLES[sample] ?? ''), 'nobody'];
  const hidden = [...SAMPLES.keys()].filter((sample) => samples?.includes(sample) !== true);
  const regions = cells?.map((cell) => {
    const { referenceName, start } = placeOf(cell);
    return `${referenceName}:${start + 1}-${start + CELL_BASES}`;
  });
  return {
    objects,
    ...(regions && { regions }),
    ...(samples && { samples: isExcept ? { except: named(hidden) } : named(samples) }),
    ...(formats && { formats }),
  };
}

/** A client: a stranger has neither a token nor a passport, and the token of a forger has the signature of another key. */
export interface Requester {
  readonly kind: 'stranger' | 'forger' | 'token' | 'passport';
  readonly groups: readonly string[];
  readonly datatypes: readonly string[];
  readonly datasets: readonly string[];
}

export function randomRequester(hasPassports: boolean, pick: Pick): Requester {
  const kinds = ['stranger', 'forger', 'token', 'token', 'token', 'token', 'token', 'token'] as const;
  return {
    kind: pick(hasPassports ? [...kinds, 'passport', 'passport', 'passport', 'passport'] : kinds),
    groups: subset(GROUPS, pick),
    datatypes: pick([['reads', 'variants'], ['reads', 'variants'], ['reads', 'variants'], ['reads'], ['variants'], []]),
    datasets: subset(DATASETS, pick),
  };
}

/** The part of an object that a requester may see: nothing, or some cells of some samples in some formats. */
export interface View {
  /** The status of a refusal, if nothing may be seen. */
  readonly refusal?: 401 | 403;
  readonly cells: readonly number[];
  readonly samples: readonly number[];
  readonly hasAllCells: boolean;
  readonly hasAllSamples: boolean;
  readonly formats: readonly HtsgetFormat[] | undefined;
}

export interface RandomAccess {
  /** In the order in which the server applies them: those of tokens, then those of datasets. */
  readonly rules: readonly RandomRule[];
  readonly publicGlobs: readonly string[];
}

const NOTHING = { cells: [], samples: [], hasAllCells: false, hasAllSamples: false, formats: undefined };
const EVERYTHING: View = {
  cells: CELLS,
  samples: [...SAMPLES.keys()],
  hasAllCells: true,
  hasAllSamples: true,
  formats: undefined,
};

/** Returns what a requester may see of a path, by the documented meaning of rules. */
export function viewOf(path: string, requester: Requester, { rules, publicGlobs }: RandomAccess): View {
  const covers = (globs: readonly string[]): boolean => globs.some((glob) => matches(glob, path));
  if (covers(publicGlobs)) return EVERYTHING;
  const { kind, datatypes } = requester;
  if (kind === 'stranger' || kind === 'forger') return { ...NOTHING, refusal: 401 };
  const needsScope = path.startsWith('reads/') || path.startsWith('variants/');
  if (kind === 'token' && needsScope && !datatypes.includes(path.slice(0, path.indexOf('/')))) {
    return { ...NOTHING, refusal: 403 };
  }
  return unite(rules.filter((rule) => isFor(rule, requester) && covers(rule.objects)));
}

function matches(glob: string, path: string): boolean {
  const pattern = glob.replace(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${pattern}$`).test(path);
}

function isFor({ group, dataset }: RandomRule, { kind, groups, datasets }: Requester): boolean {
  if (dataset !== undefined) return kind === 'passport' && datasets.includes(dataset);
  return kind === 'token' && (group === undefined || groups.includes(group));
}

/** Returns the union of rules that all have the same kind of limit, and otherwise what the first one permits. */
function unite(rules: readonly RandomRule[]): View {
  const [first] = rules;
  if (first === undefined) return { ...NOTHING, refusal: 403 };
  const limits = (rule: RandomRule): string[] =>
    (['cells', 'samples', 'formats'] as const).filter((kind) => rule[kind] !== undefined);
  if (rules.some((rule) => limits(rule).length === 0)) return EVERYTHING;
  const kinds = new Set(rules.flatMap(limits));
  const counted = kinds.size > 1 ? [first] : rules;
  const union = <Value>(lists: readonly (readonly Value[] | undefined)[]): Value[] => [
    ...new Set(lists.flatMap((list) => list ?? [])),
  ];
  const limited = new Set(counted.flatMap(limits));
  return {
    cells: limited.has('cells') ? union(counted.map(({ cells }) => cells)) : CELLS,
    samples: limited.has('samples') ? union(counted.map(({ samples }) => samples)) : EVERYTHING.samples,
    hasAllCells: !limited.has('cells'),
    hasAllSamples: !limited.has('samples'),
    formats: limited.has('formats') ? union(counted.map(({ formats }) => formats)) : undefined,
  };
}
