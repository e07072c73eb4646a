import type { ByteRange, SourceStat } from '@htskit/io';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery, type Ticket } from '@htskit/protocol';
import { type BgzfFile, readBgzfFile } from './bgzf-file.js';
import { planBgzf } from './bgzf-plan.js';
import { type BlockClaim, BlockClaimSigner, checkSelection, sourceTag } from './block-claim.js';
import { entityTagOf } from './block-entity-tag.js';
import { cacheKey, LoadingCache } from './cache.js';
import { type CramFile, readCramFile } from './cram-file.js';
import { planCram } from './cram-plan.js';
import type { CacheEvent, HtsgetEvent } from './event.js';
import { asBinning, asCrai, type FileIndex, FileIndexes } from './file-indexes.js';
import { checkSource, checkVersion, toTransient } from './file-version.js';
import { locateSegments } from './locate.js';
import {
  checkCompressionLevel,
  type HtsgetLimits,
  type HtsgetOptions,
  type ObjectName,
  type StoredFile,
  withDefaults,
} from './options.js';
import { checkFormat, type Permission, restrictQuery } from './permission.js';
import type { Plan, Rewriting, Segment } from './plan.js';
import { parsePublicUrl } from './public-url.js';
import { RECORD_FORMATS } from './record-format.js';
import { segmentsByteLength, streamSegments } from './segment-stream.js';
import { sliceSegments } from './slice-segments.js';
import { splitLongSegments } from './split-segments.js';
import { answeredFormats, chooseFile, formatsOf } from './stored-formats.js';
import { storedLength, type TicketPlan, toTicket } from './ticket.js';

export interface BlockStream {
  /** Bytes of the block, where that is known before it is read. */
  readonly byteLength: number | undefined;
  /** Strong: blocks with one tag have the same bytes, also of another ticket. Undefined where the storage gives no version. */
  readonly entityTag: string | undefined;
  /** All of them, or a part, where their number is known. */
  readonly bytes: (range?: ByteRange) => AsyncGenerator<Uint8Array, void>;
  /** Throws `StorageError` CHANGED where the file is no longer the one that the ticket was made from. */
  readonly checkVersion: () => Promise<void>;
}

/** Who asks. To make a request's signal takes longer than to look at a file, so it is asked for only where something waits. */
export type RequestContext = Pick<Request, 'signal'>;

export interface TicketContext {
  readonly permission: Permission;
  readonly request: RequestContext;
}

/** Answers queries with tickets, and block tokens with bytes; knows nothing of HTTP. */
export class HtsgetService {
  readonly limits: HtsgetLimits;
  readonly #options: HtsgetOptions;
  readonly #signer: BlockClaimSigner;
  readonly #blocksUrl: string;
  readonly #files: LoadingCache<BgzfFile | CramFile>;
  readonly #indexes: FileIndexes;
  /** Where the first block behind some byte of a file begins. */
  readonly #boundaries: LoadingCache<number | undefined>;

  constructor(options: HtsgetOptions) {
    checkCompressionLevel(options.compressionLevel);
    this.#options = options;
    this.limits = withDefaults(options.limits);
    this.#signer = new BlockClaimSigner(options.signingKeys ?? [crypto.getRandomValues(new Uint8Array(32))]);
    this.#blocksUrl = `${parsePublicUrl(options.publicUrl)}/blocks/`;
    this.#files = new LoadingCache(this.limits.cacheBytes / 2, this.#lookups('header'));
    this.#indexes = new FileIndexes((this.limits.cacheBytes * 7) / 16, this.limits, this.#lookups('index'));
    this.#boundaries = new LoadingCache(this.limits.cacheBytes / 16, this.#lookups('boundary'));
  }

  formats(datatype: Datatype): readonly HtsgetFormat[] {
    return answeredFormats(datatype);
  }

