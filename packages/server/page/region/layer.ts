import { h } from '../dom.js';
import type { Interval } from './interval.js';

/** A picture of an interval, which can be shown where it is in another one until that has a picture of its own. */
export class Layer {
  readonly element: HTMLElement;
  readonly #stage = h('div', { class: 'stage' });
  #interval: Interval | undefined;

  constructor(name: string) {
    this.element = h('div', { class: `layer ${name}` }, this.#stage);
  }

  /** Replaces the picture. */
  show(content: Node, interval: Interval): void {
    this.#interval = interval;
    this.#stage.style.transform = '';
    this.#stage.replaceChildren(content);
  }

  /** Moves and stretches the picture to where it is in another interval. */
  preview(next: Interval): void {
    if (this.#interval === undefined) return;
    const { start, end } = this.#interval;
    const bases = next.end - next.start;
    const [left, scale] = [(start - next.start) / bases, (end - start) / bases];
    this.#stage.style.transform = `translateX(${100 * left}%) scaleX(${scale})`;
  }
}
