import { h } from './dom.js';
import { token } from './service.js';

/** The event after the token changed. */
export const TOKEN_CHANGED = 'htskit-token-changed';

const dialog = (): HTMLDialogElement => document.querySelector<HTMLDialogElement>('#token-dialog') ?? h('dialog');

/** Asks for a bearer token, which stays in this tab. */
export function openTokenDialog(): void {
  const input = h('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    value: token.get(),
    placeholder: 'eyJhbGciOi…',
  });
  const save = (value: string): void => {
    token.set(value.trim());
    dialog().close();
    dispatchEvent(new Event(TOKEN_CHANGED));
  };
  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        save(input.value);
      },
    },
    h('h2', { id: 'token-title' }, 'Bearer token'),
    h('p', {}, 'Sent to this server with each request, and forgotten when this tab is closed.'),
    h('label', { for: 'token' }, 'Token'),
    input,
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'submit', class: 'primary' }, 'Use'),
      h('button', { type: 'button', click: () => save('') }, 'Forget'),
      h('button', { type: 'button', class: 'quiet', click: () => dialog().close() }, 'Cancel'),
    ),
  );
  dialog().replaceChildren(form);
  dialog().showModal();
}

/** Connects the button of the header, which shows whether there is a token. */
export function connectTokenButton(): void {
  const button = document.querySelector('#token-button');
  const update = (): void => void button?.classList.toggle('active', token.get() !== '');
  button?.addEventListener('click', openTokenDialog);
  addEventListener(TOKEN_CHANGED, update);
  update();
}
