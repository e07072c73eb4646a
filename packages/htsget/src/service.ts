import type { CramReferenceSource } from '@htskit/formats';
import { LruCache, type SourceStat, StorageError } from '@htskit/io';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery, type Ticket } from '@htskit/protocol';
import type { AccessRecorder } from './access/access-recorder.js';
import { describeRestriction } from './access/describe-restriction.js';
import { checkFormat, type Grant, restrictQuery } from './access/permission.js';
import { checkPlainDelivery } from './access/plain-delivery.js';
import { type BlockClaim, BlockClaimSigner, checkSelection, sourceTag } from './block-url/block-claim.js';
import { type BlockStream, openBlock } from './deliver/block-stream.js';
import { locateSegments } from './deliver/locate.js';
import { storedLength, type TicketPlan, toTicket } from './deliver/ticket.js';
import { TransformedBlockCache } from './deliver/transformed-block-cache.js';
import {
  availableFormats,
  chooseFile,
  isConverted,
  isCorruption,
  readNewStat,
  type StoredFile,
  toTransientError,
} from './file/stored-file.js';
import { Hooks, type ObjectName } from './hooks.js';
import { type HtsgetLimits, maxBlockBytes, maxTransformedBytes } from './limits.js';
import { FileLoader } from './load/file-loader.js';
import { checkCompressionLevel, type HtsgetOptions, parsePublicUrl, withDefaults } from './options.js';
import { type FilePlan, planFile } from './plan-file.js';
import { BoundedTransforms } from './transform/bounded-transforms.js';

/**
 * The part of the request that the service needs. The signal is created lazily: constructing an AbortSignal costs about 9 µs,
 * more than a cached stat.
 */
export type RequestContext = Pick<Request, 'signal'>;

/** The number of blocks whose length is remembered once they were sent: about 150 bytes each. */
const REMEMBERED_BLOCKS = 10_000;

export interface TicketContext {
  readonly permission: Grant;
  readonly request: RequestContext;
  /** The subject that `authorize` named. Block URLs contain it. */
  readonly subject?: string;
  readonly recorder?: AccessRecorder;
  /** The client, as `HtsgetOptions.clientOf` names it. */
  readonly client?: string;
}

/** The circumstances of a request for a block. */
export type BlockContext = Pick<TicketContext, 'client' | 'recorder'>;

/**
 * Answers queries with tickets, and block tokens with bytes, without HTTP. A ticket takes these steps: resolve the object,
 * choose the file, restrict the query, plan, locate, render.
 */
export class HtsgetService {
  readonly hooks: Hooks;
  readonly #options: HtsgetOptions;
  readonly #signer: BlockClaimSigner;
  readonly #reference: CramReferenceSource | undefined;
  readonly #blocksUrl: string;
  readonly #loader: FileLoader;
  readonly #workers: BoundedTransforms;
  readonly #blockLengths = new LruCache<number>({ maxWeight: REMEMBERED_BLOCKS });
  readonly #transformedBlocks: TransformedBlockCache;

