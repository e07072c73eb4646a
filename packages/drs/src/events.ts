/** The one record of a request for an object, for audits. It is emitted for refused and failed requests, too. */
export interface DrsEvent {
  readonly type: 'access';
  /** `file`: the bytes. `drs`: the description, or a URL of the bytes. */
  readonly resource: 'drs' | 'file';
  readonly id: string;
  /** Whether `authorize` limited the object to a part. */
  readonly isRestricted: boolean;
  /** The subject that `authorize` named. */
  readonly subject: string | undefined;
  /** The `X-Request-Id` of the request. */
  readonly requestId: string | undefined;
  readonly status: number;
  /** Number of bytes of the object that were sent. */
  readonly bytes: number;
  /** Refused: with a 4xx status. Failed: with a 5xx status, or by breaking off the bytes. Aborted: by the client. */
  readonly outcome: 'completed' | 'aborted' | 'refused' | 'failed';
}
