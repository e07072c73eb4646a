import { readFileSync } from 'node:fs';
import {
  type CramDecoderOptions,
  type CramHeader,
  type CramReferenceRequest,
  createCramDecoder,
  parseCramContainerHeader,
  parseCramHeader,
} from '../../src/index.js';

/** Decodes all records of a CRAM file, in containers of any kind. */
export async function decodeCram(
  bytes: Uint8Array,
  options: Omit<CramDecoderOptions, 'header'> = {},
): Promise<{ readonly header: CramHeader; readonly records: Buffer }> {
  const header = parseCramHeader(bytes);
  const decoder = createCramDecoder({ header, ...options });
  const pieces: Uint8Array[] = [];
  for (let offset = header.byteLength; offset < bytes.length; ) {
    const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
    if (container === undefined) throw new Error('the file is truncated');
    offset += container.headerLength;
    const blocks = bytes.subarray(offset, offset + container.length);
    for await (const records of decoder.decode(blocks, { header: container, offset })) pieces.push(records);
    offset += container.length;
  }
  return { header, records: Buffer.concat(pieces) };
}

/** Returns a reference source over a FASTA file. */
export function fastaSource(path: string): (request: CramReferenceRequest) => Promise<Uint8Array | undefined> {
  const sequences = new Map<string, Buffer>();
  for (const record of readFileSync(path, 'latin1').split('>').slice(1)) {
    const [title = '', ...lines] = record.split(/\r?\n/);
    sequences.set(title.split(/\s/)[0] ?? '', Buffer.from(lines.join(''), 'latin1'));
  }
  return async ({ name, start, end }) => sequences.get(name)?.subarray(start, end);
}
