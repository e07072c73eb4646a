import { chooseMediaType, type MediaRange, parseAccept } from './accept.js';
import { AUTHORITIES, type Authority } from './authority.js';

/** Content type of htsget tickets and service-info (htsget 1.3.1, "Content negotiation"). Errors are application/json. */
export function htsgetMediaType(authority: Authority): string {
  return `application/vnd.${authority}.htsget.v1.0.0+json; charset=utf-8`;
}

/** Content type of sequences (refget 2.0.0, "Content types"). */
export function refgetTextMediaType(authority: Authority): string {
  return `text/vnd.${authority}.refget.v2.0.0+plain; charset=us-ascii`;
}

/** Content type of metadata, service-info and errors (refget 2.0.0, "Content types"); see `toAsciiJson`. */
export function refgetJsonMediaType(authority: Authority): string {
  return `application/vnd.${authority}.refget.v2.0.0+json; charset=us-ascii`;
}

/** The authority that the `Accept` header names, the one it values most if it names several; `fallback` if it names none. */
export function negotiateAuthority(accept: string | null, fallback: Authority): Authority {
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

/** How a refget response can be formatted. */
export type RefgetFormat = 'plain' | 'json' | 'fasta';

const GENERIC_MEDIA_TYPES: Readonly<Record<RefgetFormat, string>> = {
  plain: 'text/plain',
  json: 'application/json',
  fasta: 'text/x-fasta',
};

/**
 * Chooses the format that the `Accept` header values most, the earlier one where it values several alike; undefined
 * where it accepts none (406). Every spelling of a format is the same to it: the generic media type, and the one of any
 * refget version 1 or 2 under either authority.
 */
export function negotiateRefgetFormat(
  accept: string | null,
  formats: readonly RefgetFormat[],
): RefgetFormat | undefined {
  const offered = formats.map((format) => GENERIC_MEDIA_TYPES[format]);
  const chosen = chooseMediaType(parseAccept(accept).map(toGenericRange), offered);
  return formats.find((format) => GENERIC_MEDIA_TYPES[format] === chosen);
}

const REFGET_SUBTYPE = new RegExp(
  `^vnd\\.(?:${AUTHORITIES.join('|')})\\.refget\\.v[12]\\.\\d+\\.\\d+\\+(plain|json|fasta)$`,
);

function toGenericRange(range: MediaRange): MediaRange {
  const format = REFGET_SUBTYPE.exec(range.subtype)?.[1];
  if (format === undefined) return range;
  const [type = '', subtype = ''] = GENERIC_MEDIA_TYPES[format as RefgetFormat].split('/');
  return type === range.type ? { ...range, subtype } : range;
}
