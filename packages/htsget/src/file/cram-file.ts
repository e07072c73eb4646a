import {
  type CramReference,
  type CramVersion,
  cramEofContainer,
  cramHeaderLength,
  FormatError,
  isCramEofContainer,
  parseCramContainerHeader,
  parseCramHeader,
} from '@htskit/formats';
import type { ByteSource, ReadOptions } from '@htskit/io';
import type { RecordHeader } from '../plan/plan.js';
import { MAX_REFERENCES, type ReadHeaderOptions } from './bgzf-file.js';

/** The facts about a CRAM file that planning needs. They depend on the bytes of the file alone. */
export interface CramFile {
  readonly format: 'CRAM';
  readonly version: CramVersion;
  readonly header: RecordHeader;
  readonly references: readonly CramReference[];
  /** The file definition and the container of the SAM header, as stored. */
  readonly headerBytes: Uint8Array;
  readonly hasEofContainer: boolean;
  /** The end of the data containers: the EOF container, or the end of a file without one. */
  readonly end: number;
  /** Size of the file in bytes. */
  readonly size: number;
  /** The EOF container of the file's CRAM version. */
  readonly eofContainer: Uint8Array;
}

/** Size of the first read. Most headers are shorter. */
const FIRST_READ_BYTES = 65536;

/** Reads the header of a CRAM file and finds the end of its data containers. Throws the same errors as `readBgzfFile`. */
export async function readCramFile(source: ByteSource, options: ReadHeaderOptions): Promise<CramFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, memory, ...readOptions } = options;
  const headerBytes = await readHeaderBytes(source, { size, maxHeaderBytes, memory, readOptions });
  const { version, text, references } = parseCramHeader(headerBytes, {
    maxReferences,
    maxBytes: maxHeaderBytes,
    memory,
  });
  const eofContainer = cramEofContainer(version);
  const tail = await source.read({ start: Math.max(0, size - eofContainer.length), end: size }, readOptions);
  const hasEofContainer = eofContainer.length > 0 && isEofContainer(tail, version);
  return {
    format: 'CRAM',
    version,
    header: { text, referenceIds: new Map(references.map(({ name }, referenceId) => [name, referenceId])) },
    references,
    headerBytes,
    hasEofContainer,
    end: hasEofContainer ? size - eofContainer.length : size,
    size,
    eofContainer,
  };
}

async function readHeaderBytes(
  source: ByteSource,
  {
    size,
    maxHeaderBytes,
    memory,
    readOptions,
  }: Pick<ReadHeaderOptions, 'size' | 'maxHeaderBytes' | 'memory'> & { readonly readOptions: ReadOptions },
): Promise<Uint8Array> {
  for (let wanted = FIRST_READ_BYTES; ; ) {
    const held = Math.min(wanted, size);
    memory?.reserve(held);
    const bytes = await source.read({ start: 0, end: wanted }, readOptions);
    const length = cramHeaderLength(bytes);
    if (length !== undefined && length <= bytes.length) return bytes.slice(0, length);
    if (wanted >= size) throw new FormatError('TRUNCATED', 'file ends within its header', { offset: bytes.length });
    wanted = Math.max(4 * wanted, length ?? 0);
    memory?.release(held);
    if (Math.max(length ?? 0, bytes.length) > maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `header exceeds the limit of ${maxHeaderBytes} bytes`, { offset: 0 });
    }
  }
}

/** Writers encode the reference of the EOF container in different ways, so its bytes are parsed and not compared. */
function isEofContainer(bytes: Uint8Array, version: CramVersion): boolean {
  try {
    const header = parseCramContainerHeader(bytes, { version });
    return header !== undefined && isCramEofContainer(header) && header.headerLength + header.length === bytes.length;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
