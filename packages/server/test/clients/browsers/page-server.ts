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

/** Serves contents by their paths on loopback, at a port, and so an origin, of its own. */
export async function servePage(contents: ReadonlyMap<string, PageContent>): Promise<PageServer> {
  const server = createServer((request, response) => {
    const content = contents.get(request.url ?? '');
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': content?.type ?? 'text/plain' });
    response.end(content?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
