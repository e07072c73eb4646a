import type { Datatype, EncryptionScheme, HtsgetFormat } from './htsget/query.js';
import type { Authority } from './media-type.js';

/** The operator's description of the service. Members that the document requires have defaults. */
export interface ServiceInfoOptions {
  /**
   * Unique identifier in reverse domain notation. Handlers of several services append to it what distinguishes their documents,
   * such as `.reads`. Default `org.htskit.…`.
   */
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  /** Version of the service, not of the protocol. Default `0.0.0`. */
  readonly version?: string;
  readonly organization?: Organization;
  /** A `mailto:` or https URL. */
  readonly contactUrl?: string;
  readonly documentationUrl?: string;
  /** Date and time in ISO 8601 (RFC 3339). */
  readonly createdAt?: string;
  /** Date and time in ISO 8601 (RFC 3339). */
  readonly updatedAt?: string;
  /** For example `prod`, `test` or `dev`. */
  readonly environment?: string;
}

/** The organization that runs the service. */
interface Organization {
  readonly name: string;
  readonly url: string;
}

/** The members that all service-info documents have. Undefined members are absent from the JSON text. */
interface ServiceInfo {
  readonly id: string;
  readonly name: string;
  readonly type: { readonly group: string; readonly artifact: string; readonly version: string };
  readonly description: string | undefined;
  readonly organization: Organization;
  readonly contactUrl: string | undefined;
  readonly documentationUrl: string | undefined;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly environment: string | undefined;
  readonly version: string;
}

/** Options of `htsgetServiceInfo`. */
export interface HtsgetServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  readonly datatype: Datatype;
  /** The formats that the endpoint serves. VCFTEXT is omitted, because the protocol's list of formats lacks it. */
  readonly formats?: readonly HtsgetFormat[];
  /** Whether records are reduced to the requested `fields`. */
  readonly fieldsParameterEffective?: boolean;
  /** Whether records are reduced according to `tags` and `notags`. */
  readonly tagsParametersEffective?: boolean;
  /** Whether answers are reduced to the requested `samples`, an extension. */
  readonly samplesParameterEffective?: boolean;
  /** Whether reads are filtered by `requireFlags`, `excludeFlags` and `minMappingQuality`, which are extensions. */
  readonly readFiltersEffective?: boolean;
  /** The formats in which answers are reduced by these extensions. Others have everything. VCFTEXT is omitted. */
  readonly filteredFormats?: readonly HtsgetFormat[];
  /** The values of `encryptionScheme`, an extension, by which answers are encrypted. */
  readonly encryptionSchemes?: readonly EncryptionScheme[];
}

/** The service-info document of an htsget endpoint. */
export interface HtsgetServiceInfo extends ServiceInfo {
  readonly htsget: {
    readonly datatype: Datatype;
    readonly formats: readonly HtsgetFormat[] | undefined;
    readonly fieldsParameterEffective: boolean | undefined;
    readonly tagsParametersEffective: boolean | undefined;
    readonly samplesParameterEffective: boolean | undefined;
    readonly readFiltersEffective: boolean | undefined;
    readonly filteredFormats: readonly HtsgetFormat[] | undefined;
    readonly encryptionSchemes: readonly EncryptionScheme[] | undefined;
  };
}

/**
 * Returns the service-info document of one htsget endpoint (htsget 1.3.1, "Service-info document").
 *
 * @example
 * const document = htsgetServiceInfo({ authority: DEFAULT_AUTHORITY, datatype: 'reads', formats: ['BAM', 'CRAM'] });
 */
export function htsgetServiceInfo(options: HtsgetServiceInfoOptions): HtsgetServiceInfo {
  const { authority, datatype, formats, fieldsParameterEffective, tagsParametersEffective } = options;
  const { samplesParameterEffective, readFiltersEffective, filteredFormats, encryptionSchemes } = options;
  return {
    ...serviceInfo(options, {
      type: { group: `org.${authority}`, artifact: 'htsget', version: '1.3.1' },
      id: `org.htskit.htsget.${datatype}`,
      name: `htskit htsget ${datatype}`,
    }),
    htsget: {
      datatype,
      formats: formats?.filter((format) => format !== 'VCFTEXT'),
      fieldsParameterEffective,
      tagsParametersEffective,
      samplesParameterEffective,
      readFiltersEffective,
      filteredFormats: filteredFormats?.filter((format) => format !== 'VCFTEXT'),
      encryptionSchemes,
    },
  };
}

