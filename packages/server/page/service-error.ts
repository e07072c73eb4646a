/** A failed request, for people. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** 0 if the server did not answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}
