import type { HtsgetFormat, HtsgetRegion, Ticket } from '@htskit/protocol';
import type { DetailedObject } from '../../src/runtime/page/object-details.js';
import { formatRegion, parseRegion } from '../../src/stored-file/parse-region.js';
import { type CommandInput, ticketUrl } from '../commands.js';
import { h, size } from '../dom.js';
import type { DecodedFile } from '../records/decode-records.js';
import type { LoadedRecords } from '../records/load.js';
import { type Place, toFragment } from '../route.js';
import { BASE, service, token } from '../service.js';
import { coveredBytes, describeBlocks } from '../ticket/ticket-blocks.js';
import { commandsSection } from './commands-section.js';
import { depthOf, overviewOf } from './coverage-views.js';
import { findGenome } from './genome.js';
import { headerSection } from './header-section.js';
import { igvSection } from './igv-section.js';
import { failure, hint, loading, offer, showFailure, showViewFailure } from './notices.js';
import type { Overview } from './overview-section.js';
import { recordsSection } from './records-section.js';
import { RegionForm } from './region-form.js';
import { type TicketFacts, ticketSection } from './ticket-section.js';

type ObjectPlace = Extract<Place, { view: 'object' }>;

/** What the views of an object share while only its region changes. */
interface KnownObject {
  /** Identifies the object and the token. */
  readonly key: string;
  readonly object: DetailedObject;
  header?: DecodedFile;
  /** The references with their depth, or their number of variants. */
  overview?: Overview;
  /** The URL of the FASTA file of its genome, if this server has it. */
  genome?: Promise<string | undefined>;
}

let lastShown: KnownObject | undefined;

/** Shows an object: its files, a region, the ticket for it, its records, and how clients read it. */
export function showObject(target: HTMLElement, place: ObjectPlace, signal: AbortSignal): void {
  target.append(loading('Loading the object'));
  const { datatype, id, region } = place;
  const key = JSON.stringify([datatype, id, token.get()]);
  const load = async (): Promise<void> => {
    try {
      // Links to the object itself have no region, and load it again.
      const known: KnownObject =
        region !== undefined && lastShown?.key === key
          ? lastShown
          : { key, object: await service.object(place, region === undefined) };
      if (signal.aborted) return;
      lastShown = known;
      new ObjectView(target, place, { known, signal }).show();
    } catch (error) {
      showViewFailure(target, error, { title: place.id, area: 'objects' });
    }
  };
  void load();
}

class ObjectView {
  readonly #target: HTMLElement;
  readonly #place: ObjectPlace;
  readonly #known: KnownObject;
  readonly #object: DetailedObject;
  readonly #signal: AbortSignal;
  readonly #overview = h('div', {});
  readonly #depth = h('div', {});
  readonly #ticket = h('div', {});
  readonly #records = h('div', {});
  readonly #header = h('div', {});
  readonly #commands = h('div', {});
  readonly #igv = h('div', {});

  constructor(
    target: HTMLElement,
    place: ObjectPlace,
    { known, signal }: { readonly known: KnownObject; readonly signal: AbortSignal },
  ) {
    this.#target = target;
    this.#place = place;
    this.#known = known;
    this.#object = known.object;
    this.#signal = signal;
  }