/** Options of `refgetServiceInfo`. */
export interface RefgetServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  /** Whether a range with start > end of a circular sequence wraps around its origin. */
  readonly circularSupported: boolean;
  /** The maximum number of bases that one request for a subsequence may span. The default 0 means unlimited. */
  readonly subsequenceLimit?: number;
  /** The supported digests. Default MD5, the one named after the authority, and TRUNC512. */
  readonly algorithms?: readonly string[];
  /** The naming authorities of the CURIEs that identify sequences. Default none. */
  readonly identifierTypes?: readonly string[];
}

/** The service-info document of a refget service. */
export interface RefgetServiceInfo extends ServiceInfo {
  readonly refget: {
    readonly circular_supported: boolean;
    readonly subsequence_limit: number;
    readonly algorithms: readonly string[];
    readonly identifier_types: readonly string[];
  };
}

/**
 * Returns the service-info document of a refget service (refget 2.0.0, "Service-info document").
 *
 * @example
 * const document = refgetServiceInfo({ authority: DEFAULT_AUTHORITY, circularSupported: true });
 */
export function refgetServiceInfo(options: RefgetServiceInfoOptions): RefgetServiceInfo {
  const { authority, circularSupported, subsequenceLimit = 0, identifierTypes = [] } = options;
  const { algorithms = ['md5', authority, 'trunc512'] } = options;
  return {
    ...serviceInfo(options, {
      type: { group: `org.${authority}`, artifact: 'refget', version: '2.0.0' },
      id: 'org.htskit.refget',
      name: 'htskit refget',
    }),
    refget: {
      circular_supported: circularSupported,
      subsequence_limit: subsequenceLimit,
      algorithms,
      identifier_types: identifierTypes,
    },
  };
}

/** Options of `seqcolServiceInfo`. */
export interface SeqcolServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  /** The JSON Schema of the collections, which lists every attribute that a collection may have. */
  readonly schema: object;
}

/** The service-info document of a sequence collections service. */
export interface SeqcolServiceInfo extends ServiceInfo {
  readonly seqcol: { readonly schema: object };
}

/**
 * Returns the service-info document of a sequence collections service (sequence collections 1.0.0, §3.1). The artifact is
 * `refget-seqcol`, as in the specification's example and in existing servers; the specification's text has `refget.seqcol`.
 */
export function seqcolServiceInfo(options: SeqcolServiceInfoOptions): SeqcolServiceInfo {
  const { authority, schema } = options;
  return {
    ...serviceInfo(options, {
      type: { group: `org.${authority}`, artifact: 'refget-seqcol', version: '1.0.0' },
      id: 'org.htskit.refget.seqcol',
      name: 'htskit sequence collections',
    }),
    seqcol: { schema },
  };
}

/** Options of `drsServiceInfo`. */
export interface DrsServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  /** The maximum number of objects that one request may name. */
  readonly maxBulkRequestLength: number;
}

/** The service-info document of a DRS service. The limit is a member of the document itself, too, until DRS 2.0. */
export interface DrsServiceInfo extends ServiceInfo {
  readonly maxBulkRequestLength: number;
  readonly drs: { readonly maxBulkRequestLength: number };
}

/** Returns the service-info document of a DRS service (DRS 1.5, `DrsService`). */
export function drsServiceInfo(options: DrsServiceInfoOptions): DrsServiceInfo {
  const { authority, maxBulkRequestLength } = options;
  return {
    ...serviceInfo(options, {
      type: { group: `org.${authority}`, artifact: 'drs', version: '1.5.0' },
      id: 'org.htskit.drs',
      name: 'htskit DRS',
    }),
    maxBulkRequestLength,
    drs: { maxBulkRequestLength },
  };
}

const HTSKIT: Organization = { name: 'htskit', url: 'https://github.com/htskit/htskit' };

/** Completes the options with the members that a service registry requires. */
function serviceInfo(options: ServiceInfoOptions, defaults: Pick<ServiceInfo, 'id' | 'name' | 'type'>): ServiceInfo {
  return {
    id: options.id ?? defaults.id,
    name: options.name ?? defaults.name,
    type: defaults.type,
    description: options.description,
    organization: options.organization ?? HTSKIT,
    contactUrl: options.contactUrl,
    documentationUrl: options.documentationUrl,
    createdAt: options.createdAt,
    updatedAt: options.updatedAt,
    environment: options.environment,
    version: options.version ?? '0.0.0',
  };
}
