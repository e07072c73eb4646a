import { openLinks } from '../../src/runtime/browsers/open-links.js';
import type { DetailedListing, FaultKind, ObjectDetails } from '../../src/runtime/page/object-details.js';
import { h, sortableTable } from '../dom.js';
import { failure, hint, loading, showFailure } from '../notices.js';
import { type ObjectsPlace, objectName, objectPlace, toFragment } from '../route.js';
import { BASE, service } from '../service.js';
import { ServiceError } from '../service-error.js';
import { token } from '../token/token.js';
import { openTokenDialog } from '../token/token-dialog.js';
import { badges, OBJECT_COLUMNS, objectRow, sortObjects } from './object-rows.js';

/** The formats by which objects can be chosen. */
const FORMATS = ['BAM', 'CRAM', 'VCF', 'BCF'];

/** Shows the objects that the server has, with a box to search them, and choices of their kind and format. */
export function showObjects(target: HTMLElement, place: ObjectsPlace, signal: AbortSignal): void {
  new ObjectList(target, place, signal).load();
}

class ObjectList {
  readonly #signal: AbortSignal;
  readonly #list = h('div', {}, loading('Loading the objects'));
  readonly #input: HTMLInputElement;
  readonly #kind: HTMLSelectElement;
  readonly #format: HTMLSelectElement;
  #sort: string;
  #latest = new AbortController();
  #listing: DetailedListing | undefined;
  /** The faults of the objects that were checked. */
  readonly #faults = new Map<string, readonly FaultKind[]>();
  /** The names of the objects that are chosen to be shown together. */
  readonly #chosen = new Set<string>();

  constructor(target: HTMLElement, { search, kind, format, sort }: ObjectsPlace, signal: AbortSignal) {
    this.#signal = signal;
    this.#sort = sort;
    this.#input = h('input', {
      type: 'search',
      id: 'search',
      value: search,
      placeholder: 'Search ids',
      autocomplete: 'off',
      input: () => this.load(),
    });
    const choice = (
      label: string,
      chosen: string,
      options: readonly (readonly [string, string])[],
    ): HTMLSelectElement =>
      h(
        'select',
        { 'aria-label': label, change: () => this.load() },
        ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
      );
    this.#kind = choice('Kind', kind, [
      ['', 'All kinds'],
      ['reads', 'Reads'],
      ['variants', 'Variants'],
    ]);
    this.#format = choice('Format', format, [['', 'All formats'], ...FORMATS.map((name) => [name, name] as const)]);
    target.append(
      h(
        'div',
        { class: 'title' },
        h('h1', {}, 'Objects'),
        h('label', { for: 'search', class: 'hidden' }, 'Search ids'),
        h('div', { class: 'choices' }, this.#kind, this.#format, this.#input),
      ),
      this.#list,
    );
  }

  /** Loads the first page of what is chosen. */
  load(): void {
    this.#remember();
    void this.#loadPage(undefined);
  }

  #remember(): void {
    const [search, kind, format] = [this.#input.value, this.#kind.value, this.#format.value];
    history.replaceState(null, '', toFragment({ view: 'objects', search, kind, format, sort: this.#sort }));
  }

  async #loadPage(known: DetailedListing | undefined): Promise<void> {
    this.#latest.abort();
    this.#latest = new AbortController();
    const query = Object.entries({
      search: this.#input.value,
      datatype: this.#kind.value,
      format: this.#format.value,
      after: known?.next ?? '',
    }).filter(([, value]) => value !== '');
    try {
      const signal = AbortSignal.any([this.#signal, this.#latest.signal]);
      const page = await service.listing(Object.fromEntries(query), signal);
      this.#listing = { ...page, objects: [...(known?.objects ?? []), ...page.objects] };
      this.#show(this.#listing);
      if (page.checksListed) await this.#check(this.#listing, signal);
    } catch (error) {
      showFailure(this.#list, error);
    }
  }

  /** Checks one object after another, and shows the faults. */
  async #check(listing: DetailedListing, signal: AbortSignal): Promise<void> {
    for (const object of listing.objects) {
      const name = objectName(object);
      if (this.#faults.has(name)) continue;
      const faults = await service.faults(object, signal).catch(() => []);
      if (signal.aborted) return;
      this.#faults.set(name, faults);
      const row = this.#list.querySelector(`tr:has([data-name="${CSS.escape(name)}"]) .badges`);
      if (faults.length > 0) row?.replaceWith(badges(object, faults));
    }
  }

  #show(listing: DetailedListing): void {
    if (listing.objects.length === 0) {
      this.#list.replaceChildren(whyNone(listing, this.#input.value));
      return;
    }
    const rows = sortObjects(listing.objects, this.#sort).map((object) => [
      this.#box(object),
      ...objectRow(object, this.#faults.get(objectName(object)) ?? []),
    ]);
    const columns = [{ title: 'Choose', key: '' }, ...OBJECT_COLUMNS];
    const onSort = (sort: string): void => {
      this.#sort = sort;
      this.#remember();
      this.#show(listing);
    };
    const more = h('button', { type: 'button', click: () => void this.#loadPage(listing) }, 'Show more');
    this.#list.replaceChildren(
      sortableTable({ caption: 'Objects', columns, sort: this.#sort, onSort }, rows),
      h(
        'p',
        { class: 'list-actions' },
        this.#together(),
        ...(listing.isComplete ? [] : [more, hint(`These are the first ${listing.objects.length}.`)]),
      ),
      ...(listing.isGuarded ? [] : [browserLinks()]),
    );
  }

  #box(object: ObjectDetails): HTMLElement {
    const name = objectName(object);
    const box = h('input', {
      type: 'checkbox',
      'aria-label': `Show ${name} with others`,
      'data-name': name,
      checked: this.#chosen.has(name),
      change: () => {
        if (box.checked) this.#chosen.add(name);
        else this.#chosen.delete(name);
        this.#list.querySelector('.together')?.replaceWith(this.#together());
      },
    });
    return box;
  }

  /** Returns the link that shows the chosen objects in one browser, or a hint. */
  #together(): HTMLElement {
    const [first, ...others] = this.#chosen;
    if (first === undefined || others.length === 0)
      return h('span', { class: 'together hint' }, 'Choose two or more to show them together.');
    const datatype = first.startsWith('variants/') ? 'variants' : 'reads';
    const place = objectPlace({ datatype, id: first.slice(datatype.length + 1) });
    const href = toFragment({ ...place, tab: 'igv', tracks: others });
    return h('a', { class: 'together', href }, `Show ${this.#chosen.size} together`);
  }
}

/** Says why no object is listed. A token may help. */
function whyNone({ isGuarded, refusal }: DetailedListing, search: string): HTMLElement {
  if (refusal !== undefined) return failure(new ServiceError(`no objects are shown: ${refusal}`, 401));
  const isAll = search === '';
  if (!isGuarded) return hint(isAll ? 'No such alignments or variants are served.' : `No id contains “${search}”.`);
  const what = isAll ? 'No alignments or variants are shown' : `No id that is shown contains “${search}”`;
  const button = h('button', { type: 'button', click: openTokenDialog }, 'Enter a token');
  const whom = token.get() === '' ? 'without a token' : 'to this token';
  return h('div', { class: 'notice' }, h('p', {}, `${what} ${whom}.`), button);
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
