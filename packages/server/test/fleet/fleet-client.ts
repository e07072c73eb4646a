import {
  type FetchTicketOptions,
  type HtsgetClientQuery,
  type HtsgetDownload,
  openHtsget,
  RefgetClient,
  type StreamOptions,
  type TransportOptions,
} from '@htskit/client';

/** The clients of this project as anybody has them, and what happened to them. */
export class FleetClient {
  /** Requests that were made again. */
  retryCount = 0;
  /** Bodies that were cut off. */
  cutCount = 0;
  /** Answers by the replica that nginx names. */
  readonly answers = new Map<string, number>();
  /** The replica of the last answer. */
  lastReplica = '';
  readonly #refget: RefgetClient;
  readonly #options: TransportOptions = {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      this.#count(response);
      return response;
    },
    onRetry: ({ error: { message } }) => {
      this.retryCount++;
      if (message === 'the connection broke') this.cutCount++;
    },
  };

  constructor(url: string) {
    this.#refget = new RefgetClient({ servers: [url], ...this.#options });
  }

  open(
    url: string,
    query: HtsgetClientQuery,
    options: FetchTicketOptions & StreamOptions = {},
  ): Promise<HtsgetDownload> {
    return openHtsget(url, query, { ...this.#options, ...options });
  }

  async download(url: string, query: HtsgetClientQuery): Promise<Uint8Array> {
    const { stream } = await this.open(url, query);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async sequence(md5: string, range: { readonly start?: number; readonly end?: number } = {}): Promise<string> {
    return new TextDecoder().decode(await this.#refget.sequence(md5, range));
  }

  #count({ ok, headers }: Response): void {
    // nginx names all that it asked; the last one answered.
    const replica = headers.get('x-replica')?.split(', ').at(-1);
    if (!ok || replica === undefined) return;
    this.lastReplica = replica;
    this.answers.set(replica, (this.answers.get(replica) ?? 0) + 1);
  }
}
