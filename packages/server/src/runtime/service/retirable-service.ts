import type { IncomingMessage, ServerResponse } from 'node:http';
import { onResponseClosed } from '@htskit/adapters/internal';
import type { RequestRoute, RouteOwner } from '../request-route.js';
import type { ServedFiles } from './open-files.js';

/** A listener of `node:http`. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** The files that are served and their listeners. A reload replaces the service; it is closed after its last response. */
export class RetirableService {
  readonly files: ServedFiles;
  readonly #listeners: Readonly<Record<RouteOwner, Listener>>;
  #runningCount = 0;
  #onIdle: (() => void) | undefined;

  constructor(files: ServedFiles, listeners: Readonly<Record<RouteOwner, Listener>>) {
    this.files = files;
    this.#listeners = listeners;
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse, { owner }: RequestRoute): void {
    this.#runningCount++;
    onResponseClosed(outgoing, () => {
      this.#runningCount--;
      if (this.#runningCount === 0) this.#onIdle?.();
    });
    this.#listeners[owner](incoming, outgoing);
  }

  /** Closes the files after the last running response. `answer` must not be called any more. */
  async retire(): Promise<void> {
    if (this.#runningCount > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.files.close();
  }
}
