import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server on the loopback address. It answers with a document unless the test sets another response. */
export class JsonServer {
  /** Replaced at any time. */
  document: unknown;
  /** Replaced at any time. */
  answer: (response: ServerResponse) => void = (response) => response.end(JSON.stringify(this.document));
  /** Those of the requests that came so far. */
  readonly bodies: string[] = [];
  /** Those of the same requests. */
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #server: Server;

  private constructor(document: unknown) {
    this.document = document;
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.bodies.push(body);
        this.headers.push(request.headers);
        this.answer(response);
      });
    });
  }

  static async start(document: unknown): Promise<JsonServer> {
    const server = new JsonServer(document);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
