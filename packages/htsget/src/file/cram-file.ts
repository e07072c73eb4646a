import { FormatError, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
import {
  type CramReference,
  type CramVersion,
  cramEofContainer,
  cramHeaderLength,
  createNameLookup,
  HeaderBuffer,
  isCramEofContainer,
} from '@htskit/formats/internal';
import type { ByteSource } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { MAX_REFERENCES, type ReadHeaderOptions } from './bgzf-file.js';
import type { RecordHeader } from './record-format.js';

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

/** Reads the header of a CRAM file and finds the end of its data containers. Throws the same errors as `readBgzfFile`. */
export async function readCramFile(source: ByteSource, options: ReadHeaderOptions): Promise<CramFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, memory, ...readOptions } = options;
  const parts = readFromStart(source, { ...readOptions, size });
  const limits = { maxBytes: maxHeaderBytes, memory };
  const headerBytes = await readHeaderBytes(parts, new HeaderBuffer({ read: cramHeaderLength }, limits));
  const { version, text, references } = parseCramHeader(headerBytes, { ...limits, maxReferences });
  const eofContainer = cramEofContainer(version);
  const tail = await source.read({ start: Math.max(0, size - eofContainer.length), end: size }, readOptions);
  const hasEofContainer = eofContainer.length > 0 && isEofContainer(tail, version);
  return {
    format: 'CRAM',
    version,
    header: { text, referenceIds: createNameLookup(references.map(({ name }, id) => [name, id])) },
    references,
    headerBytes,
    hasEofContainer,
    end: hasEofContainer ? size - eofContainer.length : size,
    size,
    eofContainer,
  };
}

async function readHeaderBytes(parts: AsyncIterable<Uint8Array>, header: HeaderBuffer): Promise<Uint8Array> {
  for await (const part of parts) {
    const length = header.push(part);
    if (length !== undefined) return header.bytes.slice(0, length);
  }
  return header.bytes.slice(0, header.finish());
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
