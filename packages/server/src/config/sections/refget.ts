import { checkNamingAuthority } from '@htskit/sequences';
import { z } from 'zod';
import { locationText, toLocation, toMessage } from './location-text.js';

/** Where sequences lie, as the configuration says it. */
export interface SequenceSection {
  readonly location: string;
  readonly namingAuthority?: string | undefined;
  readonly circular?: readonly string[] | undefined;
  readonly aliases?: string | undefined;
}

export interface RefgetSection {
  readonly circularSupported?: boolean | undefined;
  readonly subsequenceLimit?: number | undefined;
  readonly rangeOutOfBounds?: 400 | 416 | undefined;
  readonly sources?: readonly SequenceSection[] | undefined;
}

const authorityName = z.string().superRefine((name, context) => {
  try {
    checkNamingAuthority(name);
  } catch (error) {
    context.addIssue({ code: 'custom', message: toMessage(error) });
  }
});

const sequenceSection: z.ZodType<SequenceSection> = z
  .strictObject({
    location: locationText.describe('A folder or file of FASTA or 2bit, or a store: a folder, or s3://bucket/prefix.'),
    namingAuthority: authorityName.optional().describe('Who gave the sequences their names: NAME:chr1 is then an id.'),
    circular: z.array(z.string()).optional().describe('The names of the sequences that are circular.'),
    aliases: z.string().min(1).optional().describe('A file with a table of further aliases.'),
  })
  .superRefine((section, context) => {
    for (const [key, message] of findFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
  });

export const refgetSection: z.ZodType<RefgetSection> = z.strictObject({
  circularSupported: z
    .boolean()
    .optional()
    .describe('Whether a start behind the end wraps around circular sequences. Default: true.'),
  subsequenceLimit: z
    .int()
    .min(0)
    .optional()
    .describe('Bases of a subsequence at most; 0, the default, for any number.'),
  rangeOutOfBounds: z
    .literal([400, 416])
    .optional()
    .describe('Status of a Range that begins behind the sequence: 400, the default, or 416.'),
  sources: z.array(sequenceSection).optional().describe('The sequences that are served.'),
});

/** What does not go together in a section whose values are right: the key, and why. */
function* findFaults(section: SequenceSection): Generator<[keyof SequenceSection, string], void> {
  const location = toLocation(section.location);
  if (location?.kind === 'http') yield ['location', 'expected a path or s3://BUCKET/PREFIX: no URL'];
  if (location?.kind !== 's3') return;
  for (const key of ['namingAuthority', 'circular', 'aliases'] as const) {
    if (section[key] !== undefined) yield [key, 'a store has names of its own, which htskit refget import gives'];
  }
}
