import { AUTHORITIES } from '@htskit/protocol';
import { z } from 'zod';
import { authSection } from '../auth/auth-section.js';
import { parsePublicUrl } from '../runtime/public-url.js';
import { serverLimitsShape } from '../runtime/server-limits.js';
import { httpUrl as plainHttpUrl } from './http-url.js';
import { crypt4ghSection } from './sections/crypt4gh.js';
import { drsSection } from './sections/drs.js';
import { limitsShape } from './sections/limits.js';
import { toMessage } from './sections/location-text.js';
import {
  auditSection,
  listenSection,
  logSection,
  metricsSection,
  pageSetting,
  processesSetting,
  tracingSection,
} from './sections/operation.js';
import { htsgetSection, referenceSection, refgetSection } from './sections/protocols.js';
import { storesSection } from './sections/stores.js';

const HTTP_URL = /^https?:\/\//;
const httpUrl = z
  .string()
  .refine((text) => HTTP_URL.test(text) && URL.canParse(text), 'expected a URL of http or https');

const publicUrl = z.string().superRefine((text, context) => {
  try {
    parsePublicUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: toMessage(error) });
  }
});

/** An origin as browsers send it: without a path, in lower case, without the default port. */
const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'expected an origin, such as https://a.example',
  );

/** A date and time of RFC 3339, the format `date-time` of service-info. */
const timestamp = z
  .string()
  .refine(
    (text) => z.iso.datetime({ offset: true }).safeParse(text).success,
    'expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  );

const serviceSection = z.strictObject({
  id: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Unique id in reverse domain notation, which .reads, .variants, .refget, .refget.seqcol or .drs is appended to.',
    ),
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  version: z.string().min(1).optional().describe('The version of the service, not of the protocols.'),
  organization: z.strictObject({ name: z.string().min(1), url: httpUrl }).optional(),
  contactUrl: z.string().optional().describe('A mailto: or https: URL.'),
  documentationUrl: httpUrl.optional(),
  createdAt: timestamp.optional().describe('Date and time in ISO 8601 (RFC 3339), such as 2026-01-31T12:00:00Z.'),
  updatedAt: timestamp.optional().describe('Date and time in ISO 8601 (RFC 3339).'),
  environment: z.string().optional().describe('For example prod, test or dev.'),
});

const filesSection = z.strictObject({
  blocking: z
    .union([z.literal('auto'), z.boolean()], { error: 'expected auto, true or false' })
    .optional()
    .describe(
      'Whether lookups and short reads of local files block the event loop: true, false (for network file systems), or auto, ' +
        'which is false if the file system is remote or three of ten lookups in a row took over 5 ms. Default: auto.',
    ),
});

const s3Section = z.strictObject({
  endpoint: plainHttpUrl.optional().describe('The base URL of the service. Default: AWS in the region.'),
  region: z.string().min(1).optional().describe('Default: us-east-1.'),
  forcePathStyle: z
    .boolean()
    .optional()
    .describe('Whether the bucket is in the path of URLs rather than in the host name. Default: false.'),
  credentials: z
    .enum(['environment', 'chain', 'none'])
    .optional()
    .describe(
      'The source of credentials: the variables AWS_ACCESS_KEY_ID and so on, the default chain of AWS (roles, profiles), ' +
        'or none. Default: environment if AWS_ACCESS_KEY_ID is set, and otherwise none.',
    ),
});

const corsSection = z.strictObject({
  origins: z
    .union([z.literal('*'), z.array(origin)], { error: 'expected "*" or a list of origins, such as https://a.example' })
    .optional()
    .describe('The origins whose scripts may read the responses: "*", the default, or a list.'),
});

/** The schema of the whole file. Every key is optional, and unknown keys are errors. */
export const configSchema = z.strictObject({
  listen: listenSection.optional().describe('Where the server listens.'),
  publicUrl: publicUrl
    .optional()
    .describe('The URL at which clients reach the server. Default: the address it listens on.'),
  authority: z.enum(AUTHORITIES).optional().describe('The name of the standards body in output. Default: ga4gh.'),
  service: serviceSection.optional().describe('The content of service-info.'),
  htsget: htsgetSection.optional().describe('Alignment and variant files.'),
  refget: refgetSection.optional().describe('Reference sequences.'),
  reference: referenceSection
    .optional()
    .describe('The service of the references of CRAM files that refget does not serve here.'),
  drs: drsSection.optional().describe('Stored files as a whole, and their descriptions by GA4GH DRS.'),
  crypt4gh: crypt4ghSection.optional().describe('Files that are encrypted by Crypt4GH, such as *.bam.c4gh.'),
  files: filesSection.optional().describe('How local files are read.'),
  s3: s3Section.optional().describe('The store of s3:// locations.'),
  stores: storesSection.optional().describe('Limits of each bucket and web server that holds files.'),
  auth: authSection.optional().describe('Authentication and authorization. Default: everything is public.'),
  cors: corsSection.optional().describe('Cross-origin access by scripts of web pages.'),
  limits: z
    .strictObject({ ...limitsShape, ...serverLimitsShape })
    .optional()
    .describe('Limits of requests, of memory and of time.'),
  page: pageSetting.optional(),
  coverage: z
    .enum(['off', 'estimate', 'on'])
    .optional()
    .describe(
      'Whether depths of reads and densities of variants are answered: exact ones of short regions, and estimates of long ones; with on, bigWig files of alignment files are made in the background when they are first needed, of remote ones in coverageFolder only. Default: estimate.',
    ),
  coverageFolder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The folder of the bigWig files that are made, which is created if need be. Default: those of local files lie beside them, as FILE.coverage.bw.',
    ),
  sharedCache: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder or s3://BUCKET/PREFIX in which replicas share what they read of remote files to open them, and the indexes that they build of those without one, by the versions of the files. Requires auth.signingKeys. A folder is also that of coverage, unless coverageFolder is set. Default: each process reads and builds its own.',
    ),
  processes: processesSetting.optional(),
  audit: auditSection.optional(),
  log: logSection.optional().describe('The log on stderr.'),
  metrics: metricsSection.optional().describe('Metrics for Prometheus.'),
  tracing: tracingSection.optional().describe('Traces for OpenTelemetry.'),
});

/** The content of `htskit.yaml` with variables expanded. Paths are relative to the file. */
export type Config = z.infer<typeof configSchema>;

export type S3Section = z.infer<typeof s3Section>;

const ID = 'https://unpkg.com/@htskit/server/htskit.schema.json';
/** Editors validate the file before variables are expanded, so `${NAME}` is allowed in place of any value. */
const VARIABLE = { type: 'string', pattern: '\\$\\{' } as const;

/** Returns the JSON Schema (draft 7) of `htskit.yaml`, for editors. */
export function toConfigJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => allowVariable(jsonSchema),
  });
  return { $schema, $id: ID, title: 'htskit.yaml', ...schema };
}

/** Allows a variable unless the schema allows any text already. */
function allowVariable(schema: z.core.JSONSchema.BaseSchema): void {
  const { type, anyOf } = schema;
  if (anyOf !== undefined || type === 'object' || type === 'array') return;
  const isAnyText = [schema.enum, schema.const, schema.format, schema.pattern].every((rule) => rule === undefined);
  if (type === 'string' && isAnyText) return;
  const { description, ...rest } = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, description === undefined ? {} : { description }, { anyOf: [rest, VARIABLE] });
}
