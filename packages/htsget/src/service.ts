import { type BinningIndex, IndexError, parseBinningIndex } from '@htskit/indexes';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery, type Ticket } from '@htskit/protocol';
import { type ByteSource, type SourceStat, StorageError } from '@htskit/storage';
import { type BamFile, readBamFile } from './bam-file.js';
import { planBam } from './bam-plan.js';
import { BlockClaimSigner } from './block-claim.js';
import { LoadingCache, type Sized } from './cache.js';
import { DEFAULT_LIMITS, type HtsgetLimits, type HtsgetOptions, type StoredFile } from './options.js';
import type { Plan } from './plan.js';
import { segmentsByteLength, streamSegments } from './segment-stream.js';
import { toTicket } from './ticket.js';

/** The formats that can be planned. */
const SERVED_FORMATS: Readonly<Record<Datatype, readonly HtsgetFormat[]>> = { reads: ['BAM'], variants: [] };

export interface BlockStream {
  /** Bytes of the block, where that is known before it is read. */
  readonly byteLength: number | undefined;
  readonly bytes: () => AsyncGenerator<Uint8Array, void>;
}

type FileChoice = Pick<HtsgetQuery, 'datatype' | 'format'>;

/** Answers queries with tickets, and block tokens with bytes; knows nothing of HTTP. */
export class HtsgetService {
  readonly limits: HtsgetLimits;
  readonly #options: HtsgetOptions;
  readonly #signer: BlockClaimSigner;
  readonly #blocksUrl: string;
  readonly #bamFiles: LoadingCache<BamFile>;
  readonly #indexes: LoadingCache<BinningIndex>;

  constructor(options: HtsgetOptions) {
    this.#options = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#signer = new BlockClaimSigner(options.signingKeys ?? [crypto.getRandomValues(new Uint8Array(32))]);
    this.#blocksUrl = `${options.publicUrl.replace(/\/+$/, '')}/blocks/`;
    this.#bamFiles = new LoadingCache(this.limits.cacheBytes / 2);
    this.#indexes = new LoadingCache(this.limits.cacheBytes / 2);
  }

  formats(datatype: Datatype): readonly HtsgetFormat[] {
    return SERVED_FORMATS[datatype];
  }

  /** The ticket that answers a query. Throws `HtsgetError`, and what the storage and the decoders throw. */
  async ticket(id: string, query: HtsgetQuery, signal: AbortSignal): Promise<Ticket> {
    if ((query.regions?.length ?? 0) > this.limits.regions) {
      throw new HtsgetError('PayloadTooLarge', `more than ${this.limits.regions} regions`);
    }
    const file = await this.#requireFile(id, query, signal);
    const stat = await file.data.stat({ signal });
    const plan = await this.#plan(file, stat, query, signal).catch(toTransient);
    const { datatype, format } = query;
    const version = stat.version === undefined ? {} : { version: stat.version };
    const expires = Math.ceil(Date.now() / 1000) + this.limits.blockUrlSeconds;
    const ticket = toTicket(plan, {
      blockBytes: this.limits.blockBytes,
      blockUrl: (segments) =>
        this.#blocksUrl + this.#signer.sign({ datatype, id, format, ...version, expires, segments }),
    });
    if (ticket.htsget.urls.length > this.limits.blocks) {
      throw new HtsgetError('PayloadTooLarge', `the answer has more than ${this.limits.blocks} blocks`);
    }
    return ticket;
  }

  /** The block that a token stands for. Throws `HtsgetError` PermissionDenied unless the token is valid. */
  async block(token: string, signal: AbortSignal): Promise<BlockStream> {
    const claim = this.#signer.verify(token);
    const { version, segments } = claim;
    const { data } = await this.#requireFile(claim.id, claim, signal);
    return {
      byteLength: segmentsByteLength(segments),
      bytes: () => streamSegments(segments, data, { signal, ...(version !== undefined && { version }) }),
    };
  }

  /** The files of an object. Throws `HtsgetError` NotFound for an unknown id. */
  async requireObject(id: string, datatype: Datatype, signal: AbortSignal): Promise<readonly StoredFile[]> {
    const files = await this.#options.resolve(id, datatype, { signal });
    if (files === undefined) throw new HtsgetError('NotFound', 'there is no object with that id');
    return files;
  }

  async #requireFile(id: string, { datatype, format }: FileChoice, signal: AbortSignal): Promise<StoredFile> {
    const files = await this.requireObject(id, datatype, signal);
    const served = files.filter((file) => SERVED_FORMATS[datatype].includes(file.format));
    const file = served.find((candidate) => candidate.format === format);
    if (file !== undefined) return file;
    const available = served.map((candidate) => candidate.format).join(', ') || 'none';
    throw new HtsgetError('UnsupportedFormat', `${format} is not available for this object; available: ${available}`);
  }

  async #plan(file: StoredFile, stat: SourceStat, query: HtsgetQuery, signal: AbortSignal): Promise<Plan> {
    const [bam, index] = await Promise.all([
      this.#bamFile(file.data, stat),
      query.class === 'header' || query.regions === undefined ? undefined : this.#index(file.index, signal),
    ]);
    const { exactBytes, inlineBytes } = this.limits;
    return planBam({ file: bam, index, query, precision: this.#options.precision ?? 'auto', exactBytes, inlineBytes });
  }

  // Neither load takes a request's signal: other requests may be waiting for the same one.

  #bamFile(data: ByteSource, stat: SourceStat): Promise<BamFile> {
    return this.#bamFiles.get(cacheKey(data, stat), async () => {
      const file = await readBamFile(data, {
        ...stat,
        maxHeaderBytes: this.limits.headerBytes,
        maxReferences: this.limits.references,
      });
      // The text is kept as UTF-16, the references as objects of some hundred bytes each.
      const byteLength = file.headerBlocks.length + file.header.text.length * 2 + file.header.references.length * 200;
      return { value: file, byteLength };
    });
  }

  async #index(source: ByteSource | undefined, signal: AbortSignal): Promise<BinningIndex | undefined> {
    if (source === undefined) return undefined;
    const stat = await source.stat({ signal });
    if (stat.size > this.limits.indexBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `the index is longer than ${this.limits.indexBytes} bytes`, { offset: 0 });
    }
    return this.#indexes.get(cacheKey(source, stat), () => this.#loadIndex(source, stat));
  }

  async #loadIndex(source: ByteSource, { size, version }: SourceStat): Promise<Sized<BinningIndex>> {
    const bytes = await source.read({ start: 0, end: size }, version === undefined ? {} : { version });
    const index = parseBinningIndex(bytes, { maxBytes: this.limits.indexBytes });
    return { value: index, byteLength: index.byteLength };
  }
}

/** A file that changes while its ticket is being made may be read a moment later. */
function toTransient(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'CHANGED') throw error;
  throw new HtsgetError('InternalServerError', 'the file is being replaced', {
    status: 503,
    retryAfterSeconds: 1,
    cause: error,
  });
}

/** Undefined for a source that cannot tell whether it has changed. */
function cacheKey(source: ByteSource, { version }: SourceStat): string | undefined {
  return version === undefined ? undefined : `${source.key}\n${version}`;
}