  /** The ticket that answers a query. Throws `HtsgetError`, and what the storage and the decoders throw. */
  async ticket(id: string, query: HtsgetQuery, { permission, request }: TicketContext): Promise<Ticket> {
    const started = performance.now();
    if ((query.regions?.length ?? 0) > this.limits.regions) {
      throw new HtsgetError('PayloadTooLarge', `more than ${this.limits.regions} regions`);
    }
    const files = await this.#requireObject(id, query.datatype, request);
    const file = chooseFile(files, query);
    checkFormat(permission, query, files);
    const stat = await file.data.stat(lazySignal(request));
    const plan = await this.#plan(file, stat, { id, query, permission, request }).catch(toTransient);
    const { datatype, format } = query;
    const { version } = stat;
    const expires = Math.ceil(Date.now() / 1000) + this.limits.blockUrlSeconds;
    const selection = plan.rewriting && checkSelection(plan.rewriting.selection);
    const source = sourceTag(file.identity);
    const ticket = toTicket(plan, {
      blockBytes: this.limits.blockBytes,
      blockUrl: (segments) =>
        this.#blocksUrl + this.#signer.sign({ datatype, id, format, version, source, expires, selection, segments }),
    });
    if (ticket.htsget.urls.length > this.limits.blocks) {
      throw new HtsgetError('PayloadTooLarge', `the answer has more than ${this.limits.blocks} blocks`);
    }
    this.#tell({
      type: 'ticket',
      datatype,
      id,
      format,
      blocks: ticket.htsget.urls.length,
      plannedBytes: storedLength(plan.segments),
      milliseconds: performance.now() - started,
    });
    return ticket;
  }

  /** The block that a token stands for. Throws `HtsgetError` PermissionDenied unless the token is valid. */
  async block(token: string, signal: AbortSignal): Promise<BlockStream> {
    const claim = this.#signer.verify(token);
    const { version, segments, format } = claim;
    const file = chooseFile(await this.#requireObject(claim.id, claim.datatype, { signal }), claim);
    const { data } = file;
    checkSource(claim, file);
    const rewriting = await this.#rewriting(claim, file, signal);
    const byteLength = segmentsByteLength(segments, { format, rewriting });
    const { compressionLevel } = this.#options;
    const options = { signal, format, rewriting, compressionLevel, version };
    const stream = (parts: readonly Segment[]): AsyncGenerator<Uint8Array, void> =>
      this.#observe(claim, storedLength(parts), streamSegments(parts, data, options));
    return {
      byteLength,
      entityTag: entityTagOf(claim, compressionLevel),
      bytes: (range) => stream(range === undefined ? segments : sliceSegments(segments, range, options)),
      checkVersion: async () => {
        await checkVersion(data, { version, signal });
      },
    };
  }

  async #rewriting(
    { selection, version }: BlockClaim,
    file: StoredFile,
    signal: AbortSignal,
  ): Promise<Rewriting | undefined> {
    if (selection === undefined) return undefined;
    const { header } = await this.#file(file, await checkVersion(file.data, { version, signal }));
    return { selection, header };
  }

  /** Tells of an answer. What goes wrong with that is no fault of the answer. */
  #tell(event: HtsgetEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      this.#report(error, event.type === 'cache' ? undefined : { datatype: event.datatype, id: event.id });
    }
  }

  /** Tells of a failure that does no harm to the answer. */
  #report(error: unknown, object: ObjectName | undefined): void {
    try {
      this.#options.onError?.(error, object);
    } catch {
      // Nobody else is there to be told.
    }
  }

  #lookups(cache: CacheEvent['cache']): ((isHit: boolean) => void) | undefined {
    return this.#options.onEvent && ((isHit) => this.#tell({ type: 'cache', cache, isHit }));
  }

  /** The same bytes; whoever asked to is told how many they were. */
  async *#observe(
    { datatype, id, format }: BlockClaim,
    plannedBytes: number,
    chunks: AsyncGenerator<Uint8Array, void>,
  ): AsyncGenerator<Uint8Array, void> {
    const started = performance.now();
    let bytes = 0;
    let isComplete = false;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield chunk;
      }
      isComplete = true;
    } finally {
      const milliseconds = performance.now() - started;
      this.#tell({ type: 'block', datatype, id, format, plannedBytes, bytes, isComplete, milliseconds });
    }
  }

  /** What a block's token names; undefined if the token is not valid. */
  objectOf(token: string): ObjectName | undefined {
    try {
      const { datatype, id } = this.#signer.verify(token);
      return { datatype, id };
    } catch {
      return undefined;
    }
  }

  /** The formats in which an object can be had. Throws `HtsgetError` NotFound for an unknown id. */
  async availableFormats(id: string, datatype: Datatype, request: RequestContext): Promise<readonly HtsgetFormat[]> {
    return formatsOf(await this.#requireObject(id, datatype, request), datatype);
  }

  /** The files of an object. Throws `HtsgetError` NotFound for an unknown id. */
  async #requireObject(id: string, datatype: Datatype, request: RequestContext): Promise<readonly StoredFile[]> {
    const files = await this.#options.resolve(id, datatype, lazySignal(request));
    if (!files?.length) throw new HtsgetError('NotFound', 'there is no object with that id');
    return files;
  }

  async #plan(
    stored: StoredFile,
    stat: SourceStat,
    { id, query: asked, permission, request }: TicketContext & { readonly id: string; readonly query: HtsgetQuery },
  ): Promise<TicketPlan> {
    const { exactBytes, inlineBytes, gapBytes, blockBytes } = this.limits;
    const query = restrictQuery(asked, permission);
    const [file, index] = await Promise.all([this.#file(stored, stat), this.#indexFor(query, id, { stored, stat })]);
    const precision = this.#options.precision ?? 'auto';
    const plan =
      file.format === 'CRAM'
        ? planCram({ file, index: asCrai(index), query, inlineBytes, gapBytes, blockBytes })
        : planBgzf({
            file,
            index: asBinning(index),
            query,
            format: query.format,
            precision,
            exactBytes,
            inlineBytes,
            gapBytes,
            isRestricted: typeof permission === 'object',
          });
    const key = cacheKey(stored.data, stat);
    const segments = await splitLongSegments(plan.segments, stored.data, {
      rewriting: plan.rewriting,
      version: stat.version,
      index: asBinning(index),
      blockBytes,
      remember: (from, find) =>
        this.#boundaries.get(key && `${key}\n${from}`, async () => ({ value: await find(), byteLength: 300 })),
    });
    // A URL of the store leads to the whole object, whatever part of it the ticket names.
    return permission === 'all'
      ? this.#locate({ ...plan, segments }, stored, { stat, request })
      : { ...plan, segments };
  }

  /** The plan as the store can send it, where it can. */
  async #locate(
    plan: Plan,
    file: StoredFile,
    { stat, request }: { readonly stat: SourceStat; readonly request: RequestContext },
  ): Promise<TicketPlan> {
    const locate = file.locate?.bind(file);
    if (locate === undefined) return plan;
    const { signal } = request;
    const { inlineEdgeBytes, exactBytes } = this.limits;
    const { compressionLevel } = this.#options;
    const { format, rewriting } = plan;
    const sent = { format, rewriting, compressionLevel, version: stat.version, signal };
    const options = { ...sent, source: file.data, locate, inlineEdgeBytes, scanBytes: exactBytes };
    return { ...plan, segments: await locateSegments(plan.segments, options) };
  }

  /** The index, where it serves to answer: a whole file that is CRAM, or rewritten, is split with it, but can do without. */
  async #indexFor(
    query: HtsgetQuery,
    id: string,
    { stored, stat }: { readonly stored: StoredFile; readonly stat: SourceStat },
  ): Promise<FileIndex | undefined> {
    const { datatype, regions } = query;
    if (query.class === 'header') return undefined;
    if (regions !== undefined) return this.#indexes.get(stored, stat);
    const isSplit = stored.format === 'CRAM' || !RECORD_FORMATS[stored.format].keepsAll(query);
    if (!isSplit || stat.size <= this.limits.blockBytes) return undefined;
    return this.#indexes.get(stored, stat).catch((error: unknown) => {
      this.#report(error, { datatype, id });
      return undefined;
    });
  }

  // No load takes a request's signal: other requests may be waiting for the same one.

  #file({ format, data }: StoredFile, stat: SourceStat): Promise<BgzfFile | CramFile> {
    return this.#files.get(cacheKey(data, stat), async () => {
      const options = { ...stat, maxHeaderBytes: this.limits.headerBytes, maxReferences: this.limits.references };
      const file =
        format === 'CRAM' ? await readCramFile(data, options) : await readBgzfFile(data, { ...options, format });
      const { text, referenceIds, strings } = file.header;
      const stored = file.format === 'CRAM' ? file.headerBytes : file.headerBlocks;
      // The text is kept as UTF-16, the references as entries of some hundred bytes each.
      return {
        value: file,
        byteLength: stored.length + text.length * 2 + (referenceIds.size + (strings?.size ?? 0)) * 200,
      };
    });
  }
}

/** Options with the signal of a request, which is made when it is asked for. */
function lazySignal(request: RequestContext): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return request.signal;
    },
  };
}
