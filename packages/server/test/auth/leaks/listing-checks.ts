import { expect } from 'vitest';
import type { Asker } from './asker.js';
import type { Pick } from './random-access.js';
import { ANNOTATION, CELLS, hasReads, OBJECTS, placeOf } from './secret-files.js';

interface Listing {
  readonly objects: readonly { readonly datatype: string; readonly id: string }[];
}

/** Requests the lists of objects, and expects those that the requester may see at least a part of. */
export async function checkLists(asker: Asker, pick: Pick): Promise<void> {
  const { id: hidden } = pick(OBJECTS);
  const visible = OBJECTS.filter((_, object) => asker.views[object]?.refusal === undefined);
  const names = visible.map(({ datatype, id }) => `${datatype}/${id}`).sort();
  const json = { headers: { accept: 'application/json' } };
  const search = pick(['', 'd', hidden.slice(3, 5), hidden.slice(0, 3)]);
  for (const path of [`/?search=${search}`, `/page/objects?search=${search}`]) {
    const { objects } = JSON.parse((await asker.ask(path, json)).text) as Listing;
    const found = objects.map(({ datatype, id }) => `${datatype}/${id}`);
    expect(found.sort(), path).toEqual(names.filter((name) => name.includes(search)));
  }
  const { text } = await asker.ask('/', { headers: { accept: 'text/plain' } });
  for (const { datatype, id } of OBJECTS) {
    expect(text.includes(`/${datatype}/${id}`)).toBe(names.includes(`${datatype}/${id}`));
  }
  for (const path of [pick(BROWSER_LISTS), pick(OTHER_LISTS)]) await asker.ask(path);
}

const BROWSER_LISTS = ['/igv/session.json', '/igv/desktop.json', '/jbrowse/config.json'];
const OTHER_LISTS = [
  ...['/page/collections', '/list/collection', '/service-info', '/ga4gh/drs/v1/service-info'],
  ...['/reads/service-info', '/variants/service-info'],
];

/** Requests what the page shows of an object. */
export async function checkPage(asker: Asker, object: number): Promise<void> {
  const { datatype = '', id = '' } = OBJECTS[object] ?? {};
  const view = asker.views[object];
  if (view === undefined) return;
  const path = `/page/objects/${datatype}/${id}`;
  const status = view.refusal === undefined ? 200 : 404;
  const described = await asker.ask(`${path}?example=`, {}, object);
  expect(described.status, path).toBe(status);
  expect((await asker.ask(`${path}?check=`, {}, object)).status, path).toBe(status);
  if (status === 200) expectVisibleExample(described.text, { asker, object });
  const isWhole = view.hasAllCells && view.hasAllSamples;
  const listed = await asker.ask(`${path}?annotation=`, {}, object);
  expect(listed.text, path).toBe(isWhole ? JSON.stringify([ANNOTATION]) : '[]');
  expect((await asker.ask(`${path}?annotation=${ANNOTATION}`, {}, object)).status, path).toBe(isWhole ? 200 : 404);
}

/** Expects an example, if there is one, to be a place where the requester sees records. */
function expectVisibleExample(
  text: string,
  { asker, object }: { readonly asker: Asker; readonly object: number },
): void {
  const { example } = JSON.parse(text) as { example?: { referenceName: string } };
  const [view, secret] = [asker.views[object], OBJECTS[object]];
  if (example === undefined || view === undefined) return;
  const isVisible = (cell: number): boolean =>
    secret?.datatype === 'variants' || view.samples.some((sample) => hasReads(sample, cell));
  const visible = view.cells.filter(isVisible).map((cell) => placeOf(cell).referenceName);
  const places = view.hasAllCells ? visible : CELLS.map((cell) => placeOf(cell).referenceName);
  expect(places).toContain(example.referenceName);
}
