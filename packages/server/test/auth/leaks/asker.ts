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

type AskedInit = RequestInit & { readonly body?: string };

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
  async ask(path: string, init: AskedInit = {}, object?: number): Promise<Answer> {
    const answer = await this.#send(path, init);
    const shown = answer.text + JSON.stringify([...answer.headers]);
    expectNoLeak(shown, { views: this.views, asked: path + (init.body ?? ''), object });
    if (object === undefined || this.views[object]?.refusal === undefined) return answer;
    const name = nameOf(object);
    const absent = name.replace(/.$/, '0');
    const body = init.body === undefined ? {} : { body: init.body.replaceAll(name, absent) };
    const other = await this.#send(path.replaceAll(name, absent), { ...init, ...body });
    expectAlike(other, answer, { path, name, absent });
    return answer;
  }

  /** Fetches a URL that needs no token. */
  async fetchUrl(url: string): Promise<Answer> {
    if (url.startsWith('data:')) return read(await fetch(url));
    this.answers++;
    return read(await this.#app(new Request(url)));
  }

  async #send(path: string, init: AskedInit): Promise<Answer> {
    this.answers++;
    const headers = new Headers(init.headers);
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`);
    return read(await this.#app(new Request(PUBLIC_URL + path, { ...init, headers })));
  }
}

/** Expects the answer about an absent object to be that about one that may not be seen, but for the name. */
function expectAlike(
  other: Answer,
  { status, headers, text }: Answer,
  { path, name, absent }: { readonly path: string; readonly name: string; readonly absent: string },
): void {
  const wanted = JSON.stringify([status, [...headers], text]).replaceAll(name, absent);
  expect(JSON.stringify([other.status, [...other.headers], other.text]), path).toBe(wanted);
}

interface Shown {
  readonly views: readonly View[];
  /** The path and the body of the request, whose names the requester knows. */
  readonly asked: string;
  readonly object: number | undefined;
}

/** Expects a text to show nothing that a requester with these views may not see. */
export function expectNoLeak(text: string, { views, asked, object }: Shown): void {
  const hidden = [...views.keys()].filter((index) => views[index]?.refusal !== undefined).map(nameOf);
  for (const name of hidden) if (!asked.includes(name)) expect(text.includes(name), `${name} in ${asked}`).toBe(false);
  const leaks = marksIn(text).filter((mark) => {
    const view = views[mark.object];
    return !view?.cells.includes(mark.cell) || (mark.sample !== undefined && !view.samples.includes(mark.sample));
  });
  expect(leaks, asked).toEqual([]);
  const view = object === undefined ? undefined : views[object];
  const isWhole = view?.hasAllCells === true && view.hasAllSamples;
  if (!isWhole && !asked.includes(ANNOTATION)) expect(text.includes(ANNOTATION), asked).toBe(false);
  for (const [sample, name] of SAMPLES.entries()) {
    if (view === undefined || view.samples.includes(sample) || asked.includes(name)) continue;
    expect(text.includes(name), `${name} in ${asked}`).toBe(false);
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
