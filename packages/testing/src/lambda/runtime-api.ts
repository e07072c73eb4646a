import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer of a function to an event. */
export type InvocationAnswer =
  | {
      /** The request by which the runtime returns the response. Its body is still arriving. */
      readonly message: IncomingMessage;
      /** Accepts or refuses it. The runtime waits for that. */
      readonly acknowledge: (status: number, body: object) => void;
    }
  | { readonly error: unknown };

interface Invocation {
  readonly id: string;
  readonly event: object;
  readonly answer: (answer: InvocationAnswer) => void;
}

const PATH = /^\/2018-06-01\/runtime\/(?:invocation\/(?<id>[^/]+)\/(?<outcome>response|error)|init\/(?<init>error))$/;
const NEXT = '/2018-06-01/runtime/invocation/next';
/** The time that a runtime has for an event, in milliseconds. */
const DEADLINE_MILLISECONDS = 900_000;

/** The Runtime API of AWS Lambda, by which the processes of a function take events and return responses. */
export class RuntimeApi {
  /** The value of `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  readonly #server: Server;
  readonly #waiting: Invocation[] = [];
  readonly #idle: ServerResponse[] = [];
  readonly #running = new Map<string, Invocation>();
  /** Called when a process asks for its first event, or with the error that it ended with before that. */
  onReady: (error?: unknown) => void = () => undefined;

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo;
    this.#server = server;
    this.address = `127.0.0.1:${port}`;
    server.on('request', (message: IncomingMessage, response: ServerResponse) => {
      this.#answer(message, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<RuntimeApi> {
    const server = createServer({ requestTimeout: 0 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RuntimeApi(server);
  }

  /** Passes an event to the next process that is idle, and returns its answer. */
  invoke(id: string, event: object): Promise<InvocationAnswer> {
    return new Promise((resolve) => {
      this.#waiting.push({ id, event, answer: resolve });
      this.#dispatch();
    });
  }

  /** Fails all events, because no process is left. */
  failAll(error: unknown): void {
    for (const { answer } of [...this.#running.values(), ...this.#waiting.splice(0)]) answer({ error });
    this.#running.clear();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = message;
    if (url === NEXT) {
      this.onReady();
      this.#idle.push(response);
      response.once('close', () => this.#forget(response));
      this.#dispatch();
      return;
    }
    const { id = '', outcome, init } = PATH.exec(url)?.groups ?? {};
    const acknowledge = (status: number, body: object): void =>
      void response.writeHead(status).end(JSON.stringify(body));
    const invocation = this.#running.get(id);
    this.#running.delete(id);
    if (outcome === 'response' && invocation !== undefined) invocation.answer({ message, acknowledge });
    else if (outcome === 'error' || init === 'error') {
      const error: unknown = JSON.parse(Buffer.concat(await message.toArray()).toString());
      if (init === 'error') this.onReady(error);
      invocation?.answer({ error });
      acknowledge(202, { status: 'OK' });
    } else acknowledge(400, { errorType: 'InvalidRequestID' });
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [response, invocation] = [this.#idle.shift(), this.#waiting.shift()];
      if (response === undefined || invocation === undefined) return;
      this.#running.set(invocation.id, invocation);
      const headers = {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': invocation.id,
        'lambda-runtime-deadline-ms': String(Date.now() + DEADLINE_MILLISECONDS),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:function',
      };
      response.writeHead(200, headers).end(JSON.stringify(invocation.event));
    }
  }

  #forget(response: ServerResponse): void {
    const at = this.#idle.indexOf(response);
    if (at !== -1) this.#idle.splice(at, 1);
  }
}
