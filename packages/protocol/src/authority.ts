import { parseAccept } from './accept.js';

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
