// The variables that examples in docstrings use without declaring them, and the functions of Node that they call without
// importing them.
import type * as crypto from 'node:crypto';
import type * as fs from 'node:fs';
import type * as fsPromises from 'node:fs/promises';
import type * as http from 'node:http';
import type { Writable } from 'node:stream';
import type * as streamPromises from 'node:stream/promises';
import type { GziIndex, VirtualOffset } from '../../packages/bgzf/dist/index.js';
import type { SecretKey } from '../../packages/crypt4gh/dist/index.js';
import type { HtsgetOptions } from '../../packages/htsget/dist/index.js';
import type { PlainResponse, Transport } from '../../packages/http/dist/index.js';
import type {
  BinningIndex,
  Chunk,
  CraiSlice,
  FaiBuilder,
  FaiRecord,
  RegionQuery,
} from '../../packages/indexes/dist/index.js';
import type { BorrowedBytes, ByteSource, ObjectStore } from '../../packages/io/dist/index.js';
import type { Ticket } from '../../packages/protocol/dist/index.js';
import type { SequenceCollection } from '../../packages/refget/dist/index.js';
import type { NamedSequence } from '../../packages/sequences/dist/index.js';
import type { Filehandle } from '../../packages/storage/dist/filehandle/index.js';
import type { R2BucketBinding } from '../../packages/storage/dist/r2/index.js';
import type { S3Credentials } from '../../packages/storage/dist/s3/index.js';

declare global {
  const createReadStream: typeof fs.createReadStream;
  const createWriteStream: typeof fs.createWriteStream;
  const readFileSync: typeof fs.readFileSync;
  const writeFileSync: typeof fs.writeFileSync;
  const readFile: typeof fsPromises.readFile;
  const writeFile: typeof fsPromises.writeFile;
  const createServer: typeof http.createServer;
  const pipeline: typeof streamPromises.pipeline;

  const env: { readonly BUCKET: R2BucketBinding };
  const blob: Blob;
  const bob: Uint8Array;
  const body: string;
  const borrowedChunks: AsyncIterable<BorrowedBytes>;
  const bucket: string;
  const builder: FaiBuilder;
  const bytes: Uint8Array<ArrayBuffer>;
  const chunk: Chunk;
  const chunks: AsyncIterable<Uint8Array>;
  const credentials: S3Credentials;
  const data: Uint8Array;
  const end: VirtualOffset;
  const file: File;
  const first: RegionQuery;
  const genome: SequenceCollection;
  const gzi: GziIndex;
  const gziBytes: Uint8Array;
  const handler: (request: Request) => PlainResponse | Promise<PlainResponse>;
  const hash: crypto.Hash;
  const index: BinningIndex;
  const jwksUrl: string;
  const key: string;
  const output: Writable;
  const parse: (data: Uint8Array, offset: VirtualOffset) => void;
  const primary: SequenceCollection;
  const publicKey: Uint8Array;
  const publicUrl: string;
  const record: FaiRecord;
  const request: Request;
  const resolve: HtsgetOptions['resolve'];
  const response: Response & { readonly body: ReadableStream<Uint8Array<ArrayBuffer>> };
  const second: RegionQuery;
  const secretKey: SecretKey;
  const sequenceLines: AsyncIterable<Uint8Array>;
  const sequences: readonly NamedSequence[];
  const signal: AbortSignal;
  const slices: Iterable<CraiSlice>;
  const source: ByteSource;
  const start: VirtualOffset;
  const store: ObjectStore;
  const stream: AsyncIterable<Uint8Array>;
  const ticket: Ticket;
  const token: string;
  const transport: Transport;
  const url: string;
  const view: DataView;
  const writable: WritableStream<Uint8Array>;
  let total: number;

  interface Header {
    readonly text: string;
  }
  class BamFile {
    constructor(options: { readonly bamFilehandle: Filehandle });
  }
  function parseHeader(bytes: Uint8Array): Header;
  const Deno: { serve(handler: (request: Request) => Promise<Response>): unknown };
}
