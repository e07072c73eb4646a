import { AUTHORITIES } from '@htskit/protocol';
import { RefgetClientError } from '../client-error.js';
import { isJsonObject, parseJsonObject } from '../document.js';

/** The metadata of a sequence (refget 2.0.0, "Metadata document"). */
export interface RefgetMetadata {
  /** Length in bases. */
  readonly length: number;
  /** Lower-case hexadecimal digits. */
  readonly md5: string | undefined;
  /** With the prefix `SQ.`. */
  readonly sha512t24u: string | undefined;
  /** Lower-case hexadecimal digits. */
  readonly trunc512: string | undefined;
  /** Undefined if the service does not say. */
  readonly isCircular: boolean | undefined;
  readonly aliases: readonly { readonly alias: string; readonly namingAuthority: string }[];
}

/** The capabilities of a service (refget 2.0.0, "Service-info document"). */
export interface RefgetCapabilities {
  readonly isCircularSupported: boolean;
  /** The maximum number of bases of one request for a part. Undefined for no limit. */
  readonly subsequenceLimit: number | undefined;
  readonly algorithms: readonly string[];
  readonly identifierTypes: readonly string[];
}

/** Parses a metadata document. Throws INVALID_RESPONSE. */
export function parseMetadata(text: string): RefgetMetadata {
  const metadata = parseJsonObject(text)?.['metadata'];
  if (!isJsonObject(metadata)) throw invalid('expected an object "metadata"');
  const { length, circular, aliases } = metadata;
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
    throw invalid('expected a non-negative integer "length"');
  return {
    length,
    md5: textOf(metadata['md5'])?.toLowerCase(),
    sha512t24u: AUTHORITIES.map((authority) => textOf(metadata[authority])).find((digest) => digest !== undefined),
    trunc512: textOf(metadata['trunc512'])?.toLowerCase(),
    isCircular: typeof circular === 'boolean' ? circular : undefined,
    aliases: (Array.isArray(aliases) ? aliases : []).filter(isJsonObject).map((alias) => ({
      alias: textOf(alias['alias']) ?? '',
      namingAuthority: textOf(alias['naming_authority']) ?? '',
    })),
  };
}

/** Parses a service-info document of protocol 2, or of protocol 1, whose object has another name. Throws INVALID_RESPONSE. */
export function parseServiceInfo(text: string): RefgetCapabilities {
  const { refget, service } = parseJsonObject(text) ?? {};
  const details = isJsonObject(refget) ? refget : service;
  if (!isJsonObject(details)) throw invalid('expected an object "refget"');
  const limit = details['subsequence_limit'];
  return {
    isCircularSupported: details['circular_supported'] === true,
    subsequenceLimit: typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? limit : undefined,
    algorithms: textsOf(details['algorithms']),
    identifierTypes: textsOf(details['identifier_types']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}

function invalid(message: string): RefgetClientError {
  return new RefgetClientError('INVALID_RESPONSE', message);
}
