/** What is fetched: a URL with the headers that go with every request for it, redirected or not. */
export interface Resource {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A run of bytes of what a resource's own request is answered with, which its positions count from. */
export interface ResourcePart {
  readonly resource: Resource;
  readonly start: number;
  /** Undefined: where the answer ends. */
  readonly end: number | undefined;
  /** Whether the answer is fetched in several parts, each of which needs a range. */
  readonly isSplit: boolean;
}

/** What a `Range` header asks for, half-open. */
export interface AskedBytes {
  readonly start: number;
  /** Undefined: to the end of the resource. */
  readonly end: number | undefined;
}

export function rangeHeader({ headers = {} }: Resource): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
}

/** Undefined for no header, and for one that is sent as it is but not understood: suffixes and several ranges. */
export function parseRange(header: string | undefined): AskedBytes | undefined {
  const match = header === undefined ? null : /^\s*bytes=(\d{1,15})-(\d{1,15})?\s*$/i.exec(header);
  if (match === null) return undefined;
  const [, first, last] = match;
  const range = { start: Number(first), end: last === undefined ? undefined : Number(last) + 1 };
  return range.end === undefined || range.start < range.end ? range : undefined;
}
