import { parseRegionText } from '@htskit/formats/internal';
import type { HtsgetRegion } from '@htskit/protocol';
import { escapeControls } from '../terminal/escape-controls.js';
import { formatCount } from '../terminal/format-count.js';
import { UsageError } from '../usage-error.js';

/** A malformed or ambiguous region. */
export class RegionError extends UsageError {
  override readonly name = 'RegionError';
}

/**
 * Parses a region of a command line or a configuration. Bytes of names that are not UTF-8 are written from `\udc80` to `\udcff`, as
 * JSON has them: names have no backslash. Throws RegionError where `parseRegionText` throws SyntaxError.
 */
export function parseRegion(text: string, isReference: ((name: string) => boolean) | undefined): HtsgetRegion {
  try {
    return parseRegionText(unescapeBytes(text), isReference);
  } catch (error) {
    throw error instanceof SyntaxError ? new RegionError(error.message) : error;
  }
}

function unescapeBytes(text: string): string {
  return text.replace(/\\u(dc[89a-f][0-9a-f])/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** Formats a region as `parseRegion` parses it. */
export function formatRegion({ referenceName, start, end }: HtsgetRegion): string {
  const escaped = referenceName.replace(/[\udc80-\udcff]/gu, escapeControls);
  const name = escaped.includes(':') ? `{${escaped}}` : escaped;
  if (start === undefined && end === undefined) return name;
  return `${name}:${formatCount((start ?? 0) + 1)}-${end === undefined ? '' : formatCount(end)}`;
}
