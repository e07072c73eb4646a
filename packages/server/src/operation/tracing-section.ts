import { z } from 'zod';
import { httpUrl } from '../auth/fetch-json.js';

/** Where spans are sent. */
export interface TracingSection {
  readonly endpoint: string;
  readonly serviceName?: string | undefined;
  readonly sampleRatio?: number | undefined;
}

export const tracingSection: z.ZodType<TracingSection> = z.strictObject({
  endpoint: httpUrl.describe('The URL of an OTLP receiver over HTTP, such as http://localhost:4318/v1/traces.'),
  serviceName: z.string().min(1).optional().describe('What the spans say that they are from. Default: htskit.'),
  sampleRatio: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The part of requests that are traced, where their caller has not decided. Default: 1.'),
});
