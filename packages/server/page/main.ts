import { h } from './dom.js';
import { showObjects } from './lists/objects.js';
import { showObject } from './object/object.js';
import { type Place, parsePlace } from './route.js';
import { showCollection } from './sequences/collection.js';
import { showComparison } from './sequences/comparison.js';
import { showSequences } from './sequences/sequences.js';
import { connectTokenButton, TOKEN_CHANGED } from './token/token-dialog.js';

/** A view fills an element until the signal aborts. */
type View = (target: HTMLElement, signal: AbortSignal) => void;

/** Shows another place in the view. Returns false if it is one of another view. */
let move: ((place: Place) => boolean) | undefined;

function viewOf(place: Place): { readonly title: string; readonly view: View } {
  switch (place.view) {
    case 'objects':
      return { title: 'Objects', view: (target, signal) => showObjects(target, place, signal) };
    case 'object':
      return {
        title: place.id,
        view: (target, signal) => {
          move = showObject(target, place, signal);
        },
      };
    case 'sequences':
      return { title: 'Sequences', view: (target, signal) => showSequences(target, place, signal) };
    case 'collection':
      return { title: place.digest, view: (target, signal) => showCollection(target, place, signal) };
    case 'comparison':
      return { title: 'Comparison', view: (target, signal) => showComparison(target, place, signal) };
    case 'unknown':
      return {
        title: 'Not found',
        view: (target) =>
          target.append(
            h('h1', {}, 'Not found'),
            h('p', {}, 'There is no such view. ', h('a', { href: '#/' }, 'All objects')),
          ),
      };
  }
}

const main = document.querySelector<HTMLElement>('#main');
let shown = new AbortController();

function show(): void {
  shown.abort();
  shown = new AbortController();
  const { title, view } = viewOf(parsePlace(location.hash));
  document.title = `${title} · htskit`;
  for (const link of document.querySelectorAll('nav a')) {
    const isCurrent = link.getAttribute('href')?.split('/')[1] === area();
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (main === null) return;
  const target = h('div', { class: 'view' });
  main.replaceChildren(target);
  move = undefined;
  view(target, shown.signal);
}

/** Returns the part of the header that the place belongs to. */
function area(): string {
  const { view } = parsePlace(location.hash);
  return view === 'sequences' || view === 'collection' || view === 'comparison' ? 'sequences' : '';
}

connectTokenButton();
// The fragment names a place of the page, so the link moves the focus itself.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main?.focus();
});
addEventListener('hashchange', () => {
  // A person who moves the region stays where it is moved.
  if (move?.(parsePlace(location.hash)) === true) return;
  show();
  main?.focus({ preventScroll: true });
  scrollTo(0, 0);
});
addEventListener(TOKEN_CHANGED, show);
show();
