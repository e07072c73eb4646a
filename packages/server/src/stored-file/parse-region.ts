import { type HtsgetRegion, UNPLACED } from '@htskit/protocol';
import { UsageError } from '../errors.js';

/** A region that cannot be read as one. */
export class RegionError extends UsageError {
  override readonly name = 'RegionError';
}

/** How a region may be written, for people. */
export const REGION_FORMS =
  "NAME, NAME:FROM, NAME:FROM-, NAME:FROM-TO, NAME:-TO, with {NAME} for a name with colons, or '*'";

const QUOTED = /^\{(?<name>[^}]+)\}(?::(?<range>.*))?$/;
const RANGE = /^(?=.*\d)(?<first>\d[\d,]*)?(?:-(?<last>\d[\d,]*)?)?$/;

/**
 * A region as samtools reads those of `REGION_FORMS`: positions count from 1 and are included, and may have commas; `*` are
 * the unplaced reads. Without braces, a text that is the name of a reference is that one, and other texts are split at their
 * last colon. The references may be unknown. Throws RegionError for another text, and for one that is a name as it is and a
 * name and a range, too.
 */
export function parseRegion(text: string, isReference: ((name: string) => boolean) | undefined): HtsgetRegion {
  if (text === UNPLACED) return { referenceName: text };
  if (text.startsWith('{')) {
    const { name = '', range } = QUOTED.exec(text)?.groups ?? {};
    return toRegion(text, name, range);
  }
  const colon = text.lastIndexOf(':');
  if (colon < 0) return toRegion(text, text);
  const [name, range] = [text.slice(0, colon), text.slice(colon + 1)];
  if (isReference?.(text) !== true) return toRegion(text, name, range);
  if (!isReference(name)) return { referenceName: text };
  throw new RegionError(`${text} is ambiguous, as there is a reference ${name}, too: {${text}} or {${name}}:${range}`);
}

function toRegion(text: string, name: string, range?: string): HtsgetRegion {
  const { first, last } = RANGE.exec(range ?? '')?.groups ?? {};
  if (name === '' || name === UNPLACED || (range !== undefined && first === undefined && last === undefined)) {
    throw new RegionError(`"${text}" is not a region; expected ${REGION_FORMS}`);
  }
  if (range === undefined) return { referenceName: name };
  const start = first === undefined ? 0 : parsePosition(first, text) - 1;
  const end = last === undefined ? undefined : parsePosition(last, text);
  if (end !== undefined && start >= end) throw new RegionError(`${text} ends before it begins`);
  return { referenceName: name, start, ...(end !== undefined && { end }) };
}

function parsePosition(digits: string, text: string): number {
  const position = Number(digits.replaceAll(',', ''));
  if (position === 0) throw new RegionError(`${text}: positions count from 1`);
  if (!Number.isSafeInteger(position)) throw new RegionError(`${text}: ${digits} is not a valid position`);
  return position;
}

/** The region as `parseRegion` reads it. */
export function formatRegion({ referenceName, start, end }: HtsgetRegion): string {
  const name = referenceName.includes(':') ? `{${referenceName}}` : referenceName;
  if (start === undefined && end === undefined) return name;
  return `${name}:${formatCount((start ?? 0) + 1)}-${end === undefined ? '' : formatCount(end)}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
