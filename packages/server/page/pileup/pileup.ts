import type { ReferenceBases } from '@htskit/formats';
import { countOf, svg } from '../dom.js';
import type { AlignmentFile, PlacedRecord } from '../records/decode-records.js';
import type { Interval } from '../region/interval.js';
import { layOutRows } from './layout.js';
import { type ReadShape, readShape } from './read-shape.js';

const MOST_ROWS = 100;
/** Pixels of all rows together, and of one row. */
const [MOST_HEIGHT, LEAST_ROW, MOST_ROW] = [400, 4, 13];
/** The least width of a mark, and that of an arrow, as a share of the interval. */
const [LEAST_MARK, ARROW] = [1 / 700, 1 / 250];
const BASES = 'ACGTN';

export interface PileupOptions {
  readonly interval: Interval;
  /** Bases that cover the interval, if they are known. */
  readonly reference: ReferenceBases | undefined;
}

/** A picture of reads in rows. */
export class Pileup {
  readonly element: SVGSVGElement;
  /** The number of reads that are not drawn. */
  readonly hidden: number;
  readonly #rows: readonly (readonly PlacedRecord[])[];
  readonly #interval: Interval;
  readonly #rowHeight: number;
  readonly #selection = svg('rect', { class: 'selected', width: 0, height: 0 });

  constructor(file: AlignmentFile, { interval, reference }: PileupOptions) {
    const bases = interval.end - interval.start;
    const { rows, hidden } = layOutRows(file.records, { mostRows: MOST_ROWS, gap: Math.ceil(bases * LEAST_MARK * 2) });
    this.#rows = rows;
    this.hidden = hidden;
    this.#interval = interval;
    this.#rowHeight = Math.max(LEAST_ROW, Math.min(MOST_ROW, Math.floor(MOST_HEIGHT / Math.max(1, rows.length))));
    const height = Math.max(1, rows.length) * this.#rowHeight;
    const paths = new ReadPaths(interval, this.#rowHeight - (this.#rowHeight > 6 ? 2 : 1));
    for (const [row, reads] of rows.entries()) {
      for (const read of reads) paths.add(readShape(file.view(read), reference), row * this.#rowHeight);
    }
    this.element = svg(
      'svg',
      {
        viewBox: `0 0 ${bases} ${height}`,
        preserveAspectRatio: 'none',
        class: 'pileup',
        height,
        role: 'img',
        'aria-label': `${countOf(file.records.length - hidden, 'read')} in ${countOf(rows.length, 'row')}`,
      },
      ...paths.elements(),
      this.#selection,
    );
  }

  /** Finds the read at a share of the width, some pixels below the top. */
  find(share: number, y: number): PlacedRecord | undefined {
    const { start, end } = this.#interval;
    const base = start + share * (end - start);
    const slack = (end - start) * LEAST_MARK;
    return this.#rows[Math.floor(y / this.#rowHeight)]?.find(
      (read) => read.start - slack <= base && base < read.end + slack,
    );
  }

  /** Marks a read. */
  select(read: PlacedRecord): void {
    const row = this.#rows.findIndex((reads) => reads.some(({ at }) => at === read.at));
    if (row === -1) {
      this.#selection.setAttribute('width', '0');
      return;
    }
    const place = {
      x: read.start - this.#interval.start,
      y: row * this.#rowHeight,
      width: read.end - read.start,
      height: this.#rowHeight - 1,
    };
    for (const [name, value] of Object.entries(place)) this.#selection.setAttribute(name, String(value));
  }
}

/** One path for each kind of mark: thousands of elements would be slow. */
class ReadPaths {
  readonly #paths = new Map<string, string[]>();
  readonly #start: number;
  readonly #bases: number;
  readonly #height: number;

  constructor({ start, end }: Interval, height: number) {
    this.#start = start;
    this.#bases = end - start;
    this.#height = height;
  }

  add({ isReverse, isDim, parts, substitutions, insertions, clips }: ReadShape, y: number): void {
    const kind = `${isReverse ? 'reverse' : 'forward'}${isDim ? ' dim' : ''}`;
    for (const [index, [start, end]] of parts.entries()) {
      const next = parts[index + 1];
      if (next !== undefined)
        this.#draw('gap', `M${end - this.#start},${y + this.#height / 2}H${next[0] - this.#start}`);
      const hasArrow = isReverse ? index === 0 : next === undefined;
      this.#draw(kind, hasArrow ? this.#arrow(start, end, { y, isReverse }) : this.#box(start, end, y));
    }
    for (const [at, base] of substitutions) this.#mark(BASES.includes(base) ? base : 'N', at, y);
    for (const at of insertions) this.#mark('insertion', at - 0.5, y);
    for (const at of clips) this.#mark('clip', at - 0.5, y);
  }

  elements(): SVGPathElement[] {
    return Array.from(this.#paths, ([kind, parts]) => svg('path', { class: kind, d: parts.join('') }));
  }

  #draw(kind: string, path: string): void {
    const known = this.#paths.get(kind);
    if (known === undefined) this.#paths.set(kind, [path]);
    else known.push(path);
  }

  #mark(kind: string, at: number, y: number): void {
    const width = Math.max(1, this.#bases * LEAST_MARK);
    const start = at + 0.5 - width / 2;
    if (start + width < this.#start || start > this.#start + this.#bases) return;
    this.#draw(kind, this.#box(start, start + width, y));
  }

  #box(start: number, end: number, y: number): string {
    return `M${start - this.#start},${y}H${end - this.#start}v${this.#height}H${start - this.#start}z`;
  }

  #arrow(start: number, end: number, { y, isReverse }: { readonly y: number; readonly isReverse: boolean }): string {
    const tip = Math.min((end - start) / 3, this.#bases * ARROW);
    const [left, right] = [start - this.#start, end - this.#start];
    const half = this.#height / 2;
    return isReverse
      ? `M${right},${y}H${left + tip}L${left},${y + half}L${left + tip},${y + this.#height}H${right}z`
      : `M${left},${y}H${right - tip}L${right},${y + half}L${right - tip},${y + this.#height}H${left}z`;
  }
}
