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

/** The paths hold files of both protocols, or are stores of sequences. */
export interface ServeOptions extends SequenceOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where clients reach the server; by default the address that it listens on. */
  readonly publicUrl?: string | undefined;
  readonly authority: Authority;
  /** How closely regions are cut. Default `auto`. */
  readonly precision?: Precision;
}

export interface RunningServer {
  /** The address it listens on, without a slash at the end. */
  readonly url: string;
  readonly objects: ObjectCatalogue;
  readonly sequences: SequenceSources;
  /** Takes no new connections, lets running answers end, and resolves when all have. */
  close(): Promise<void>;
}

/** Milliseconds that running answers have to end in once the server closes. */
const DRAIN_MILLISECONDS = 30_000;

/**
 * Serves the files below some paths over htsget and refget, also while sequences are still being digested. Throws where a
 * path is missing, aliases are malformed, or the port is taken.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const isStore = await Promise.all(options.paths.map(isStoreFolder));
  const stores = await Promise.all(options.paths.filter((_, rank) => isStore[rank]).map(openStoreFolder));
  // A store has too many files to look among them for others.
  const paths = options.paths.filter((_, rank) => isStore[rank] !== true);
  const objects = await ObjectCatalogue.open(paths);
  const sequences = await SequenceSources.open({ ...options, paths, stores: [...stores, ...(options.stores ?? [])] });
  let app: Handler | undefined;
  const listener = toNodeListener((request) => app?.(request) ?? new Response(null, { status: 503 }));
  const server = createServer((incoming, outgoing) => {
    // While it closes, a client that keeps its connection busy must not keep the server.
    if (!server.listening) outgoing.setHeader('connection', 'close');
    listener(incoming, outgoing);
  });
  const url = await listen(server, options);
  if (options.publicUrl === undefined && ['0.0.0.0', '::'].includes(options.host)) {
    options.log(`clients are sent to ${url}, which only this machine reaches: give a public URL`);
  }
  app = createHandlers({ ...options, publicUrl: options.publicUrl ?? url }, objects, sequences);
  return {
    url,
    objects,
    sequences,
    async close() {
      await drain(server);
      await Promise.all([objects.close(), sequences.close()]);
    },
  };
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
      onError,
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

async function drain(server: Server): Promise<void> {
  const timeout = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timeout);
}
