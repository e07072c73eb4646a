/**
 * The binding of an R2 bucket to a Worker, by its structure: `R2Bucket` of @cloudflare/workers-types, the global type of `wrangler types`,
 * and the bucket of `getPlatformProxy` fit.
 */
export interface R2BucketBinding {
  head(key: string): Promise<R2StoredObject | null>;
  /** Resolves to an object without a body if it does not meet the condition. */
  get(key: string, options: R2ReadOptions): Promise<R2StoredObject | R2StoredBody | null>;
  /** Resolves to null if what exists does not meet the condition. */
  put(key: string, value: Uint8Array | ReadableStream, options: R2WriteOptions): Promise<R2StoredObject | null>;
  list(options: R2Listing): Promise<R2Listed>;
  delete(key: string): Promise<void>;
}

/** A condition. Entity tags have no quotes, and `*` is any object. */
export interface R2Condition {
  readonly etagMatches?: string;
  readonly etagDoesNotMatch?: string;
}

export interface R2ReadOptions {
  readonly range?: { readonly offset: number; readonly length: number };
  readonly onlyIf?: R2Condition;
}

export interface R2WriteOptions {
  readonly onlyIf?: R2Condition;
  readonly customMetadata?: Record<string, string>;
}

/** The metadata of an object. */
export interface R2StoredObject {
  readonly key: string;
  /** Size of the whole object in bytes. */
  readonly size: number;
  /** The entity tag as HTTP writes it, in quotes. */
  readonly httpEtag: string;
  readonly uploaded: Date;
  readonly customMetadata?: Record<string, string>;
}

export interface R2StoredBody extends R2StoredObject {
  readonly body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface R2Listing {
  readonly prefix: string;
  readonly cursor?: string;
}

/** One page of a listing. The last one has no cursor. */
export interface R2Listed {
  readonly objects: readonly Pick<R2StoredObject, 'key'>[];
  readonly truncated: boolean;
  readonly cursor?: string;
}
