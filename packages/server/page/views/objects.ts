import { openLinks } from '../../src/runtime/browsers/open-links.js';
import type { DetailedListing, ObjectDetails } from '../../src/runtime/page/object-details.js';
import { h, size, table } from '../dom.js';
import { type Place, toFragment } from '../route.js';
import { BASE, service, token } from '../service.js';
import { openTokenDialog } from '../token-dialog.js';
import { hint, loading, showFailure } from './notices.js';

/** Shows the objects that the server has, and a box to search them. */
export function showObjects(
  target: HTMLElement,
  { search }: Extract<Place, { view: 'objects' }>,
  signal: AbortSignal,
): void {
  const input = h('input', {
    type: 'search',
    id: 'search',
    value: search,
    placeholder: 'Search ids',
    autocomplete: 'off',
  });
  const list = h('div', {}, loading('Loading the objects'));
  let latest = new AbortController();
  const load = async (): Promise<void> => {
    latest.abort();
    latest = new AbortController();
    const { value } = input;
    history.replaceState(null, '', toFragment({ view: 'objects', search: value }));
    try {
      const listing = await service.listing(value, AbortSignal.any([signal, latest.signal]));
      list.replaceChildren(...describeListing(listing, value));
    } catch (error) {
      showFailure(list, error);
    }
  };
  input.addEventListener('input', () => void load());
  target.append(
    h(
      'div',
      { class: 'title' },
      h('h1', {}, 'Objects'),
      h('label', { for: 'search', class: 'hidden' }, 'Search ids'),
      input,
    ),
    list,
  );
  void load();
}

function describeListing({ objects, isComplete, isGuarded }: DetailedListing, search: string): Node[] {
  if (objects.length === 0) {
    if (!isGuarded)
      return [hint(search === '' ? 'No alignments or variants are served.' : `No id contains “${search}”.`)];
    const what = search === '' ? 'No alignments or variants are shown' : `No id that is shown contains “${search}”`;
    const button = h('button', { type: 'button', click: openTokenDialog }, 'Enter a token');
    const whom = token.get() === '' ? 'without a token' : 'to this token';
    return [h('div', { class: 'notice' }, h('p', {}, `${what} ${whom}.`), button)];
  }
  const rows = objects.map((object) => [
    h('a', { href: toFragment({ view: 'object', ...object, region: undefined }) }, object.id),
    h('span', { class: `chip ${object.datatype}` }, object.datatype),
    object.formats.join(' '),
    h('span', {}, ...filesOf(object, ({ format, isEncrypted }) => (isEncrypted ? `${format}, encrypted` : format))),
    h('span', {}, ...filesOf(object, ({ index }) => index ?? 'none')),
    h('span', {}, ...filesOf(object, ({ bytes }) => (bytes === undefined ? '?' : size(bytes)))),
  ]);
  const titles = ['Id', 'Data', 'Formats', 'Stored as', 'Index', 'Size#'];
  const more = isComplete ? [] : [hint(`Only the first ${objects.length} are listed: search for others.`)];
  return [table({ caption: 'Objects', titles }, rows), ...more, ...(isGuarded ? [] : [browserLinks()])];
}

/** The links have no token: they are for objects that everybody may see. */
function browserLinks(): HTMLElement {
  const link = (path: string, text: string): HTMLElement => h('a', { href: new URL(path, BASE).href }, text);
  return h(
    'p',
    { class: 'hint' },
    'All of these for genome browsers: ',
    link('igv/session.json', 'a session of igv.js'),
    ' and ',
    link('jbrowse/config.json', 'a configuration of JBrowse'),
    '. Open them in ',
    ...openLinks(BASE.href.replace(/\/$/, '')).flatMap(({ browser, url }, index) => [
      index === 0 ? '' : ', ',
      h('a', { href: url, target: '_blank', rel: 'noreferrer' }, browser),
    ]),
    '.',
  );
}

/** A line for each stored file. */
function filesOf({ files }: ObjectDetails, text: (file: ObjectDetails['files'][number]) => string): HTMLElement[] {
  return files.map((file) => h('span', { class: 'line' }, text(file)));
}
