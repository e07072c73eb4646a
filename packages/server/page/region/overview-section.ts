import type { HtsgetRegion } from '@htskit/protocol';
import { count, h, rounded } from '../dom.js';
import { hint } from '../notices.js';
import type { ShownReference } from '../records/decode-records.js';
import type { CoverageBins } from '../service.js';
import { depthPicture } from './depth-picture.js';

export interface OverviewOptions {
  readonly references: readonly ShownReference[];
  /** Returns what the values of bins of some bases are, such as `depth`. */
  readonly describe: (binBases: number) => string;
  readonly hrefOf: (referenceName: string) => string;
  /** Loads the values of a whole reference. */
  readonly load: (reference: SizedReference, bins: number) => Promise<CoverageBins>;
}

/** A picture of all references. */
export interface Overview {
  readonly element: HTMLElement;
  /** Marks the region that is shown. */
  mark(region: HtsgetRegion | undefined): void;
}

interface SizedReference extends ShownReference {
  readonly length: number;
}

/** References that are shorter than this share of all bases are left out: their names would not fit. */
const LEAST_SHARE = 1 / 250;
const MOST_SHOWN = 60;
/** Bins of all references together. */
const BINS = 400;
const CONCURRENCY = 4;
/** Values this many times above the median are cut off, such as those of mitochondria. */
const MOST_OF_MEDIAN = 4;

/** Shows all long references beside each other, each with its values and as a link. */
export function overviewSection({ references, describe, hrefOf, load }: OverviewOptions): Overview {
  const sized = references.filter((reference): reference is SizedReference => (reference.length ?? 0) > 0);
  const total = sized.reduce((sum, { length }) => sum + length, 0);
  const long = sized.filter(({ length }) => length >= LEAST_SHARE * total).slice(0, MOST_SHOWN);
  if (long.length === 0) {
    return {
      element: hint('The header has no lengths of references, so there is no overview.'),
      mark: () => undefined,
    };
  }
  const shown = long.map((reference) => new ReferencePicture(reference, hrefOf(reference.name)));
  const note = h('p', { class: 'hint', role: 'status' }, 'Loading the overview …');
  const rest = sized.length - long.length;
  const fill = async (): Promise<void> => {
    const loaded = await loadAll(long, (reference) =>
      load(reference, Math.max(1, Math.round((BINS * reference.length) / total))),
    );
    const greatest = greatestOf(loaded.flatMap((bins) => bins?.mean ?? []));
    const what = describe(total / BINS);
    for (const [at, bins] of loaded.entries()) if (bins !== undefined) shown[at]?.fill(bins.mean, { greatest, what });
    const known = loaded.filter((bins) => bins !== undefined);
    const isEstimated = known.some(({ estimated }) => estimated);
    note.textContent = [
      known.length === 0
        ? `There is no ${describe(1)} of this object.`
        : greatest === 0
          ? `The ${what} is 0 everywhere.`
          : `${isEstimated ? 'Estimated' : 'Exact'} ${what}. Bars end at ${rounded(greatest)}.`,
      ...(rest > 0 ? [`${count(rest)} short references are not shown.`] : []),
    ].join(' ');
  };
  void fill();
  const links = shown.map(({ link }) => link);
  return {
    element: h('div', {}, h('nav', { class: 'overview', 'aria-label': 'References' }, ...links), note),
    mark: (region) => {
      for (const picture of shown) picture.mark(region);
    },
  };
}

/** The values of a reference, as a link. */
class ReferencePicture {
  readonly link: HTMLElement;
  readonly #reference: SizedReference;
  readonly #bars = h('span', { class: 'bars' });
  readonly #window = h('span', { class: 'window' });

  constructor(reference: SizedReference, href: string) {
    this.#reference = reference;
    const { name, length } = reference;
    const label = h('span', { class: 'name' }, name);
    this.link = h('a', { href, class: 'reference', title: name }, this.#bars, label);
    this.link.style.flexGrow = String(length);
  }

  fill(values: readonly number[], { greatest, what }: { readonly greatest: number; readonly what: string }): void {
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    this.link.setAttribute('aria-label', `${this.#reference.name}, mean ${what} ${rounded(mean)}`);
    this.#bars.append(depthPicture([{ values, kind: 'mean' }], { greatest }));
  }

  mark(region: HtsgetRegion | undefined): void {
    const { name, length } = this.#reference;
    const isShown = region?.referenceName === name;
    this.link.toggleAttribute('aria-current', isShown);
    this.#window.remove();
    if (!isShown) return;
    const { start = 0, end = length } = region;
    this.#window.style.left = `${(100 * start) / length}%`;
    this.#window.style.width = `${(100 * (Math.min(end, length) - start)) / length}%`;
    // Behind the values.
    this.#bars.prepend(this.#window);
  }
}

/** Loads some references at a time. Those that fail are undefined. */
async function loadAll<Loaded>(
  references: readonly SizedReference[],
  load: (reference: SizedReference) => Promise<Loaded>,
): Promise<(Loaded | undefined)[]> {
  const loaded: (Loaded | undefined)[] = [];
  for (let at = 0; at < references.length; at += CONCURRENCY) {
    const group = references.slice(at, at + CONCURRENCY).map((reference) => load(reference).catch(() => undefined));
    loaded.push(...(await Promise.all(group)));
  }
  return loaded;
}

/** Returns the value that the pictures go up to. */
function greatestOf(values: readonly number[]): number {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b);
  const median = positive[positive.length >> 1] ?? 0;
  return Math.min(positive.at(-1) ?? 0, MOST_OF_MEDIAN * median);
}
