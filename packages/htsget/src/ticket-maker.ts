import { crypt4ghOf } from '@htskit/crypt4gh/internal';
import type { CramReferenceSource } from '@htskit/formats';
import { LruCache, type SourceStat, StorageError } from '@htskit/io';
import type { HtsgetFormat, HtsgetQuery, Ticket } from '@htskit/protocol';
import type { AccessRecorder } from './access/access-recorder.js';
import { type Grant, restrictQuery } from './access/permission.js';
import { type BlockClaim, type BlockClaimSigner, checkSelection, sourceTag } from './block-url/block-claim.js';
import type { GroupOptions, TicketPlan } from './deliver/group-segments.js';
import { locateSegments } from './deliver/locate.js';
import { toTicket } from './deliver/ticket.js';
import { createEncryptedTicket } from './encrypt/encrypted-ticket.js';
import { isConverted, isCorruption, readNewStat, type StoredFile } from './file/stored-file.js';
import type { Hooks } from './hooks.js';
import { LazySignal, type RequestContext } from './lazy-signal.js';
import { type HtsgetLimits, maxBlockBytes, maxTransformedBytes } from './limits.js';
import type { FileLoader } from './load/file-loader.js';
import { type HtsgetOptions, type PublicBlocks, parsePublicUrl } from './options.js';
import type { ClaimedSegment } from './plan/plan.js';
import { type FilePlan, planFile } from './plan-file.js';
import type { BoundedTransforms } from './transform/bounded-transforms.js';

export interface TicketContext {
  readonly permission: Grant;
  /** The formats in which the object may be answered. Default: all. */
  readonly formats?: readonly HtsgetFormat[] | undefined;
  readonly request: RequestContext;
  /** The subject that `authorize` named. Block URLs contain it. */
  readonly subject?: string;
  /** The visas that the permission rests on. Block URLs contain them. */
  readonly visas?: readonly string[] | undefined;
  readonly recorder?: AccessRecorder;
  /** The client, as `HtsgetOptions.clientOf` names it. */
  readonly client?: string;
  /** The public key that the answer is encrypted for. Default: it is not encrypted. */
  readonly recipient?: Uint8Array;
}

/** A query of the object with an id, and the circumstances of its request. */
export interface NamedQuery {
  readonly id: string;
  readonly query: HtsgetQuery;
  readonly context: TicketContext;
}

/** The members that the claims of all blocks of a ticket share. */
type TicketClaim = Omit<BlockClaim, 'segments' | 'encryption'>;

interface Encryption {
  readonly claim: TicketClaim;
  readonly recipient: Uint8Array;
  readonly context: TicketContext;
}

/** A ticket, and the plan that it renders, whose segments may be sent by the store itself. */
export interface Answer {
  readonly plan: TicketPlan;
  readonly ticket: Ticket;
}

/** The number of Crypt4GH headers that are remembered: a few hundred bytes each, rarely thousands. */
const REMEMBERED_HEADERS = 1000;

interface TicketMakerParts {
  readonly options: HtsgetOptions;
  readonly publicBlocks: Required<PublicBlocks> | undefined;
  readonly loader: FileLoader;
  readonly signer: BlockClaimSigner;
  readonly workers: BoundedTransforms;
  readonly hooks: Hooks;
}

/** Makes tickets of chosen files in these steps: restrict the query, plan, locate or encrypt, render. */
export class TicketMaker {
  readonly #options: HtsgetOptions;
  readonly #loader: FileLoader;
  readonly #signer: BlockClaimSigner;
  readonly #workers: BoundedTransforms;
  readonly #hooks: Hooks;
  readonly #limits: HtsgetLimits;
  readonly #reference: CramReferenceSource | undefined;
  readonly #blocksUrl: string;
  readonly #publicBlocks: Required<PublicBlocks> | undefined;
  readonly #headers = new LruCache<Uint8Array>({ maxWeight: REMEMBERED_HEADERS });

  constructor({ options, publicBlocks, loader, signer, workers, hooks }: TicketMakerParts) {
    this.#options = options;
    this.#loader = loader;
    this.#signer = signer;
    this.#workers = workers;
    this.#hooks = hooks;
    this.#limits = loader.limits;
    this.#reference = options.reference?.bind(options);
    this.#blocksUrl = `${parsePublicUrl(options.publicUrl)}/blocks/`;
    this.#publicBlocks = publicBlocks;
  }

  /**
   * Creates the ticket that answers a query of a file, a second time if the data and its index were being replaced, and only one of
   * them was new the first time. Throws `HtsgetError`, and what the storage and the decoders throw.
   */
  async create(file: StoredFile, named: NamedQuery): Promise<Answer> {
    const signal = new LazySignal(named.context.request);
    try {
      return await this.#answer(file, await file.data.stat(signal), named);
    } catch (error) {
      const isChanged = error instanceof StorageError && error.code === 'CHANGED';
      if (!isChanged && !isCorruption(error)) throw error;
      return this.#answer(file, await readNewStat(file.data, signal), named);
    }
  }

