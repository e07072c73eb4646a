import { Buffer } from 'node:buffer';
import type { DrsEvent } from '@htskit/drs';
import type { AccessEvent } from '@htskit/htsget';
import { type ClockOptions, systemClock } from '@htskit/io';
import { startTimer } from '@htskit/io/internal';
import { describeError } from '../../errors.js';

/** Bytes of records that wait for a destination that cannot be written, some 2,500 records. Further ones are lost. */
const WAITING_BYTES = 2 ** 20;
const RETRY_MILLISECONDS = 1000;
/** A reader of a pipe, which is merely slow, is tried again sooner. */
const FULL_PIPE_MILLISECONDS = 10;
const REPORT_MILLISECONDS = 60_000;

/** The fate of requests while the log cannot be written: they are refused, or their records may be lost. */
export type WhenFull = 'refuse' | 'drop';

/** The destination of the records, one of three, and what happens if it cannot be written. */
export interface AuditSettings {
  /** The path of a file, or `stdout`. */
  readonly file?: string | undefined;
  /** A receiver of syslog: `udp://HOST:PORT`, `tcp://…`, `tls://…` or `unix:/PATH`. */
  readonly syslog?: string | undefined;
  /** The URL of a receiver of OpenTelemetry logs. */
  readonly otlp?: string | undefined;
  /** Default: `refuse` for a file, and `drop` for others. */
  readonly whenFull?: WhenFull | undefined;
}

/** The requester of a request, as an authorizer found. */
export interface Requester {
  readonly subject: string | undefined;
  /** The ids of the visas that the permission rests on. */
  readonly visas: readonly string[];
}

/** What is recorded of a request. */
export interface AuditRecord extends Partial<Omit<AccessEvent, 'object' | 'type' | 'resource'>> {
  /** Date and time in ISO 8601. */
  readonly time: string;
  readonly resource: string;
  /** Datatype and id. */
  readonly object: string | undefined;
}

/** A destination of records. */
export interface AuditDestination {
  /** Returns the bytes of a record. Default: JSON and a line feed. */
  frame?(record: AuditRecord): Uint8Array;
  /** Writes some of the bytes, and returns how many. Throws the error of the destination, or `notNow`. */
  write(bytes: Uint8Array): number;
  close(): Promise<void> | void;
}

/** Returns the error of a destination that is merely slow. */
export function notNow(): Error {
  return Object.assign(new Error('the receiver is slow'), { code: 'EAGAIN' });
}

/** An access to an object of htsget, or to a file. */
export interface AuditedAccess extends Omit<AccessEvent, 'object' | 'resource'> {
  readonly resource: AccessEvent['resource'] | DrsEvent['resource'];
  readonly object: { readonly datatype: string; readonly id: string } | undefined;
}

export interface AuditLogOptions extends Pick<ClockOptions, 'sleep'> {
  readonly whenFull?: WhenFull | undefined;
  /** Returns the requester of a request, by its id, if it is known. */
  readonly requesterOf?: (requestId: string) => Requester | undefined;
  /** Receives a message, at most once a minute, while records cannot be written. */
  readonly log: (message: string) => void;
  /** Called when records are lost, with their number. */
  readonly onLost?: (count: number) => void;
  /** The time of a record. Default: now. */
  readonly now?: () => Date;
  /** Milliseconds since any fixed point in time, for the pause between messages. Default `performance.now`. */
  readonly elapsed?: () => number;
}

/**
 * Writes a record of each access to an object, before its response ends. While the destination cannot be written, records wait in
 * memory up to a limit, and are tried again each second.
 */
export class AuditLog {
  readonly #destination: AuditDestination;
  readonly #options: AuditLogOptions;
  /** Lines that are not written yet. The first one may be written in part. */
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isFailing = false;
  /** The number of records that were lost. */
  #lostCount = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  constructor(destination: AuditDestination, options: AuditLogOptions) {
    this.#destination = destination;
    this.#options = options;
  }

  /** Whether the destination cannot be written now. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Whether requests whose records are due must be refused. */
  get refusesRequests(): boolean {
    return this.#isFailing && this.#options.whenFull !== 'drop';
  }

  record({ resource, object, requestId, ...event }: AuditedAccess): void {
    const { format, regions, isRestricted, status, bytes, outcome } = event;
    const { now = () => new Date(), requesterOf } = this.#options;
    // Refusals do not name the requester themselves.
    const requester = requestId === undefined ? undefined : requesterOf?.(requestId);
    const { subject = requester?.subject, visas = requester?.visas ?? [] } = event;
    const record = {
      time: now().toISOString(),
      requestId,
      subject,
      ...(visas.length > 0 && { visas }),
      resource,
      object: object && `${object.datatype}/${object.id}`,
      format,
      regions,
      isRestricted,
      status,
      bytes,
      outcome,
    };
    this.#add(this.#destination.frame?.(record) ?? Buffer.from(`${JSON.stringify(record)}\n`));
    // Until the timer, a destination that failed is left alone.
    if (this.#stopTimer === undefined) this.#flush();
  }

  /** Writes what still waits, if that is possible, and closes the destination. */
  async close(): Promise<void> {
    this.#stopTimer?.();
    this.#flush();
    this.#stopTimer?.();
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length);
    await this.#destination.close();
  }

  #add(line: Uint8Array): void {
    if (this.#waitingBytes > 0 && this.#waitingBytes + line.length > WAITING_BYTES) {
      this.#lose(1);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
  }

  #lose(count: number): void {
    this.#lostCount += count;
    this.#options.onLost?.(count);
  }

  #flush(): void {
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
        const written = this.#destination.write(line);
        this.#waitingBytes -= written;
        if (written < line.length) this.#waiting[0] = line.subarray(written);
        else this.#waiting.shift();
      }
      this.#isFailing = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    // A pipe has failed if its reader is so slow that records would soon be lost.
    this.#isFailing = !isFullPipe || this.#waitingBytes > WAITING_BYTES / 2;
    if (this.#isFailing) this.#report(error);
    const milliseconds = isFullPipe ? FULL_PIPE_MILLISECONDS : RETRY_MILLISECONDS;
    this.#stopTimer = startTimer({ sleep: this.#options.sleep ?? systemClock.sleep }, milliseconds, () => {
      this.#stopTimer = undefined;
      this.#flush();
    });
  }

  #report(error: unknown): void {
    const now = (this.#options.elapsed ?? (() => performance.now()))();
    if (now - this.#reportedAt < REPORT_MILLISECONDS) return;
    this.#reportedAt = now;
    const effect = this.refusesRequests ? 'tickets and blocks are refused' : 'records are lost';
    this.#options.log(
      `cannot write the audit log, so that ${effect} (${this.#lostCount} lost so far): ${describeError(error)}`,
    );
  }
}
