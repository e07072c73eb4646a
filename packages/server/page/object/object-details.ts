import type { DetailedObject } from '../../src/runtime/page/object-details.js';
import { formatRegion } from '../../src/stored-file/parse-region.js';
import { h, size } from '../dom.js';
import { hint } from '../notices.js';

/** Shows the name of an object, its stored files, and to which regions a token is restricted. */
export function objectHead({ datatype, id, isEncrypted, files, regions }: DetailedObject): HTMLElement[] {
  const chips = [datatype, ...(isEncrypted ? ['encrypted'] : [])];
  return [
    h('div', { class: 'title' }, h('h1', {}, id), ...chips.map((chip) => h('span', { class: `chip ${chip}` }, chip))),
    h('p', { class: 'files' }, ...files.map(fileText)),
    ...(regions === undefined ? [] : [hint(restriction(regions.map(formatRegion)))]),
  ];
}

function fileText({ format, bytes, index, isEncrypted }: DetailedObject['files'][number]): HTMLElement {
  const facts = [
    bytes === undefined ? 'cannot be read' : size(bytes),
    index ?? 'no index',
    ...(isEncrypted ? ['encrypted'] : []),
  ];
  return h('span', { class: 'file' }, h('strong', {}, format), ` ${facts.join(', ')}`);
}

function restriction(regions: readonly string[]): string {
  return `This token may see ${regions.slice(0, 5).join(', ')}${regions.length > 5 ? ' and more' : ''}.`;
}
