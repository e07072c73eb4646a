import type { InflatedSpan, VirtualOffset } from '@htskit/bgzf';
import { FormatError, relocateError } from '@htskit/formats';
import type { RecordPieces } from './record-format.js';

/** Places that are remembered: a record of the longest that are read may begin 4,096 blocks back. */
const MAX_PLACES = 8192;

/**
 * The data of some spans as a filter leaves them and a rewriter rewrites them, each where there is one. What is yielded is
 * valid until the iteration goes on. Throws `FormatError` for what is no record, and names the virtual offset of where that
 * begins, or where the block does that it ends in.
 */
export async function* pipeRecords(
  spans: AsyncIterable<InflatedSpan>,
  stages: readonly RecordPieces[],
): AsyncGenerator<Uint8Array, void> {
  const located = stages.map((stage) => new LocatedPieces(stage));
  let last: VirtualOffset = { coffset: 0, uoffset: 0 };
  for await (const span of spans) {
    last = span;
    yield* pass(span.data, span, located);
  }
  for (const [rank, stage] of located.entries()) {
    for (const piece of stage.finish()) yield* pass(piece, last, located.slice(rank + 1));
  }
}

/** What the stages make of a piece, which begins at `start` or, where it was gathered from several blocks, in front of it. */
function* pass(
  piece: Uint8Array,
  start: VirtualOffset,
  [stage, ...others]: readonly LocatedPieces[],
): Generator<Uint8Array, void> {
  if (stage === undefined) {
    yield piece;
    return;
  }
  for (const made of stage.push(piece, start)) {
    const isView = made.buffer === piece.buffer;
    const uoffset = start.uoffset + (isView ? made.byteOffset - piece.byteOffset : 0);
    yield* pass(made, { coffset: start.coffset, uoffset }, others);
  }
}

/** Pieces of records whose errors name where in the file that is. */
class LocatedPieces {
  readonly #pieces: RecordPieces;
  /** Where the pieces that were pushed begin, the last ones. */
  readonly #places: { readonly byteStart: number; readonly start: VirtualOffset }[] = [];
  #byteLength = 0;

  constructor(pieces: RecordPieces) {
    this.#pieces = pieces;
  }

  push(piece: Uint8Array, start: VirtualOffset): readonly Uint8Array[] {
    if (this.#places.length === MAX_PLACES) this.#places.splice(0, MAX_PLACES / 2);
    this.#places.push({ byteStart: this.#byteLength, start });
    this.#byteLength += piece.length;
    return this.#locateErrors(() => this.#pieces.push(piece));
  }

  finish(): readonly Uint8Array[] {
    return this.#locateErrors(() => this.#pieces.finish());
  }

  #locateErrors<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const place = error instanceof FormatError && this.#places.findLast(({ byteStart }) => byteStart <= error.offset);
      if (!place) throw error;
      const { coffset, uoffset } = place.start;
      throw relocateError(error, 0, `at virtual offset ${coffset}:${uoffset + error.offset - place.byteStart}: `);
    }
  }
}
