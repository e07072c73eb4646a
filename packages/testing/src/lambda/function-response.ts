import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The maximum number of bytes of a response that is returned as one JSON value. */
const BUFFERED_BYTES = 6_291_556;
/** The maximum number of bytes of a response that is streamed. */
const STREAMED_BYTES = 200 * 2 ** 20;
const HTTP_RESPONSE = 'application/vnd.awslambda.http-integration-response';
/** Ends the prelude of a streamed response. */
const DELIMITER = Buffer.alloc(8);

interface ResponseHead {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Sends what a runtime returns as a response of the function URL. Rejects for a response that Lambda refuses. */
export async function sendFunctionResponse(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const isStreamed = message.headers['lambda-runtime-function-response-mode'] === 'streaming';
  if (!isStreamed) return sendBuffered(message, outgoing);
  if (message.headers['content-type'] !== HTTP_RESPONSE) throw new Error('the streamed response has no prelude');
  await pipeline(message, new StreamedResponse(outgoing), outgoing);
}

async function sendBuffered(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
    byteLength += (chunk as Buffer).length;
    if (byteLength > BUFFERED_BYTES) throw new Error(`the response exceeds ${BUFFERED_BYTES} bytes`);
  }
  const {
    body = '',
    isBase64Encoded,
    ...head
  } = JSON.parse(Buffer.concat(chunks).toString()) as ResponseHead & {
    readonly body?: string;
    readonly isBase64Encoded?: boolean;
  };
  sendHead(head, outgoing);
  outgoing.end(Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'));
}

function sendHead({ statusCode, headers = {}, cookies = [] }: ResponseHead, outgoing: ServerResponse): void {
  outgoing.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) });
}

/** Takes the prelude off a streamed response, sends the head that it holds, and passes the body on. */
class StreamedResponse extends Transform {
  readonly #outgoing: ServerResponse;
  #prelude: Buffer | undefined = Buffer.alloc(0);
  #byteLength = 0;

  constructor(outgoing: ServerResponse) {
    super();
    this.#outgoing = outgoing;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, callback: TransformCallback): void {
    this.#byteLength += chunk.length;
    if (this.#byteLength > STREAMED_BYTES) callback(new Error(`the response exceeds ${STREAMED_BYTES} bytes`));
    else callback(null, this.#prelude === undefined ? chunk : this.#readPrelude(Buffer.concat([this.#prelude, chunk])));
  }

  /** Returns what follows the prelude, if it is complete. */
  #readPrelude(received: Buffer): Buffer | undefined {
    const end = received.indexOf(DELIMITER);
    this.#prelude = end === -1 ? received : undefined;
    if (end === -1) return undefined;
    sendHead(JSON.parse(received.subarray(0, end).toString()) as ResponseHead, this.#outgoing);
    return received.subarray(end + DELIMITER.length);
  }
}
