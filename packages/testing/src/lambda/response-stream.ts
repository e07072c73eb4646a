import { type ClientRequest, request } from 'node:http';
import { Writable } from 'node:stream';

const HTTP_RESPONSE = 'application/vnd.awslambda.http-integration-response';

/** The stream that a streaming handler writes its response to. It is sent to the Runtime API while it is written. */
export class ResponseStream extends Writable {
  readonly #url: string;
  #contentType = 'application/octet-stream';
  #prelude: Buffer = Buffer.alloc(0);
  #request: ClientRequest | undefined;

  constructor(url: string) {
    super();
    this.#url = url;
  }

  /** Sets the head of an HTTP response, which precedes the first byte of the body. */
  setHead(head: object): void {
    this.#contentType = HTTP_RESPONSE;
    this.#prelude = Buffer.concat([Buffer.from(JSON.stringify(head)), Buffer.alloc(8)]);
  }

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    const sent = this.#started();
    if (chunk.length === 0) callback();
    else sent.write(chunk, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    const sent = this.#started();
    sent.once('response', (response) => {
      response.resume();
      callback();
    });
    sent.end();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (error !== null) this.#request?.destroy();
    callback(error);
  }

  #started(): ClientRequest {
    if (this.#request !== undefined) return this.#request;
    const headers = {
      'content-type': this.#contentType,
      'lambda-runtime-function-response-mode': 'streaming',
      'transfer-encoding': 'chunked',
      trailer: 'Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body',
    };
    const started = request(this.#url, { method: 'POST', headers });
    started.on('error', (error) => this.destroy(error));
    if (this.#prelude.length > 0) started.write(this.#prelude);
    this.#request = started;
    return started;
  }
}
