import type { IncomingHttpHeaders } from 'node:http';
import { forwardMembers } from './forward-members.js';

/** A name of a header that needs no check. */
const PLAIN_NAME = /^[\w-]+$/;

/**
 * The `Headers` of a message that a Node server received. `get` and `has` read the message. All other members are forwarded to
 * native `Headers`, which are created when they are first needed: they cost 2 µs, a tenth of a constant answer.
 */
export class HeadersView {
  readonly #incoming: IncomingHttpHeaders;
  #native: Headers | undefined;

  constructor(incoming: IncomingHttpHeaders) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    // Native headers may have been changed, and reject a name that is not valid.
    if (this.#native !== undefined || !PLAIN_NAME.test(name)) return this.native().get(name);
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#incoming, key) ? this.#incoming[key] : undefined;
    return typeof value === 'object' ? value.join(', ') : (value ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  native(): Headers {
    // Node returns an array for Set-Cookie only, which has no meaning in a request.
    this.#native ??= new Headers(this.#incoming as Record<string, string>);
    return this.#native;
  }

  /** Returns this object with the type that it has at run time. */
  toHeaders(): Headers {
    return this as unknown as Headers;
  }

  static {
    forwardMembers(HeadersView.prototype, Headers.prototype, (view) => view.native());
  }
}
