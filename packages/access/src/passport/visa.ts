import type { JWTPayload } from 'jose';

/** A visa whose signature, issuer and times were verified (GA4GH Passport 1.2, "Visa Format"). */
export interface Visa {
  /** The claims `iss` and `sub`: its visa identity. */
  readonly issuer: string;
  readonly subject: string;
  /** The claim `jti`. */
  readonly id: string | undefined;
  readonly type: string;
  readonly value: string;
  readonly source: string;
  /** Undefined if the authority is unknown. */
  readonly by: string | undefined;
  /** Seconds since 1970 at which the source made the assertion. */
  readonly asserted: number;
  /** Seconds since 1970 after which the visa is not used any more. */
  readonly expires: number;
}

/** A visa whose conditions are not checked yet. */
export interface ConditionalVisa extends Visa {
  readonly conditions: unknown;
}

/** The type of visas that grant a dataset. */
export const CONTROLLED_ACCESS_GRANTS = 'ControlledAccessGrants';

/** The standard types whose value is a URL (Passport 1.2, "GA4GH Standard Visa Type Definitions"). */
const URL_TYPES: ReadonlySet<string> = new Set([
  CONTROLLED_ACCESS_GRANTS,
  'AcceptedTermsAndPolicies',
  'ResearcherStatus',
]);

/** The types that must name the authority. */
const TYPES_WITH_AUTHORITY: ReadonlySet<string> = new Set([CONTROLLED_ACCESS_GRANTS, 'AcceptedTermsAndPolicies']);

/** The maximum length of a URL claim. */
const MAX_URL_LENGTH = 255;

export interface VisaTimes {
  /** Seconds since 1970. */
  readonly now: number;
  readonly clockSkewSeconds: number;
  /** Seconds after its assertion for which a visa is used. */
  readonly maxAgeSeconds: number;
}

/**
 * Parses the claims of a visa whose signature and expiry are verified. Returns undefined if a required claim is missing or malformed,
 * or if the visa was issued or asserted in the future, or asserted too long ago.
 */
export function parseVisa(payload: JWTPayload, times: VisaTimes): ConditionalVisa | undefined {
  const { iss, sub, exp, iat, jti, ga4gh_visa_v1: claim } = payload;
  const { type, value, source, by, asserted, conditions } = Object(claim) as Readonly<Record<string, unknown>>;
  if (!isText(iss) || !isText(sub) || !isTime(exp) || !isTime(iat) || !isTime(asserted)) return undefined;
  if (!isText(type) || !isText(value) || !isUrlClaim(source)) return undefined;
  if (by !== undefined && !isText(by)) return undefined;
  if (URL_TYPES.has(type) && !isUrlClaim(value)) return undefined;
  if (TYPES_WITH_AUTHORITY.has(type) && by === undefined) return undefined;
  const latest = times.now + times.clockSkewSeconds;
  // Passport 1.2, "Visa Expiry": min(token.exp, asserted + maxAuthzTTL).
  const expires = Math.min(exp, asserted + times.maxAgeSeconds);
  if (iat > latest || asserted > latest || expires <= times.now - times.clockSkewSeconds) return undefined;
  const id = isText(jti) ? jti : undefined;
  return { issuer: iss, subject: sub, id, type, value, source, by, asserted, expires, conditions };
}

/**
 * Returns whether a visa grants a dataset. A dataset that is a URL must equal the value, and another name must be the last segment
 * of its path, such as `EGAD00000000432` of `https://ega-archive.org/datasets/EGAD00000000432`.
 */
export function grantsDataset({ type, value }: Visa, dataset: string): boolean {
  if (type !== CONTROLLED_ACCESS_GRANTS || dataset === '') return false;
  return (
    value === dataset || (/^[^/?#]*:\/\/[^?#]*$/.test(value) && value.slice(value.lastIndexOf('/') + 1) === dataset)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Passport 1.2, "URL Claims": an opaque identifier, which is never fetched. */
function isUrlClaim(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URL_LENGTH && URL.canParse(value);
}
