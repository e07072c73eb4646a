import { chooseMediaType, type MediaRange, parseAccept } from './accept.js';

/**
 * The names of the standards body in identifiers. Clients in the field send and expect the first; the second is the one in
 * the text of htsget 1.3.1 and refget 2.0.0 that htskit implements.
 */
export const AUTHORITIES = ['ga4gh', 'std'] as const;

/** The name of the standards body in media types, identifiers, metadata keys and service-info. */
export type Authority = (typeof AUTHORITIES)[number];

/** The authority in a response if neither the request nor the configuration names one. */
export const DEFAULT_AUTHORITY: Authority = AUTHORITIES[0];

/**
 * Returns the authority that the media types of an `Accept` header name, the one with the highest quality if they name
 * several, and `fallback` if they name none.
 *
 * @example
 * negotiateAuthority('application/vnd.ga4gh.htsget.v1.0.0+json', 'std'); // 'ga4gh'
 */
export function negotiateAuthority(accept: string | null, fallback: Authority): Authority {
  if (acceptsAnything(accept)) return fallback;
  let chosen = fallback;
  let chosenQuality = 0;
  for (const { subtype, quality } of parseAccept(accept)) {
    const named = AUTHORITIES.find((authority) => subtype.startsWith(`vnd.${authority}.`));
    if (named !== undefined && quality > chosenQuality) {
      chosen = named;
      chosenQuality = quality;
    }
  }
  return chosen;
}

/** Returns true for what htslib, curl and fetch send. To parse it takes a tenth of the time of a short response. */
function acceptsAnything(accept: string | null): boolean {
  return accept === null || accept === '*/*';
}

/** Content type of htsget tickets and service-info (htsget 1.3.1, "Content negotiation"). Errors are application/json. */
export function htsgetMediaType(authority: Authority): string {
  return `application/vnd.${authority}.htsget.v1.0.0+json; charset=utf-8`;
}

/** Content type of sequences (refget 2.0.0, "Content types"). */
export function refgetTextMediaType(authority: Authority): string {
  return `text/vnd.${authority}.refget.v2.0.0+plain; charset=us-ascii`;
}

/**
 * Content type of metadata, service-info and errors (refget 2.0.0, "Content types"). The body must be ASCII, so names in
 * other scripts have to be escaped.
 */
export function refgetJsonMediaType(authority: Authority): string {
  return `application/vnd.${authority}.refget.v2.0.0+json; charset=us-ascii`;
}

/** The formats of a refget response. */
export type RefgetFormat = 'plain' | 'json' | 'fasta';

const GENERIC_MEDIA_TYPES: Readonly<Record<RefgetFormat, string>> = {
  plain: 'text/plain',
  json: 'application/json',
  fasta: 'text/x-fasta',
};

/**
 * Chooses the format to which the `Accept` header assigns the highest quality, and of equal ones the first in `formats`.
 * Returns undefined if no format is acceptable (406). The generic media type of a format and those of any refget version 1
 * or 2 under either authority are equivalent.
 *
 * @example
 * negotiateRefgetFormat('text/plain;q=0.5, application/json', ['plain', 'json']); // 'json'
 */
export function negotiateRefgetFormat(
  accept: string | null,
  formats: readonly RefgetFormat[],
): RefgetFormat | undefined {
  if (acceptsAnything(accept)) return formats[0];
  const offered = formats.map((format) => GENERIC_MEDIA_TYPES[format]);
  const chosen = chooseMediaType(parseAccept(accept).map(toGenericRange), offered);
  return formats.find((format) => GENERIC_MEDIA_TYPES[format] === chosen);
}

const REFGET_SUBTYPE = new RegExp(
  `^vnd\\.(?:${AUTHORITIES.join('|')})\\.refget\\.v[12]\\.\\d+\\.\\d+\\+(plain|json|fasta)$`,
);

/** Replaces a media type of the protocol with the generic one of its format. */
function toGenericRange(range: MediaRange): MediaRange {
  const format = REFGET_SUBTYPE.exec(range.subtype)?.[1];
  if (format === undefined) return range;
  const [type = '', subtype = ''] = GENERIC_MEDIA_TYPES[format as RefgetFormat].split('/');
  return type === range.type ? { ...range, subtype } : range;
}
