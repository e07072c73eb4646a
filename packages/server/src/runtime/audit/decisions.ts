import type { AccessDecision } from '@htskit/access';
import type { Requester } from './audit-log.js';

type Listener = (request: Request, requester: Requester) => void;

/** Passes the decisions of an authorizer, which exists before the server, to the server. */
export class Decisions {
  #listener: Listener | undefined;

  /** The hook `onDecision` of the authorizer. */
  readonly notify = (request: Request, { subject, visas }: AccessDecision): void => {
    this.#listener?.(request, { subject, visas });
  };

  /** Sets what receives the decisions from now on. */
  follow(listener: Listener): void {
    this.#listener = listener;
  }
}
