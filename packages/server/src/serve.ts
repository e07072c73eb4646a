import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeListener } from '@htskit/adapters/node';
import { createHtsgetHandler, type Precision } from '@htskit/htsget';
import { type Authority, RefgetError } from '@htskit/protocol';
import { createRefgetHandler } from '@htskit/refget';
import { createApp, type Handler } from './app.js';
import { describeError } from './describe-error.js';
import { ObjectCatalogue } from './objects.js';
import { isStoreFolder, openStoreFolder } from './refget-store.js';
import { type SequenceOptions, SequenceSources } from './sequences.js';
import { checkPaths, SERVED_FILES } from './served-paths.js';

/** The paths hold files of both protocols, or are stores of sequences. */
export interface ServeOptions extends SequenceOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where clients reach the server; by default the address that it listens on, or the loopback one where that is any. */
  readonly publicUrl?: string | undefined;
  readonly authority: Authority;
  /** How closely regions are cut. Default `auto`. */
  readonly precision?: Precision;
}

export interface RunningServer {
  /** The address it listens on, without a slash at the end. */
  readonly url: string;
  /** Where clients are sent, without a slash at the end. */
  readonly publicUrl: string;
  readonly objects: ObjectCatalogue;
  readonly sequences: SequenceSources;
  /** Takes no new connections, lets running answers end, and resolves when all have. */
  close(): Promise<void>;
}

/** Milliseconds that running answers have to end in once the server closes. */
const DRAIN_MILLISECONDS = 30_000;

/**
 * Serves the files below some paths over htsget and refget, also while sequences are still being digested. Throws where a
 * path is missing or that of a file which cannot be served, where aliases are malformed, where the port is taken, and
 * RangeError for a public URL that is none.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { objects, sequences } = await openFiles(options);
  let app: Handler | undefined;
  const listener = toNodeListener((request) => app?.(request) ?? new Response(null, { status: 503 }));
  const server = createServer((incoming, outgoing) => {
    // While it closes, a client that keeps its connection busy must not keep the server.
    if (!server.listening) outgoing.setHeader('connection', 'close');
    listener(incoming, outgoing);
  });
  const close = async (): Promise<void> => {
    await drain(server);
    await Promise.all([objects.close(), sequences.close()]);
  };
  try {
    const url = await listen(server, options);
    const publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? toLoopback(url);
    app = createHandlers({ ...options, publicUrl }, objects, sequences);
    if (options.publicUrl === undefined && publicUrl !== url) {
      options.log(`clients are sent to ${publicUrl}, which only this machine reaches: give a public URL`);
    }
    return { url, publicUrl, objects, sequences, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is served, and a message where there is nothing yet. */
async function openFiles(options: ServeOptions): Promise<Pick<RunningServer, 'objects' | 'sequences'>> {
  const { paths, log } = options;
  await checkPaths(paths);
  const isStore = await Promise.all(paths.map(isStoreFolder));
  const stores = await Promise.all(paths.filter((_, rank) => isStore[rank]).map(openStoreFolder));
  // A store has too many files to look among them for others.
  const folders = paths.filter((_, rank) => isStore[rank] !== true);
  const objects = await ObjectCatalogue.open(folders, log);
  const sequences = await SequenceSources.open({
    ...options,
    paths: folders,
    stores: [...stores, ...(options.stores ?? [])],
  });
  if ((await objects.list()).length === 0 && sequences.isEmpty) {
    log(`nothing to serve is in ${paths.join(', ')} yet: put files there, or give another path; ${SERVED_FILES}`);
  }
  return { objects, sequences };
}

function createHandlers(
  { publicUrl, authority, precision, log }: ServeOptions & { readonly publicUrl: string },
  objects: ObjectCatalogue,
  sequences: SequenceSources,
): Handler {
  const onError = (error: unknown): void => {
    // What may still be digested is no failure.
    if (!(error instanceof RefgetError)) log(describeError(error));
  };
  return createApp({
    htsget: createHtsgetHandler({
      resolve: (id, datatype) => objects.resolve(id, datatype),
      publicUrl,
      authority,
      ...(precision !== undefined && { precision }),
      onError: (error, object) =>
        log(object === undefined ? describeError(error) : `${object.datatype}/${object.id}: ${describeError(error)}`),
    }),
    refget: createRefgetHandler({ catalogue: sequences, collections: sequences.collections, authority, onError }),
  });
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server that listens on host and port has an address of this type.
  const address = server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** The URL with the loopback address in place of the one for all interfaces, which is none to connect to. */
export function toLoopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function drain(server: Server): Promise<void> {
  const timeout = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timeout);
}
