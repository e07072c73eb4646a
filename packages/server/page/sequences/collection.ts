import { codeBox, count, countOf, h, table } from '../dom.js';
import { hint, loading, showViewFailure } from '../notices.js';
import { type Place, toFragment } from '../route.js';
import { BASE, type Collection, service } from '../service.js';

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
      const [collection, files] = await Promise.all([service.collection(digest), service.collectionNames()]);
      if (!signal.aborted) target.replaceChildren(...describeCollection(digest, collection, files[digest] ?? []));
    } catch (error) {
      showViewFailure(target, error, { title: digest, area: 'sequences' });
    }
  };
  void load();
}

function describeCollection(
  digest: string,
  { names, lengths, sequences }: Collection,
  files: readonly string[],
): HTMLElement[] {
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
    h('div', { class: 'title' }, h('h1', {}, files.join(', ') || digest), h('span', { class: 'chip' }, 'collection')),
    h('p', { class: 'files' }, h('code', {}, digest), h('span', {}, countOf(names.length, 'sequence'))),
    codeBox(command, 'the command'),
    table({ caption: 'Sequences', titles: ['Name', 'Length#', 'sha512t24u'] }, rows),
    ...(names.length > MOST_SEQUENCES
      ? [hint(`Only the first ${count(MOST_SEQUENCES)} of ${count(names.length)} are listed.`)]
      : []),
  ];
}
