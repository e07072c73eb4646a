import type { HtsgetRegion } from '@htskit/protocol';
import { formatRegion } from '../../src/stored-file/parse-region.js';
import { h } from '../dom.js';
import type { ShownReference } from '../records/decode-records.js';
import { clipped, type Interval, moved, zoomed } from './interval.js';
import { parseTypedRegion } from './typed-region.js';

/** The references of an object, which are known after its header was read. */
export type References = readonly ShownReference[];

export interface RegionFormOptions {
  /** Called with a valid region. */
  readonly onRegion: (region: HtsgetRegion) => void;
  /** Finds a feature by its name. */
  readonly findFeature: (name: string) => Promise<HtsgetRegion | undefined>;
}

/** A box for a region, with buttons that move and zoom it. */
export class RegionForm {
  readonly element: HTMLFormElement;
  readonly #input = h('input', {
    id: 'region',
    autocomplete: 'off',
    spellcheck: 'false',
    list: 'references',
    'aria-describedby': 'region-error',
  });
  readonly #error = h('p', { id: 'region-error', class: 'field-error', role: 'alert' });
  readonly #list = h('datalist', { id: 'references' });
  readonly #onRegion: RegionFormOptions['onRegion'];
  readonly #findFeature: RegionFormOptions['findFeature'];
  #references: References = [];

  constructor({ onRegion, findFeature }: RegionFormOptions) {
    this.#onRegion = onRegion;
    this.#findFeature = findFeature;
    const moves: readonly (readonly [string, string, (region: Interval) => Interval])[] = [
      ['←', 'Move left', (interval) => moved(interval, -1 / 2)],
      ['→', 'Move right', (interval) => moved(interval, 1 / 2)],
      ['−', 'Zoom out', (interval) => zoomed(interval, 2)],
      ['+', 'Zoom in', (interval) => zoomed(interval, 1 / 2)],
    ];
    const buttons = moves.map(([text, label, change]) =>
      h(
        'button',
        {
          type: 'button',
          id: `region-${label.replace(' ', '-').toLowerCase()}`,
          class: 'step',
          'aria-label': label,
          title: label,
          click: () => this.#change(change),
        },
        text,
      ),
    );
    this.element = h(
      'form',
      {
        class: 'region',
        submit: (event) => {
          event.preventDefault();
          void this.#submit();
        },
      },
      h('label', { for: 'region' }, 'Region'),
      h(
        'div',
        { class: 'row' },
        this.#input,
        h('button', { type: 'submit', class: 'primary' }, 'Show'),
        h('span', { class: 'steps' }, ...buttons),
      ),
      this.#error,
      this.#list,
    );
  }

  /** Shows a region, or why the text of a link is not one. */
  show(region: HtsgetRegion | undefined, text: string | undefined): void {
    this.#input.value = region === undefined ? (text ?? '') : formatRegion(region);
    this.#error.textContent = '';
    if (region === undefined && text !== undefined) this.#parse();
  }

  /** Offers the references for completion, and clips regions to them. */
  setReferences(references: References): void {
    this.#references = references;
    this.#list.replaceChildren(...references.slice(0, MOST_OFFERED).map(({ name }) => h('option', { value: name })));
  }

  async #submit(): Promise<void> {
    const region = this.#parse();
    if (region === undefined) return;
    const { referenceName, start } = region;
    const isKnown = this.#references.some(({ name }) => name === referenceName);
    // A name without positions that is not a reference may be that of a gene.
    const feature = isKnown || start !== undefined ? undefined : await this.#findFeature(referenceName);
    this.#onRegion(feature ?? region);
  }

  #parse(): HtsgetRegion | undefined {
    try {
      const region = parseTypedRegion(
        this.#input.value,
        this.#references.map(({ name }) => name),
      );
      this.#error.textContent = '';
      return region;
    } catch (error) {
      this.#error.textContent = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  #change(change: (interval: Interval) => Interval): void {
    const region = this.#parse();
    if (region === undefined) return;
    const { referenceName, start = 0 } = region;
    const length = this.#references.find(({ name }) => name === referenceName)?.length ?? Number.MAX_SAFE_INTEGER;
    const changed = clipped(change({ start, end: region.end ?? Math.min(length, MAX_END) }), length);
    this.#onRegion({ referenceName, ...changed });
  }
}

const MOST_OFFERED = 200;
/** The end of a region whose reference has an unknown length. */
const MAX_END = 2 ** 31;
