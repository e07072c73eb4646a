import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sendFunctionResponse } from './function-response.js';
import { toHttpEvent } from './http-event.js';
import { RuntimeApi } from './runtime-api.js';

/** The runtime of Node.js functions, as it is built: child processes run no TypeScript. */
const BOOTSTRAP = fileURLToPath(new URL('../../dist/lambda/bootstrap.js', import.meta.url));
/** The maximum number of bytes of a request body. */
const REQUEST_BYTES = 6 * 2 ** 20;

export interface LambdaFunctionOptions {
  /** The folder of the unpacked function. */
  readonly folder: string;
  /** The module and its export, such as `index.handler`. */
  readonly handler: string;
  /** The variables of the function; `{url}` in a value is replaced by the URL of the function. */
  readonly environment: Readonly<Record<string, string>>;
  /** The number of processes that answer events. Default 1. */
  readonly instances?: number;
  /** The program of a custom runtime, in place of that of Node.js. */
  readonly bootstrap?: string;
}

/**
 * A function with a function URL on loopback. HTTP requests become events of payload format 2.0, processes take them from the
 * Runtime API, each one at a time, and what they return is sent, with the limits that AWS has. The URL is one of `http:`.
 */
export class LambdaFunction {
  readonly url: string;
  readonly #server: Server;
  readonly #api: RuntimeApi;
  readonly #processes: readonly ChildProcess[];
  #log = '';

  private constructor(server: Server, api: RuntimeApi, options: LambdaFunctionOptions) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    this.#api = api;
    server.on('request', (message: IncomingMessage, response: ServerResponse) => void this.#answer(message, response));
    this.#processes = Array.from({ length: options.instances ?? 1 }, () => this.#spawn(options));
  }

  /** Starts a function. Rejects with the error of its initialisation, if it fails. */
  static async start(options: LambdaFunctionOptions): Promise<LambdaFunction> {
    const [server, api] = [createServer(), await RuntimeApi.start()];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ready = new Promise<void>((resolve, reject) => {
      api.onReady = (error) => {
        if (error === undefined) resolve();
        else reject(new Error(`the function does not start: ${JSON.stringify(error)}`));
      };
    });
    const started = new LambdaFunction(server, api, options);
    try {
      await ready;
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** The ids of the processes. */
  get processIds(): readonly number[] {
    return this.#processes.map(({ pid = 0 }) => pid);
  }

  /** The output of the processes. */
  get log(): string {
    return this.#log;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    const running = this.#processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((each) => once(each, 'exit'));
    for (const each of running) each.kill('SIGKILL');
    await Promise.all(ended);
    this.#api.close();
  }

  #spawn({ folder, handler, environment, bootstrap }: LambdaFunctionOptions): ChildProcess {
    const entries = Object.entries(environment).map(
      ([name, value]) => [name, value.replaceAll('{url}', this.url)] as const,
    );
    const env = {
      PATH: process.env['PATH'],
      AWS_LAMBDA_RUNTIME_API: this.#api.address,
      LAMBDA_TASK_ROOT: folder,
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'function',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1769',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/function',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      _HANDLER: handler,
      ...Object.fromEntries(entries),
    };
    const [command, ...args] = bootstrap === undefined ? [process.execPath, BOOTSTRAP] : [bootstrap];
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const read = (chunk: Buffer): void => {
      this.#log += chunk.toString();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      const error = { errorType: 'Runtime.ExitError', code, log: this.#log.slice(-2000) };
      this.#api.onReady(error);
      this.#api.failAll(error);
    });
    return child;
  }

  async #answer(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await message.toArray());
    if (body.length > REQUEST_BYTES) {
      outgoing.writeHead(413).end();
      return;
    }
    const requestId = randomUUID();
    const event = toHttpEvent(message, { body, domainName: new URL(this.url).host, requestId });
    const answer = await this.#api.invoke(requestId, event);
    outgoing.setHeader('x-amzn-requestid', requestId);
    if ('error' in answer) return fail(outgoing);
    try {
      await sendFunctionResponse(answer.message, outgoing);
      answer.acknowledge(202, { status: 'OK' });
    } catch (error) {
      answer.acknowledge(413, { errorType: 'RequestEntityTooLarge', errorMessage: (error as Error).message });
      fail(outgoing);
    }
  }
}

/** A failure before the head is answered with 502, and one after it breaks the connection. */
function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502).end('Internal Server Error');
}
