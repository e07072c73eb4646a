import type { InflatedSpan, VirtualOffset } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { RecordPieces } from '../file/record-format.js';

/** Places that are kept: the longest record that is read begins 4,096 full blocks back. */
const MAX_PLACES = 8192;

/** A piece of a file's data. */
interface Piece {
  readonly data: BorrowedBytes;
  /** The start of the piece. For a piece that was gathered from several blocks, the start of the last of them. */
  readonly start: VirtualOffset;
  readonly isGathered: boolean;
}

/** Passes the data of spans through stages that filter or rewrite its records. */
export class RecordPipeline {
  readonly #stages: readonly LocatedPieces[];
  #start: VirtualOffset = { coffset: 0, uoffset: 0 };

  constructor(stages: readonly RecordPieces[]) {
    this.#stages = stages.map((stage) => new LocatedPieces(stage));
  }

  /**
   * Yields the pieces that the records of a span result in. Throws `FormatError` for a malformed record. The error names its
   * virtual offset, or the block that it ends in.
   */
  *push(span: InflatedSpan): Generator<BorrowedBytes, void> {
    this.#start = span;
    yield* pass({ data: span.data, start: span, isGathered: false }, this.#stages);
  }

  /** Ends the data, and yields what the stages still hold. Throws the errors of `push`. */
  *finish(): Generator<BorrowedBytes, void> {
    for (const [index, stage] of this.#stages.entries()) {
      for (const data of stage.finish()) {
        yield* pass({ data, start: this.#start, isGathered: true }, this.#stages.slice(index + 1));
      }
    }
  }
}

/** Passes one piece through the stages. */
function* pass(piece: Piece, [stage, ...others]: readonly LocatedPieces[]): Generator<BorrowedBytes, void> {
  if (stage === undefined) {
    yield piece.data;
    return;
  }
  const { coffset, uoffset } = piece.start;
  for (const data of stage.push(piece)) {
    const [bytes, source] = [peek(data), peek(piece.data)];
    const isView = bytes.buffer === source.buffer;
    const start = isView ? { coffset, uoffset: uoffset + bytes.byteOffset - source.byteOffset } : piece.start;
    yield* pass({ data, start, isGathered: piece.isGathered || !isView }, others);
  }
}

/** A stage whose errors name the place in the file. */
class LocatedPieces {
  readonly #pieces: RecordPieces;
  /** The latest pieces, with the number of bytes before each. */
  readonly #pushed: { readonly byteStart: number; readonly start: VirtualOffset; readonly isGathered: boolean }[] = [];
  #byteLength = 0;

  constructor(pieces: RecordPieces) {
    this.#pieces = pieces;
  }

  push({ data, start, isGathered }: Piece): readonly BorrowedBytes[] {
    if (this.#pushed.length === MAX_PLACES) this.#pushed.splice(0, MAX_PLACES / 2);
    this.#pushed.push({ byteStart: this.#byteLength, start, isGathered });
    this.#byteLength += data.length;
    return this.#locateErrors(() => this.#pieces.push(data));
  }

  finish(): readonly BorrowedBytes[] {
    return this.#locateErrors(() => this.#pieces.finish());
  }

  #locateErrors<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, 0, this.#describe(error.offset)) : error;
    }
  }

  #describe(offset: number): string {
    const place = this.#pushed.findLast(({ byteStart }) => byteStart <= offset);
    const { coffset, uoffset } = (place ?? this.#pushed.at(-1))?.start ?? { coffset: 0, uoffset: 0 };
    return place === undefined || place.isGathered
      ? `in a record that ends in the block at byte ${coffset}: `
      : `at virtual offset ${coffset}:${uoffset + offset - place.byteStart}: `;
  }
}
