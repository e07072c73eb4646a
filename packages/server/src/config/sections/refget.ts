import { checkNamingAuthority } from '@htskit/sequences';
import { z } from 'zod';
import { locationText, toLocation, toMessage } from './location-text.js';

/** A location of sequences in the configuration. */
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
    location: locationText.describe(
      'A FASTA or 2bit file, a folder of them, or a sequence store: a folder or s3://bucket/prefix.',
    ),
    namingAuthority: authorityName
      .optional()
      .describe('The naming authority of the sequence names, which makes NAME:chr1 an id.'),
    circular: z.array(z.string()).optional().describe('The names of the circular sequences.'),
    aliases: z.string().min(1).optional().describe('A file with a table of aliases.'),
  })
  .superRefine((section, context) => {
    for (const [key, message] of findFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
  });

export const refgetSection: z.ZodType<RefgetSection> = z.strictObject({
  circularSupported: z
    .boolean()
    .optional()
    .describe('Whether start > end wraps around a circular sequence. Default: true.'),
  subsequenceLimit: z
    .int()
    .min(0)
    .optional()
    .describe('Maximum length of a subsequence in bases. Default: 0, which means no limit.'),
  rangeOutOfBounds: z
    .literal([400, 416])
    .optional()
    .describe('Status for a Range that begins after the end of the sequence: 400, the default, or 416.'),
  sources: z.array(sequenceSection).optional().describe('The sequences to serve.'),
});

/** Yields the contradictions between valid values: the key and the message. */
function* findFaults(section: SequenceSection): Generator<[keyof SequenceSection, string], void> {
  const location = toLocation(section.location);
  if (location?.kind === 'http') yield ['location', 'expected a path or s3://BUCKET/PREFIX'];
  if (location?.kind !== 's3') return;
  for (const key of ['namingAuthority', 'circular', 'aliases'] as const) {
    if (section[key] !== undefined) yield [key, 'does not apply to a store; htskit refget import sets it'];
  }
}
