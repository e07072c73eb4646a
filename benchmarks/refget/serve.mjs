// node serve.mjs PATHS: serves the files of PATHS (JSON), each kind under its name, and constants. Sends its parent the
// port, and on request the memory in use.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeListener } from '@htskit/adapters/node';
import { createPlainRefgetHandler } from '@htskit/refget';
import { openSources } from './sources.mjs';

const paths = JSON.parse(process.argv[2]);
const HEADERS = { 'content-type': 'text/plain' };
const constants = new Map();

const listeners = new Map([
  ['constant', answerConstant],
  ['plain', toNodeListener(answerPlain)],
  ['response', toNodeListener(answerResponse)],
  ['file', answerFile],
]);
for (const [kind, catalogue] of Object.entries(await openSources(paths)))
  listeners.set(kind, toNodeListener(createPlainRefgetHandler({ catalogue }), { prefix: `/${kind}` }));

const server = createServer((incoming, outgoing) => {
  const [, kind] = incoming.url.split('/', 2);
  listeners.get(kind)(incoming, outgoing);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ rss: process.memoryUsage.rss() }));
process.on('disconnect', () => process.exit());

/** The path ends with the length. */
function constantOf(url) {
  const length = Number(url.slice(url.lastIndexOf('/') + 1));
  if (!constants.has(length)) constants.set(length, Buffer.alloc(length, 'A'));
  return constants.get(length);
}

function answerConstant({ url }, outgoing) {
  const body = constantOf(url);
  outgoing.writeHead(200, { ...HEADERS, 'content-length': body.length }).end(body);
}

function answerPlain({ url }) {
  const body = constantOf(url);
  return { status: 200, headers: new Headers({ ...HEADERS, 'content-length': String(body.length) }), body };
}

function answerResponse(request) {
  const { headers, body } = answerPlain(request);
  return new Response(body, { headers });
}

function answerFile(_, outgoing) {
  outgoing.writeHead(200, { ...HEADERS, 'content-length': statSync(paths.fasta).size });
  createReadStream(paths.fasta).pipe(outgoing);
}
