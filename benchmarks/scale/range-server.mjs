// A store on this machine: node range-server.mjs FOLDER serves ranges of files, as a bucket does. Prints its port as JSON, and then
// the number of requests since the last line for each line that it reads.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder = '.'] = process.argv.slice(2);
let count = 0;

const server = createServer((incoming, outgoing) => {
  count += 1;
  const path = join(folder, incoming.url);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return outgoing.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = last === undefined || last === '' ? stat.size - 1 : Math.min(Number(last), stat.size - 1);
  const headers = { etag: `"${stat.size}"`, 'accept-ranges': 'bytes', 'content-length': end - start + 1 };
  if (first !== undefined) headers['content-range'] = `bytes ${start}-${end}/${stat.size}`;
  outgoing.writeHead(first === undefined ? 200 : 206, headers);
  if (incoming.method === 'HEAD') return outgoing.end();
  createReadStream(path, { start, end }).pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
createInterface(process.stdin)
  .on('line', () => {
    process.stdout.write(`${count}\n`);
    count = 0;
  })
  .on('close', () => process.exit());
