// node bucket.mjs PATHS: a bucket in a process of its own, so that its CPU time is not that of the server. PATHS (JSON) are the files
// by key. What is written is held in memory. Answers `requests` with the requests so far to its parent, and its port when it listens.
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const BUCKET = '/bucket/';
const paths = JSON.parse(process.argv[2]);
const written = new Map();
const uploads = new Map();
let requests = [];

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch(() => outgoing.destroy());
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ requests });
  requests = [];
});
process.on('disconnect', () => process.exit());

async function answer(incoming, outgoing) {
  const { method, url, headers } = incoming;
  const key = decodeURIComponent(url.split('?', 1)[0].slice(BUCKET.length));
  requests.push({ method, key, range: headers.range });
  if (method === 'PUT' || method === 'POST') {
    const body = await buffer(incoming);
    return write(key, new URLSearchParams(url.split('?')[1]), body, outgoing);
  }
  if (key === '') return outgoing.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  const object = find(key);
  if (object === undefined) return outgoing.writeHead(404).end();
  const { size, etag, open } = object;
  const [, first = 0, last = size - 1] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const start = Number(first);
  const end = Math.min(Number(last) + 1, size);
  if (start >= size) return outgoing.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const range = headers.range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` };
  outgoing.writeHead(headers.range === undefined ? 200 : 206, {
    etag,
    'accept-ranges': 'bytes',
    'last-modified': new Date(0).toUTCString(),
    'content-length': end - start,
    ...range,
  });
  if (method === 'HEAD') return outgoing.end();
  await pipeline(open(start, end), outgoing);
}

/** Long objects arrive in parts: an upload begins with POST, as it ends. */
function write(key, query, body, outgoing) {
  if (query.has('uploads')) {
    uploads.set(key, new Map());
    return outgoing.end(`<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>`);
  }
  const etag = etagOf(key, body.length);
  if (query.has('partNumber')) uploads.get(key).set(Number(query.get('partNumber')), body);
  else if (query.has('uploadId')) {
    const parts = [...uploads.get(key)].sort(([a], [b]) => a - b).map(([, part]) => part);
    written.set(key, Buffer.concat(parts));
    return outgoing.end('<CompleteMultipartUploadResult/>');
  } else written.set(key, body);
  outgoing.writeHead(200, { etag }).end();
}

function find(key) {
  const bytes = written.get(key);
  if (bytes !== undefined) {
    const open = (start, end) => Readable.from([bytes.subarray(start, end)]);
    return { size: bytes.length, etag: etagOf(key, bytes.length), open };
  }
  const path = paths[key];
  if (path === undefined) return undefined;
  const { size } = statSync(path);
  const open = (start, end) => createReadStream(path, { start, end: end - 1, highWaterMark: 2 ** 18 });
  return { size, etag: etagOf(key, size), open };
}

function etagOf(key, size) {
  return `"${createHash('md5').update(`${key} ${size}`).digest('hex')}"`;
}
