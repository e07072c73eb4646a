import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainResponse } from '@htskit/http';
import type { Handler } from './app.js';
import type { ServedFiles } from './service.js';

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** A handler and what it serves, which is closed when another took its place and it has answered all that it was asked. */
export class RunningService {
  readonly files: ServedFiles;
  readonly #listener: Listener;
  #runningCount = 0;
  #onIdle: (() => void) | undefined;

  constructor(
    handler: Handler<PlainResponse>,
    files: ServedFiles,
    toListener: (handler: Handler<PlainResponse>) => Listener,
  ) {
    this.files = files;
    this.#listener = toListener(handler);
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    let isRunning = true;
    const end = (): void => {
      // An answer that waits for an earlier one of its connection is not told that this has closed.
      socket.off('close', end);
      if (!isRunning) return;
      isRunning = false;
      this.#runningCount--;
      if (this.#runningCount === 0) this.#onIdle?.();
    };
    this.#runningCount++;
    outgoing.once('close', end);
    socket.once('close', end);
    this.#listener(incoming, outgoing);
  }

  /** Closes what is served once the running answers have ended; there must be no further ones. */
  async retire(): Promise<void> {
    if (this.#runningCount > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.files.close();
  }
}
