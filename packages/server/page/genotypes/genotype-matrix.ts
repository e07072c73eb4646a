import type { Genotype } from '@htskit/formats';
import { count, countOf, h, svg } from '../dom.js';
import type { PlacedRecord, VariantFile } from '../records/decode-records.js';
import type { Interval } from '../region/interval.js';

const [MOST_VARIANTS, MOST_SAMPLES] = [300, 200];
/** Units of the pictures: their width, the share of it that names of samples take, and heights. */
const [WIDTH, NAMES_SHARE, LINES_HEIGHT, ROW_HEIGHT] = [1000, 0.16, 24, 18];

/** The kinds of genotypes, for people. */
const KINDS = {
  ref: 'reference',
  het: 'heterozygous',
  alt: 'alternate',
  missing: 'missing',
} as const;

type GenotypeKind = keyof typeof KINDS;

/** Returns the kind of a genotype: a sample without GT is missing. */
export function genotypeKind(genotype: Genotype | undefined): GenotypeKind {
  const alleles = genotype?.alleles ?? [];
  if (alleles.length === 0 || alleles.includes(null)) return 'missing';
  if (alleles.every((allele) => allele === 0)) return 'ref';
  return new Set(alleles).size > 1 ? 'het' : 'alt';
}

/** A picture of the genotypes: a row for each sample, a column for each variant, with lines to their positions. */
export class GenotypeMatrix {
  readonly element: HTMLElement;
  /** The number of variants that are not drawn. */
  readonly hidden: number;
  readonly #variants: readonly PlacedRecord[];
  readonly #selection = svg('rect', { class: 'selected', y: 0, width: 0 });

  constructor(file: VariantFile, interval: Interval) {
    this.#variants = file.records.slice(0, MOST_VARIANTS);
    this.hidden = file.records.length - this.#variants.length;
    const samples = file.samples.slice(0, MOST_SAMPLES);
    const names = samples.map((name) => h('li', { title: name }, name));
    this.element = h(
      'div',
      { class: 'genotypes' },
      this.#lines(interval),
      h(
        'div',
        { class: 'matrix' },
        h('ol', { class: 'samples', 'aria-label': 'Samples' }, ...names),
        this.#cells(file, samples.length),
      ),
      legend(),
    );
    if (file.samples.length > samples.length) {
      const text = `The first ${count(samples.length)} of ${count(file.samples.length)} samples are drawn.`;
      this.element.append(h('p', { class: 'hint' }, text));
    }
  }

  /** Finds the variant at a share of the width. */
  find(share: number): PlacedRecord | undefined {
    return this.#variants[Math.floor(((share - NAMES_SHARE) / (1 - NAMES_SHARE)) * this.#variants.length)];
  }

  /** Marks a variant. */
  select(variant: PlacedRecord): void {
    const column = this.#variants.findIndex(({ at }) => at === variant.at);
    this.#selection.setAttribute('x', String(column));
    this.#selection.setAttribute('width', column === -1 ? '0' : '1');
  }

  #lines({ start, end }: Interval): SVGElement {
    const paths = this.#variants.map((variant, column) => {
      const from = (WIDTH * (Math.max(variant.start, start) + 0.5 - start)) / (end - start);
      const to = WIDTH * (NAMES_SHARE + ((1 - NAMES_SHARE) * (column + 0.5)) / this.#variants.length);
      return `M${from.toFixed(1)},0V4L${to.toFixed(1)},${LINES_HEIGHT - 2}V${LINES_HEIGHT}`;
    });
    return svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${LINES_HEIGHT}`, preserveAspectRatio: 'none', class: 'lines', 'aria-hidden': 'true' },
      svg('path', { d: paths.join('') }),
    );
  }

  #cells(file: VariantFile, samples: number): SVGElement {
    const paths: Record<GenotypeKind, string[]> = { ref: [], het: [], alt: [], missing: [] };
    for (const [column, variant] of this.#variants.entries()) {
      const record = file.view(variant);
      for (let sample = 0; sample < samples; sample++) {
        const path = `M${column + 0.05},${sample * ROW_HEIGHT + 1}h.9v${ROW_HEIGHT - 2}h-.9z`;
        paths[genotypeKind(record.genotype(sample))].push(path);
      }
    }
    const height = Math.max(1, samples) * ROW_HEIGHT;
    this.#selection.setAttribute('height', String(height));
    return svg(
      'svg',
      {
        viewBox: `0 0 ${Math.max(1, this.#variants.length)} ${height}`,
        preserveAspectRatio: 'none',
        height,
        role: 'img',
        'aria-label': `Genotypes of ${countOf(samples, 'sample')} at ${countOf(this.#variants.length, 'variant')}`,
      },
      ...Object.entries(paths).map(([kind, parts]) => svg('path', { class: kind, d: parts.join('') })),
      this.#selection,
    );
  }
}

function legend(): HTMLElement {
  const items = Object.entries(KINDS).map(([kind, meaning]) =>
    h('li', {}, h('span', { class: `swatch ${kind}` }), meaning),
  );
  return h('ul', { class: 'legend' }, ...items);
}
