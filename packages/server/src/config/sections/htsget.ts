import { isPlainPath, objectKindOf, pathOf } from '@htskit/catalogue/internal';
import type { Precision } from '@htskit/htsget';
import { z } from 'zod';
import { locationText, toLocation } from './location-text.js';

/** A location of htsget objects in the configuration. */
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

const idText = z.string().refine(isPlainPath, 'expected names separated by "/", none of them empty, "." or ".."');

const objectSection: z.ZodType<ObjectSection> = z
  .strictObject({
    location: locationText.describe('A folder, a file, s3://bucket/prefix, or the URL of a file.'),
    prefix: idText.optional().describe('A prefix of the ids, which is followed by a slash.'),
    id: idText.optional().describe('The id of a single file. Default: its name without the extension.'),
    index: locationText.optional().describe('The index of a single file. Default: found beside it.'),
    delivery: z
      .enum(['proxied', 'presigned'])
      .optional()
      .describe('Whether blocks come from this server (proxied, the default) or from the bucket by presigned URLs.'),
  })
  .superRefine((section, context) => {
    for (const [key, message] of findFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
  });

export const htsgetSection: z.ZodType<HtsgetSection> = z.strictObject({
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
  maxBlockBytes: z.int().min(1).optional().describe('Maximum size of a block in bytes. Default: 1000000000.'),
});

/** Yields the contradictions between valid values: the key and the message. */
function* findFaults(section: ObjectSection): Generator<[keyof ObjectSection, string], void> {
  const location = toLocation(section.location);
  if (location === undefined) return;
  const isFile = objectKindOf(pathOf(location)) !== undefined;
  if (location.kind === 'http' && !isFile) yield ['location', `expected the URL of ${OBJECT_FILES}`];
  for (const key of ['id', 'index'] as const) {
    if (section[key] !== undefined && !isFile) yield [key, `only applies to a single file: ${OBJECT_FILES}`];
  }
  if (section.id === 'service-info') yield ['id', 'service-info is reserved by the protocol'];
  if (section.id !== undefined && section.prefix !== undefined) yield ['prefix', 'cannot be combined with id'];
  if (section.delivery === 'presigned' && location.kind !== 's3') {
    yield ['delivery', 'presigned delivery requires a location in a bucket'];
  }
}
