import { h } from '../dom.js';
import { readClaims, type TokenClaims, token } from './token.js';

/** The event after the token changed. */
export const TOKEN_CHANGED = 'htskit-token-changed';

/** What a header can hold of a token, which may have its scheme before it. */
const TOKEN_PATTERN = '\\s*(?:[Bb][Ee][Aa][Rr][Ee][Rr]\\s+)?[\\x21-\\x7e]+\\s*';

/** The longest delay of a timer, in milliseconds. */
const MOST_DELAY = 2 ** 31 - 1;

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
    pattern: TOKEN_PATTERN,
    title: 'Printable ASCII characters without spaces',
  });
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
    token.get() !== '' && h('p', { class: 'hint' }, describe(readClaims(token.get()))),
    h('label', { for: 'token' }, 'Token'),
    input,
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'submit', class: 'primary' }, 'Use'),
      token.get() !== '' && h('button', { type: 'button', click: () => save('') }, 'Forget'),
      h('button', { type: 'button', class: 'quiet', click: () => dialog().close() }, 'Cancel'),
    ),
  );
  dialog().replaceChildren(form);
  dialog().showModal();
}

function save(value: string): void {
  token.set(value.trim().replace(/^bearer +/i, ''));
  dialog().close();
  dispatchEvent(new Event(TOKEN_CHANGED));
}

function isExpired({ expires }: TokenClaims): boolean {
  return expires !== undefined && expires <= Date.now();
}

/** Returns a sentence such as `This token is of alice, by https://login.example. It is valid until 27 November 2026, 14:05.` */
function describe(claims: TokenClaims): string {
  const { subject, issuer, expires } = claims;
  const whose =
    subject === undefined
      ? 'This token does not say whose it is.'
      : `This token is of ${subject}${issuer === undefined ? '' : `, by ${issuer}`}.`;
  if (expires === undefined) return `${whose} It does not say when it expires.`;
  const date = new Date(expires).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
  return `${whose} ${isExpired(claims) ? `It expired at ${date}.` : `It is valid until ${date}.`}`;
}

/** Returns the text of the button: whose token is set, and until when. */
function summarize(claims: TokenClaims): string {
  const { subject, expires } = claims;
  const name = subject === undefined ? 'Token is set' : `Token of ${subject}`;
  if (expires === undefined) return name;
  if (isExpired(claims)) return `${name}, expired`;
  const isToday = new Date(expires).toDateString() === new Date().toDateString();
  const format = isToday ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium' } as const);
  return `${name}, until ${new Date(expires).toLocaleString(undefined, format)}`;
}

/** Connects the button of the header, which shows whose token is set, and until when. */
export function connectTokenButton(): void {
  const button = document.querySelector('#token-button');
  if (button === null) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(timer);
    const isSet = token.get() !== '';
    const claims = readClaims(token.get());
    button.textContent = isSet ? summarize(claims) : 'Token';
    button.classList.toggle('active', isSet);
    button.classList.toggle('expired', isSet && isExpired(claims));
    const { expires } = claims;
    if (expires === undefined || isExpired(claims)) return;
    timer = setTimeout(update, Math.min(MOST_DELAY, expires - Date.now() + 1));
  };
  button.addEventListener('click', openTokenDialog);
  addEventListener(TOKEN_CHANGED, update);
  update();
}
