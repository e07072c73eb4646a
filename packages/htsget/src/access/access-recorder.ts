import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import type { BlockClaim } from '../block-url/block-claim.js';
import type { AccessEvent, ObjectName } from '../hooks.js';

/** How the bytes of a block ended. */
export interface SentBlock {
  readonly bytes: number;
  readonly outcome: AccessEvent['outcome'];
}

/** Collects what the access event of a request says while the request is answered, and emits it once. */
export class AccessRecorder {
  object: ObjectName | undefined;
  format: HtsgetFormat | undefined;
  regions: readonly HtsgetRegion[] | undefined;
  isRestricted = false;
  subject: string | undefined;
  visas: readonly string[] | undefined;
  /** Bytes of the stored object that the blocks of a ticket are made from, or of an answer with a length. */
  plannedBytes = 0;
  readonly #request: Request;
  readonly #resource: AccessEvent['resource'];
  readonly #emit: (event: AccessEvent) => void;
  #sent: SentBlock | undefined;
  /** The status of a response whose body is still being sent. */
  #status: number | undefined;

  constructor(resource: AccessEvent['resource'], request: Request, emit: (event: AccessEvent) => void) {
    this.#resource = resource;
    this.#request = request;
    this.#emit = emit;
  }

  /** Records what the token of a block permits. */
  recordClaim({ datatype, id, format, subject, visas, isRestricted, segments }: BlockClaim): void {
    this.object = { datatype, id };
    this.format = format;
    this.subject = subject;
    this.visas = visas;
    this.isRestricted = isRestricted === true;
    const intervals = segments.flatMap((segment) => (segment.kind === 'cut' ? (segment.intervals ?? []) : []));
    if (intervals.length === 0) return;
    this.regions = intervals.map(({ referenceName, start, end }) => ({ referenceName, start, end }));
  }

  /** Records the response. The event of a stream is emitted when the stream ends. */
  respond(status: number, { isStream }: { readonly isStream: boolean }): void {
    if (!isStream) this.#end(status, { bytes: status < 400 ? this.plannedBytes : 0, outcome: outcomeOf(status) });
    else if (this.#sent !== undefined) this.#end(status, this.#sent);
    else this.#status = status;
  }

  /** Records the end of a block, which may come before that of the response. */
  blockEnded(sent: SentBlock): void {
    this.#sent = sent;
    if (this.#status !== undefined) this.#end(this.#status, sent);
  }

  #end(status: number, { bytes, outcome }: SentBlock): void {
    const { object, format, regions, isRestricted, subject, visas } = this;
    const requestId = this.#request.headers.get('x-request-id') ?? undefined;
    const resource = this.#resource;
    this.#emit({
      type: 'access',
      resource,
      object,
      format,
      regions,
      isRestricted,
      subject,
      visas,
      requestId,
      status,
      bytes,
      outcome,
    });
  }
}

function outcomeOf(status: number): AccessEvent['outcome'] {
  if (status < 400) return 'completed';
  return status < 500 ? 'refused' : 'failed';
}
