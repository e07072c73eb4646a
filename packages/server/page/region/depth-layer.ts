import { count, h, rounded } from '../dom.js';
import { loading } from '../notices.js';
import type { CoverageBins } from '../service.js';
import { depthPicture } from './depth-picture.js';
import type { Interval } from './interval.js';
import { Layer } from './layer.js';

export interface DepthOptions {
  readonly interval: Interval;
  /** What is shown, such as `depth`. */
  readonly what: string;
  /** Returns what the values of bins of some bases are. */
  readonly describe: (binBases: number) => string;
  readonly load: (bins: number) => Promise<CoverageBins>;
}

const MOST_BINS = 500;

/** The depth of an interval, with a caption below it. */
export class DepthLayer {
  readonly layer: Layer = new Layer('depth');
  readonly caption: HTMLElement = h('p', { class: 'scale' });

  /** Loads and shows the depth. What was shown before stays until then. */
  async show({ interval, what, describe, load }: DepthOptions): Promise<void> {
    const bases = interval.end - interval.start;
    const bins = Math.min(MOST_BINS, bases);
    this.caption.replaceChildren(loading(`Loading the ${what}`));
    this.layer.element.hidden = false;
    try {
      const { mean, max = mean, estimated } = await load(bins);
      const greatest = Math.max(0, ...max);
      const average = mean.reduce((sum, value) => sum + value, 0) / Math.max(1, mean.length);
      const values = `${estimated ? 'estimated ' : ''}${describe(bases / bins)}`;
      const summary = `${values}, ${rounded(average)} on average, at most ${rounded(greatest)}`;
      const layers = [{ values: max, kind: 'max' } as const, { values: mean, kind: 'mean' } as const];
      this.layer.show(depthPicture(layers, { greatest, label: summary }), interval);
      this.caption.replaceChildren(
        h('span', {}, count(interval.start + 1)),
        h('span', {}, summary),
        h('span', {}, count(interval.end)),
      );
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      this.layer.element.hidden = true;
      this.caption.textContent = `The ${what} is not available.`;
    }
  }
}
