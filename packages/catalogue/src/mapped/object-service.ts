import { StorageError } from '@htskit/io';
import type { Caller } from '../objects/caller.js';

/** A URL of data, with the headers that requests for it need. */
export interface FoundUrl {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The data of an object, as a service describes it. */
export interface FoundObject {
  readonly data: FoundUrl;
  readonly index?: FoundUrl;
  /** The size of the data in bytes. */
  readonly size?: number;
  /** The name of the file, whose extension determines its format. Default: that of the URL. */
  readonly name?: string;
  /** The digests of the data. */
  readonly checksums?: readonly { readonly type: string; readonly checksum: string }[];
}

/** A service that knows where the data of objects is. */
export interface ObjectService {
  /** Returns what the service says, or undefined if it does not know the id. Throws `StorageError`. */
  find(id: string, caller: Caller): Promise<FoundObject | undefined>;
  /** Returns a text that distinguishes an object from those of all other services. */
  keyOf(id: string): string;
}

/** Creates the error of a document that lacks something. */
export function incompleteDocument(missing: string, key: string): StorageError {
  return new StorageError('UNAVAILABLE', `the document of the service has no ${missing}`, { key });
}
