import { quote } from '../parameter.js';
import { HtsgetError, invalidInput } from './error.js';
import { checkRegionSyntax, type HtsgetRegion, rangeFault, toRegion, type UncheckedRegion } from './region.js';

/** The two endpoints of htsget. The name is also the first segment of an endpoint's path. */
export type Datatype = 'reads' | 'variants';

/**
 * The formats that a client can request. VCFTEXT is uncompressed VCF. SAM, an extension proposed as hts-specs 580, is requested with
 * `class=header` only.
 */
export type HtsgetFormat = 'BAM' | 'CRAM' | 'SAM' | 'VCF' | 'BCF' | 'VCFTEXT';

/** The formats of each datatype. The first is the default. */
export const FORMATS: Readonly<Record<Datatype, readonly [HtsgetFormat, ...HtsgetFormat[]]>> = {
  reads: ['BAM', 'CRAM'],
  variants: ['VCF', 'BCF', 'VCFTEXT'],
};

/** The formats that a ticket can name. */
export const TICKET_FORMATS: readonly HtsgetFormat[] = [...FORMATS.reads, 'SAM', ...FORMATS.variants];

/** The values of the `fields` parameter (htsget 1.3.1, "Field names for reads filtering"). */
export const FIELD_NAMES = [
  'QNAME',
  'FLAG',
  'RNAME',
  'POS',
  'MAPQ',
  'CIGAR',
  'RNEXT',
  'PNEXT',
  'TLEN',
  'SEQ',
  'QUAL',
] as const;

/** One of the `FIELD_NAMES`. */
export type FieldName = (typeof FIELD_NAMES)[number];

/** The parameters that the protocol defines (htsget 1.3.1, "GET query parameters"). */
const STANDARD_PARAMETERS = ['format', 'class', 'referenceName', 'start', 'end', 'fields', 'tags', 'notags'] as const;

/** Parameters that htskit adds to the protocol. They narrow answers by content, or have them encrypted. */
const EXTENSION_PARAMETERS = [
  'samples',
  'samplesUpdate',
  'requireFlags',
  'excludeFlags',
  'minMappingQuality',
  'encryptionScheme',
] as const;

/** Options of parsing a request. */
export interface HtsgetParseOptions {
  /** Whether the parameters that htskit adds to the protocol count. Otherwise they are ignored as all unknown ones. Default true. */
  readonly extensions?: boolean;
}

/** Returns the names of the parameters that count. Others are ignored. */
export function queryParameters({ extensions = true }: HtsgetParseOptions): readonly string[] {
  return extensions ? [...STANDARD_PARAMETERS, ...EXTENSION_PARAMETERS] : STANDARD_PARAMETERS;
}

/** A validated request. A property is undefined if the request does not contain the parameter. */
export interface HtsgetQuery {
  readonly datatype: Datatype;
  readonly format: HtsgetFormat;
  /** Set if only the header is requested. Of the properties below, only `samples` and `encryptionScheme` may then be defined. */
  readonly class?: 'header';
  /** At least one region, in the order of the request. Undefined selects all records, mapped or not. */
  readonly regions?: readonly HtsgetRegion[];
  /** The message of the InvalidRange error to answer with once all references are known to exist. */
  readonly invalidRange?: string;
  /** Reads only: at least one field, without duplicates. Undefined selects all fields. */
  readonly fields?: readonly FieldName[];
  /** The tags to keep, without duplicates; an empty list keeps none. Undefined keeps all. */
  readonly tags?: readonly string[];
  /** The tags to remove, without duplicates and disjoint from `tags`. */
  readonly notags?: readonly string[];
  /**
   * The names of the samples to keep, without duplicates; an empty list keeps none. Undefined keeps all. For reads, a sample is the
   * SM of read groups. An extension, proposed as hts-specs 430.
   */
  readonly samples?: readonly string[];
  /** Set if INFO keys over all samples keep their values even if samples are left out. An extension. */
  readonly keepsAggregates?: true;
  /** Reads only: the bits of FLAG that must all be set, and those that must not be set. An extension. */
  readonly requireFlags?: number;
  readonly excludeFlags?: number;
  /** Reads only: the least mapping quality. An extension. */
  readonly minMappingQuality?: number;
  /** Set if the answer is encrypted for the client. An extension, proposed as hts-specs 808. */
  readonly encryptionScheme?: EncryptionScheme;
}

/** How an answer is encrypted: as one Crypt4GH file. */
export type EncryptionScheme = 'crypt4gh';

