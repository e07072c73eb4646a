import { isPlainPath, objectKindOf, pathOf } from '@htskit/catalogue/internal';
import type { Precision } from '@htskit/htsget';
import { z } from 'zod';
import { locationText, toLocation } from './location-text.js';

/** Where htsget objects lie, as the configuration says it. */
export interface ObjectSection {
  readonly location: string;
  readonly prefix?: string | undefined;
  readonly id?: string | undefined;
  readonly index?: string | undefined;
  readonly delivery?: 'proxied' | 'presigned' | undefined;
}

export interface HtsgetSection {
  readonly locations?: readonly ObjectSection[] | undefined;
  readonly precision?: Precision | undefined;
  readonly maxBlockBytes?: number | undefined;
}

const OBJECT_FILES = '*.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf';

const idText = z
  .string()
  .refine(isPlainPath, 'expected names with "/" between them, of which none is empty, "." or ".."');

const objectSection: z.ZodType<ObjectSection> = z
  .strictObject({
    location: locationText.describe('A folder, a file, s3://bucket/prefix, or the URL of a file.'),
    prefix: idText.optional().describe('What the ids of the objects begin with, before a slash.'),
    id: idText.optional().describe('The id of a single file. Default: its name without the extension.'),
    index: locationText.optional().describe('The index of a single file. Default: the one beside it.'),
    delivery: z
      .enum(['proxied', 'presigned'])
      .optional()
      .describe('Who sends the data: this server, the default, or the bucket, by presigned URLs.'),
  })
  .superRefine((section, context) => {
    for (const [key, message] of findFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
  });

export const htsgetSection: z.ZodType<HtsgetSection> = z.strictObject({
  locations: z.array(objectSection).optional().describe('What is served; of two with the same id, the first answers.'),
  precision: z
    .enum(['auto', 'chunks', 'exact'])
    .optional()
    .describe(
      'How closely regions are cut: where the chunks of the index are, to the record, or as it costs. Default: auto.',
    ),
  maxBlockBytes: z.int().min(1).optional().describe('Bytes of one block at most. Default: 1000000000.'),
});

/** What does not go together in a section whose values are right: the key, and why. */
function* findFaults(section: ObjectSection): Generator<[keyof ObjectSection, string], void> {
  const location = toLocation(section.location);
  if (location === undefined) return;
  const isFile = objectKindOf(pathOf(location)) !== undefined;
  if (location.kind === 'http' && !isFile) yield ['location', `expected the URL of ${OBJECT_FILES}`];
  for (const key of ['id', 'index'] as const) {
    if (section[key] !== undefined && !isFile) yield [key, `only a file has one: ${OBJECT_FILES}`];
  }
  if (section.id === 'service-info') yield ['id', 'it is taken by a path of the protocol'];
  if (section.id !== undefined && section.prefix !== undefined) yield ['prefix', 'an id is given, which has none'];
  if (section.delivery === 'presigned' && location.kind !== 's3') {
    yield ['delivery', 'only what lies in a bucket can be presigned'];
  }
}
