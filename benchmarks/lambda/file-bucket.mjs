// A bucket whose objects are files, with the part of the S3 API that reading needs. It streams ranges of files that no memory
// would hold, and checks no signatures.
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** The name of the bucket. */
export const BUCKET = 'genomes';

/** Calls `use` with the endpoint of a bucket. `files` are the paths of its objects by their keys. */
export async function withFileBucket(files, use) {
  const server = createServer((request, response) => void answer(files, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function answer(files, { method, url, headers }, response) {
  const { pathname, searchParams } = new URL(url.replace(/\/$/, ''), 'http://localhost');
  const path = files[decodeURIComponent(pathname).slice(BUCKET.length + 2)];
  if (searchParams.has('list-type')) return response.writeHead(200).end(listing(files));
  // Whether the bucket exists, which the response to a missing object does not say.
  if (pathname.slice(1) === BUCKET) return response.writeHead(200).end();
  if (path === undefined) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  const { size } = statSync(path);
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(size, last ? Number(last) + 1 : size);
  if (start >= size) return response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const isPart = first !== undefined;
  response.writeHead(isPart ? 206 : 200, {
    etag: '"1"',
    'last-modified': new Date(0).toUTCString(),
    'content-length': end - start,
    ...(isPart && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (method === 'HEAD') return response.end();
  // A client that has read enough closes the connection.
  await pipeline(createReadStream(path, { start, end: end - 1 }), response).catch(() => undefined);
}

/** ListObjectsV2 of all objects. */
function listing(files) {
  const contents = Object.entries(files).map(
    ([key, path]) => `<Contents><Key>${key}</Key><Size>${statSync(path).size}</Size><ETag>"1"</ETag></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
}
