/**
 * The names of the standards body that identifiers carry. The first is the one that clients in the field send and
 * expect, the second the one in the text of htsget 1.3.1 and refget 2.0.0 that htskit is written against.
 */
export const AUTHORITIES = ['ga4gh', 'std'] as const;

/** Name of the standards body in media types, identifiers, metadata keys and service-info. */
export type Authority = (typeof AUTHORITIES)[number];

/** The authority of output where neither the request nor the configuration names one. */
export const DEFAULT_AUTHORITY: Authority = AUTHORITIES[0];
