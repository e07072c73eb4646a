import {
  type FetchTicketOptions,
  type HtsgetClientQuery,
  type HtsgetEndpoint,
  openHtsget,
  type StreamOptions,
} from '@htskit/client';
import { type CramDecoder, type CramHeader, createCramDecoder } from '@htskit/formats';
import { readChunks } from '@htskit/io';
import { RecordsError } from '../records-error.js';
import { type Region, toIntervals } from '../region.js';
import { referenceIds } from './bgzf-store.js';
import { filterPieces, inflatePieces, type Pieces, takeHeader } from './bgzf-stream.js';
import { ChunkReader, takeCramHeader } from './cram-containers.js';
import { type CramOptions, decodeContainers } from './cram-store.js';
import { type FileHeader, RECORD_FORMATS, toAlignmentHeader } from './record-format.js';
import type { FileFormat, ReadRecordsOptions, RecordStore } from './record-store.js';

/** A file of an htsget service, and options of the client. */
export interface HtsgetSource
  extends Omit<FetchTicketOptions, 'signal'>,
    Pick<StreamOptions, 'concurrency' | 'bytesAhead' | 'splitBytes'> {
  /** The URL of a ticket, or `{ baseUrl, datatype, id }`. */
  readonly htsget: HtsgetEndpoint;
  /** The format to request. Default: that of the service. */
  readonly format?: FileFormat | undefined;
}

/** The records of a file of an htsget service. */
export class HtsgetStore implements RecordStore {
  readonly format: FileFormat;
  readonly header: FileHeader;
  readonly #source: HtsgetSource;
  readonly #cram: CramOptions;

  private constructor(source: HtsgetSource, { format, header, cram }: OpenedHeader & { readonly cram: CramOptions }) {
    this.#source = source;
    this.format = format;
    this.header = header;
    this.#cram = cram;
  }

  /** Requests the header. Throws `HtsgetClientError`, and `RecordsError` UNKNOWN_FORMAT. */
  static async open(
    source: HtsgetSource,
    { signal, ...cram }: CramOptions & { readonly signal?: AbortSignal | undefined },
  ): Promise<HtsgetStore> {
    const { format, chunks } = await request(source, { class: 'header' }, signal);
    return new HtsgetStore(source, { format, header: await readHeader(format, chunks), cram });
  }

  async *read(
    regions: Region | readonly Region[] | undefined,
    { signal, ...unknown }: ReadRecordsOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const ids = referenceIds(this.header);
    const isVcf = this.format === 'VCF';
    const intervals =
      regions &&
      toIntervals(
        regions,
        {
          names: () => ids.keys(),
          // The contigs of a VCF file need not be in its header: the service knows them.
          referenceId: (name) => ids.get(name) ?? (isVcf ? ids.size : undefined),
          hasUnplaced: this.format === 'BAM' || this.format === 'CRAM',
        },
        unknown,
      );
    // Of an empty region, a service may refuse to send nothing.
    const wanted = intervals?.filter(({ start, end }) => start < end);
    if (wanted?.length === 0) return;
    const query = wanted && {
      regions: wanted.map(({ referenceName, referenceId, start, end }) => ({
        referenceName,
        ...(referenceId >= 0 && start > 0 && { start }),
        ...(referenceId >= 0 && end < Number.MAX_SAFE_INTEGER && { end }),
      })),
    };
    const { format, chunks } = await request(this.#source, { ...query, format: this.format }, signal);
    const pieces = this.#records(format, chunks, signal);
    // A service may send more than what was requested.
    if (wanted !== undefined) return yield* filterPieces(pieces, this.header.createFilter(wanted));
    if (format === 'CRAM') return yield* pieces;
    yield* filterPieces(pieces, RECORD_FORMATS[format].createWholeFilter());
  }

  async close(): Promise<void> {
    // Nothing is held between requests.
  }

  /** Yields the data after the header. */
  async *#records(format: FileFormat, chunks: Pieces, signal: AbortSignal | undefined): Pieces {
    if (format !== 'CRAM') {
      const { rest } = await takeHeader(inflatePieces(chunks), RECORD_FORMATS[format]);
      return yield* rest;
    }
    const reader = new ChunkReader(chunks);
    const header = await takeCramHeader(reader);
    yield* decodeContainers(reader, { header, decoder: this.#decoder(header), signal });
  }

  #decoder(header: CramHeader): CramDecoder {
    return createCramDecoder({ ...this.#cram, header });
  }
}

interface OpenedHeader {
  readonly format: FileFormat;
  readonly header: FileHeader;
}

interface Answer {
  readonly format: FileFormat;
  readonly chunks: Pieces;
}

async function request(
  { htsget, format, ...options }: HtsgetSource,
  query: HtsgetClientQuery,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { ticket, stream } = await openHtsget(htsget, { format, ...query }, { ...options, signal });
  const { format: answered } = ticket.htsget;
  if (answered === 'VCFTEXT') throw new RecordsError('UNKNOWN_FORMAT', 'the service delivers text without BGZF');
  return { format: answered, chunks: readChunks(stream) };
}

async function readHeader(format: FileFormat, chunks: Pieces): Promise<FileHeader> {
  if (format === 'CRAM') {
    const reader = new ChunkReader(chunks);
    const header = await takeCramHeader(reader);
    await reader.close();
    return toAlignmentHeader(header);
  }
  const { header, rest } = await takeHeader(inflatePieces(chunks), RECORD_FORMATS[format]);
  await rest.return();
  return RECORD_FORMATS[format].parse(header);
}
