import { depthPicture } from '../coverage/depth-picture.js';
import { count, h } from '../dom.js';
import type { ShownReference } from '../records/decode-records.js';
import type { CoverageBins } from '../service.js';
import { hint } from './notices.js';

export interface OverviewOptions {
  readonly references: readonly ShownReference[];
  /** What the values are, such as `depth`. */
  readonly what: string;
  readonly hrefOf: (referenceName: string) => string;
  /** Loads the values of a whole reference. */
  readonly load: (reference: SizedReference, bins: number) => Promise<CoverageBins>;
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
export function overviewSection({ references, what, hrefOf, load }: OverviewOptions): HTMLElement {
  const sized = references.filter((reference): reference is SizedReference => (reference.length ?? 0) > 0);
  const total = sized.reduce((sum, { length }) => sum + length, 0);
  const shown = sized.filter(({ length }) => length >= LEAST_SHARE * total).slice(0, MOST_SHOWN);
  if (shown.length === 0) return hint('The header has no lengths of references, so there is no overview.');
  const links = shown.map(({ name, length }) => {
    const link = h(
      'a',
      { href: hrefOf(name), class: 'reference', title: name },
      h('span', { class: 'bars' }),
      h('span', { class: 'name' }, name),
    );
    link.style.flexGrow = String(length);
    return link;
  });
  const note = h('p', { class: 'hint', role: 'status' }, 'Loading the overview …');
  const rest = sized.length - shown.length;
  const fill = async (): Promise<void> => {
    const loaded = await loadAll(shown, (reference) =>
      load(reference, Math.max(1, Math.round((BINS * reference.length) / total))),
    );
    const greatest = greatestOf(loaded.flatMap((bins) => bins?.mean ?? []));
    for (const [at, bins] of loaded.entries()) {
      const link = links[at];
      if (bins === undefined || link === undefined) continue;
      const mean = meanOf(bins.mean);
      link.setAttribute('aria-label', `${link.title}, mean ${what} ${mean.toPrecision(3)}`);
      link.firstElementChild?.replaceChildren(depthPicture([{ values: bins.mean, kind: 'mean' }], { greatest }));
    }
    const known = loaded.filter((bins) => bins !== undefined);
    const isEstimated = known.some(({ estimated }) => estimated);
    note.textContent = [
      known.length === 0
        ? `There is no ${what} of this object.`
        : `${isEstimated ? 'Estimated' : 'Exact'} ${what}. Bars end at ${greatest.toPrecision(3)}.`,
      ...(rest > 0 ? [`${count(rest)} short references are not shown.`] : []),
    ].join(' ');
  };
  void fill();
  return h('div', {}, h('nav', { class: 'overview', 'aria-label': 'References' }, ...links), note);
}

/** Marks the reference of the region that is shown. */
export function markReference(overview: HTMLElement, name: string | undefined): void {
  for (const link of overview.querySelectorAll<HTMLElement>('.reference')) {
    link.toggleAttribute('aria-current', link.title === name);
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

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Returns the value that the pictures go up to. */
function greatestOf(values: readonly number[]): number {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b);
  const median = positive[positive.length >> 1] ?? 0;
  return Math.min(positive.at(-1) ?? 0, MOST_OF_MEDIAN * median);
}
