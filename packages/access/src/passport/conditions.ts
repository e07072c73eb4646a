import type { ConditionalVisa, Visa } from './visa.js';

/** The claims of a visa object that a condition may name (Passport 1.2, "conditions"): those with texts. */
const CLAIMS = ['value', 'source', 'by'] as const;

type ClaimName = (typeof CLAIMS)[number];

/** A condition clause: every matcher must match the same visa. */
interface Clause {
  readonly type: string;
  readonly matchers: readonly (readonly [ClaimName, (value: string) => boolean])[];
}

/** More clauses than this are not understood. */
const MAX_CLAUSES = 100;

/**
 * Returns whether the conditions of a visa are met by other visas of the same person. Visas that have conditions themselves do not
 * count. A visa whose conditions are not understood is not valid: nothing meets them.
 */
export function meetsConditions({ conditions }: ConditionalVisa, others: readonly ConditionalVisa[]): boolean {
  if (isUnconditional(conditions)) return true;
  const alternatives = parseConditions(conditions);
  const candidates = others.filter((visa) => isUnconditional(visa.conditions));
  return (
    alternatives?.some((clauses) =>
      clauses.every((clause) => candidates.some((visa) => matchesClause(visa, clause))),
    ) === true
  );
}

/** Returns whether a visa has no conditions: the claim is missing or empty. */
export function isUnconditional(conditions: unknown): boolean {
  return conditions === undefined || (Array.isArray(conditions) && conditions.length === 0);
}

function matchesClause(visa: Visa, { type, matchers }: Clause): boolean {
  return (
    visa.type === type &&
    matchers.every(([name, matches]) => {
      const value = visa[name];
      return value !== undefined && matches(value);
    })
  );
}

/** Returns the alternatives, each a list of clauses that must all match; undefined if anything is not understood. */
function parseConditions(conditions: unknown): readonly (readonly Clause[])[] | undefined {
  if (!Array.isArray(conditions)) return undefined;
  const alternatives: Clause[][] = [];
  let count = 0;
  for (const alternative of conditions as readonly unknown[]) {
    if (!Array.isArray(alternative) || alternative.length === 0) return undefined;
    count += alternative.length;
    if (count > MAX_CLAUSES) return undefined;
    const clauses = (alternative as readonly unknown[]).map(parseClause);
    if (!clauses.every((clause) => clause !== undefined)) return undefined;
    alternatives.push(clauses);
  }
  return alternatives;
}

function parseClause(clause: unknown): Clause | undefined {
  if (typeof clause !== 'object' || clause === null) return undefined;
  const { type, ...claims } = clause as Readonly<Record<string, unknown>>;
  const matchers = Object.entries(claims).map(([name, text]) => {
    const matcher = typeof text === 'string' ? parseMatcher(text) : undefined;
    return isClaimName(name) && matcher !== undefined ? ([name, matcher] as const) : undefined;
  });
  if (typeof type !== 'string' || matchers.length === 0) return undefined;
  return matchers.every((matcher) => matcher !== undefined) ? { type, matchers } : undefined;
}

function isClaimName(name: string): name is ClaimName {
  return CLAIMS.some((claim) => claim === name);
}

function parseMatcher(text: string): ((value: string) => boolean) | undefined {
  const [, kind, suffix = ''] = /^(const|pattern|split_pattern):(.*)$/s.exec(text) ?? [];
  if (kind === 'const') return (value) => value === suffix;
  if (kind === 'pattern') return (value) => matchesPattern(suffix, value);
  if (kind === 'split_pattern') return (value) => value.split(';').some((part) => matchesPattern(suffix, part));
  return undefined;
}

/**
 * Returns whether a pattern matches a whole text: `?` matches one character, and `*` any number of them (Passport 1.2, "Pattern
 * Matching"). Takes at most the product of both lengths.
 */
function matchesPattern(pattern: string, text: string): boolean {
  const [wanted, found] = [Array.from(pattern), Array.from(text)];
  let [at, star, resume] = [0, -1, 0];
  for (let index = 0; index < found.length; ) {
    if (wanted[at] === '*') {
      // The star takes nothing at first, and one more character whenever what follows does not match.
      [star, resume] = [at, index];
      at++;
    } else if (wanted[at] === '?' || (at < wanted.length && wanted[at] === found[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      resume++;
      [at, index] = [star + 1, resume];
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((character) => character === '*');
}
