import type { HtsgetRegion } from '@htskit/protocol';
import { h } from '../dom.js';
import { hint, loading, offer, showFailure } from '../notices.js';
import { filterForm } from '../records/filter-form.js';
import type { RegionRecords, RegionRecordsOptions } from '../records/region-records.js';
import { DepthLayer } from '../region/depth-layer.js';
import type { Interval } from '../region/interval.js';
import { Layer } from '../region/layer.js';
import { RegionTrack } from '../region/region-track.js';
import type { ObjectPlace, RecordFilter } from '../route.js';
import { type CoverageBins, service } from '../service.js';
import { coverageName, describeCoverage } from './coverage.js';

export interface DataPanelOptions extends Pick<RegionRecordsOptions, 'hrefOf'> {
  readonly object: Pick<ObjectPlace, 'datatype' | 'id'>;
  /** Called with the region that a person has moved or zoomed to. */
  readonly onRegion: (region: HtsgetRegion) => void;
  readonly onFilter: (filter: RecordFilter) => void;
}

/** The data of a region: its coverage, a picture of its records, and their table. */
export class DataPanel {
  readonly element: HTMLElement;
  readonly #options: DataPanelOptions;
  readonly #depth = new DepthLayer();
  readonly #picture: Layer;
  readonly #track: RegionTrack;
  readonly #filters = h('div', {});
  readonly #details = h('div', {});
  readonly #table = h('div', {});
  #referenceName = '';
  #interval: Interval | undefined;
  #records: RegionRecords | undefined;

  constructor(options: DataPanelOptions) {
    this.#options = options;
    const { object, onRegion } = options;
    this.#picture = new Layer(object.datatype);
    this.#track = new RegionTrack({
      what: coverageName(object),
      first: this.#depth.layer,
      others: [this.#picture],
      onInterval: (interval) => onRegion({ referenceName: this.#referenceName, ...interval }),
      onClick: (layer, share, y) => {
        if (layer === this.#picture) this.#records?.click(share, y);
      },
    });
    this.element = h(
      'div',
      { class: 'data' },
      this.#filters,
      this.#depth.caption,
      this.#track.element,
      this.#details,
      this.#table,
    );
    this.#track.element.hidden = true;
  }

  /** Shows the filters that are set. */
  showFilters(filter: RecordFilter, samples: readonly string[]): void {
    const { object, onFilter } = this.#options;
    const form = filterForm({ datatype: object.datatype, filter, samples, onFilter });
    this.#filters.replaceChildren(...(form === undefined ? [] : [form]));
  }

  /** Moves to a region, and loads its coverage. Without a length of the reference, the end of the region limits it. */
  showRegion(region: HtsgetRegion, length: number | undefined, signal: AbortSignal): void {
    const { object } = this.#options;
    const { referenceName, start = 0 } = region;
    const end = Math.min(region.end ?? Number.POSITIVE_INFINITY, length ?? Number.POSITIVE_INFINITY);
    const isPlaced = Number.isFinite(end) && start < end;
    this.#track.element.hidden = !isPlaced;
    this.#interval = isPlaced ? { start, end } : undefined;
    if (this.#interval === undefined) {
      this.#depth.caption.replaceChildren(
        hint(referenceName === '*' ? 'These reads have no place.' : 'The header has no such base of this reference.'),
      );
      return;
    }
    const interval = this.#interval;
    this.#referenceName = referenceName;
    this.#track.show(referenceName, interval, length ?? MAX_END);
    void this.#depth.show({
      interval,
      what: coverageName(object),
      describe: (binBases) => describeCoverage(object, binBases),
      load: (bins): Promise<CoverageBins> => service.coverage(object, { referenceName, ...interval, bins }, signal),
    });
  }

  showLoading(): void {
    // The pictures stay until there are others.
    this.#table.replaceChildren(loading('Loading the records'));
  }

  /** Shows records that `open` was made for. */
  showRecords(open: (options: Pick<RegionRecordsOptions, 'interval' | 'layer' | 'hrefOf'>) => RegionRecords): void {
    const { hrefOf } = this.#options;
    this.#records = open({ interval: this.#interval, layer: this.#picture, hrefOf });
    const { details, note, element } = this.#records;
    this.#details.replaceChildren(note, details);
    this.#table.replaceChildren(element);
  }

  /** Shows why there are no records: a text or a failure. */
  showNone(reason: unknown): void {
    this.#clear();
    if (typeof reason === 'string') this.#table.replaceChildren(hint(reason));
    else showFailure(this.#table, reason);
  }

  /** Offers records that are many. */
  offer(text: string, show: () => Promise<void>): void {
    this.#clear();
    this.#table.replaceChildren(offer(text, show));
  }

  #clear(): void {
    this.#records = undefined;
    this.#details.replaceChildren();
    this.#picture.show(h('span', {}), this.#interval ?? { start: 0, end: 1 });
  }
}

/** The end of a reference of an unknown length. */
const MAX_END = 2 ** 31;
