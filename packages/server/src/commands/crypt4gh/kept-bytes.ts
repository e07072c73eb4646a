import { type ByteRange, type ByteSource, readChunks } from '@htskit/io';
import { InvalidArgumentError } from 'commander';

/** Parses the value of `--edit`: ranges such as `0-99,500-`, both ends included, in order. */
export function parseKeptBytes(text: string): readonly ByteRange[] {
  let at = 0;
  return text.split(',').map((part) => {
    const [, first = '', last = ''] = /^(\d{1,15})-(\d{1,15})?$/.exec(part) ?? [];
    const range = { start: Number(first), end: last === '' ? Number.MAX_SAFE_INTEGER : Number(last) + 1 };
    if (first === '') throw new InvalidArgumentError(`"${part}" is not a range of bytes such as 0-99 or 500-.`);
    if (range.start >= range.end) throw new InvalidArgumentError(`"${part}" ends before it begins.`);
    if (range.start < at) throw new InvalidArgumentError('the ranges must be in order and must not overlap.');
    at = range.end;
    return range;
  });
}

/** Yields ranges of a source, each by a request of its own. */
export async function* readKept(
  source: ByteSource,
  ranges: readonly ByteRange[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { size, version } = await source.stat({ signal });
  for (const { start, end } of ranges) {
    if (start < size) yield* readChunks(source.stream({ start, end: Math.min(end, size) }, { version, signal }));
  }
}

/** Yields the ranges of a stream, and reads no further than their end. */
export async function* keepRanges(
  chunks: AsyncIterable<Uint8Array>,
  ranges: readonly ByteRange[],
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  const end = ranges.at(-1)?.end ?? 0;
  for await (const chunk of chunks) {
    for (const range of ranges) {
      const part = chunk.subarray(Math.max(0, range.start - at), Math.max(0, range.end - at));
      if (part.length > 0) yield part;
    }
    at += chunk.length;
    if (at >= end) return;
  }
}
