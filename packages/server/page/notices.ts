import { h } from './dom.js';
import { ServiceError } from './service-error.js';
import { openTokenDialog } from './token/token-dialog.js';

/** Describes a failure, with the remedy if a token may be one. */
export function failure(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const needsToken = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  const button = h('button', { type: 'button', click: openTokenDialog }, 'Enter a token');
  return h('div', { class: 'notice failure', role: 'alert' }, h('p', {}, sentence(message)), needsToken && button);
}

/** A line that says what is being loaded. */
export function loading(what: string): HTMLElement {
  return h('p', { class: 'loading', role: 'status' }, `${what} …`);
}

export function hint(text: string): HTMLElement {
  return h('p', { class: 'hint' }, text);
}

/** A hint with a button that does what it advises against. */
export function offer(text: string, show: () => Promise<void>): HTMLElement {
  return h(
    'div',
    { class: 'notice' },
    h('p', {}, text),
    h('button', { type: 'button', click: () => void show() }, 'Show them'),
  );
}

/** Messages of the server begin with a lower-case letter and have no full stop. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Replaces a view by the reason why it has no content, with its title and a link to where things are listed. */
export function showViewFailure(
  target: Element,
  error: unknown,
  { title, area }: { readonly title: string; readonly area: 'objects' | 'sequences' },
): void {
  const reason = h('div', {});
  const link = h('a', { href: area === 'objects' ? '#/' : '#/sequences' }, `All ${area}`);
  target.replaceChildren(h('h1', {}, title), reason, h('p', {}, link));
  showFailure(reason, error);
}

/** Replaces the content of an element by a failure, unless it was aborted. */
export function showFailure(target: Element, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  target.replaceChildren(failure(error));
}
