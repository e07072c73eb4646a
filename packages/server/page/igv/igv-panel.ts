import type { HtsgetRegion } from '@htskit/protocol';
import type { ListedObject } from '../../src/runtime/service/visible-objects.js';
import { ticketUrl } from '../commands.js';
import { h } from '../dom.js';
import { failure, hint, loading, showFailure } from '../notices.js';
import type { ShownReference } from '../records/decode-records.js';
import { annotationFormat } from '../region/find-gene.js';
import { type ObjectPlace, objectName } from '../route.js';
import type { Genome } from '../sequences/genome.js';
import { annotationPath, BASE, service } from '../service.js';
import { token } from '../token/token.js';
import type { IgvBrowser, IgvTrack } from './igv.js';

export interface IgvPanelOptions {
  readonly object: Pick<ObjectPlace, 'datatype' | 'id'>;
  readonly onRegion: (region: HtsgetRegion) => void;
  /** Called with the names of the further tracks that a person wants. */
  readonly onTracks: (tracks: readonly string[]) => void;
}

export interface IgvState {
  readonly region: HtsgetRegion;
  /** The names of the further tracks. */
  readonly tracks: readonly string[];
  readonly references: readonly ShownReference[];
  /** Resolves to the genome if this server has it, and rejects if that cannot be known. */
  readonly genome: Promise<Genome | undefined>;
}

/** The bases that igv.js shows of a region without an end. */
const DEFAULT_BASES = 10_000;

/** igv.js with a list of its tracks. It is loaded when it is first shown, and stays open. */
export class IgvPanel {
  readonly element: HTMLElement;
  readonly #options: IgvPanelOptions;
  readonly #list = h('div', { class: 'track-list' });
  readonly #note = h('div', {});
  readonly #target = h('div', {});
  #browser: Promise<IgvBrowser> | undefined;
  #objects: readonly ListedObject[] = [];
  #tracks: readonly string[] = [];

  constructor(options: IgvPanelOptions) {
    this.#options = options;
    this.element = h('div', { class: 'igv' }, this.#list, this.#note, this.#target);
  }

  /** Opens igv.js, or moves it and changes its tracks. */
  async show(state: IgvState): Promise<void> {
    const { object } = this.#options;
    this.#tracks = state.tracks;
    this.#showList();
    try {
      this.#browser ??= this.#open(state);
      const browser = await this.#browser;
      await browser.goTo(locusOf(state.region));
      const tracks = await Promise.all([objectName(object), ...state.tracks].map(describeTrack));
      await browser.setTracks(tracks);
    } catch (error) {
      this.#browser = undefined;
      showFailure(this.#target, error);
    }
  }

  /** Says why there is no browser of a region. One that is open stays. */
  showNone(why: string): void {
    if (this.#browser === undefined) this.#target.replaceChildren(hint(why));
  }

  async #open({ references, genome, region }: IgvState): Promise<IgvBrowser> {
    this.#target.replaceChildren(loading('Loading igv.js'));
    void this.#loadObjects();
    const fasta = await this.#describeGenome(genome);
    const { sanitizeHtml } = await import('./safe-html.js');
    // igv.js parses HTML as soon as it is loaded.
    sanitizeHtml();
    const { IgvBrowser } = await import('./igv.js');
    const frame = h('div', { class: 'igv-frame' });
    this.#target.replaceChildren(frame);
    const browser = await IgvBrowser.open(frame, {
      fasta,
      references,
      locus: locusOf(region),
      onMoved: this.#options.onRegion,
      onRemoved: (name) => this.#options.onTracks(this.#tracks.filter((track) => track !== name)),
    });
    const { object } = this.#options;
    const names = await service.annotations(object).catch(() => []);
    for (const name of names) {
      const url = new URL(annotationPath(object, name), BASE).href;
      await browser.addAnnotation({ name, url, format: annotationFormat(name) });
    }
    return browser;
  }

  /** Returns the FASTA file of the genome. Without it, says why there are no bases. */
  async #describeGenome(genome: IgvState['genome']): Promise<string | undefined> {
    try {
      const found = await genome;
      const why = 'No genome of this server has these references: they are shown without bases.';
      this.#note.replaceChildren(...(found === undefined ? [hint(why)] : []));
      return found?.fasta;
    } catch (error) {
      const why = 'The genomes of this server cannot be listed: the references are shown without bases.';
      this.#note.replaceChildren(hint(why), failure(error));
      return undefined;
    }
  }

  async #loadObjects(): Promise<void> {
    // Without a list there is nothing to add.
    const { objects } = await service.listing({}).catch(() => ({ objects: [] }));
    this.#objects = objects;
    this.#showList();
  }

  #showList(): void {
    const { object, onTracks } = this.#options;
    const own = objectName(object);
    const chips = this.#tracks.map((name) =>
      h(
        'li',
        { class: 'chip' },
        name,
        h(
          'button',
          {
            type: 'button',
            class: 'quiet remove',
            'aria-label': `Remove ${name}`,
            click: () => onTracks(this.#tracks.filter((track) => track !== name)),
          },
          '×',
        ),
      ),
    );
    const others = this.#objects.map(objectName).filter((name) => name !== own && !this.#tracks.includes(name));
    const select = h(
      'select',
      { id: 'add-track', change: () => onTracks([...this.#tracks, select.value]) },
      h('option', { value: '' }, 'Add a track …'),
      ...others.map((name) => h('option', { value: name }, name)),
    );
    this.#list.replaceChildren(
      h('ul', { class: 'chips', 'aria-label': 'Tracks' }, h('li', { class: 'chip' }, own), ...chips),
      h('label', { for: 'add-track', class: 'hidden' }, 'Add a track'),
      select,
    );
  }
}

function locusOf({ referenceName, start = 0, end = start + DEFAULT_BASES }: HtsgetRegion): string {
  return `${referenceName}:${start + 1}-${end}`;
}

async function describeTrack(name: string): Promise<IgvTrack> {
  const datatype = name.startsWith('variants/') ? 'variants' : 'reads';
  const object = { datatype, id: name.slice(datatype.length + 1) } as const;
  const url = ticketUrl({ base: BASE.href, ...object, region: undefined, needsToken: token.get() !== '' });
  return { ...object, name, url, bigWig: await service.bigWig(object) };
}
