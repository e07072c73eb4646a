import { AUTHORITIES } from '@htskit/protocol';
import { RefgetClientError } from '../client-error.js';
import { isJsonObject, parseJsonObject } from '../transport/json-object.js';

/** What a service knows of a sequence (refget 2.0.0, "Metadata document"). */
export interface RefgetMetadata {
  /** In bases. */
  readonly length: number;
  /** In lower case. */
  readonly md5: string | undefined;
  /** With its prefix `SQ.`. */
  readonly sha512t24u: string | undefined;
  /** In lower case. */
  readonly trunc512: string | undefined;
  /** Undefined where the service does not tell. */
  readonly isCircular: boolean | undefined;
  readonly aliases: readonly { readonly alias: string; readonly namingAuthority: string }[];
}

/** What a service can do (refget 2.0.0, "Service-info document"). */
export interface RefgetCapabilities {
  readonly isCircularSupported: boolean;
  /** Bases of one request for a part; undefined for any number. */
  readonly subsequenceLimit: number | undefined;
  readonly algorithms: readonly string[];
  readonly identifierTypes: readonly string[];
}

/** Throws INVALID_RESPONSE. */
export function parseMetadata(text: string): RefgetMetadata {
  const metadata = parseJsonObject(text)?.['metadata'];
  if (!isJsonObject(metadata)) throw invalid('expected an object "metadata"');
  const { length, circular, aliases } = metadata;
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
    throw invalid('length must be a count');
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

/** Reads the document of protocol 2, and that of protocol 1, whose object has another name. Throws INVALID_RESPONSE. */
export function parseServiceInfo(text: string): RefgetCapabilities {
  const { refget, service } = parseJsonObject(text) ?? {};
  const told = isJsonObject(refget) ? refget : service;
  if (!isJsonObject(told)) throw invalid('expected an object "refget"');
  const limit = told['subsequence_limit'];
  return {
    isCircularSupported: told['circular_supported'] === true,
    subsequenceLimit: typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? limit : undefined,
    algorithms: textsOf(told['algorithms']),
    identifierTypes: textsOf(told['identifier_types']),
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