  show(): void {
    const { datatype, id } = this.#place;
    const region = this.#region();
    const form = new RegionForm({
      region,
      text: this.#place.region,
      onRegion: (next) => {
        location.hash = toFragment({ view: 'object', datatype, id, region: formatRegion(next) });
      },
    });
    const encrypted = this.#object.isEncrypted ? [h('span', { class: 'chip' }, 'encrypted')] : [];
    const section = (title: string, ...content: Node[]): HTMLElement =>
      h('section', {}, h('h2', {}, title), ...content);
    this.#target.replaceChildren(
      h('div', { class: 'title' }, h('h1', {}, id), h('span', { class: `chip ${datatype}` }, datatype), ...encrypted),
      h('p', { class: 'files' }, ...this.#files()),
      this.#overview,
      form.element,
      ...(region === undefined
        ? [hint('A region is, for example, chr1:1,000-2,000, or the name of a reference.')]
        : []),
      ...(this.#object.regions === undefined
        ? []
        : [
            hint(
              `This token may see ${this.#object.regions.slice(0, 5).map(formatRegion).join(', ')}${this.#object.regions.length > 5 ? ' and more' : ''}.`,
            ),
          ]),
      section(datatype === 'reads' ? 'Depth' : 'Density', this.#depth),
      section('Ticket', this.#ticket),
      section('Records', this.#records),
      section('Genome browser', this.#igv),
      section(`Read this ${region === undefined ? 'object' : 'region'} elsewhere`, this.#commands),
      section('Header', this.#header),
    );
    this.#commands.replaceChildren(commandsSection(this.#commandInput(region)));
    void this.#showGenome(region, this.#findGenome(form));
    if (region === undefined) {
      this.#ticket.replaceChildren(hint('Enter a region to see its ticket.'));
      this.#records.replaceChildren(hint('Enter a region to see its records.'));
    } else {
      void this.#loadRegion(region);
    }
  }

  /** The region of the fragment, or else one that has records. */
  #region(): HtsgetRegion | undefined {
    const { region } = this.#place;
    if (region === undefined) return this.#object.example;
    try {
      return parseRegion(region, undefined);
    } catch {
      return undefined;
    }
  }

  #files(): Node[] {
    return this.#object.files.map(({ format, bytes, index, isEncrypted }) =>
      h(
        'span',
        { class: 'file' },
        h('strong', {}, format),
        ` ${bytes === undefined ? 'cannot be read' : size(bytes)}, ${index === undefined ? 'no index' : index}${isEncrypted ? ', encrypted' : ''}`,
      ),
    );
  }

  /** The format of the tickets: one that this page decodes, if there is one. */
  get #format(): HtsgetFormat | undefined {
    const { datatype } = this.#place;
    const [first] = this.#object.formats;
    const decoded = datatype === 'reads' ? 'BAM' : 'VCF';
    return this.#object.formats.includes(decoded) ? undefined : first;
  }

  #commandInput(region: HtsgetRegion | undefined): CommandInput {
    const { datatype, id } = this.#place;
    return { base: BASE.href, datatype, id, region, format: this.#format, needsToken: token.get() !== '' };
  }

  /** Shows the header. Resolves to undefined if it cannot be decoded. */
  async #loadHeader(form: RegionForm): Promise<DecodedFile | undefined> {
    if (this.#format !== undefined) {
      this.#header.replaceChildren(hint(`This page does not decode ${this.#format}.`));
      return undefined;
    }
    this.#header.replaceChildren(loading('Reading the header'));
    try {
      this.#known.header ??= await this.#readHeader();
      const file = this.#known.header;
      form.setReferences(file.references);
      this.#header.replaceChildren(headerSection(file, this.#place));
      this.#showCoverage(file);
      return file;
    } catch (error) {
      showFailure(this.#header, error);
      return undefined;
    }
  }

  #showCoverage({ references }: DecodedFile): void {
    const options = { place: this.#place, region: this.#region(), references };
    this.#known.overview ??= overviewOf(options);
    this.#known.overview.mark(options.region);
    this.#overview.replaceChildren(this.#known.overview.element);
    this.#depth.replaceChildren(depthOf(options, this.#signal));
  }

  async #readHeader(): Promise<DecodedFile> {
    const url = new URL(ticketUrl(this.#commandInput(undefined)));
    url.searchParams.set('class', 'header');
    const { file } = await this.#decode(await service.ticket(url.href, this.#signal), undefined);
    return file;
  }

  async #findGenome(form: RegionForm): Promise<string | undefined> {
    const file = await this.#loadHeader(form);
    if (file !== undefined) this.#known.genome ??= findGenome(file.references);
    return this.#known.genome;
  }

  /** Offers igv.js, and commands with the genome once it is known. */
  async #showGenome(region: HtsgetRegion | undefined, fasta: Promise<string | undefined>): Promise<void> {
    const input = this.#commandInput(region);
    if (this.#format === undefined && region !== undefined && region.referenceName !== '*') {
      const { datatype, id } = this.#place;
      const url = ticketUrl({ ...input, region: undefined });
      const locus = `${region.referenceName}:${(region.start ?? 0) + 1}-${region.end ?? (region.start ?? 0) + IGV_BASES}`;
      this.#igv.replaceChildren(igvSection({ datatype, id, url, locus, fasta }));
    } else {
      this.#igv.replaceChildren(hint('igv.js needs a region of a reference, as BAM or VCF.'));
    }
    const known = await fasta;
    if (known !== undefined && !this.#signal.aborted) {
      this.#commands.replaceChildren(commandsSection({ ...input, fasta: known }));
    }
  }

  async #loadRegion(region: HtsgetRegion): Promise<void> {
    this.#ticket.replaceChildren(loading('Requesting the ticket'));
    try {
      const ticket = await service.ticket(ticketUrl(this.#commandInput(region)), this.#signal);
      const { format } = ticket.htsget;
      const fileBytes = this.#fileBytes(format);
      const blocks = describeBlocks(ticket, { fileBytes, host: BASE.host });
      this.#ticket.replaceChildren(ticketSection({ blocks, fileBytes, format }));
      const show = (): Promise<void> => this.#showRecords(region, { ticket, blocks, fileBytes, format });
      const bytes = coveredBytes(blocks);
      if (bytes <= MOST_BYTES) await show();
      else this.#records.replaceChildren(offer(`Zoom in to see records: these are up to ${size(bytes)}.`, show));
    } catch (error) {
      showFailure(this.#ticket, error);
      this.#records.replaceChildren(hint('There are no records without a ticket.'));
    }
  }

  async #showRecords(
    region: HtsgetRegion,
    { ticket, ...facts }: TicketFacts & { readonly ticket: Ticket },
  ): Promise<void> {
    if (this.#format !== undefined) {
      this.#records.replaceChildren(hint(`This page does not decode ${this.#format}.`));
      return;
    }
    this.#records.replaceChildren(loading('Decoding the records'));
    try {
      const { file, lengths } = await this.#decode(ticket, region);
      const { overlappingBytes, deliveredBytes } = file;
      const overFetch = overlappingBytes === 0 ? undefined : deliveredBytes / overlappingBytes;
      this.#ticket.replaceChildren(ticketSection({ ...facts, lengths, overFetch }));
      this.#records.replaceChildren(recordsSection(file));
    } catch (error) {
      if (!this.#signal.aborted) this.#records.replaceChildren(failure(error));
    }
  }

  async #decode(ticket: Ticket, region: HtsgetRegion | undefined): Promise<LoadedRecords> {
    const { loadRecords } = await import('../records/load.js');
    return loadRecords(ticket, { datatype: this.#place.datatype, region }, this.#signal);
  }

  /** The length of the stored file that a format is made from. */
  #fileBytes(format: HtsgetFormat): number {
    const { files } = this.#object;
    const stored = files.find((file) => file.format === format) ?? files[0];
    return stored?.bytes ?? 0;
  }
}

/** Bytes of records that are read without being asked for. */
const MOST_BYTES = 8_000_000;

/** The bases that igv.js shows of a region without an end. */
const IGV_BASES = 10_000;
