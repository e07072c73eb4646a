import { type Cell, count, countOf, h, table } from '../dom.js';
import { failure, hint, loading, showFailure } from '../notices.js';
import { type Place, toFragment } from '../route.js';
import { type Collection, type SequenceMetadata, service } from '../service.js';
import { ServiceError } from '../service-error.js';
import { sliceForm } from './slice-form.js';

/** The most collections whose sequences are shown and searched. */
const MOST_COLLECTIONS = 25;
/** The most sequences that a name finds. */
const MOST_FOUND = 50;

/** A collection with the names of its files. */
interface NamedCollection {
  readonly digest: string;
  readonly collection: Collection;
  readonly files: readonly string[];
}

/** Shows a box for a name, digest or alias, the sequences that it finds, and the collections of the server. */
export function showSequences(
  target: HTMLElement,
  { search }: Extract<Place, { view: 'sequences' }>,
  signal: AbortSignal,
): void {
  const input = h('input', {
    type: 'search',
    id: 'sequence',
    value: search,
    placeholder: 'chr1, MD5, SQ.…, TRUNC512, or authority:name',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = h(
    'form',
    {
      class: 'region',
      role: 'search',
      submit: (event) => {
        event.preventDefault();
        location.hash = toFragment({ view: 'sequences', search: input.value.trim() });
      },
    },
    h('label', { for: 'sequence' }, 'A name, a digest or an alias'),
    h('div', { class: 'row' }, input, h('button', { type: 'submit', class: 'primary' }, 'Find')),
  );
  const found = h('div', {});
  const listed = h('div', {}, loading('Loading the collections'));
  target.append(h('h1', {}, 'Sequences'), form, found, h('section', {}, h('h2', {}, 'Collections'), listed));
  const collections = loadCollections();
  if (search !== '') void findSequences(found, search, collections);
  void listCollections(listed, collections, signal);
}

interface LoadedCollections {
  readonly loaded: readonly NamedCollection[];
  readonly total: number;
}

/** Loads the first collections. Those that cannot be read are left out. */
async function loadCollections(): Promise<LoadedCollections> {
  const [{ results, pagination }, files] = await Promise.all([service.collections(), service.collectionNames()]);
  const loaded: NamedCollection[] = [];
  for (const digest of results.slice(0, MOST_COLLECTIONS)) {
    const collection = await service.collection(digest).catch(() => undefined);
    if (collection !== undefined) loaded.push({ digest, collection, files: files[digest] ?? [] });
  }
  return { loaded, total: pagination.total };
}

/** Shows the sequence of a digest or alias, or else those of a name. */
async function findSequences(
  target: HTMLElement,
  text: string,
  collections: Promise<LoadedCollections>,
): Promise<void> {
  target.replaceChildren(loading('Looking it up'));
  try {
    const [byId, named] = await Promise.all([
      service.metadata(text).catch((error: unknown) => error),
      // The list of collections says why it cannot be read.
      collections.then(({ loaded }) => findByName(text, loaded)).catch(() => []),
    ]);
    if (isMetadata(byId)) {
      showSequence(target, byId);
      return;
    }
    const digests = [...new Set(named.map(({ id }) => id))];
    const [only] = digests;
    if (only === undefined) throw byId;
    if (digests.length === 1) showSequence(target, await service.metadata(only));
    else target.replaceChildren();
    target.prepend(foundTable(named));
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.status === 404;
    const why = new ServiceError(`no sequence has the name, digest or alias “${text}”`, 404);
    target.replaceChildren(failure(isUnknown ? why : error));
  }
}

function isMetadata(value: unknown): value is SequenceMetadata {
  return !(value instanceof Error);
}

interface FoundSequence {
  readonly name: string;
  readonly length: number;
  readonly id: string;
  readonly collection: NamedCollection;
}

/** Finds the sequences of a name in any letter case, or else those whose names begin with it. */
function findByName(text: string, collections: readonly NamedCollection[]): readonly FoundSequence[] {
  const wanted = text.toLowerCase();
  const all = collections.flatMap((collection) => {
    const { names, lengths, sequences } = collection.collection;
    return names.flatMap((name, index): FoundSequence[] =>
      name.toLowerCase().startsWith(wanted)
        ? [{ name, length: lengths[index] ?? 0, id: sequences[index] ?? '', collection }]
        : [],
    );
  });
  const exact = all.filter(({ name }) => name.toLowerCase() === wanted);
  return (exact.length > 0 ? exact : all).slice(0, MOST_FOUND);
}

function foundTable(found: readonly FoundSequence[]): HTMLElement {
  const rows = found.map(({ name, length, id, collection }) => [
    h('a', { href: toFragment({ view: 'sequences', search: id }) }, name),
    length,
    collectionLink(collection),
  ]);
  return table({ caption: 'Sequences of this name', titles: ['Name', 'Length#', 'Collection'] }, rows);
}

function showSequence(target: HTMLElement, metadata: SequenceMetadata): void {
  target.replaceChildren(describeSequence(metadata), sliceForm(metadata));
}

function describeSequence({ ga4gh, std, md5, trunc512, length, circular, aliases }: SequenceMetadata): HTMLElement {
  const names = aliases.map(({ naming_authority, alias }) => `${naming_authority}:${alias}`);
  const facts: (readonly [string, string])[] = [
    ['Length', `${count(length)} bases${circular === true ? ', circular' : ''}`],
    ['sha512t24u', ga4gh ?? std ?? ''],
    ['MD5', md5],
    ['TRUNC512', trunc512],
    ...(names.length === 0 ? [] : [['Aliases', names.join(', ')] as const]),
  ];
  return h(
    'dl',
    { class: 'pair' },
    ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, h('code', {}, value))]),
  );
}

