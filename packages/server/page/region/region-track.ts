import { count, h } from '../dom.js';
import { clipped, type Interval, moved, zoomed } from './interval.js';
import type { Layer } from './layer.js';

export interface TrackOptions {
  /** What is shown, such as `depth`. */
  readonly what: string;
  /** The layer that the wheel zooms; over the others it scrolls the page. */
  readonly first: Layer;
  readonly others: readonly Layer[];
  /** Called with the interval that a person has moved or zoomed to. */
  readonly onInterval: (interval: Interval) => void;
  /** Called with the place of a click: a share of the width, and the pixels below the top of the element. */
  readonly onClick: (layer: Layer, share: number, y: number) => void;
}

/** The interval is shown when the wheel has stopped for as long. */
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

/** Pictures of an interval above each other, which the wheel, dragging and keys move and zoom together. */
export class RegionTrack {
  readonly element: HTMLElement;
  readonly #options: TrackOptions;
  readonly #layers: readonly Layer[];
  #length = 1;
  #interval: Interval = { start: 0, end: 1 };
  /** The interval of the current gesture; the shown interval if there is none. */
  #target: Interval = this.#interval;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TrackOptions) {
    this.#options = options;
    this.#layers = [options.first, ...options.others];
    options.first.element.addEventListener('wheel', (event) => this.#turn(event));
    this.element = h(
      'div',
      {
        id: 'depth',
        class: 'region-track',
        tabindex: 0,
        role: 'application',
        'aria-roledescription': 'track',
        keydown: (event) => this.#press(event as KeyboardEvent),
        pointerdown: (event) => this.#drag(event as PointerEvent),
      },
      ...this.#layers.map(({ element }) => element),
    );
  }

  /** Shows another interval: the pictures are moved there until they are replaced. */
  show(referenceName: string, interval: Interval, length: number): void {
    clearTimeout(this.#timer);
    this.#length = length;
    this.#interval = interval;
    this.#preview(interval);
    const place = `${referenceName}:${count(interval.start + 1)}-${count(interval.end)}`;
    this.element.setAttribute('aria-label', `${this.#options.what} of ${place}. The arrow keys move and zoom.`);
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
    const { left, width } = this.element.getBoundingClientRect();
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const next = isSideways
      ? moved(this.#target, event.deltaX / width)
      : zoomed(this.#target, 2 ** (event.deltaY / WHEEL_PIXELS), (event.clientX - left) / width);
    this.#preview(next);
    this.#settleLater();
  }

  #drag({ pointerId, clientX: from, button, target }: PointerEvent): void {
    if (button !== 0) return;
    const before = this.#target;
    const { width } = this.element.getBoundingClientRect();
    const ended = new AbortController();
    const { signal } = ended;
    let isDragged = false;
    this.element.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent): void => {
      isDragged ||= Math.abs(clientX - from) >= DRAG_PIXELS;
      if (isDragged) this.#preview(moved(before, (from - clientX) / width));
    };
    const end = ({ type, clientX, clientY }: PointerEvent): void => {
      ended.abort();
      if (isDragged) this.#settle();
      else if (type === 'pointerup') this.#click(target, clientX, clientY);
    };
    this.element.addEventListener('pointermove', move, { signal });
    this.element.addEventListener('pointerup', end, { signal });
    this.element.addEventListener('pointercancel', end, { signal });
  }

  #click(target: EventTarget | null, clientX: number, clientY: number): void {
    const layer = this.#layers.find(({ element }) => target instanceof Node && element.contains(target));
    if (layer === undefined) return;
    const { left, top, width } = layer.element.getBoundingClientRect();
    this.#options.onClick(layer, (clientX - left) / width, clientY - top);
  }

  #preview(next: Interval): void {
    this.#target = clipped(next, this.#length);
    for (const layer of this.#layers) layer.preview(this.#target);
  }

  #settleLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), SETTLE_MILLISECONDS);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const { start, end } = this.#interval;
    const { start: first, end: last } = this.#target;
    if (this.element.isConnected && (first !== start || last !== end)) this.#options.onInterval(this.#target);
  }
}
