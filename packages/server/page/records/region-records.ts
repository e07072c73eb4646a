import type { ReferenceBases } from '@htskit/formats';
import { readDetails } from '../details/read-details.js';
import { variantDetails } from '../details/variant-details.js';
import { count, h } from '../dom.js';
import { GenotypeMatrix } from '../genotypes/genotype-matrix.js';
import { Pileup } from '../pileup/pileup.js';
import type { Interval } from '../region/interval.js';
import type { Layer } from '../region/layer.js';
import type { AlignmentFile, DecodedFile, PlacedRecord } from './decode-records.js';
import { recordsSection } from './records-section.js';

export interface RegionRecordsOptions {
  /** Undefined for records without a place. */
  readonly interval: Interval | undefined;
  /** The layer of the picture. */
  readonly layer: Layer;
  /** Returns the link to a region of the object. */
  readonly hrefOf: (region: { readonly referenceName: string; readonly start: number; readonly end: number }) => string;
  /** Whether only some records of the region are wanted. */
  readonly isFiltered: boolean;
  /** Loads bases that cover an interval, if they are known. */
  readonly loadBases: (interval: Interval) => Promise<ReferenceBases | undefined>;
}

/** The records of a region: a picture of them, a table, and all of the one that is chosen. */
export class RegionRecords {
  /** The table. */
  readonly element: HTMLElement;
  readonly details: HTMLElement = h('section', {
    class: 'details',
    hidden: true,
    tabindex: -1,
    'aria-label': 'Record',
  });
  readonly note: HTMLElement = h('p', { class: 'hint' });
  readonly #file: DecodedFile;
  readonly #options: RegionRecordsOptions;
  #picture: Pileup | GenotypeMatrix | undefined;
  #reference: ReferenceBases | undefined;
  /** The element that had the focus before the record was opened. */
  #opener: Element | null = null;

  constructor(file: DecodedFile, options: RegionRecordsOptions) {
    this.#file = file;
    this.#options = options;
    const { isFiltered } = options;
    this.element = recordsSection(file, { isFiltered, onOpen: (record) => this.#open(record) });
    this.#draw();
    if (file.datatype === 'reads') void this.#loadBases(file);
  }

  /** Opens the record at a place of the picture. */
  click(share: number, y: number): void {
    const record = this.#picture?.find(share, y);
    if (record !== undefined) this.#open(record);
  }

  #draw(): void {
    const { interval, layer } = this.#options;
    const file = this.#file;
    if (interval === undefined || file.records.length === 0) {
      this.#picture = undefined;
      layer.show(h('span', {}), interval ?? { start: 0, end: 1 });
      return;
    }
    const picture =
      file.datatype === 'reads'
        ? new Pileup(file, { interval, reference: this.#reference })
        : new GenotypeMatrix(file, interval);
    this.#picture = picture;
    layer.show(picture.element, interval);
    const undrawn = file.overlapping - file.records.length + picture.hidden;
    this.note.textContent = undrawn > 0 ? `${count(undrawn)} further records are not drawn: zoom in to see them.` : '';
  }

  /** Draws the substitutions of reads without the tag MD, if the bases of the reference are known. */
  async #loadBases(file: AlignmentFile): Promise<void> {
    const placed = file.records.filter(({ start }) => start >= 0);
    const isKnown = placed.every((record) => file.view(record).tag('MD') !== undefined);
    const [first] = placed;
    if (isKnown || first === undefined) return;
    const end = placed.reduce((last, record) => Math.max(last, record.end), 0);
    this.#reference = await this.#options.loadBases({ start: first.start, end });
    if (this.#reference !== undefined) this.#draw();
  }

  #open(record: PlacedRecord): void {
    if (!this.details.contains(document.activeElement)) this.#opener = document.activeElement;
    const file = this.#file;
    const { hrefOf } = this.#options;
    this.#picture?.select(record);
    const close = h('button', { type: 'button', class: 'quiet', click: () => this.#close() }, 'Close');
    const isRead = file.datatype === 'reads';
    const title = isRead ? file.view(record).name : `${file.view(record).referenceName}:${count(record.start + 1)}`;
    const content = isRead
      ? readDetails(file.view(record), { references: file.references, reference: this.#reference, hrefOf })
      : variantDetails(file.view(record), file.headerText);
    this.details.hidden = false;
    this.details.replaceChildren(h('div', { class: 'title' }, h('h2', {}, title), close), content);
    this.details.focus({ preventScroll: true });
    this.details.scrollIntoView({ block: 'nearest' });
  }

  #close(): void {
    this.details.hidden = true;
    this.details.replaceChildren();
    if (this.#opener instanceof HTMLElement) this.#opener.focus({ preventScroll: true });
  }
}
