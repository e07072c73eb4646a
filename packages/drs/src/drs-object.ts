import type { ByteRange, ByteSource } from '@htskit/io';

/** A checksum of the bytes of an object, or of the checksums of the contents of a bundle. */
export interface Checksum {
  /** A name of the IANA registry of named information hashes, such as `sha-256`, or `md5`. */
  readonly type: string;
  /** In hexadecimal. */
  readonly checksum: string;
}

/** How a request for an object is authorized (DRS 1.5, `Authorizations`). */
export interface Authorizations {
  readonly drs_object_id?: string;
  readonly supported_types: readonly ('None' | 'BasicAuth' | 'BearerAuth' | 'PassportAuth')[];
  readonly passport_auth_issuers?: readonly string[];
  readonly bearer_auth_issuers?: readonly string[];
}

/** The URL of the bytes of an object, with headers such as `If-Match: "…"` that must be sent with the request. */
export interface AccessUrl {
  readonly url: string;
  readonly headers?: readonly string[];
}

/** A way to read an object: its bytes over HTTPS, or its regions over htsget. */
export interface AccessMethod {
  readonly type: 'https' | 'htsget';
  readonly access_url?: AccessUrl;
  readonly access_id?: string;
  readonly authorizations?: Authorizations;
}

/** A member of a bundle. */
export interface ContentsObject {
  readonly name: string;
  readonly id: string;
  readonly drs_uri: readonly string[];
  readonly contents?: readonly ContentsObject[];
}

/** The description of an object (DRS 1.5, `DrsObject`). Undefined members are absent from the JSON text. */
export interface DrsObject {
  readonly id: string;
  readonly name: string;
  readonly self_uri: string;
  readonly size: number;
  readonly created_time: string;
  readonly updated_time: string;
  readonly version: string | undefined;
  readonly mime_type: string | undefined;
  readonly checksums: readonly Checksum[];
  readonly access_methods: readonly AccessMethod[] | undefined;
  readonly contents: readonly ContentsObject[] | undefined;
  readonly description: string | undefined;
  readonly aliases: readonly string[] | undefined;
}

/** A file that is described, and whose bytes are sent below `/files/`. */
export interface DrsFile {
  readonly kind: 'file';
  /** The id that the description states. A request may have named the file by another one. */
  readonly id: string;
  readonly data: ByteSource;
  /** Default: the last part of the id. */
  readonly name?: string | undefined;
  /** The checksums that are known. Default: they are computed. */
  readonly checksums?: readonly Checksum[] | undefined;
  /** Distinguishes the data from every other file, alike in all replicas and after a restart. Default: the key of `data`. */
  readonly identity?: string | undefined;
  /** Default `application/octet-stream`. */
  readonly mediaType?: string | undefined;
  readonly description?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** The absolute URL of an htsget service that answers regions of the file. */
  readonly htsgetUrl?: string | undefined;
  /** The absolute URL of the bytes, if they are not those below `/files/`. The service at that URL decides on requests for them. */
  readonly url?: string | undefined;
  /** Returns the URL at which clients fetch the bytes from the store itself. Default: this service sends them. */
  readonly locate?:
    | ((
        range: ByteRange,
        context: { readonly signal: AbortSignal; readonly version: string | undefined },
      ) => Promise<{ readonly url: string; readonly headers?: Readonly<Record<string, string>> }>)
    | undefined;
  /**
   * The headers of the request that the file is read with, such as the token of its user: requests for the bytes need them, too.
   * Default: none.
   */
  readonly forwarded?: Readonly<Record<string, string>> | undefined;
  /** Why the bytes are not sent, for clients. Default: they are. */
  readonly refusal?: string | undefined;
  /** Whether the file is stored encrypted, so that nothing that is derived of its plaintext may be written to a disk. */
  readonly isSecret?: boolean | undefined;
  /** The offsets of the sequences of a FASTA file, for clients of the Python package refget. */
  readonly fastaIndex?: (() => Promise<FastaIndex>) | undefined;
}

/** The places of the sequences of a FASTA file, as the Python package refget requests them. */
export interface FastaIndex {
  readonly line_bases: number;
  readonly extra_line_bytes: number;
  /** The offset of the first base of each sequence, in bytes. */
  readonly offsets: readonly number[];
}

/** A set of objects, such as a file with its index. */
export interface DrsBundle {
  readonly kind: 'bundle';
  readonly id: string;
  readonly contents: readonly { readonly name: string; readonly id: string }[];
  readonly description?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
}
