/** One element of an `Accept` header (RFC 9110 §12.5.1). Type names are in lower case; `*` matches any. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** The parameters except `q`, with names in lower case and unchanged values. */
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 (not acceptable) to 1. */
  readonly quality: number;
}

/** Parses an `Accept` header. Malformed elements are ignored; a missing or empty header accepts every media type. */
export function parseAccept(accept: string | null): MediaRange[] {
  const elements = accept === null || accept.trim() === '' ? ['*/*'] : splitUnquoted(accept, ',');
  return elements.map(parseMediaRange).filter((range) => range !== undefined);
}

/**
 * Chooses the offered media type to which the `Accept` header assigns the highest quality, and of equal ones the first.
 * Returns undefined if none is acceptable. A range whose parameters are missing from an offer still matches it.
 *
 * @example
 * negotiateMediaType('text/*;q=0.5, application/json', ['text/plain', 'application/json']); // 'application/json'
 */
export function negotiateMediaType(accept: string | null, offered: readonly string[]): string | undefined {
  return chooseMediaType(parseAccept(accept), offered);
}

/** Does what `negotiateMediaType` does, with a parsed header. */
export function chooseMediaType(ranges: readonly MediaRange[], offered: readonly string[]): string | undefined {
  let chosen: string | undefined;
  let chosenQuality = 0;
  for (const offer of offered) {
    const quality = qualityOf(ranges, offer);
    if (quality > chosenQuality) {
      chosen = offer;
      chosenQuality = quality;
    }
  }
  return chosen;
}

/** Returns the quality of the most specific range that matches the offer (RFC 9110 §12.5.1). */
function qualityOf(ranges: readonly MediaRange[], offer: string): number {
  const mediaType = parseMediaRange(offer);
  if (mediaType === undefined) return 0;
  let best = { specificity: -1, quality: 0 };
  for (const range of ranges) {
    const specificity = specificityFor(range, mediaType);
    if (specificity > best.specificity || (specificity === best.specificity && range.quality > best.quality)) {
      best = { specificity, quality: range.quality };
    }
  }
  return best.specificity < 0 ? 0 : best.quality;
}

/** Returns how specifically the range names the media type, or -1 if it does not match. */
function specificityFor(range: MediaRange, mediaType: MediaRange): number {
  if (range.type === '*') return 0;
  if (range.type !== mediaType.type) return -1;
  if (range.subtype === '*') return 1;
  if (range.subtype !== mediaType.subtype) return -1;
  const parameters = [...range.parameters];
  const isEachOffered = parameters.every(([name, value]) => mediaType.parameters.get(name) === value);
  return isEachOffered ? 2 + parameters.length : 2;
}

function parseMediaRange(text: string): MediaRange | undefined {
  const [essence = '', ...rest] = splitUnquoted(text, ';').map((part) => part.trim());
  // Java's HttpURLConnection sends a lone `*` in addition to `*/*`.
  const match = /^([^\s/]+)\/([^\s/]+)$/.exec(essence === '*' ? '*/*' : essence.toLowerCase());
  if (match === null) return undefined;
  const [, type = '', subtype = ''] = match;
  const parameters = new Map(rest.filter((part) => part !== '').map(parseParameter));
  const quality = parseQuality(parameters.get('q'));
  parameters.delete('q');
  return quality === undefined ? undefined : { type, subtype, parameters, quality };
}

function parseParameter(text: string): [name: string, value: string] {
  const equals = text.includes('=') ? text.indexOf('=') : text.length;
  const value = text.slice(equals + 1).trim();
  const unquoted = value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : value;
  return [text.slice(0, equals).trim().toLowerCase(), unquoted];
}

/** Accepts more than RFC 9110 §12.4.2 does, because Java's HttpURLConnection sends `q=.2`. */
function parseQuality(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Math.min(Number(text), 1) : undefined;
}

/** Splits at separators outside of quoted strings in one pass; a regular expression is quadratic in unbalanced quotes. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let partStart = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at++;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(partStart, at));
      partStart = at + 1;
    }
  }
  parts.push(text.slice(partStart));
  return parts;
}