/** Returns a link to a collection: the names of its files, or else its digest. */
function collectionLink({ digest, files }: NamedCollection): HTMLElement {
  const href = toFragment({ view: 'collection', digest });
  return h('a', { href }, ...(files.length > 0 ? [files.join(', ')] : [h('code', {}, digest)]));
}

async function listCollections(
  target: HTMLElement,
  collections: Promise<LoadedCollections>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { loaded, total } = await collections;
    if (signal.aborted) return;
    if (loaded.length === 0) {
      target.replaceChildren(hint('No sequences are served, or they are still being read.'));
      return;
    }
    const rows = loaded.map((named): Cell[] => {
      const { names, lengths } = named.collection;
      const bases = lengths.reduce((sum, length) => sum + length, 0);
      return [
        collectionLink(named),
        names.length,
        bases,
        `${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`,
        h('code', {}, named.digest),
      ];
    });
    const titles = ['File', 'Sequences#', 'Bases#', 'First names', 'Digest'];
    const isCut = total > rows.length;
    target.replaceChildren(
      table({ caption: 'Collections', titles }, rows),
      ...(isCut ? [hint(`Only ${count(rows.length)} of ${count(total)} are listed.`)] : []),
      ...(loaded.length > 1 ? [compareForm(loaded)] : []),
    );
  } catch (error) {
    showFailure(target, error);
  }
}

function compareForm(collections: readonly NamedCollection[]): HTMLElement {
  const select = (id: string, label: string, chosen: number): HTMLSelectElement =>
    h(
      'select',
      { id, 'aria-label': label },
      ...collections.map(({ digest, files, collection: { names } }, index) => {
        const text = files.length > 0 ? `${files.join(', ')} (${countOf(names.length, 'sequence')})` : digest;
        return h('option', { value: digest, selected: index === chosen }, text);
      }),
    );
  const [a, b] = [select('collection-a', 'First collection', 0), select('collection-b', 'Second collection', 1)];
  return h(
    'form',
    {
      class: 'region compare',
      submit: (event) => {
        event.preventDefault();
        location.hash = toFragment({ view: 'comparison', a: a.value, b: b.value });
      },
    },
    h('label', { for: 'collection-a' }, 'Compare two collections'),
    h('div', { class: 'row' }, a, b, h('button', { type: 'submit' }, 'Compare')),
  );
}
