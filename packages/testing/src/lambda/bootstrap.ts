// The runtime of Node.js functions: loads the handler that _HANDLER names, and answers the events of the Runtime API, one at a
// time, until the process is killed.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { ResponseStream } from './response-stream.js';

type Handler = (event: unknown, ...others: readonly unknown[]) => unknown;

const { AWS_LAMBDA_RUNTIME_API = '', LAMBDA_TASK_ROOT = '.', _HANDLER = '' } = process.env;
const runtime = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
/** The handlers that write their response to a stream. */
const streaming = new WeakSet<Handler>();

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler): Handler => {
      streaming.add(handler);
      return handler;
    },
    HttpResponseStream: {
      from: (stream: ResponseStream, head: object): ResponseStream => {
        stream.setHead(head);
        return stream;
      },
    },
  },
});

function describe(error: unknown): object {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
}

const agent = new Agent({ keepAlive: true });

/** Requests a path of the Runtime API, without what `fetch` takes to start: the runtime of AWS does not load it either. */
async function call(
  path: string,
  value?: unknown,
): Promise<{ readonly headers: IncomingMessage['headers']; body: string }> {
  const sent = request(`${runtime}/${path}`, { agent, method: value === undefined ? 'GET' : 'POST' });
  sent.end(value === undefined ? undefined : JSON.stringify(value));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray()).toString();
  return { headers: response.headers, body };
}

async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = _HANDLER.split('.');
  const loaded = (await import(pathToFileURL(join(LAMBDA_TASK_ROOT, `${file}.js`)).href)) as Record<string, unknown>;
  const handler = loaded[name];
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is not a function`);
  return handler as Handler;
}

async function answerNext(handler: Handler): Promise<void> {
  const next = await call('invocation/next');
  const awsRequestId = String(next.headers['lambda-runtime-aws-request-id']);
  const event: unknown = JSON.parse(next.body);
  const context = { awsRequestId, functionName: 'function' };
  try {
    if (!streaming.has(handler)) {
      await call(`invocation/${awsRequestId}/response`, (await handler(event, context)) ?? null);
      return;
    }
    const stream = new ResponseStream(`${runtime}/invocation/${awsRequestId}/response`);
    // A stream that was destroyed has broken the response off already.
    const sent = finished(stream).catch(() => undefined);
    await handler(event, stream, context);
    await sent;
  } catch (error) {
    console.error(error);
    await call(`invocation/${awsRequestId}/error`, describe(error));
  }
}

try {
  const handler = await loadHandler();
  for (;;) await answerNext(handler);
} catch (error) {
  await call('init/error', describe(error));
  process.exitCode = 1;
}
