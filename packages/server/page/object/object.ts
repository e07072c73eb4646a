import type { HtsgetRegion } from '@htskit/protocol';
import { formatRegion } from '../../src/stored-file/parse-region.js';
import { h, size } from '../dom.js';
import { DownloadForm } from '../download/download-form.js';
import { IgvPanel } from '../igv/igv-panel.js';
import { hint, loading, showFailure, showViewFailure } from '../notices.js';
import type { DecodedFile } from '../records/decode-records.js';
import { refineExample } from '../region/example.js';
import type { Overview } from '../region/overview-section.js';
import { RegionForm } from '../region/region-form.js';
import { parseTypedRegion } from '../region/typed-region.js';
import { type ObjectPlace, type Place, TABS, toFragment } from '../route.js';
import { service } from '../service.js';
import { coveredBytes } from '../ticket/ticket-blocks.js';
import { ticketSection } from '../ticket/ticket-section.js';
import { commandsSection } from './commands-section.js';
import { overviewOf } from './coverage.js';
import { DataPanel } from './data-panel.js';
import { headerSection } from './header-section.js';
import { objectHead } from './object-details.js';
import { ObjectSource } from './object-source.js';
import { Tabs } from './tabs.js';

/** The titles of the tabs. */
const TITLES: Readonly<Record<ObjectPlace['tab'], string>> = {
  data: 'Data',
  igv: 'Genome browser',
  clients: 'Use elsewhere',
  delivery: 'How it is delivered',
  header: 'Header',
};

/** Bytes of records that are read only on request. */
const MOST_BYTES = 8_000_000;

/** Shows an object. Returns a function that shows another place of the same object, and refuses any other place. */
export function showObject(target: HTMLElement, place: ObjectPlace, signal: AbortSignal): (place: Place) => boolean {
  target.append(loading('Loading the object'));
  let view: ObjectView | undefined;
  let latest = place;
  const load = async (): Promise<void> => {
    try {
      const found = await service.object(place, place.region === undefined);
      const example =
        found.example &&
        (await refineExample(place.datatype, found.example, (query) => service.coverage(place, query)));
      const object = example === undefined ? found : { ...found, example };
      if (signal.aborted) return;
      view = new ObjectView(target, new ObjectSource(object, signal), signal);
      view.show(latest);
    } catch (error) {
      showViewFailure(target, error, { title: place.id, area: 'objects' });
    }
  };
  void load();
  return (next) => {
    if (next.view !== 'object' || next.datatype !== place.datatype || next.id !== place.id) return false;
    // A link to the object itself has no region, and loads an example.
    if (next.region === undefined && latest.region !== undefined) return false;
    latest = next;
    view?.show(next);
    return true;
  };
}

class ObjectView {
  readonly #source: ObjectSource;
  readonly #signal: AbortSignal;
  readonly #overviewBox = h('div', {});
  readonly #form: RegionForm;
  readonly #download: DownloadForm;
  readonly #data: DataPanel;
  readonly #igv: IgvPanel;
  readonly #panels: Readonly<Record<ObjectPlace['tab'], HTMLElement>>;
  readonly #tabs: Tabs;
  #place: ObjectPlace | undefined;
  #overview: Overview | undefined;
  /** The region and filter whose records are shown; the controller is aborted when there are others. */
  #shown = { key: '', controller: new AbortController() };