/** The values of a request, of the right types but not yet validated. */
interface UncheckedQuery {
  readonly format: string | undefined;
  readonly class: string | undefined;
  readonly fields: readonly string[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly notags: readonly string[] | undefined;
  readonly regions: readonly UncheckedRegion[] | undefined;
  readonly samples: readonly string[] | undefined;
  readonly samplesUpdate: string | undefined;
  readonly requireFlags: string | undefined;
  readonly excludeFlags: string | undefined;
  readonly minMappingQuality: string | undefined;
  readonly encryptionScheme: string | undefined;
}

/** The values of a request in which no extension counts. */
export const NO_EXTENSIONS: Pick<UncheckedQuery, (typeof EXTENSION_PARAMETERS)[number]> = {
  samples: undefined,
  samplesUpdate: undefined,
  requireFlags: undefined,
  excludeFlags: undefined,
  minMappingQuality: undefined,
  encryptionScheme: undefined,
};

/**
 * Validates what does not depend on the requested object (htsget 1.3.1, "GET query parameters" and "POST request body").
 * Syntax errors (InvalidInput) take precedence over an unsupported format. An invalid range is reported in the result
 * instead of thrown, because an unknown reference takes precedence over it.
 */
export function checkQuery(
  datatype: Datatype,
  query: UncheckedQuery,
  options: { readonly allowEmptyRegions: boolean } & HtsgetParseOptions,
): HtsgetQuery {
  if (query.class !== undefined && query.class !== 'header') {
    throw invalidInput(`class must be "header", found ${quote(query.class)}`);
  }
  const fields = datatype === 'reads' ? checkFields(query.fields) : undefined;
  const tags = checkTags('tags', query.tags);
  const notags = checkTags('notags', query.notags);
  checkDisjoint(tags, notags);
  const samples = checkSamples(query.samples);
  const extensions = { samples, ...checkUpdate(query.samplesUpdate), ...checkRecordFilter(datatype, query) };
  const encryption = checkEncryption(query.encryptionScheme);
  const regions = query.regions?.map(checkRegionSyntax);

  const format = checkFormat(datatype, query, options);
  if (query.class === 'header') return { datatype, format, class: 'header', samples, ...encryption };
  const [invalidRange] = regions?.flatMap((region) => rangeFault(region, options)) ?? [];
  return {
    datatype,
    format,
    regions: regions?.map(toRegion),
    invalidRange,
    fields,
    tags,
    notags,
    ...extensions,
    ...encryption,
  };
}

function checkSamples(samples: readonly string[] | undefined): string[] | undefined {
  if (samples?.includes('')) throw invalidInput('samples has an empty element');
  return samples && [...new Set(samples)];
}

function checkUpdate(update: string | undefined): Pick<HtsgetQuery, 'keepsAggregates'> {
  if (update === undefined || update === 'on') return {};
  if (update === 'off') return { keepsAggregates: true };
  throw invalidInput(`samplesUpdate must be "on" or "off", found ${quote(update)}`);
}

/** Servers and clients of the field also write `C4GH`, in any case. */
function checkEncryption(scheme: string | undefined): Pick<HtsgetQuery, 'encryptionScheme'> {
  if (scheme === undefined) return {};
  if (['crypt4gh', 'c4gh'].includes(scheme.toLowerCase())) return { encryptionScheme: 'crypt4gh' };
  throw invalidInput(`encryptionScheme must be "crypt4gh", found ${quote(scheme)}`);
}

const [MAX_FLAGS, MAX_MAPPING_QUALITY] = [2 ** 16 - 1, 2 ** 8 - 1];

function checkRecordFilter(
  datatype: Datatype,
  query: UncheckedQuery,
): Pick<HtsgetQuery, 'requireFlags' | 'excludeFlags' | 'minMappingQuality'> {
  if (datatype !== 'reads') return {};
  return {
    requireFlags: checkInteger('requireFlags', query.requireFlags, MAX_FLAGS),
    excludeFlags: checkInteger('excludeFlags', query.excludeFlags, MAX_FLAGS),
    minMappingQuality: checkInteger('minMappingQuality', query.minMappingQuality, MAX_MAPPING_QUALITY),
  };
}

function checkInteger(name: string, text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^(?:\d{1,9}|0[xX][\da-fA-F]{1,8})$/.test(text) ? Number(text) : Number.NaN;
  if (value <= maximum) return value;
  throw invalidInput(`${name} must be an integer from 0 to ${maximum}, found ${quote(text)}`);
}

function checkFields(fields: readonly string[] | undefined): FieldName[] | undefined {
  if (fields === undefined) return undefined;
  if (fields.length === 0) throw invalidInput('fields must name at least one field');
  const names = fields.map((field) => {
    const name = FIELD_NAMES.find((candidate) => candidate === field);
    if (name === undefined) {
      throw invalidInput(`fields must be of ${FIELD_NAMES.join(', ')}; found ${quote(field)}`);
    }
    return name;
  });
  return [...new Set(names)];
}

function checkTags(parameter: 'tags' | 'notags', tags: readonly string[] | undefined): string[] | undefined {
  if (tags?.includes('')) throw invalidInput(`${parameter} has an empty element`);
  return tags && [...new Set(tags)];
}

function checkDisjoint(tags: readonly string[] = [], notags: readonly string[] = []): void {
  const excluded = new Set(notags);
  const conflict = tags.find((tag) => excluded.has(tag));
  if (conflict !== undefined) throw invalidInput(`${quote(conflict)} is both in tags and in notags`);
}

function checkFormat(
  datatype: Datatype,
  { format: text, class: part }: UncheckedQuery,
  { extensions = true }: HtsgetParseOptions,
): HtsgetFormat {
  const formats = FORMATS[datatype];
  if (text === undefined) return formats[0];
  const requested = text.toUpperCase();
  const format = formats.find((candidate) => candidate === requested);
  if (format !== undefined) return format;
  if (extensions && datatype === 'reads' && part === 'header' && requested === 'SAM') return 'SAM';
  throw new HtsgetError('UnsupportedFormat', `format ${quote(text)} is not supported for ${datatype}`);
}
