// node serve.mjs PATHS: serves the files of PATHS (JSON) through each framework, with constants and plain files. Sends
// its parent the ports, and on request the memory in use.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import { createPlainHtsgetHandler } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { TYPICAL, toTicketPath } from './regions.mjs';

const paths = JSON.parse(process.argv[2]);
const OCTETS = 'application/octet-stream';
const { size } = statSync(paths.bam);

const handler = createPlainHtsgetHandler({
  resolve: createResolve(),
  publicUrl: 'http://localhost',
  onError: console.error,
});
const answer = await handler(new Request(`http://localhost${toTicketPath(TYPICAL)}`));
const ticket = JSON.parse(Buffer.from(answer.body));

const SERVERS = { 'node:http': serveNode, Express: serveExpress, Fastify: serveFastify, Hono: serveHono };

const ports = {};
for (const [name, create] of Object.entries(SERVERS)) {
  const server = await create();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports[name] = server.address().port;
}
process.send({ ports });
process.on('message', () => {
  globalThis.gc();
  process.send({ rss: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());

function createResolve() {
  const files = {
    genome: [{ format: 'BAM', data: fileSource(paths.genome), index: fileSource(paths.index) }],
    reads: [{ format: 'BAM', data: fileSource(paths.bam) }],
  };
  return async (id) => files[id];
}

function serveNode() {
  const listener = toNodeListener(handler);
  return createServer((incoming, outgoing) => {
    if (incoming.url === '/constant') {
      const body = Buffer.from(JSON.stringify(ticket));
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    } else if (incoming.url === '/file') {
      outgoing.writeHead(200, { 'content-type': OCTETS, 'content-length': size });
      createReadStream(paths.bam).pipe(outgoing);
    } else listener(incoming, outgoing);
  });
}

function serveExpress() {
  const app = express();
  app.get('/constant', (_, response) => void response.json(ticket));
  app.get('/file', (_, response) => {
    response.type(OCTETS).set('content-length', String(size));
    createReadStream(paths.bam).pipe(response);
  });
  return createServer(app.use(toExpress(handler)));
}

async function serveFastify() {
  const app = Fastify();
  app.get('/constant', async () => ticket);
  app.get('/file', (_, reply) => reply.type(OCTETS).header('content-length', size).send(createReadStream(paths.bam)));
  app.register(toFastify(handler));
  await app.ready();
  return app.server;
}

function serveHono() {
  const app = new Hono();
  app.get('/constant', (context) => context.json(ticket));
  app.get('/file', () => {
    const headers = { 'content-type': OCTETS, 'content-length': String(size) };
    return new Response(Readable.toWeb(createReadStream(paths.bam)), { headers });
  });
  app.all('/*', toHono(handler));
  return createAdaptorServer({ fetch: app.fetch });
}
