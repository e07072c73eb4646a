import { parseLocation, type StorageLocation } from '@htskit/catalogue/internal';
import { z } from 'zod';

/** The text of a location. */
export const locationText: z.ZodType<string> = z.string().superRefine((text, context) => {
  try {
    parseLocation(text, '/');
  } catch (error) {
    context.addIssue({ code: 'custom', message: toMessage(error) });
  }
});

/** Parses a location relative to the root folder. Returns undefined for an invalid one, which is reported separately. */
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
