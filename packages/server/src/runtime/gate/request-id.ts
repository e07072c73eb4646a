import { randomUUID } from 'node:crypto';

/** The id that a request came with, where it is one that may stand in logs and headers; a new one otherwise. */
export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:+/=-]{1,128}$/.test(header) ? header : randomUUID();
}
