import type { TextResponse } from '../gate/operational-responses.js';
import type { MetricsSnapshot } from '../metrics/metrics.js';

/** The settings that a process receives before it serves. */
export interface StartMessage {
  readonly type: 'start';
  /** The key for block URLs that all processes share, in base64. */
  readonly key: string;
  /** The text of the configuration, so that a process which is started later has the same. */
  readonly configText: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The number of processes, which share the memory of a container. */
  readonly count: number;
  /** Whether the process is the first one. The others listen when all sequences are digested, which the first one stores. */
  readonly isFirst: boolean;
}

/** A message from the primary process to a serving process. */
export type PrimaryMessage =
  | StartMessage
  | { readonly type: 'close'; readonly isReplaced: boolean }
  /** The last metrics have arrived. No connection that was handed over before is still on its way. */
  | { readonly type: 'last-received' }
  /** Requests the metrics of the process. */
  | { readonly type: 'collect'; readonly id: number }
  /** Requests the response of the process to `/readyz`. */
  | { readonly type: 'check'; readonly id: number; readonly accept: string | undefined }
  /** The metrics of all processes; undefined if they cannot be read. */
  | { readonly type: 'metrics'; readonly id: number; readonly text: string | undefined };

/** A message from a serving process to the primary process. */
export type WorkerMessage =
  /** The process waits for the `start` message. */
  | { readonly type: 'hello' }
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'snapshot'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly type: 'readiness'; readonly id: number; readonly response: TextResponse }
  /** The last metrics of a process that ends. */
  | { readonly type: 'last'; readonly snapshot: MetricsSnapshot }
  /** Requests the metrics of all processes. */
  | { readonly type: 'read-metrics'; readonly id: number };
