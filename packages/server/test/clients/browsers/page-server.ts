import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is served at a path. */
export interface PageContent {
  readonly type: string;
  readonly body: string | Uint8Array;
}

export interface PageServer {
  readonly url: string;
  close(): void;
}

/** Serves contents and ranges of them by their paths on loopback, at a port, and so an origin, of its own. */
export async function servePage(contents: ReadonlyMap<string, PageContent>): Promise<PageServer> {
  const server = createServer((request, response) => {
    const content = contents.get(request.url ?? '');
    const type = { 'content-type': content?.type ?? 'text/plain' };
    const body = Buffer.from(content?.body ?? '');
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) {
      response.writeHead(content === undefined ? 404 : 200, { ...type, 'content-length': body.length });
      response.end(request.method === 'HEAD' ? undefined : body);
      return;
    }
    const part = body.subarray(Number(first), last ? Number(last) + 1 : body.length);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
    response.writeHead(206, { ...type, 'content-range': range, 'content-length': part.length });
    response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
