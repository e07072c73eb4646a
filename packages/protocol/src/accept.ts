/** One element of an `Accept` header (RFC 9110 §12.5.1). Names are lower-case; `*` stands for any. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** Without `q`; names are lower-case, values as given. */
  readonly parameters: ReadonlyMap<string, string>;
  /** 0 (not acceptable) to 1. */
  readonly quality: number;
}

/** Parses an `Accept` header. Elements that are no media range are left out; no header accepts anything. */
export function parseAccept(accept: string | null): MediaRange[] {
  const elements = accept === null || accept.trim() === '' ? ['*/*'] : splitUnquoted(accept, ',');
  return elements.map(parseMediaRange).filter((range) => range !== undefined);
}

/**
 * Chooses the offered media type that the `Accept` header values most, the earlier one where it values several alike.
 * Undefined where it accepts none. A parameter that the header asks for but the offer lacks does not rule it out.
 */
export function negotiateMediaType(accept: string | null, offered: readonly string[]): string | undefined {
  return chooseMediaType(parseAccept(accept), offered);
}

/** As `negotiateMediaType`, for a header that is parsed already. */
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

// RFC 9110 §12.5.1: the most specific range that matches decides.
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

/** How precisely the range names the media type; -1 where it does not match. */
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
  // A lone `*` is what Java's HttpURLConnection sends beside `*/*`.
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

// Laxer than RFC 9110 §12.4.2: Java's HttpURLConnection sends `q=.2`.
function parseQuality(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Math.min(Number(text), 1) : undefined;
}

/** Splits at separators outside of quoted strings, in one pass: a regular expression is quadratic in hostile quotes. */
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
