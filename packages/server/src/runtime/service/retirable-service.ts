import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerExchange, onResponseClosed } from '@htskit/adapters/internal';
import type { AdmittedRequest } from '../gate/request-gate.js';
import type { RoutedHandler } from '../request-route.js';
import type { HandlersOptions } from './handlers.js';
import type { ServedFiles } from './served-files.js';

export interface RetirableServiceOptions {
  readonly files: ServedFiles;
  readonly handler: RoutedHandler;
  readonly report: HandlersOptions['report'];
}

/** The files that are served and their handler. A reload replaces the service; it is closed after its last response. */
export class RetirableService {
  readonly files: ServedFiles;
  readonly #handler: RoutedHandler;
  readonly #report: HandlersOptions['report'];
  #runningCount = 0;
  #onIdle: (() => void) | undefined;

  constructor({ files, handler, report }: RetirableServiceOptions) {
    this.files = files;
    this.#handler = handler;
    this.#report = report;
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse, { route, body }: AdmittedRequest): void {
    this.#runningCount++;
    onResponseClosed(outgoing, () => {
      this.#runningCount--;
      if (this.#runningCount === 0) this.#onIdle?.();
    });
    // A target without a path, such as *, gets the error of an unknown path.
    const { target: path = '/*' } = route;
    const onError = (error: unknown): void => {
      const { 'x-request-id': requestId } = incoming.headers;
      this.#report(error, { name: route.nameObject?.(), requestId: requestId?.toString() });
    };
    answerExchange((request) => this.#handler(request, route), { incoming, outgoing, path, body, onError });
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
