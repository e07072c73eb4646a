import type { Authority } from '@htskit/protocol';
import { TRANSIENT_ATTRIBUTE } from '@htskit/sequences/internal';

/**
 * Returns the JSON Schema of the collections (sequence collections 1.0.0, §1, §4 and §5). Its qualifiers are under the name of
 * the authority.
 */
export function collectionSchema(authority: Authority): object {
  const name = { type: 'string' };
  const length = { type: 'integer', minimum: 0 };
  const sequence = { type: 'string', description: 'Digest of a refget sequence, with its prefix SQ.' };
  const pair = { type: 'object', properties: { length, name }, required: ['length', 'name'] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Sequences with their names, in order.',
    type: 'object',
    properties: {
      lengths: arraySchema(true, length, 'Number of bases or residues of each sequence.'),
      name_length_pairs: arraySchema(true, pair, 'Name and length of each sequence: the coordinate system.'),
      names: arraySchema(true, name, 'Name of each sequence, such as that of a chromosome.'),
      sequences: arraySchema(true, sequence, 'Digest of the content of each sequence.'),
      sorted_sequences: arraySchema(false, sequence, 'Digests of the content of the sequences, sorted.'),
      sorted_name_length_pairs: arraySchema(
        false,
        { type: 'string' },
        'Digests of name and length of each sequence, sorted.',
      ),
    },
    required: ['lengths', 'names', 'sequences'],
    [authority]: { inherent: ['names', 'sequences'], passthru: [], transient: [TRANSIENT_ATTRIBUTE] },
  };
}

function arraySchema(collated: boolean, items: object, description: string): object {
  return { type: 'array', collated, description, items };
}
