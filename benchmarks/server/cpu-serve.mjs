// node cpu-serve.mjs PATHS: serves the files of PATHS (JSON) through the adapter of node:http alone, and constants of the
// lengths in their paths. Sends its parent the port.
import { createServer } from 'node:http';
import { toNodeListener } from '@htskit/adapters/node';
import { createPlainHtsgetHandler } from '@htskit/htsget';
import { createPlainRefgetHandler } from '@htskit/refget';
import { fileSource } from '@htskit/storage/file';
import { openSources } from '../refget/sources.mjs';

const { genome, index, fasta } = JSON.parse(process.argv[2]);
const files = { genome: [{ format: 'BAM', data: fileSource(genome), index: fileSource(index) }] };
const { fasta: catalogue } = await openSources({ fasta });
const tickets = toNodeListener(
  createPlainHtsgetHandler({ resolve: async (id) => files[id], publicUrl: 'http://localhost', onError: console.error }),
);
const slices = toNodeListener(createPlainRefgetHandler({ catalogue }));
const constants = new Map();

const server = createServer((incoming, outgoing) => {
  const { url } = incoming;
  if (url.startsWith('/constant/')) answerConstant(url, outgoing);
  else if (url.startsWith('/sequence/')) slices(incoming, outgoing);
  else tickets(incoming, outgoing);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());

function answerConstant(url, outgoing) {
  const length = Number(url.slice(url.lastIndexOf('/') + 1));
  if (!constants.has(length)) constants.set(length, Buffer.alloc(length, 'A'));
  outgoing.writeHead(200, { 'content-type': 'text/plain', 'content-length': length }).end(constants.get(length));
}
