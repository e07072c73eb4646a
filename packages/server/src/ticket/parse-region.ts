import { type HtsgetRegion, UNPLACED } from '@htskit/protocol';

/** A region that cannot be read as one. */
export class RegionError extends Error {
  override readonly name = 'RegionError';
}

const QUOTED = /^\{(?<name>[^}]+)\}(?::(?<range>.*))?$/;
const UNQUOTED = /^(?<name>.+):(?<range>[^:]*)$/;
const RANGE = /^(?<start>[\d,]+)?(?<dash>-(?<end>[\d,]+)?)?$/;

/**
 * A region as samtools writes it: `chr1`, `chr1:1,000-2,000` (from 1, inclusive), `chr1:1000` and `chr1:1000-` (to the end),
 * `chr1:-2000`, `*` for unplaced reads. A text that is the name of a reference is that one, whatever colons it has; `{name}`
 * and `{name}:1-100` say which part is the name. Throws RegionError for a range that is none.
 */
export function parseRegion(text: string, isReference: (name: string) => boolean): HtsgetRegion {
  if (text === '') throw new RegionError('a region has a name');
  if (text === UNPLACED || isReference(text)) return { referenceName: text };
  const { name = text, range } = (QUOTED.exec(text) ?? splitAtColon(text))?.groups ?? {};
  return { referenceName: name, ...(range !== undefined && parseRange(range, text)) };
}

/** Undefined where what follows the last colon is no range: then it belongs to the name. */
function splitAtColon(text: string): RegExpExecArray | undefined {
  const match = UNQUOTED.exec(text);
  const range = match?.groups?.['range'] ?? '';
  return match !== null && range !== '' && RANGE.test(range) ? match : undefined;
}

function parseRange(range: string, text: string): Pick<HtsgetRegion, 'start' | 'end'> {
  const { start: first, end: last } = RANGE.exec(range)?.groups ?? {};
  if (first === undefined && last === undefined) throw new RegionError(`${text}: ${range} is no range`);
  const start = first === undefined ? 0 : parsePosition(first, text) - 1;
  const end = last === undefined ? undefined : parsePosition(last, text);
  if (end !== undefined && start >= end) throw new RegionError(`${text} ends before it begins`);
  return { start, ...(end !== undefined && { end }) };
}

function parsePosition(digits: string, text: string): number {
  const position = Number(digits.replaceAll(',', ''));
  if (position === 0) throw new RegionError(`${text}: positions count from 1`);
  if (!Number.isSafeInteger(position)) throw new RegionError(`${text}: ${digits} is no position`);
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
