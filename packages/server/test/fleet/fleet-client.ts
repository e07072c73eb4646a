import { setTimeout as wait } from 'node:timers/promises';
import type { Ticket } from '@htskit/protocol';

/** What a fleet may answer while replicas come and go; anything else is the last word. */
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504]);
const ATTEMPTS = 12;
const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 1000;

/** Asks for tickets and their blocks, again where one fails. */
export class FleetClient {
  /** Requests that were made again. */
  retryCount = 0;
  /** Bodies that were cut off. */
  cutCount = 0;
  /** Answers by the replica that nginx names. */
  readonly answers = new Map<string, number>();

  /** The file that a ticket describes. */
  async download(url: string, init?: RequestInit): Promise<Uint8Array> {
    const text = new TextDecoder().decode(await this.fetchBytes(url, init));
    const { htsget } = JSON.parse(text) as Ticket;
    const blocks: Uint8Array[] = [];
    for (const block of htsget.urls) blocks.push(await this.fetchBytes(block.url, { headers: block.headers ?? {} }));
    return Buffer.concat(blocks);
  }

  /** The whole body of an answer. Throws for a status that is neither a success nor transient, and after many attempts. */
  async fetchBytes(url: string, init?: RequestInit): Promise<Uint8Array> {
    for (let attempt = 0; ; attempt++) {
      const result = await this.#attempt(url, init);
      if (result instanceof Uint8Array) return result;
      if (attempt === ATTEMPTS) throw new Error(`${attempt} attempts failed, the last one with ${result}`);
      this.retryCount++;
      const pause = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** attempt);
      await wait(pause * (0.5 + Math.random() / 2));
    }
  }

  /** The body, or why there is none and another attempt may help. */
  async #attempt(url: string, init: RequestInit | undefined): Promise<Uint8Array | string> {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      return String(error);
    }
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok) {
        this.#count(response);
        return bytes;
      }
      if (TRANSIENT.has(response.status)) return `status ${response.status}`;
      throw new RangeError(`status ${response.status}: ${new TextDecoder().decode(bytes).slice(0, 1000)}`);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      this.cutCount++;
      return String(error);
    }
  }

  #count({ headers }: Response): void {
    // nginx names all that it asked; the last one answered.
    const replica = headers.get('x-replica')?.split(', ').at(-1);
    if (replica !== undefined) this.answers.set(replica, (this.answers.get(replica) ?? 0) + 1);
  }
}
