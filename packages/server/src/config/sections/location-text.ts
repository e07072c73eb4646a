import { parseLocation, type StorageLocation } from '@htskit/catalogue/internal';
import { z } from 'zod';

/** A location as people write it. */
export const locationText: z.ZodType<string> = z.string().superRefine((text, context) => {
  try {
    parseLocation(text, '/');
  } catch (error) {
    context.addIssue({ code: 'custom', message: toMessage(error) });
  }
});

/** What it leads to, but for the folder of a relative path; undefined for what is none, which has its own fault. */
export function toLocation(text: string): StorageLocation | undefined {
  try {
    return parseLocation(text, '/');
  } catch {
    return undefined;
  }
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