  constructor(target: HTMLElement, source: ObjectSource, signal: AbortSignal) {
    const { object } = source;
    this.#source = source;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#shown.controller.abort());
    const onRegion = (region: HtsgetRegion): void => this.#goTo({ region: formatRegion(region) });
    const hrefOf = (region: HtsgetRegion): string => this.#fragment({ region: formatRegion(region) });
    this.#form = new RegionForm({ onRegion, findFeature: (name) => source.findFeature(name) });
    this.#download = new DownloadForm(source);
    this.#data = new DataPanel({ object, hrefOf, onRegion, onFilter: (filter) => this.#goTo({ filter }) });
    this.#igv = new IgvPanel({ object, onRegion, onTracks: (tracks) => this.#goTo({ tracks }) });
    const panel = (...content: Node[]): HTMLElement => h('div', {}, ...content);
    this.#panels = {
      data: panel(this.#data.element),
      igv: panel(this.#igv.element),
      clients: panel(),
      delivery: panel(),
      header: panel(loading('Reading the header')),
    };
    const tabs = TABS.map((id) => ({ id, title: TITLES[id], panel: this.#panels[id] }));
    this.#tabs = new Tabs('Views', tabs, (id) => this.#goTo({ tab: TABS.find((tab) => tab === id) ?? 'data' }));
    const tools = h('div', { class: 'tools' }, this.#form.element, this.#download.element);
    const faults = service.faults(object, signal).catch(() => []);
    target.replaceChildren(...objectHead(object, faults), this.#overviewBox, tools, this.#tabs.element);
    void this.#showHeader(hrefOf);
  }

  /** Shows another region, tab, filter or set of tracks. What stays the same is left as it is. */
  show(place: ObjectPlace): void {
    this.#place = place;
    const region = this.#region();
    this.#form.show(region, place.region);
    this.#download.show(region, place.filter);
    this.#overview?.mark(region);
    this.#tabs.select(place.tab);
    const key = JSON.stringify([region, place.filter]);
    if (key !== this.#shown.key) {
      this.#shown.controller.abort();
      this.#shown = { key, controller: new AbortController() };
      if (this.#signal.aborted) this.#shown.controller.abort();
      void this.#showRegion(region, place, this.#shown.controller.signal);
    }
    if (place.tab === 'igv') void this.#showIgv(region, place);
  }

  /** The region of the fragment, or else one that has records. */
  #region(): HtsgetRegion | undefined {
    const text = this.#place?.region;
    if (text === undefined) return this.#source.object.example;
    try {
      return parseTypedRegion(text, []);
    } catch {
      return undefined;
    }
  }

  #fragment(changes: Partial<ObjectPlace>): string {
    const { datatype, id } = this.#source.object;
    const place = this.#place ?? { tab: 'data', tracks: [], filter: {} };
    // An example becomes part of the link when something else changes.
    const region = this.#region();
    const text = region === undefined ? this.#place?.region : formatRegion(region);
    return toFragment({ ...place, view: 'object', datatype, id, region: text, ...changes });
  }

  #goTo(changes: Partial<ObjectPlace>): void {
    location.hash = this.#fragment(changes);
  }

  async #showHeader(hrefOf: (region: HtsgetRegion) => string): Promise<void> {
    try {
      const file = await this.#source.header();
      if (this.#signal.aborted) return;
      this.#form.setReferences(file.references);
      this.#panels.header.replaceChildren(headerSection(file, hrefOf));
      this.#overview = overviewOf(this.#source.object, file.references, hrefOf);
      this.#overview.mark(this.#region());
      this.#overviewBox.replaceChildren(this.#overview.element);
    } catch (error) {
      showFailure(this.#panels.header, error);
    }
  }

  async #showRegion(region: HtsgetRegion | undefined, { filter }: ObjectPlace, signal: AbortSignal): Promise<void> {
    void this.#showCommands(region, filter, signal);
    if (region === undefined) {
      this.#panels.delivery.replaceChildren(hint('Enter a region to see its ticket.'));
      const isReads = this.#source.object.datatype === 'reads';
      const others = isReads ? ', a reference, or * for reads without a position' : ' or a reference';
      this.#data.showNone(`Enter a region such as chr1:1,000-2,000${others}.`);
      return;
    }
    void this.#showRecords(region, filter, signal);
    // The failure of the header is shown with it.
    const file: Partial<DecodedFile> = await this.#source.header().catch(() => ({}));
    if (signal.aborted) return;
    const { references = [], samples = [] } = file;
    this.#data.showFilters(filter, samples);
    this.#data.showRegion(region, references.find(({ name }) => name === region.referenceName)?.length, signal);
  }

  async #showRecords(region: HtsgetRegion, filter: ObjectPlace['filter'], signal: AbortSignal): Promise<void> {
    const { delivery } = this.#panels;
    delivery.replaceChildren(loading('Requesting the ticket'));
    this.#data.showLoading();
    try {
      const { ticket, ...facts } = await this.#source.ticket(region, filter, signal);
      delivery.replaceChildren(ticketSection(facts));
      const show = async (): Promise<void> => {
        const { file, lengths } = await this.#source.records(ticket, region, signal);
        const { RegionRecords } = await import('../records/load.js');
        // The depth and the records share one track.
        await this.#source.header().catch(() => undefined);
        if (signal.aborted) return;
        const loadBases: ConstructorParameters<typeof RegionRecords>[1]['loadBases'] = (interval) =>
          this.#source.bases(region.referenceName, interval);
        const isFiltered = Object.keys(filter).length > 0;
        this.#data.showRecords((options) => new RegionRecords(file, { ...options, isFiltered, loadBases }));
        const { overlappingBytes, deliveredBytes } = file;
        const overFetch = overlappingBytes === 0 ? undefined : deliveredBytes / overlappingBytes;
        delivery.replaceChildren(ticketSection({ ...facts, lengths, overFetch }));
      };
      const bytes = coveredBytes(facts.blocks);
      if (bytes <= MOST_BYTES) await show();
      else this.#data.offer(`Zoom in to see records: these are up to ${size(bytes)}.`, show);
    } catch (error) {
      if (signal.aborted) return;
      this.#data.showNone(error);
      if (delivery.querySelector('.ticket') === null) showFailure(delivery, error);
    }
  }

  /** Shows commands, and again with the genome once it is known. */
  async #showCommands(
    region: HtsgetRegion | undefined,
    filter: ObjectPlace['filter'],
    signal: AbortSignal,
  ): Promise<void> {
    const { clients } = this.#panels;
    const input = this.#source.commandInput(region);
    const note = Object.keys(filter).length > 0 ? [hint('These read all records, without the filters.')] : [];
    clients.replaceChildren(commandsSection(input), ...note);
    const genome = await this.#source.genome().catch(() => undefined);
    if (genome === undefined || signal.aborted) return;
    clients.replaceChildren(commandsSection({ ...input, fasta: genome.fasta }), ...note);
  }

  async #showIgv(region: HtsgetRegion | undefined, { tracks }: ObjectPlace): Promise<void> {
    if (this.#source.undecodedFormat !== undefined || region === undefined || region.referenceName === '*') {
      this.#igv.showNone('igv.js needs a region of a reference, as BAM or VCF.');
      return;
    }
    const { references = [] }: Partial<DecodedFile> = await this.#source.header().catch(() => ({}));
    if (this.#signal.aborted) return;
    await this.#igv.show({ region, tracks, references, genome: this.#source.genome() });
  }
}
