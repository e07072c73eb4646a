import {
  type FetchTicketOptions,
  type HtsgetClientQuery,
  type HtsgetEndpoint,
  openHtsget,
  type StreamOptions,
} from '@htskit/client';
import { readChunks } from '@htskit/io';
import { unknownFormat } from '../records-error.js';
import { type Regions, toIntervals } from '../region.js';
import type { ReadProgress } from '../source/progress-meter.js';
import { type FileHeader, knownReferences } from './record-format.js';
import type { CramOptions, FileFormat, ReadRecordsOptions, RecordStore, StoredFormat } from './record-store.js';

/** A file of an htsget service, and options of the client. */
export interface HtsgetSource
  extends Omit<FetchTicketOptions, 'signal'>,
    Pick<StreamOptions, 'concurrency' | 'bytesAhead' | 'splitBytes'> {
  /** The URL of a ticket, or `{ baseUrl, datatype, id }`. */
  readonly htsget: HtsgetEndpoint;
  /** The format to request. Default: that of the service. */
  readonly format?: FileFormat;
}

/** The records of a file of an htsget service. */
export class HtsgetStore implements RecordStore {
  readonly format: FileFormat;
  readonly header: FileHeader;
  readonly #source: HtsgetSource;
  readonly #format: StoredFormat;
  readonly #cram: CramOptions;

  private constructor(source: HtsgetSource, format: StoredFormat, header: FileHeader, cram: CramOptions) {
    this.#source = source;
    this.#format = format;
    this.format = format.name;
    this.header = header;
    this.#cram = cram;
  }

  /** Requests the header. Throws `HtsgetClientError`, and `RecordsError` UNKNOWN_FORMAT unless it is of one of `formats`. */
  static async open(
    source: HtsgetSource,
    formats: readonly StoredFormat[],
    { signal, ...cram }: CramOptions & { readonly signal?: AbortSignal },
  ): Promise<HtsgetStore> {
    const { format, chunks } = await request(source, { class: 'header' }, { formats, signal });
    return new HtsgetStore(source, format, await format.readHeader(chunks), cram);
  }

  async *read(
    regions: Regions | undefined,
    { signal, onProgress, ...unknown }: ReadRecordsOptions,
  ): AsyncGenerator<Uint8Array, void> {
    // The contigs of a VCF file need not be in its header: the service knows them.
    const references = knownReferences(this.format, this.header);
    const intervals = regions === undefined ? undefined : toIntervals(regions, references, unknown);
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
    const formats = [this.#format];
    const report = onProgress && (({ bytes, totalBytes }: ReadProgress) => onProgress({ bytes, totalBytes }));
    const source = report === undefined ? this.#source : { ...this.#source, onProgress: report };
    const { chunks } = await request(source, { ...query, format: this.format }, { formats, signal });
    // A service may send more than what was requested.
    const filter = wanted && this.header.createFilter(wanted);
    yield* this.#format.readRecords(chunks, { ...this.#cram, filter, signal });
  }

  async close(): Promise<void> {
    // Nothing is held between requests.
  }
}

/** Requests a ticket, which must be of one of `formats`. */
async function request(
  { htsget, format, ...options }: HtsgetSource,
  query: HtsgetClientQuery,
  { formats, signal }: { readonly formats: readonly StoredFormat[]; readonly signal: AbortSignal | undefined },
): Promise<{ readonly format: StoredFormat; readonly chunks: AsyncGenerator<Uint8Array, void> }> {
  const { ticket, stream } = await openHtsget(htsget, { format, ...query }, { ...options, signal });
  const answered = formats.find(({ name }) => name === ticket.htsget.format);
  if (answered !== undefined) return { format: answered, chunks: readChunks(stream) };
  const isText = ticket.htsget.format === 'VCFTEXT';
  throw unknownFormat(formats, isText ? 'text without BGZF' : ticket.htsget.format);
}
