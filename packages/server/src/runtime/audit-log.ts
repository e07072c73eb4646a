import { openSync } from 'node:fs';
import type { AccessEvent } from '@htskit/htsget';
import { destination } from 'pino';
import { describeError } from '../errors.js';

const STDOUT = 1;

/** The file shows who reads which data, so only its owner and group may read it. */
const MODE = 0o640;

export interface AuditLogOptions {
  /** Receives a message for a record that cannot be written. */
  readonly log: (message: string) => void;
  /** The time of a record. Default: now. */
  readonly now?: (() => Date) | undefined;
}

/** Appends a JSON line for each ticket and block to a file. A line is written before its response ends. */
export class AuditLog {
  readonly #lines: ReturnType<typeof destination>;
  readonly #now: () => Date;
  readonly #isStdout: boolean;

  /** Opens `stdout` or a file, which is created if it is missing. Throws the error of the file system. */
  constructor(target: string, { log, now = () => new Date() }: AuditLogOptions) {
    this.#isStdout = target === 'stdout';
    const fd = this.#isStdout ? STDOUT : openSync(target, 'a', MODE);
    this.#lines = destination({ fd, sync: true });
    this.#now = now;
    this.#lines.on('error', (error: unknown) => log(`cannot write the audit log: ${describeError(error)}`));
  }

  record({ resource, object, requestId, ...event }: AccessEvent): void {
    const { format, regions, isRestricted, subject, status, bytes, outcome } = event;
    const record = {
      time: this.#now().toISOString(),
      requestId,
      subject,
      resource,
      object: object && `${object.datatype}/${object.id}`,
      format,
      regions,
      isRestricted,
      status,
      bytes,
      outcome,
    };
    this.#lines.write(`${JSON.stringify(record)}\n`);
  }

  /** Closes the file. */
  close(): void {
    if (!this.#isStdout) this.#lines.end();
  }
}
