import { type FileRange, type ShownBlock, spanOf } from './ticket-blocks.js';

/** A rectangle of the picture, in its units from left to right. */
interface Bar {
  readonly x: number;
  readonly width: number;
  /** The index of the block in the ticket. */
  readonly block: number;
}

/** The places of the blocks of a ticket over the stored file, and over the part of it that they span. */
export interface PictureLayout {
  readonly file: readonly Bar[];
  readonly detail: readonly Bar[];
  /** The part of the file that `detail` shows. */
  readonly span: FileRange;
  /** The place of the span on the file. */
  readonly spanBar: Pick<Bar, 'x' | 'width'>;
}

/** The least width of a rectangle, so that a small block of a large file can be seen. */
const LEAST_WIDTH = 2;

/** Lays out the blocks on a width. Returns undefined for a ticket that needs no bytes of the file. */
export function layOutPicture(
  blocks: readonly ShownBlock[],
  { fileBytes, width }: { readonly fileBytes: number; readonly width: number },
): PictureLayout | undefined {
  const span = spanOf(blocks);
  if (span === undefined) return undefined;
  const place = ({ start, end }: FileRange, { start: from, end: to }: FileRange): Pick<Bar, 'x' | 'width'> => {
    const scale = width / Math.max(1, to - from);
    const barWidth = Math.min(width, Math.max(LEAST_WIDTH, (end - start) * scale));
    return { x: Math.min((start - from) * scale, width - barWidth), width: barWidth };
  };
  const bars = (on: FileRange): Bar[] =>
    blocks.flatMap(({ ranges }, block) => ranges.map((range) => ({ ...place(range, on), block })));
  const file = { start: 0, end: Math.max(fileBytes, span.end) };
  return { file: bars(file), detail: bars(span), span, spanBar: place(span, file) };
}
