import { z } from 'zod';

/** From the gravest on; what is below the level that is set is left out. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** How the server tells what it does, on stderr. */
export interface LogSection {
  readonly format?: 'auto' | 'json' | 'text' | undefined;
  readonly level?: LogLevel | undefined;
  readonly access?: boolean | undefined;
}

export const logSection: z.ZodType<LogSection> = z.strictObject({
  format: z
    .enum(['auto', 'json', 'text'])
    .optional()
    .describe('Lines of JSON, lines for people, or as it is a terminal that shows them. Default: auto.'),
  level: z.enum(LOG_LEVELS).optional().describe('The least that is told. Default: info.'),
  access: z.boolean().optional().describe('Whether each request is told of. Default: where the lines are JSON.'),
});
