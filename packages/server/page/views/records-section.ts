import { count, h, table } from '../dom.js';
import type { DecodedFile } from '../records/decode-records.js';
import { hint } from './notices.js';

const FIRST_ROWS = 25;
const FURTHER_ROWS = 200;

/** Shows decoded records in a table that grows on request. */
export function recordsSection({ records, overlapping, delivered, titles }: DecodedFile): HTMLElement {
  if (overlapping === 0) return hint('No records overlap the region.');
  const more = delivered - overlapping;
  const summary = `${count(overlapping)} ${overlapping === 1 ? 'record overlaps' : 'records overlap'} the region${more > 0 ? `; ${count(more)} more were delivered` : ''}.`;
  const shown = h('div', {});
  let rows = 0;
  const button = h('button', { type: 'button' }, 'Show more');
  const grow = (): void => {
    rows += rows === 0 ? FIRST_ROWS : FURTHER_ROWS;
    shown.replaceChildren(table({ caption: 'Records', titles }, records.slice(0, rows)));
    button.hidden = rows >= records.length;
  };
  button.addEventListener('click', grow);
  grow();
  return h('div', {}, h('p', {}, summary), shown, button);
}
