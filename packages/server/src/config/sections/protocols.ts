import { checkNamingAuthority } from '@htskit/sequences/internal';
import { z } from 'zod';
import { httpUrl as plainHttpUrl } from '../http-url.js';
import { locationText, toLocation, toMessage } from './location-text.js';
import { objectSection } from './locations.js';

export const htsgetSection = z.strictObject({
  locations: z
    .array(objectSection)
    .optional()
    .describe('The objects to serve. Of two with the same id, the first one is served.'),
  precision: z
    .enum(['auto', 'chunks', 'exact'])
    .optional()
    .describe(
      'How closely regions are cut: chunks of the index, exact records, or auto, which chooses by cost. Default: auto.',
    ),
  publicBlockSeconds: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Lets CDNs and other shared caches keep the blocks of objects that require no token: seconds for which tickets for the same part of such an object have the same block URLs. Default: only clients keep blocks.',
    ),
  maxBlockBytes: z.int().min(1).optional().describe('Maximum size of a block in bytes. Default: 1000000000.'),
  truncated: z
    .enum(['warn', 'refuse'])
    .optional()
    .describe(
      'What to do with a file that lacks its end marker, if nothing proves that it is truncated: serve it with a warning in the log, or refuse it. Default: warn.',
    ),
  conversions: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether CRAM is also answered as BAM, BCF as VCF, and VCF as BCF. Default: on.'),
  programLine: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether the header of BAM made from CRAM names htskit in a further @PG line. Default: off.'),
  extensions: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Whether requests may use what htskit adds to the protocol: samples, flags and mapping quality, headers as SAM, and the method QUERY. Default: on.',
    ),
  announceRestrictions: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Whether a ticket says that its answer is restricted to the regions or samples that the request may see, and to which. Default: off.',
    ),
});

/** Further sources of reference sequences, for those that the server lacks. */
export const referenceSection = z.strictObject({
  refget: plainHttpUrl
    .optional()
    .describe('The URL of a refget service that an MD5 is appended to, such as https://HOST/sequence/.'),
  cache: z
    .string()
    .min(1)
    .optional()
    .describe('A folder that keeps whole sequences of refget. Default: only the bases in use are requested.'),
  ur: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Folders whose FASTA and 2bit files the field UR of a CRAM header may name. Default: UR is ignored.'),
});

const authorityName = z.string().superRefine((name, context) => {
  try {
    checkNamingAuthority(name);
  } catch (error) {
    context.addIssue({ code: 'custom', message: toMessage(error) });
  }
});

const sequenceKeys = z.strictObject({
  location: locationText.describe(
    'A FASTA or 2bit file, a folder of them, or a sequence store: a folder or s3://bucket/prefix.',
  ),
  namingAuthority: authorityName
    .optional()
    .describe('The naming authority of the sequence names, which makes NAME:chr1 an id.'),
  circular: z.array(z.string()).optional().describe('The names of the circular sequences.'),
  aliases: z.string().min(1).optional().describe('A file with a table of aliases.'),
});

/** A location of sequences in the configuration. */
export type SequenceSection = z.infer<typeof sequenceKeys>;

const sequenceSection = sequenceKeys.superRefine((section, context) => {
  for (const [key, message] of findSequenceFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
});

export const refgetSection = z.strictObject({
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
  ambiguousIdentifier: z
    .literal([300, 409])
    .optional()
    .describe('Status for a name of several sequences: 300, the default, with a list of them, or 409.'),
  seqrepo: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether sequences are answered below /seqrepo as the REST service of SeqRepo does. Default: on.'),
  comparisonRules: z
    .enum(['specification', 'reference'])
    .optional()
    .describe(
      'How to compare collections: by the specification, the default, or like its reference implementation, which omits transient attributes and has an order for a single shared element.',
    ),
  sources: z.array(sequenceSection).optional().describe('The sequences to serve.'),
  characters: z
    .enum(['letters', 'strict', 'sam'])
    .optional()
    .describe(
      'What the sequences of FASTA files consist of: letters, with a warning in the log about all else; strict, which refuses a file with anything else; or sam, all printable characters, as samtools dict has it. Default: letters.',
    ),
  cache: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder for the digests of sequences, and for the sequences of FASTA files that cannot be read in place: with lines of different lengths, or compressed by gzip. Default: digests are kept beside each file, and such sequences are not served.',
    ),
});

/** Yields the contradictions between valid values: the key and the message. */
function* findSequenceFaults(section: SequenceSection): Generator<[keyof SequenceSection, string], void> {
  const location = toLocation(section.location);
  if (location?.kind === 'http') yield ['location', 'expected a path or s3://BUCKET/PREFIX'];
  if (location?.kind !== 's3') return;
  for (const key of ['namingAuthority', 'circular', 'aliases'] as const) {
    if (section[key] !== undefined) yield [key, 'does not apply to a store; htskit refget import sets it'];
  }
}
