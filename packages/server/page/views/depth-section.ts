import { depthPicture } from '../coverage/depth-picture.js';
import { count, h, rounded } from '../dom.js';
import { clipped, type Interval, moved, zoomed } from '../interval.js';
import type { CoverageBins } from '../service.js';
import { loading, showFailure } from './notices.js';

export interface DepthOptions {
  readonly referenceName: string;
  readonly interval: Interval;
  /** Bases of the reference. */
  readonly length: number;
  /** What is shown, such as `depth`. */
  readonly what: string;
  /** Returns what the values of bins of some bases are. */
  readonly describe: (binBases: number) => string;
  readonly load: (bins: number) => Promise<CoverageBins>;
  /** Called with the interval that a person has moved or zoomed to. */
  readonly onInterval: (interval: Interval) => void;
}

const MOST_BINS = 500;
/** The interval is shown when the wheel has stood still for as long. */
const SETTLE_MILLISECONDS = 250;
/** Pixels of the wheel that double or halve the interval. */
const WHEEL_PIXELS = 300;
/** Pixels that a pointer moves before it drags. */
const DRAG_PIXELS = 4;

const KEYS: Readonly<Record<string, (interval: Interval) => Interval>> = {
  ArrowLeft: (interval) => moved(interval, -1 / 4),
  ArrowRight: (interval) => moved(interval, 1 / 4),
  ArrowUp: (interval) => zoomed(interval, 1 / 2),
  ArrowDown: (interval) => zoomed(interval, 2),
  '+': (interval) => zoomed(interval, 1 / 2),
  '-': (interval) => zoomed(interval, 2),
};

/** Shows the depth of an interval, which the wheel, dragging and keys move and zoom. */
export class DepthSection {
  readonly element: HTMLElement;
  readonly #options: DepthOptions;
  readonly #picture = h('div', { class: 'stage' });
  readonly #track: HTMLElement;
  readonly #caption = h('p', { class: 'scale' });
  /** Where a gesture has come to; the interval itself if there is none. */
  #target: Interval;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: DepthOptions) {
    this.#options = options;
    this.#target = options.interval;
    const { referenceName, interval, what } = options;
    const place = `${referenceName}:${count(interval.start + 1)}-${count(interval.end)}`;
    this.#track = h(
      'div',
      {
        id: 'depth',
        class: 'depth',
        tabindex: 0,
        role: 'application',
        'aria-roledescription': 'track',
        'aria-label': `${what} of ${place}. The arrow keys move and zoom.`,
        keydown: (event) => this.#press(event as KeyboardEvent),
        wheel: (event) => this.#turn(event as WheelEvent),
        pointerdown: (event) => this.#drag(event as PointerEvent),
      },
      this.#picture,
    );
    this.element = h('div', {}, this.#track, this.#caption);
    void this.#load();
  }

  async #load(): Promise<void> {
    const { interval, what, describe, load } = this.#options;
    this.#picture.replaceChildren(loading(`Loading the ${what}`));
    try {
      const bases = interval.end - interval.start;
      const bins = Math.min(MOST_BINS, bases);
      const { mean, max = mean, estimated } = await load(bins);
      const greatest = Math.max(0, ...max);
      const average = mean.reduce((sum, value) => sum + value, 0) / Math.max(1, mean.length);
      const values = `${estimated ? 'estimated ' : ''}${describe(bases / bins)}`;
      const summary = `${values}, ${rounded(average)} on average, at most ${rounded(greatest)}`;
      const layers = [{ values: max, kind: 'max' } as const, { values: mean, kind: 'mean' } as const];
      this.#picture.replaceChildren(depthPicture(layers, { greatest, label: summary }));
      this.#caption.replaceChildren(
        h('span', {}, count(interval.start + 1)),
        h('span', {}, summary),
        h('span', {}, count(interval.end)),
      );
    } catch (error) {
      showFailure(this.#picture, error);
    }
  }

  #press(event: KeyboardEvent): void {
    const change = KEYS[event.key];
    if (change === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#preview(change(this.#target));
    this.#settleLater();
  }

  #turn(event: WheelEvent): void {
    event.preventDefault();
    const { left, width } = this.#track.getBoundingClientRect();
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const next = isSideways
      ? moved(this.#target, event.deltaX / width)
      : zoomed(this.#target, 2 ** (event.deltaY / WHEEL_PIXELS), (event.clientX - left) / width);
    this.#preview(next);
    this.#settleLater();
  }

  #drag({ pointerId, clientX: from, button }: PointerEvent): void {
    if (button !== 0) return;
    const before = this.#target;
    const { width } = this.#track.getBoundingClientRect();
    const ended = new AbortController();
    const { signal } = ended;
    let isDragged = false;
    this.#track.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent): void => {
      isDragged ||= Math.abs(clientX - from) >= DRAG_PIXELS;
      if (isDragged) this.#preview(moved(before, (from - clientX) / width));
    };
    const end = (): void => {
      ended.abort();
      if (isDragged) this.#settle();
    };
    this.#track.addEventListener('pointermove', move, { signal });
    this.#track.addEventListener('pointerup', end, { signal });
    this.#track.addEventListener('pointercancel', end, { signal });
  }

  /** Shows the picture where it is in another interval. */
  #preview(next: Interval): void {
    this.#target = clipped(next, this.#options.length);
    const { start, end } = this.#options.interval;
    const bases = this.#target.end - this.#target.start;
    const [left, scale] = [(start - this.#target.start) / bases, (end - start) / bases];
    this.#picture.style.transform = `translateX(${100 * left}%) scaleX(${scale})`;
  }

  #settleLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), SETTLE_MILLISECONDS);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const { start, end } = this.#options.interval;
    const { start: first, end: last } = this.#target;
    if (this.#track.isConnected && (first !== start || last !== end)) this.#options.onInterval(this.#target);
  }
}
