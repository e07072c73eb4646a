import type { HtsgetFormat, HtsgetRegion, Permission, PermittedSamples } from '@htskit/protocol';
import { grantsDataset } from '../passport/visa.js';
import { accessPath, type Bearer, type Policy } from '../policy.js';
import { createGlob } from './glob.js';
import { type Limits, RegionUnions, unitePermissions } from './unite-permissions.js';

export type ClaimValue = string | number | boolean;

/** Grants the bearers of some tokens access to some objects. */
export interface AccessRule {
  /**
   * Claims that the token must have. Each claim, or one element of it if it is a list, must equal a value; the elements of
   * `scope` are separated by spaces. Default: every token.
   */
  readonly claims?: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>> | undefined;
  /**
   * Datasets: a visa of the type ControlledAccessGrants must grant at least one. Each is the value of a visa, or the last segment of
   * its path. Default: no visa is needed.
   */
  readonly datasets?: readonly string[] | undefined;
  /**
   * Globs of paths such as `reads/demo/**` or `sequence/*`: `*` matches any characters except `/`, and `**` any characters.
   * Default: all objects.
   */
  readonly objects?: readonly string[] | undefined;
  /** The regions to which access is restricted; `*` for unplaced reads. Default: the whole object. */
  readonly regions?: readonly HtsgetRegion[] | undefined;
  /** The samples to which access is restricted. Default: all. */
  readonly samples?: PermittedSamples | undefined;
  /** The formats to which answers of htsget are restricted. Default: all. */
  readonly formats?: readonly HtsgetFormat[] | undefined;
}

/** The maximum number of visas that a permission names. */
const MAX_NAMED_VISAS = 10;

interface CompiledRule extends Limits {
  readonly claims: readonly (readonly [name: string, values: readonly ClaimValue[]])[];
  readonly datasets: readonly string[] | undefined;
  readonly globs: readonly ((path: string) => boolean)[];
}

/**
 * Creates the policy of a list of rules: a bearer may see the union of what the matching rules permit. If they restrict more
 * than one of regions, samples and formats, the first one decides, because such limits have no union that a permission could state.
 *
 * @example
 * const policy = rules([{ claims: { groups: 'cohort' }, objects: ['reads/cohort/**'] }]);
 */
export function rules(list: readonly AccessRule[]): Policy {
  const compiled = list.map(compileRule);
  const unions = new RegionUnions();
  return (bearer, request) => {
    const path = accessPath(request);
    const matching = compiled.filter((rule) => isFor(rule, bearer) && rule.globs.some((matches) => matches(path)));
    return withVisas(unitePermissions(matching, unions), visasFor(matching, bearer));
  };
}

/** Returns the ids of the visas that the datasets of some rules need. */
function visasFor(matching: readonly CompiledRule[], { visas = [] }: Bearer): readonly string[] {
  const datasets = matching.flatMap((rule) => rule.datasets ?? []);
  const needed = visas.filter((visa) => datasets.some((dataset) => grantsDataset(visa, dataset)));
  return needed.flatMap(({ id }) => id ?? []).slice(0, MAX_NAMED_VISAS);
}

function withVisas(permission: Permission, visas: readonly string[]): Permission {
  if (visas.length === 0 || permission === 'forbidden' || permission === 'unauthenticated') return permission;
  return permission === 'all' ? { regions: permission, visas } : { ...permission, visas };
}

function compileRule({ claims = {}, datasets, objects = ['**'], regions, ...limits }: AccessRule): CompiledRule {
  return {
    datasets,
    claims: Object.entries(claims).map(([name, values]) => [name, [values].flat()]),
    globs: objects.map(createGlob),
    regions: regions && Object.freeze([...regions]),
    samples: limits.samples,
    formats: limits.formats,
  };
}

function isFor(rule: CompiledRule, bearer: Bearer): boolean {
  const { datasets } = rule;
  if (datasets === undefined) return bearer.hasOnlyVisas !== true && hasClaims(rule, bearer);
  const isGranted = bearer.visas?.some((visa) => datasets.some((dataset) => grantsDataset(visa, dataset))) === true;
  return isGranted && hasClaims(rule, bearer);
}

function hasClaims({ claims }: CompiledRule, bearer: Bearer): boolean {
  return claims.every(([name, values]) => {
    const found: unknown = Object.hasOwn(bearer.claims, name) ? bearer.claims[name] : undefined;
    const scopes = name === 'scope' && typeof found === 'string' ? found.split(' ') : [];
    return [found, ...scopes].flat().some((value) => values.some((wanted) => wanted === value));
  });
}
