import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeListener } from '@htskit/adapters/node';
import { createHtsgetHandler, type StoredFile } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { onTestFinished } from 'vitest';

/** A server on loopback. */
export interface FileServer {
  readonly origin: string;
  /** The path and the Range header of each request. */
  readonly requests: readonly { readonly path: string; readonly range: string | undefined }[];
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag, content-range' };

/** Serves the fixtures with ranges, as a static web server does, until the test ends. */
export async function serveFixtures(): Promise<FileServer> {
  const requests: { path: string; range: string | undefined }[] = [];
  const origin = await listen((request, response) => {
    const { pathname: path } = new URL(request.url ?? '', 'http://localhost');
    requests.push({ path, range: request.headers.range });
    const name = fixturePath(path.slice(1));
    const isPreflight = request.method === 'OPTIONS';
    if (isPreflight || statSync(name, { throwIfNoEntry: false })?.isFile() !== true) {
      const allowed = { ...CORS, 'access-control-allow-headers': 'range, if-match, if-range' };
      response.writeHead(isPreflight ? 204 : 404, allowed).end();
      return;
    }
    const bytes = readFileSync(name);
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(first ?? 0);
    const end = Math.min(bytes.length, last ? Number(last) + 1 : bytes.length);
    response.writeHead(first === undefined ? 200 : 206, {
      ...CORS,
      etag: '"1"',
      'content-length': end - start,
      ...(first !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end));
  });
  return { origin, requests };
}

/** Serves files as objects of an htsget service, by their ids, until the test ends. Returns its origin. */
export async function serveHtsget(objects: Readonly<Record<string, readonly string[]>>): Promise<string> {
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const origin = await listen((request, response) => listener?.(request, response));
  const resolve = async (id: string): Promise<StoredFile[] | undefined> =>
    objects[id]?.map((name) => ({
      format: FORMATS.find(([extension]) => name.endsWith(extension))?.[1] ?? 'BAM',
      data: memorySource(readFixture(name), { key: name, version: '1' }),
    }));
  listener = toNodeListener(createHtsgetHandler({ publicUrl: origin, resolve, onError: () => undefined }));
  return origin;
}

const FORMATS = [
  ['.bam', 'BAM'],
  ['.cram', 'CRAM'],
  ['.vcf.gz', 'VCF'],
  ['.bcf', 'BCF'],
] as const;

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
