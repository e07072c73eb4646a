import { bgunzip } from '@htskit/testing';
import { expect } from 'vitest';
import type { FetchHandler } from '../../dispatch.js';
import type { View } from './random-access.js';
import { ANNOTATION, marksIn, OBJECTS, SAMPLES } from './secret-files.js';
import { PUBLIC_URL } from './secret-server.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body, decompressed. */
  readonly text: string;
}

/** Sends requests of one requester, and checks every answer. */
export class Asker {
  readonly views: readonly View[];
  readonly #app: FetchHandler;
  readonly #token: string | undefined;
  /** The number of answers that were checked. */
  answers = 0;

  constructor(
    app: FetchHandler,
    { token, views }: { readonly token: string | undefined; readonly views: readonly View[] },
  ) {
    this.#app = app;
    this.#token = token;
    this.views = views;
  }

  /** Sends a request about an object, or about none. An object that may not be seen is answered as one that does not exist. */
  async ask(path: string, init: RequestInit = {}, object?: number): Promise<Answer> {
    const answer = await this.#send(path, init);
    this.expectNoLeak(answer.text + JSON.stringify([...answer.headers]), { path, init, object });
    if (object !== undefined && this.views[object]?.refusal !== undefined)
      await this.#expectAbsent(answer, { path, init, object });
    return answer;
  }

  /** Fetches a URL that needs no token. */
  async fetchUrl(url: string): Promise<Answer> {
    if (url.startsWith('data:')) return read(await fetch(url));
    this.answers++;
    return read(await this.#app(new Request(url)));
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    this.answers++;
    const headers = new Headers(init.headers);
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`);
    return read(await this.#app(new Request(PUBLIC_URL + path, { ...init, headers })));
  }

  async #expectAbsent(
    { status, headers, text }: Answer,
    { path, init, object }: { readonly path: string; readonly init: RequestInit; readonly object: number },
  ): Promise<void> {
    const name = nameOf(object);
    const absent = name.replace(/.$/, '0');
    const body = typeof init.body === 'string' ? { body: init.body.replaceAll(name, absent) } : {};
    const other = await this.#send(path.replaceAll(name, absent), { ...init, ...body });
    const found = [other.status, [...other.headers], other.text];
    const wanted = JSON.parse(JSON.stringify([status, [...headers], text]).replaceAll(name, absent)) as unknown;
    expect(found, path).toEqual(wanted);
  }

  /** Expects a text to show nothing that the requester may not see. */
  expectNoLeak(
    text: string,
    { path, init, object }: { readonly path: string; readonly init: RequestInit; readonly object: number | undefined },
  ): void {
    const asked = path + String(init.body ?? '');
    for (const [index, view] of this.views.entries()) {
      const name = nameOf(index);
      if (view.refusal !== undefined && !asked.includes(name))
        expect(text.includes(name), `${name} in ${asked}`).toBe(false);
    }
    const leaks = marksIn(text).filter((mark) => {
      const view = this.views[mark.object];
      return !view?.cells.includes(mark.cell) || (mark.sample !== undefined && !view.samples.includes(mark.sample));
    });
    expect(leaks, asked).toEqual([]);
    const view = object === undefined ? undefined : this.views[object];
    const isWhole = view?.hasAllCells === true && view.hasAllSamples;
    if (!isWhole && !asked.includes(ANNOTATION)) expect(text.includes(ANNOTATION), asked).toBe(false);
    for (const [sample, name] of SAMPLES.entries()) {
      if (view === undefined || view.samples.includes(sample) || asked.includes(name)) continue;
      expect(text.includes(name), `${name} in ${asked}`).toBe(false);
    }
  }
}

/** The part of the id of an object that no other text has. */
function nameOf(object: number): string {
  return OBJECTS[object]?.id.slice(3) ?? '';
}

async function read(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers, bytes, text: toText(bytes) };
}

/** Returns bytes as text that shows all that they hold. */
export function toText(bytes: Uint8Array): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return Buffer.from(isCompressed ? bgunzip(bytes) : bytes).toString('latin1');
}
