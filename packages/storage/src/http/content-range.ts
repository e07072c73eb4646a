import type { ByteRange } from '@htskit/io';

export interface ContentRange {
  /** Undefined where none of the range lies within the object. */
  readonly range: ByteRange | undefined;
  /** Bytes of the whole object; undefined where the server does not know. */
  readonly size: number | undefined;
}

/** A `Content-Range` header of bytes (RFC 9110 §14.4); undefined for what is not one. */
export function parseContentRange(value: string): ContentRange | undefined {
  const [, first, last, complete] = /^bytes +(?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i.exec(value.trim()) ?? [];
  if (complete === undefined) return undefined;
  const size = complete === '*' ? undefined : Number(complete);
  const range = first === undefined ? undefined : { start: Number(first), end: Number(last) + 1 };
  if (!Number.isSafeInteger(size ?? 0) || (range === undefined && size === undefined)) return undefined;
  if (range === undefined) return { range, size };
  const isValid = Number.isSafeInteger(range.end) && range.start < range.end && range.end <= (size ?? range.end);
  return isValid ? { range, size } : undefined;
}
