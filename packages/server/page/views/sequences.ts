import { h } from '../dom.js';
import type { Place } from '../route.js';
export function showSequences(
  target: HTMLElement,
  place: Extract<Place, { view: 'sequences' }>,
  _signal: AbortSignal,
): void {
  target.append(h('p', {}, place.search));
}
export function showCollection(
  target: HTMLElement,
  place: Extract<Place, { view: 'collection' }>,
  _signal: AbortSignal,
): void {
  target.append(h('p', {}, place.digest));
}
