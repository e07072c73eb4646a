import { type Authority, FORMATS } from '@htskit/protocol';
import type { Features } from '../service/features.js';
import { COUNT, listOf, objectOf, refer, type Schema, type Schemas, TEXT } from './openapi-types.js';

const URI: Schema = { type: 'string', format: 'uri' };

/** Returns the schemas of the service-info documents of the protocols. */
export function serviceInfoSchemas(authority: Authority, { drs, extensions }: Features): Schemas {
  const options = { description: TEXT, contactUrl: URI, documentationUrl: URI, createdAt: TEXT, updatedAt: TEXT };
  const shared = {
    id: { type: 'string', description: 'Unique id in reverse domain notation.' },
    name: TEXT,
    version: { type: 'string', description: 'The version of the service, not of the protocol.' },
    organization: objectOf({ name: TEXT, url: URI }),
  };
  const service = (artifact: string, version: string, more: Readonly<Record<string, Schema>>): Schema => {
    const members = { ...shared, type: refer('ServiceType'), ...more };
    return {
      ...objectOf({ ...members, ...options, environment: TEXT }, Object.keys(members)),
      description: `Service-info of ${artifact} ${version}.`,
    };
  };
  return {
    ServiceType: objectOf({ group: { const: `org.${authority}` }, artifact: TEXT, version: TEXT }),
    HtsgetServiceInfo: service('htsget', '1.3.1', { htsget: refer('HtsgetService') }),
    HtsgetService: objectOf(
      {
        datatype: { enum: ['reads', 'variants'] },
        formats: listOf({ enum: [...FORMATS.reads, ...FORMATS.variants].filter((format) => format !== 'VCFTEXT') }),
        fieldsParameterEffective: { type: 'boolean' },
        tagsParametersEffective: { type: 'boolean' },
        ...(extensions && {
          samplesParameterEffective: { type: 'boolean' },
          readFiltersEffective: { type: 'boolean' },
          filteredFormats: listOf({ enum: ['BAM', 'VCF', 'BCF'] }),
          encryptionSchemes: listOf({ enum: ['crypt4gh'] }),
        }),
      },
      ['datatype', 'formats', 'fieldsParameterEffective', 'tagsParametersEffective'],
    ),
    RefgetServiceInfo: service('refget', '2.0.0', { refget: refer('RefgetService') }),
    RefgetService: objectOf({
      circular_supported: { type: 'boolean' },
      subsequence_limit: { ...COUNT, description: 'Maximum length of a subsequence in bases; 0 means no limit.' },
      algorithms: listOf(TEXT),
      identifier_types: { ...listOf(TEXT), description: 'The naming authorities of the known CURIEs.' },
    }),
    ...(drs && {
      DrsServiceInfo: service('drs', '1.5.0', {
        maxBulkRequestLength: COUNT,
        drs: objectOf({ maxBulkRequestLength: COUNT }),
      }),
    }),
    SeqcolServiceInfo: service('sequence collections', '1.0.0', {
      seqcol: objectOf({ schema: { type: 'object', description: 'The JSON Schema of the collections.' } }),
    }),
  };
}
