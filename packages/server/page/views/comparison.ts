import { h } from '../dom.js';
import type { Place } from '../route.js';
export function showComparison(
  target: HTMLElement,
  place: Extract<Place, { view: 'comparison' }>,
  _signal: AbortSignal,
): void {
  target.append(h('p', {}, place.a));
}
