import type { Authority } from './authority.js';
import type { Datatype, HtsgetFormat } from './htsget/query.js';

/** How the operator describes the service; what is missing gets a default where the document requires it. */
export interface ServiceInfoOptions {
  /** Unique, in reverse domain notation. */
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  /** Of the service, not of the protocol. Default `0.0.0`. */
  readonly version?: string;
  readonly organization?: Organization;
  /** `mailto:` or https URL. */
  readonly contactUrl?: string;
  readonly documentationUrl?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
  /** Such as `prod`, `test` or `dev`. */
  readonly environment?: string;
}

export interface Organization {
  readonly name: string;
  readonly url: string;
}

/** The members that all service-info documents share. */
export interface ServiceInfo {
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

export interface HtsgetServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  readonly datatype: Datatype;
  /** The formats that the endpoint serves. The document cannot name VCFTEXT, which is left out of it. */
  readonly formats?: readonly HtsgetFormat[];
  /** Whether records are reduced to the `fields` asked for. */
  readonly fieldsParameterEffective?: boolean;
  /** Whether `tags` and `notags` are obeyed. */
  readonly tagsParametersEffective?: boolean;
}

export interface HtsgetServiceInfo extends ServiceInfo {
  readonly htsget: {
    readonly datatype: Datatype;
    readonly formats: readonly HtsgetFormat[] | undefined;
    readonly fieldsParameterEffective: boolean | undefined;
    readonly tagsParametersEffective: boolean | undefined;
  };
}

/** The document of one htsget endpoint (htsget 1.3.1, "Service-info document"). */
export function htsgetServiceInfo(options: HtsgetServiceInfoOptions): HtsgetServiceInfo {
  const { authority, datatype, formats, fieldsParameterEffective, tagsParametersEffective } = options;
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
    },
  };
}

export interface RefgetServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  /** Whether a start beyond the end wraps around the origin of a circular sequence. */
  readonly circularSupported: boolean;
  /** Bases that one request for a subsequence may span; 0, the default, means any number. */
  readonly subsequenceLimit?: number;
  /** Default MD5, the digest named after the authority, and TRUNC512. */
  readonly algorithms?: readonly string[];
  /** Naming authorities of the CURIEs that are known. Default none. */
  readonly identifierTypes?: readonly string[];
}

export interface RefgetServiceInfo extends ServiceInfo {
  readonly refget: {
    readonly circular_supported: boolean;
    readonly subsequence_limit: number;
    readonly algorithms: readonly string[];
    readonly identifier_types: readonly string[];
  };
}

/** The document of a refget service (refget 2.0.0, "Service-info document"). */
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

export interface SeqcolServiceInfoOptions extends ServiceInfoOptions {
  readonly authority: Authority;
  /** The JSON Schema of the collections: every attribute that one of them may have. */
  readonly schema: object;
}

export interface SeqcolServiceInfo extends ServiceInfo {
  readonly seqcol: { readonly schema: object };
}

/**
 * The document of a service of sequence collections (sequence collections 1.0.0, §3.1). The artifact is that of the
 * specification's example, which servers send; its text says `refget.seqcol`.
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

const HTSKIT: Organization = { name: 'htskit', url: 'https://github.com/htskit/htskit' };

// Undefined members vanish in JSON; the rest is what a service registry requires.
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