  async #answer(file: StoredFile, stat: SourceStat, named: NamedQuery): Promise<Answer> {
    const { permission, recipient } = named.context;
    const plan = await this.#plan(file, stat, named);
    const claim = this.#claimOf(plan, file, named);
    if (recipient !== undefined) {
      return { plan, ticket: await this.#encrypt(plan, file, { claim, recipient, context: named.context }) };
    }
    // A URL of the store leads to the whole object, whatever part of it the ticket names.
    // The store has only the ciphertext of an encrypted file.
    const isStoredPlain = file.isEncrypted !== true && plan.conversion === undefined;
    const isLocatable = permission === 'all' && file.locate !== undefined && isStoredPlain;
    const sent = isLocatable ? await this.#locate(plan, file, named.context) : plan;
    const blockUrl = (segments: readonly ClaimedSegment[]): string => this.#blockUrl({ ...claim, segments });
    const rendering = { ...this.#groupLimits(plan), blockUrl, headers: file.forwarded };
    return { plan: sent, ticket: toTicket(sent, rendering) };
  }

  async #plan(file: StoredFile, stat: SourceStat, { id, query, context }: NamedQuery): Promise<FilePlan> {
    const { permission, request, client, recipient } = context;
    const object = { datatype: query.datatype, id };
    return planFile(file, restrictQuery(query, permission), {
      stat,
      precision: this.#options.precision,
      isRestricted: typeof permission === 'object' && permission.regions !== 'all',
      isInlined: recipient === undefined,
      truncated: this.#options.truncated,
      reference: this.#reference,
      workers: this.#workers,
      client,
      loader: this.#loader,
      // Only a conversion waits for something that is not shared with other requests.
      signal: isConverted(file.format, query.format) ? request.signal : undefined,
      onIndexError: (error) => this.#hooks.error(error, object),
      onWarning: (warning) => this.#hooks.warning(warning, object),
    });
  }

  /** Lets the store send what it can. */
  async #locate(
    plan: FilePlan,
    file: StoredFile,
    { request: { signal }, client }: Pick<TicketContext, 'request' | 'client'>,
  ): Promise<TicketPlan> {
    const locate = file.locate?.bind(file);
    if (locate === undefined) return plan;
    const { inlineEdgeBytes, exactBytes } = this.#limits;
    const workers = this.#workers;
    const { compressionLevel } = this.#options;
    const { format, rewriting, stat } = plan;
    const sent = { format, rewriting, compressionLevel, version: stat.version, signal, workers, client };
    const options = { ...sent, source: file.data, locate, inlineEdgeBytes, scanBytes: exactBytes };
    return { ...plan, segments: await locateSegments(plan.segments, options) };
  }

  async #encrypt(plan: FilePlan, file: StoredFile, { claim, recipient, context }: Encryption): Promise<Ticket> {
    const { format, rewriting, conversion, stat } = plan;
    const { permission, request, client } = context;
    // A stored segment may hold records that a narrowed answer must not.
    const decrypting = permission === 'all' ? crypt4ghOf(file.data) : undefined;
    const stored = await decrypting?.openFile({ version: stat.version, signal: request.signal });
    return createEncryptedTicket(plan, {
      ...this.#groupLimits(plan),
      format,
      rewriting,
      conversion,
      source: file.data,
      version: stat.version,
      signal: request.signal,
      compressionLevel: this.#options.compressionLevel,
      workers: this.#workers,
      client,
      recipient,
      claim,
      derive: this.#signer.deriver(),
      stored,
      headers: this.#headers,
      blockHeaders: file.forwarded,
      blockUrl: (block) => this.#blockUrl(block),
    });
  }

  #groupLimits({ conversion, stat }: FilePlan): GroupOptions {
    return {
      blockBytes: maxBlockBytes(this.#limits, conversion !== undefined),
      transformedBytes: maxTransformedBytes(this.#limits, stat.size),
    };
  }

  /** Returns the claim of all blocks of a ticket. */
  #claimOf(plan: FilePlan, { identity, forwarded }: StoredFile, { id, query, context }: NamedQuery): TicketClaim {
    const { datatype, format } = query;
    const { permission, subject, visas, recipient } = context;
    const isForAll = [subject, recipient, forwarded].every((part) => part === undefined) && permission === 'all';
    const isPublic = isForAll && this.#publicBlocks?.isPublic({ datatype, id }) === true;
    return {
      datatype,
      id,
      format,
      from: plan.conversion?.records.from,
      subject,
      visas,
      isRestricted: permission === 'all' ? undefined : true,
      isPublic: isPublic ? true : undefined,
      version: plan.stat.version,
      source: sourceTag(identity),
      expires: this.#expiry(isPublic ? this.#publicBlocks?.seconds : 1),
      selection: plan.rewriting && checkSelection(plan.rewriting.selection),
    };
  }

  /** Returns the expiry of block URLs, rounded up to multiples of so many seconds. */
  #expiry(seconds = 1): number {
    const now = (this.#options.now ?? Date.now)() / 1000;
    return Math.ceil(now / seconds) * seconds + this.#limits.blockUrlSeconds;
  }

  #blockUrl(claim: BlockClaim): string {
    return this.#blocksUrl + this.#signer.sign(claim);
  }
}