  constructor(options: HtsgetOptions) {
    checkCompressionLevel(options.compressionLevel);
    this.#options = options;
    this.#reference = options.reference?.bind(options);
    this.#signer = new BlockClaimSigner(options.signingKeys ?? [crypto.getRandomValues(new Uint8Array(32))]);
    this.#blocksUrl = `${parsePublicUrl(options.publicUrl)}/blocks/`;
    const hooks = new Hooks(options);
    this.hooks = hooks;
    const { recordBytes } = withDefaults(options.limits);
    this.#workers = new BoundedTransforms({ workers: options.workers, recordBytes, memory: options.memory });
    this.#loader = new FileLoader({
      limits: options.limits,
      workers: this.#workers,
      memory: options.memory,
      program: options.program,
      ...(hooks.hasListener && { onLookup: (lookup) => hooks.event({ type: 'cache', ...lookup }) }),
    });
    this.#transformedBlocks = new TransformedBlockCache({
      maxBytes: this.limits.cacheBytes / 16,
      ...(hooks.hasListener && { onLookup: (isHit) => hooks.event({ type: 'cache', cache: 'block', isHit }) }),
    });
  }

  get limits(): HtsgetLimits {
    return this.#loader.limits;
  }

  /** Returns the ticket that answers a query. Throws `HtsgetError`, and what the storage and the decoders throw. */
  async ticket(id: string, query: HtsgetQuery, context: TicketContext): Promise<Ticket> {
    const { permission, request, subject, recorder } = context;
    const started = performance.now();
    const { datatype, format } = query;
    const files = await this.#resolve(id, datatype, request);
    const file = chooseFile(files, query, this.#options);
    checkFormat(permission, query, () => availableFormats(files, datatype, this.#options));
    checkPlainDelivery(file, this.#options);
    const plan = await this.#planWithRetry(file, { id, query, context }).catch(toTransientError);
    const from = plan.conversion?.records.from;
    const isRestricted = permission === 'all' ? undefined : true;
    const ticket = this.#render(plan, { datatype, id, format, subject, isRestricted, from }, file.identity);
    const plannedBytes = storedLength(plan.segments);
    if (recorder !== undefined) recorder.plannedBytes = plannedBytes;
    this.hooks.event({
      type: 'ticket',
      datatype,
      id,
      format,
      convertedFrom: from,
      blocks: ticket.htsget.urls.length,
      plannedBytes,
      milliseconds: performance.now() - started,
    });
    if (this.#options.announcesRestrictions !== true) return ticket;
    const restricted = describeRestriction({ query, permission, format: file.format, rewriting: plan.rewriting });
    return restricted === undefined ? ticket : { htsget: { ...ticket.htsget, restricted } };
  }

  /** Opens the block that a token stands for. Throws `HtsgetError` PermissionDenied unless the token is valid. */
  async block(token: string, { signal }: RequestContext, { client, recorder }: BlockContext): Promise<BlockStream> {
    const claim = this.#signer.verify(token, this.#now());
    recorder?.recordClaim(claim);
    const { id, datatype, format, from = format } = claim;
    const choice = { datatype, format: from };
    const file = chooseFile(await this.#resolve(id, datatype, { signal }), choice, { conversions: false });
    // The setting may have changed since the ticket was made, or the file may be encrypted since then.
    checkPlainDelivery(file, this.#options);
    return openBlock(claim, file, {
      loader: this.#loader,
      lengths: this.#blockLengths,
      transformedBlocks: this.#transformedBlocks,
      signal,
      client,
      workers: this.#workers,
      reference: this.#reference,
      compressionLevel: this.#options.compressionLevel,
      onEvent: (event, outcome) => {
        this.hooks.event(event);
        recorder?.blockEnded({ bytes: event.bytes, outcome });
      },
    });
  }

  /** Returns the object that a block's token names, or undefined if the token is not valid. */
  objectOf(token: string): ObjectName | undefined {
    try {
      const { datatype, id } = this.#signer.verify(token, this.#now());
      return { datatype, id };
    } catch {
      return undefined;
    }
  }

  /** Returns the formats in which an object can be answered. Throws `HtsgetError` NotFound for an unknown id. */
  async availableFormats(id: string, datatype: Datatype, request: RequestContext): Promise<readonly HtsgetFormat[]> {
    return availableFormats(await this.#resolve(id, datatype, request), datatype, this.#options);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** Returns the files of an object. Throws `HtsgetError` NotFound for an unknown id. */
  async #resolve(id: string, datatype: Datatype, request: RequestContext): Promise<readonly StoredFile[]> {
    const files = await this.#options.resolve(id, datatype, new LazySignal(request));
    if (!files?.length) throw new HtsgetError('NotFound', 'there is no object with this id');
    return files;
  }

  /** Plans a second time if the data and its index were being replaced, and only one of them was new the first time. */
  async #planWithRetry(file: StoredFile, named: NamedQuery): Promise<LocatedPlan> {
    const signal = new LazySignal(named.context.request);
    try {
      return await this.#plan(file, await file.data.stat(signal), named);
    } catch (error) {
      const isChanged = error instanceof StorageError && error.code === 'CHANGED';
      if (!isChanged && !isCorruption(error)) throw error;
      return this.#plan(file, await readNewStat(file.data, signal), named);
    }
  }

  async #plan(file: StoredFile, stat: SourceStat, { id, query, context }: NamedQuery): Promise<LocatedPlan> {
    const { permission, request, client } = context;
    const object = { datatype: query.datatype, id };
    const plan = await planFile(file, restrictQuery(query, permission), {
      stat,
      precision: this.#options.precision,
      isRestricted: typeof permission === 'object' && permission.regions !== 'all',
      truncated: this.#options.truncated,
      reference: this.#reference,
      workers: this.#workers,
      client,
      loader: this.#loader,
      // Only a conversion waits for something that is not shared with other requests.
      signal: isConverted(file.format, query.format) ? request.signal : undefined,
      onIndexError: (error) => this.hooks.error(error, object),
      onWarning: (warning) => this.hooks.warning(warning, object),
    });
    // A URL of the store leads to the whole object, whatever part of it the ticket names.
    // The store has only the ciphertext of an encrypted file.
    const isStoredPlain = file.isEncrypted !== true && plan.conversion === undefined;
    const isLocatable = permission === 'all' && file.locate !== undefined && isStoredPlain;
    return isLocatable ? this.#locate(plan, file, { request, client }) : plan;
  }

  /** Lets the store send what it can. */
  async #locate(
    plan: FilePlan,
    file: StoredFile,
    { request: { signal }, client }: Pick<TicketContext, 'request' | 'client'>,
  ): Promise<LocatedPlan> {
    const locate = file.locate?.bind(file);
    if (locate === undefined) return plan;
    const { inlineEdgeBytes, exactBytes } = this.limits;
    const workers = this.#workers;
    const { compressionLevel } = this.#options;
    const { format, rewriting, stat } = plan;
    const sent = { format, rewriting, compressionLevel, version: stat.version, signal, workers, client };
    const options = { ...sent, source: file.data, locate, inlineEdgeBytes, scanBytes: exactBytes };
    return { ...plan, segments: await locateSegments(plan.segments, options) };
  }

  #render(
    plan: LocatedPlan,
    { datatype, id, format, from, subject, isRestricted }: TicketClaim,
    identity: string | undefined,
  ): Ticket {
    const { blocks, blockUrlSeconds } = this.limits;
    const { version } = plan.stat;
    const expires = Math.ceil(this.#now() / 1000) + blockUrlSeconds;
    const selection = plan.rewriting && checkSelection(plan.rewriting.selection);
    const source = sourceTag(identity);
    const ticket = toTicket(plan, {
      blockBytes: maxBlockBytes(this.limits, plan.conversion !== undefined),
      transformedBytes: maxTransformedBytes(this.limits, plan.stat.size),
      blockUrl: (segments) => {
        const claim = {
          datatype,
          id,
          format,
          from,
          subject,
          isRestricted,
          version,
          source,
          expires,
          selection,
          segments,
        };
        return this.#blocksUrl + this.#signer.sign(claim);
      },
    });
    if (ticket.htsget.urls.length > blocks) {
      throw new HtsgetError('PayloadTooLarge', `the answer has more than ${blocks} blocks`);
    }
    return ticket;
  }
}

/** A query of the object with an id, and the circumstances of its request. */
interface NamedQuery {
  readonly id: string;
  readonly query: HtsgetQuery;
  readonly context: TicketContext;
}

/** The members that the claims of all blocks of a ticket share, apart from those of the plan. */
type TicketClaim = Pick<BlockClaim, 'datatype' | 'id' | 'format' | 'from' | 'subject' | 'isRestricted'>;

/** A plan whose segments may be sent by the store itself, with the `stat` of its file. */
type LocatedPlan = TicketPlan & Pick<FilePlan, 'stat'>;

/**
 * Options with the signal of a request, which is created when it is read. A getter of an object literal costs 1 µs per request.
 */
class LazySignal {
  readonly #request: RequestContext;

  constructor(request: RequestContext) {
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
