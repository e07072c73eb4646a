import { Buffer } from 'node:buffer';
import { describeError } from '../../errors.js';
import { type AuditDestination, type AuditRecord, notNow } from './audit-log.js';

/** The maximum number of bytes of records that wait for a response, and of those of one request. */
const MAX_WAITING_BYTES = 2 ** 20;
const MAX_BATCH_BYTES = 2 ** 18;
const TIMEOUT_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 1000;

/** The severity INFO (OpenTelemetry Logs Data Model, "Severity Fields"). */
const INFO = 9;

/** Sends records to a receiver of OpenTelemetry logs, as OTLP/HTTP in JSON. The log data model has no library that needs less. */
export class OtlpLogs implements AuditDestination {
  readonly #url: string;
  /** Records that the receiver has not acknowledged yet. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sending: Promise<void> | undefined;
  #failure: Error | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  frame(record: AuditRecord): Uint8Array {
    const nanoseconds = `${Date.parse(record.time)}000000`;
    const attributes = Object.entries(record).flatMap(([key, value]) =>
      typeof value === 'string' ? [{ key: `htskit.${key}`, value: { stringValue: value } }] : [],
    );
    const body = { stringValue: JSON.stringify(record) };
    const event = { timeUnixNano: nanoseconds, observedTimeUnixNano: nanoseconds, eventName: 'htskit.audit' };
    return Buffer.from(JSON.stringify({ ...event, severityNumber: INFO, severityText: 'INFO', body, attributes }));
  }

  write(bytes: Uint8Array): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waitingBytes > MAX_WAITING_BYTES) throw notNow();
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#send();
    return bytes.length;
  }

  /** Sends what was written, if the receiver accepts it. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#send();
    await this.#sending;
    clearTimeout(this.#retry);
  }

  /** Sends what waits, unless that is being done. */
  #send(): void {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    try {
      for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
        await this.#post(batch);
        this.#failure = undefined;
        this.#waiting.splice(0, batch.length);
        this.#waitingBytes -= batch.reduce((sum, { length }) => sum + length, 0);
      }
    } catch (error) {
      this.#failure = new Error(`the receiver of logs: ${describeError(error)}`);
      this.#retry = setTimeout(() => this.#send(), RETRY_MILLISECONDS).unref();
    }
  }

  #nextBatch(): readonly Uint8Array[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ length }, index) => {
      bytes += length;
      return index > 0 && bytes > MAX_BATCH_BYTES;
    });
    return end < 0 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  async #post(batch: readonly Uint8Array[]): Promise<void> {
    const resource = JSON.stringify({ attributes: [{ key: 'service.name', value: { stringValue: 'htskit' } }] });
    const records = batch.map((bytes) => Buffer.from(bytes).toString()).join(',');
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"resourceLogs":[{"resource":${resource},"scopeLogs":[{"scope":{"name":"htskit"},"logRecords":[${records}]}]}]}`,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`expected status 200, got ${response.status}`);
  }
}
