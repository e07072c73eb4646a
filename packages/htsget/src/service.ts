import type { CramReferenceSource } from '@htskit/formats';
import { LruCache } from '@htskit/io';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery, type Ticket } from '@htskit/protocol';
import { describeRestriction } from './access/describe-restriction.js';
import { checkFormat } from './access/permission.js';
import { checkPlainDelivery } from './access/plain-delivery.js';
import { BlockClaimSigner } from './block-url/block-claim.js';
import type { BlockStream } from './deliver/block-stream.js';
import { storedLength } from './deliver/group-segments.js';
import { TransformedBlockCache } from './deliver/transformed-block-cache.js';
import { openAnyBlock } from './encrypt/encrypted-block.js';
import { availableFormats, chooseFile, type StoredFile, toTransientError } from './file/stored-file.js';
import { Hooks, type ObjectName } from './hooks.js';
import { LazySignal, type RequestContext } from './lazy-signal.js';
import type { HtsgetLimits } from './limits.js';
import { FileLoader } from './load/file-loader.js';
import {
  checkCompressionLevel,
  checkPublicBlocks,
  type HtsgetOptions,
  type PublicBlocks,
  withDefaults,
} from './options.js';
import { type TicketContext, TicketMaker } from './ticket-maker.js';
import { BoundedTransforms } from './transform/bounded-transforms.js';

/** The number of blocks whose length is remembered once they were sent: about 150 bytes each. */
const REMEMBERED_BLOCKS = 10_000;

/** A block, and for how many seconds a cache that many clients share may keep it, if it may. */
interface OpenedBlock {
  readonly stream: BlockStream;
  readonly publicSeconds: number | undefined;
}

/** The circumstances of a request for a block. */
export type BlockContext = Pick<TicketContext, 'client' | 'recorder'>;

/**
 * Answers queries with tickets, and block tokens with bytes, without HTTP. A ticket takes these steps: resolve the object,
 * choose the file, check the permission, and what `TicketMaker` does.
 */
export class HtsgetService {
  readonly hooks: Hooks;
  readonly #options: HtsgetOptions;
  readonly #signer: BlockClaimSigner;
  readonly #reference: CramReferenceSource | undefined;
  readonly #loader: FileLoader;
  readonly #workers: BoundedTransforms;
  readonly #blockLengths = new LruCache<number>({ maxWeight: REMEMBERED_BLOCKS });
  readonly #transformedBlocks: TransformedBlockCache;
  readonly #publicBlocks: Required<PublicBlocks> | undefined;
  readonly #tickets: TicketMaker;

  constructor(options: HtsgetOptions) {
    checkCompressionLevel(options.compressionLevel);
    this.#options = options;
    this.#reference = options.reference?.bind(options);
    this.#signer = new BlockClaimSigner(options.signingKeys ?? [crypto.getRandomValues(new Uint8Array(32))]);
    const hooks = new Hooks(options);
    this.hooks = hooks;
    const { recordBytes } = withDefaults(options.limits);
    this.#workers = new BoundedTransforms({ workers: options.workers, recordBytes, memory: options.memory });
    this.#loader = new FileLoader({
      limits: options.limits,
      workers: this.#workers,
      memory: options.memory,
      program: options.program,
      builtIndexes: options.builtIndexes,
      ...(hooks.hasListener && { onLookup: (lookup) => hooks.event({ type: 'cache', ...lookup }) }),
    });
    this.#transformedBlocks = new TransformedBlockCache({
      maxBytes: this.limits.cacheBytes / 16,
      ...(hooks.hasListener && { onLookup: (isHit) => hooks.event({ type: 'cache', cache: 'block', isHit }) }),
    });
    this.#publicBlocks = checkPublicBlocks(options);
    this.#tickets = new TicketMaker({
      options,
      publicBlocks: this.#publicBlocks,
      loader: this.#loader,
      signer: this.#signer,
      workers: this.#workers,
      hooks,
    });
  }

  get limits(): HtsgetLimits {
    return this.#loader.limits;
  }

  /** Returns the ticket that answers a query. Throws `HtsgetError`, and what the storage and the decoders throw. */
  async ticket(id: string, query: HtsgetQuery, context: TicketContext): Promise<Ticket> {
    const { permission, formats, request, recorder, recipient } = context;
    const started = performance.now();
    const { datatype, format } = query;
    const files = await this.#resolve(id, datatype, request);
    const file = chooseFile(files, query, this.#options);
    checkFormat({ permission, formats }, query, () => availableFormats(files, datatype, this.#options));
    if (recipient === undefined) checkPlainDelivery(file, this.#options);
    const { plan, ticket } = await this.#tickets.create(file, { id, query, context }).catch(toTransientError);
    const { blocks } = this.limits;
    if (ticket.htsget.urls.length > blocks) {
      throw new HtsgetError('PayloadTooLarge', `the answer has more than ${blocks} blocks`);
    }
    const plannedBytes = storedLength(plan.segments);
    if (recorder !== undefined) recorder.plannedBytes = plannedBytes;
    this.hooks.event({
      type: 'ticket',
      datatype,
      id,
      format,
      convertedFrom: plan.conversion?.records.from,
      blocks: ticket.htsget.urls.length,
      plannedBytes,
      milliseconds: performance.now() - started,
    });
    if (this.#options.announcesRestrictions !== true) return ticket;
    const restricted = describeRestriction({ query, permission, format: file.format, rewriting: plan.rewriting });
    return restricted === undefined ? ticket : { htsget: { ...ticket.htsget, restricted } };
  }

  /** Opens the block that a token stands for. Throws `HtsgetError` PermissionDenied unless the token is valid. */
  async block(token: string, request: RequestContext, { client, recorder }: BlockContext): Promise<OpenedBlock> {
    const now = this.#now();
    const claim = this.#signer.verify(token, now);
    recorder?.recordClaim(claim);
    const { id, datatype, format, from = format } = claim;
    const choice = { datatype, format: from };
    const file = chooseFile(await this.#resolve(id, datatype, request), choice, { conversions: false });
    // The setting may have changed since the ticket was made, or the file may be encrypted since then.
    if (claim.encryption === undefined) checkPlainDelivery(file, this.#options);
    // An object may have ceased to be public since the ticket was made.
    const isPublic = claim.isPublic === true && this.#isPublic({ datatype, id }, file);
    const stream = await openAnyBlock(claim, file, {
      derive: () => this.#signer.deriver(token),
      loader: this.#loader,
      lengths: this.#blockLengths,
      transformedBlocks: this.#transformedBlocks,
      signal: request.signal,
      client,
      workers: this.#workers,
      reference: this.#reference,
      compressionLevel: this.#options.compressionLevel,
      onEvent: (event, outcome) => {
        this.hooks.event(event);
        recorder?.blockEnded({ bytes: event.bytes, outcome });
      },
    });
    return { stream, publicSeconds: isPublic ? Math.floor(claim.expires - now / 1000) : undefined };
  }

  #isPublic(object: ObjectName, { forwarded }: StoredFile): boolean {
    return forwarded === undefined && this.#publicBlocks?.isPublic(object) === true;
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
}
