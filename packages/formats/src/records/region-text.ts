/** Bases [start, end) of a reference, 0-based. `*` stands for the reads without a reference. */
export interface NamedRegion {
  readonly referenceName: string;
  readonly start?: number;
  readonly end?: number;
}

const UNPLACED = '*';

/** The syntax of regions, for help texts and messages. */
export const REGION_FORMS =
  "NAME, NAME:FROM, NAME:FROM-, NAME:FROM-TO, NAME:-TO, with {NAME} for a name with colons, or '*'";

const QUOTED = /^\{(?<name>[^}]+)\}(?::(?<range>.*))?$/;
const RANGE = /^(?=.*\d)(?<first>\d[\d,.]*[kmg]?)?(?:-(?<last>\d[\d,.]*[kmg]?)?)?$/i;
const POSITION = /^(?<whole>\d+)(?:\.(?<fraction>\d+))?(?<unit>[kmg]?)$/i;
/** The decimal places of the units of positions: thousands, millions and billions of bases. */
const UNIT_PLACES: Readonly<Record<string, number>> = { k: 3, m: 6, g: 9 };

/**
 * Parses a region as samtools does: positions are 1-based and inclusive, may have commas and the units k, M and G, and `*` selects
 * the unplaced reads. Text without braces that is the name of a reference selects it; other text is split at its last colon. Without
 * `isReference` the references are unknown. Throws SyntaxError for malformed text, and for text that is both a name, and a name and a range.
 */
export function parseRegionText(text: string, isReference: ((name: string) => boolean) | undefined): NamedRegion {
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
  throw new SyntaxError(
    `region "${text}" is ambiguous: there is also a reference ${name}; write {${text}} or {${name}}:${range}`,
  );
}

function toRegion(text: string, name: string, range?: string): NamedRegion {
  const { first, last } = RANGE.exec(range ?? '')?.groups ?? {};
  if (name === '' || name === UNPLACED || (range !== undefined && first === undefined && last === undefined)) {
    throw new SyntaxError(`"${text}" is not a valid region; expected ${REGION_FORMS}`);
  }
  if (range === undefined) return { referenceName: name };
  const start = first === undefined ? 0 : parsePosition(first, text) - 1;
  const end = last === undefined ? undefined : parsePosition(last, text);
  if (end !== undefined && start >= end) throw new SyntaxError(`region "${text}" ends before it begins`);
  return { referenceName: name, start, end };
}

/** Parses a position such as `1,000` or `1.5M`. */
function parsePosition(digits: string, text: string): number {
  const { whole = '', fraction = '', unit = '' } = POSITION.exec(digits.replaceAll(',', ''))?.groups ?? {};
  const places = UNIT_PLACES[unit.toLowerCase()] ?? 0;
  if (whole === '' || fraction.length > places) {
    throw new SyntaxError(`region "${text}": position ${digits} is not an integer`);
  }
  const position = Number(whole + fraction.padEnd(places, '0'));
  if (position === 0) throw new SyntaxError(`region "${text}": positions are 1-based, found 0`);
  if (!Number.isSafeInteger(position)) throw new SyntaxError(`region "${text}": position ${digits} is too large`);
  return position;
}
