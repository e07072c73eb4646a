import { count, h, table } from '../dom.js';
import { hint } from '../notices.js';
import type { DecodedFile, PlacedRecord } from './decode-records.js';
import { recordCells, recordTitles } from './record-cells.js';

const FIRST_ROWS = 25;
const FURTHER_ROWS = 200;

/** Shows decoded records in a table that grows on request. The first cell of a row opens the record. */
export function recordsSection(
  file: DecodedFile,
  { isFiltered, onOpen }: { readonly isFiltered: boolean; readonly onOpen: (record: PlacedRecord) => void },
): HTMLElement {
  const { records, overlapping } = file;
  if (overlapping === 0) return hint(`No records overlap the region${isFiltered ? ' and pass the filters' : ''}.`);
  const shown = h('div', { class: 'records' });
  let rows = 0;
  const button = h('button', { type: 'button' }, 'Show more');
  const describe = (record: PlacedRecord): ReturnType<typeof recordCells> => {
    const [first = '', ...cells] = recordCells(file, record);
    const text = typeof first === 'number' ? count(first) : first;
    return [h('button', { type: 'button', class: 'link', click: () => onOpen(record) }, text), ...cells];
  };
  const grow = (): void => {
    rows += rows === 0 ? FIRST_ROWS : FURTHER_ROWS;
    shown.replaceChildren(
      table({ caption: 'Records', titles: recordTitles(file) }, records.slice(0, rows).map(describe)),
    );
    button.hidden = rows >= records.length;
  };
  button.addEventListener('click', grow);
  grow();
  return h('div', { class: 'stack' }, h('p', { role: 'status' }, summaryOf(file, isFiltered)), shown, button);
}

function summaryOf({ records, overlapping, delivered }: DecodedFile, isFiltered: boolean): string {
  const more = delivered - overlapping;
  return [
    `${count(overlapping)} ${overlapping === 1 ? 'record overlaps' : 'records overlap'} the region`,
    ...(isFiltered ? [overlapping === 1 ? ' and passes the filters' : ' and pass the filters'] : []),
    ...(more > 0 ? [`; ${count(more)} more were delivered`] : []),
    ...(records.length < overlapping ? [`; the first ${count(records.length)} are shown and listed`] : []),
    '.',
  ].join('');
}
