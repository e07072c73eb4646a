// The floor of the load measurements: node:http with constant responses, which ignores its arguments.
// node benchmarks/load/run.mjs --command benchmarks/load/constant.mjs
import { createServer } from 'node:http';

const BLOCK_BYTES = 250_000;
const block = Buffer.alloc(BLOCK_BYTES);

const server = createServer((incoming, outgoing) => {
  if (incoming.url === '/healthz') outgoing.end('ok\n');
  else if (incoming.url.startsWith('/blocks/')) outgoing.writeHead(200, { 'content-length': BLOCK_BYTES }).end(block);
  else {
    const url = `http://127.0.0.1:${server.address().port}/blocks/${'t'.repeat(300)}`;
    const body = JSON.stringify({ htsget: { format: 'BAM', urls: [{ url }, { url }, { url }] } });
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
