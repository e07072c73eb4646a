import { codeBox, count, h, table } from '../dom.js';
import { type Place, toFragment } from '../route.js';
import { BASE, type Collection, type SequenceMetadata, service } from '../service.js';
import { hint, loading, showFailure, showViewFailure } from '../notices.js';
import { sliceForm } from './slice-form.js';

/** The most collections whose sizes are shown. */
const MOST_COLLECTIONS = 25;

/** Shows a box for a digest or alias, the sequence that it finds, and the collections of the server. */
export function showSequences(
  target: HTMLElement,
  { search }: Extract<Place, { view: 'sequences' }>,
  signal: AbortSignal,
): void {
  const input = h('input', {
    type: 'search',
    id: 'sequence',
    value: search,
    placeholder: 'MD5, SQ.…, TRUNC512, or authority:name',
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
    h('label', { for: 'sequence' }, 'A digest or an alias'),
    h('div', { class: 'row' }, input, h('button', { type: 'submit', class: 'primary' }, 'Find')),
  );
  const found = h('div', {});
  const collections = h('div', {}, loading('Loading the collections'));
  target.append(h('h1', {}, 'Sequences'), form, found, h('section', {}, h('h2', {}, 'Collections'), collections));
  if (search !== '') void showSequence(found, search);
  void listCollections(collections, signal);
}

async function showSequence(target: HTMLElement, id: string): Promise<void> {
  target.replaceChildren(loading('Looking it up'));
  try {
    const metadata = await service.metadata(id);
    target.replaceChildren(describeSequence(metadata), sliceForm(metadata));
  } catch (error) {
    showFailure(target, error);
  }
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

async function listCollections(target: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const { results, pagination } = await service.collections();
    if (results.length === 0) {
      target.replaceChildren(hint('No sequences are served, or they are still being read.'));
      return;
    }
    const rows: (readonly (Node | string | number)[])[] = [];
    for (const digest of results.slice(0, MOST_COLLECTIONS)) {
      const collection = await service.collection(digest).catch(() => undefined);
      if (signal.aborted) return;
      const link = h('a', { href: toFragment({ view: 'collection', digest }) }, h('code', {}, digest));
      const bases = collection?.lengths.reduce((sum, length) => sum + length, 0);
      rows.push([link, collection?.names.length ?? '', bases ?? '', collection?.names.slice(0, 4).join(', ') ?? '']);
    }
    const titles = ['Digest', 'Sequences#', 'Bases#', 'First names'];
    const isCut = pagination.total > rows.length;
    target.replaceChildren(
      table({ caption: 'Collections', titles }, rows),
      ...(isCut ? [hint(`Only ${count(rows.length)} of ${count(pagination.total)} are listed.`)] : []),
      ...(results.length > 1 ? [compareForm(results)] : []),
    );
  } catch (error) {
    showFailure(target, error);
  }
}

function compareForm(digests: readonly string[]): HTMLElement {
  const select = (id: string, label: string, chosen: number): HTMLSelectElement =>
    h(
      'select',
      { id, 'aria-label': label },
      ...digests.map((digest, index) => h('option', { value: digest, selected: index === chosen }, digest)),
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

/** The most sequences of a collection that are listed. */
const MOST_SEQUENCES = 1000;

/** Shows the sequences of a collection, and its FASTA file. */
export function showCollection(
  target: HTMLElement,
  { digest }: Extract<Place, { view: 'collection' }>,
  signal: AbortSignal,
): void {
  target.append(loading('Loading the collection'));
  const load = async (): Promise<void> => {
    try {
      const collection = await service.collection(digest);
      if (!signal.aborted) target.replaceChildren(...describeCollection(digest, collection));
    } catch (error) {
      showViewFailure(target, error, { title: digest, area: 'sequences' });
    }
  };
  void load();
}

function describeCollection(digest: string, { names, lengths, sequences }: Collection): HTMLElement[] {
  const fasta = new URL(`collection/${encodeURIComponent(digest)}/fasta`, BASE).href;
  const command = `samtools faidx ${fasta} ${names[0]?.includes(':') === false ? names[0] : 'NAME'}:1-60`;
  const rows = names.slice(0, MOST_SEQUENCES).map((name, index) => {
    const id = sequences[index] ?? '';
    return [
      name,
      lengths[index] ?? 0,
      h('a', { href: toFragment({ view: 'sequences', search: id }) }, h('code', {}, id)),
    ];
  });
  return [
    h('div', { class: 'title' }, h('h1', {}, digest), h('span', { class: 'chip' }, 'collection')),
    codeBox(command, 'the command'),
    table({ caption: 'Sequences', titles: ['Name', 'Length#', 'sha512t24u'] }, rows),
    ...(names.length > MOST_SEQUENCES
      ? [hint(`Only the first ${count(MOST_SEQUENCES)} of ${count(names.length)} are listed.`)]
      : []),
  ];
}
