import type { Datatype } from '@htskit/protocol';
import { COUNT, listOf, objectOf, type Parameter, queryParameter, refer, type Schema, TEXT } from './openapi-types.js';

// The parameters that htskit adds to the protocol. Servers can be configured to ignore them.

const SAMPLES: Readonly<Record<Datatype, string>> = {
  reads: 'An extension (hts-specs 430): keeps the reads of these samples, the SM of their read groups.',
  variants:
    'An extension (hts-specs 430): keeps the columns of these samples, in the order of the file. An empty list keeps none.',
};
const UPDATE_DESCRIPTION =
  'An extension: with off, AC, AN, AF and NS keep their values. By default, they are counted again for the kept samples.';
const UPDATE: Schema = { enum: ['on', 'off'], description: UPDATE_DESCRIPTION };
const READ_FILTERS = {
  requireFlags: 'An extension: keeps the reads with all of these bits of FLAG.',
  excludeFlags: 'An extension: keeps the reads with none of these bits of FLAG.',
  minMappingQuality: 'An extension: keeps the reads of at least this mapping quality.',
} as const;
const ENCRYPTION_DESCRIPTION =
  'An extension (hts-specs 808): encrypts the answer for the public key in the header Htsget-Context-Public-Key, the Base64 of 32 ' +
  'bytes or of a PEM file. Objects that are stored encrypted may need it.';
const ENCRYPTION: Schema = { enum: ['crypt4gh', 'c4gh', 'C4GH'], description: ENCRYPTION_DESCRIPTION };
const INTEGER_TEXT: Schema = {
  type: 'string',
  pattern: String.raw`^(\d+|0[xX][\da-fA-F]+)$`,
  description: 'A decimal number, or a hexadecimal one after 0x.',
};

/** Returns the parameters of a GET. */
export function extensionParameters(datatype: Datatype): Parameter[] {
  const samples = queryParameter('samples', `${SAMPLES[datatype]} Separated by commas.`);
  const encryption = queryParameter('encryptionScheme', ENCRYPTION_DESCRIPTION, ENCRYPTION);
  if (datatype === 'variants') {
    return [samples, encryption, queryParameter('samplesUpdate', UPDATE_DESCRIPTION, UPDATE)];
  }
  const filters = Object.entries(READ_FILTERS);
  return [
    samples,
    encryption,
    ...filters.map(([name, description]) => queryParameter(name, description, INTEGER_TEXT)),
  ];
}

/** Returns the members of the body of a POST. */
export function extensionMembers(datatype: Datatype): Readonly<Record<string, Schema>> {
  const samples = { ...listOf(TEXT), description: SAMPLES[datatype] };
  const shared = { samples, encryptionScheme: ENCRYPTION };
  if (datatype === 'variants') return { ...shared, samplesUpdate: UPDATE };
  const filters = Object.entries(READ_FILTERS).map(([name, description]): [string, Schema] => [
    name,
    { oneOf: [COUNT, INTEGER_TEXT], description },
  ]);
  return { ...shared, ...Object.fromEntries(filters) };
}

/** The member `restricted` of a ticket. */
export const TICKET_RESTRICTION: Schema = {
  ...objectOf(
    {
      regions: { oneOf: [listOf(refer('Region')), { const: 'some' }] },
      samples: { oneOf: [listOf(TEXT), { const: 'some' }] },
    },
    [],
  ),
  description:
    'An extension (hts-specs 838): the regions and samples that the answer has, if not all that was requested may be seen.',
};
