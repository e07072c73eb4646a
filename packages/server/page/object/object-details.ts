import type { DetailedObject, FaultKind } from '../../src/runtime/page/object-details.js';
import { formatRegion } from '../../src/stored-file/parse-region.js';
import { h, size } from '../dom.js';
import { badges } from '../lists/object-rows.js';
import { hint } from '../notices.js';

/** Shows the name of an object, its stored files, and to which regions a token is restricted. */
export function objectHead(object: DetailedObject, faults: Promise<readonly FaultKind[]>): HTMLElement[] {
  const { datatype, id, files, regions } = object;
  const notes = badges(object, []);
  // Without the check there is nothing to say.
  void faults.then((found) => notes.replaceWith(badges(object, found)));
  return [
    h('div', { class: 'title' }, h('h1', {}, id), h('span', { class: `chip ${datatype}` }, datatype), notes),
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
