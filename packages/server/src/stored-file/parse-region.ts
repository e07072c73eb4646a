import { parseRegionText } from '@htskit/formats/internal';
import type { HtsgetRegion } from '@htskit/protocol';
import { formatCount } from '../terminal/format-count.js';
import { UsageError } from '../usage-error.js';

/** A malformed or ambiguous region. */
export class RegionError extends UsageError {
  override readonly name = 'RegionError';
}

/** Parses a region of a command line or a configuration. Throws RegionError where `parseRegionText` throws SyntaxError. */
export function parseRegion(text: string, isReference: ((name: string) => boolean) | undefined): HtsgetRegion {
  try {
    return parseRegionText(text, isReference);
  } catch (error) {
    throw error instanceof SyntaxError ? new RegionError(error.message) : error;
  }
}

/** Formats a region as `parseRegion` parses it. */
export function formatRegion({ referenceName, start, end }: HtsgetRegion): string {
  const name = referenceName.includes(':') ? `{${referenceName}}` : referenceName;
  if (start === undefined && end === undefined) return name;
  return `${name}:${formatCount((start ?? 0) + 1)}-${end === undefined ? '' : formatCount(end)}`;
}
