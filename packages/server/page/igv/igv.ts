import igv from 'igv';
import type { ShownReference } from '../records/decode-records.js';
import { token } from '../token/token.js';
import { IGV_STYLES } from './igv-styles.js';
import { type PopoverItem, popoverHtml } from './popover.js';

/** A track of igv.js. */
export interface IgvTrack {
  readonly datatype: 'reads' | 'variants';
  /** Its name, such as `reads/NA12878`. */
  readonly name: string;
  readonly id: string;
  /** The URL of the object's tickets, without a query. */
  readonly url: string;
  /** The bigWig file of the depth, if there is one. */
  readonly bigWig: string | undefined;
}

/** A file of features: GFF3, GTF or BED. */
export interface IgvAnnotation {
  readonly name: string;
  readonly url: string;
  readonly format: string;
}

export interface IgvOptions {
  /** The FASTA file of the reference, whose index is beside it. Default: chromosomes without bases. */
  readonly fasta: string | undefined;
  readonly references: readonly ShownReference[];
  /** `NAME:FIRST-LAST`, 1-based. */
  readonly locus: string;
  /** Called when a person has moved to another place. */
  readonly onMoved: (place: { readonly referenceName: string; readonly start: number; readonly end: number }) => void;
  /** Called with the name of a track that a person has removed. */
  readonly onRemoved: (name: string) => void;
}

/** The length of a reference whose header has none. */
const UNKNOWN_LENGTH = 2 ** 29;
/** A place is reported when it has not changed for as long. */
const SETTLE_MILLISECONDS = 400;

type Browser = Awaited<ReturnType<typeof igv.createBrowser>>;
type Frame = { readonly chr: string; readonly start: number; readonly end: number };

/**
 * An open igv.js. Nothing but this server is requested, and what igv.js shows of data is text: the build of the page changes igv.js
 * if it has no option for that.
 */
export class IgvBrowser {
  readonly #browser: Browser;
  readonly #options: IgvOptions;
  readonly #tracks = new Map<string, readonly object[]>();
  /** Where igv.js is, unless a person moves it. */
  #place = '';
  /** The origin of the next place that igv.js reports: unknown, `goTo`, or a person who moved it. */
  #next: 'unknown' | 'asked' | 'moved' = 'unknown';
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(browser: Browser, options: IgvOptions) {
    this.#browser = browser;
    this.#options = options;
    // The declared type of the items is that of an object, but igv.js passes a list.
    const onClick = (_track: unknown, items?: unknown): string => popoverHtml((items ?? []) as readonly PopoverItem[]);
    browser.on('trackclick', onClick);
    browser.on('locuschange', (frames: readonly Frame[]) => this.#settleLater(frames));
    browser.on('trackremoved', (tracks: readonly object[]) => this.#forget(tracks));
  }

  /** Opens igv.js in an element. */
  static async open(target: HTMLElement, options: IgvOptions): Promise<IgvBrowser> {
    const { fasta, references, locus } = options;
    // Otherwise igv.js requests a list of genomes, and the places of names, elsewhere. Its declarations lack the options.
    const offline: object = { loadDefaultGenomes: false, search: false };
    const bare: object = { id: 'reference', format: 'chromsizes', url: toChromSizes(references) };
    const browser = await igv.createBrowser(target, {
      ...offline,
      reference:
        fasta === undefined
          ? (bare as { fastaURL: string })
          : { id: 'reference', fastaURL: fasta, indexURL: `${fasta}.fai`, ...credentials() },
      locus,
      tracks: [],
    });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(IGV_STYLES);
    target.shadowRoot?.adoptedStyleSheets.push(sheet);
    return new IgvBrowser(browser, options);
  }

  /** Moves to a place. */
  async goTo(locus: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#next = 'unknown';
    await igv.visibilityChange();
    this.#next = 'asked';
    // Declared as if it returned nothing.
    await (this.#browser.search(locus) as unknown as Promise<void>);
    if (this.#next === 'asked') this.#arrive(this.#frames());
  }

  #arrive(frames: readonly Frame[]): void {
    this.#next = 'moved';
    this.#place = placeOf(frames);
  }

  /** Adds features at the top. igv.js finds them by their names. */
  async addAnnotation({ name, url, format }: IgvAnnotation): Promise<void> {
    const config: object = {
      ...credentials(),
      type: 'annotation',
      format,
      name,
      url,
      displayMode: 'EXPANDED',
      order: 0,
    };
    await this.#browser.loadTrack(config as TrackConfig);
  }

  /** Shows these tracks and no others, each below the ones before it. */
  async setTracks(tracks: readonly IgvTrack[]): Promise<void> {
    const wanted = new Set(tracks.map(({ name }) => name));
    for (const [name, views] of this.#tracks) {
      if (wanted.has(name)) continue;
      this.#tracks.delete(name);
      for (const view of views) this.#browser.removeTrack(view as Parameters<Browser['removeTrack']>[0]);
    }
    for (const track of tracks) {
      if (this.#tracks.has(track.name)) continue;
      this.#tracks.set(track.name, []);
      const views: object[] = [];
      for (const config of trackConfigs(track)) views.push(await this.#browser.loadTrack(config));
      this.#tracks.set(track.name, views);
    }
  }

  #frames(): readonly Frame[] {
    return (this.#browser as unknown as { readonly referenceFrameList: readonly Frame[] }).referenceFrameList;
  }

  #settleLater(frames: readonly Frame[]): void {
    // igv.js reports a place before it loads the data there. A person may move on meanwhile.
    if (this.#next === 'asked') this.#arrive(frames);
    if (this.#next !== 'moved') return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const [frame] = frames;
      const place = placeOf(frames);
      // Several places beside each other have no region, and the whole genome is none.
      if (frame === undefined || frames.length > 1 || frame.chr === 'all' || place === this.#place) return;
      this.#place = place;
      const [start, end] = [Math.max(0, Math.floor(frame.start)), Math.ceil(frame.end)];
      this.#options.onMoved({ referenceName: frame.chr, start, end });
    }, SETTLE_MILLISECONDS);
  }

  #forget(removed: readonly object[]): void {
    for (const [name, views] of this.#tracks) {
      if (!views.some((view) => removed.includes(view))) continue;
      this.#tracks.delete(name);
      this.#options.onRemoved(name);
    }
  }
}

function placeOf(frames: readonly Frame[]): string {
  return frames.map(({ chr, start, end }) => `${chr}:${Math.floor(start)}-${Math.ceil(end)}`).join(' ');
}

function credentials(): { readonly oauthToken?: string } {
  return token.get() === '' ? {} : { oauthToken: token.get() };
}

type TrackConfig = Parameters<Browser['loadTrack']>[0];

function trackConfigs({ datatype, id, url, bigWig }: IgvTrack): TrackConfig[] {
  const track = { ...credentials(), sourceType: 'htsget', url, name: id };
  const depth = { ...credentials(), type: 'wig', format: 'bigwig', url: bigWig ?? '', name: 'depth' } as const;
  return [
    ...(bigWig === undefined ? [] : [depth as TrackConfig]),
    (datatype === 'reads'
      ? { ...track, type: 'alignment', format: 'bam' }
      : { ...track, type: 'variant', format: 'vcf' }) as TrackConfig,
  ];
}

/** Returns the names and lengths of references as a file of chromosome sizes. */
function toChromSizes(references: readonly ShownReference[]): string {
  const text = references.map(({ name, length = UNKNOWN_LENGTH }) => `${name}\t${length}\n`).join('');
  // Bytes that are not UTF-8 are unpaired surrogates, which a URL cannot hold.
  return `data:text/plain,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}
