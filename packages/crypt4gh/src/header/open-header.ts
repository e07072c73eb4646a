import type { ByteSource, ReadOptions } from '@htskit/io';
import { GrowingBytes, readFromStart } from '@htskit/io/internal';
import { Crypt4ghError } from '../crypt4gh-error.js';
import type { SecretKey } from '../keys/secret-key.js';
import { type Crypt4ghHeader, openPackets } from './crypt4gh-header.js';
import { type HeaderLayout, locatePackets } from './header-layout.js';

export interface OpenHeaderOptions extends Pick<ReadOptions, 'signal' | 'version'> {
  /** The secret keys of the reader, which are tried in turn. */
  readonly keys: readonly SecretKey[];
}

/** The bytes from the start of a file on, and where the packets of its header are. */
export interface HeaderBytes {
  /** At least the whole header. */
  readonly bytes: Uint8Array;
  readonly layout: HeaderLayout;
}

/**
 * Reads and decrypts the header of a file. Throws `Crypt4ghError` NO_KEY_FITS, TRUNCATED, INVALID_HEADER, UNSUPPORTED and
 * LIMIT_EXCEEDED, and what the source throws.
 *
 * @example
 * const { dataKeys, editList, byteLength } = await openHeader(source, { keys: [secretKey] });
 */
export async function openHeader(
  source: Pick<ByteSource, 'stat' | 'read'>,
  { keys, signal, version }: OpenHeaderOptions,
): Promise<Crypt4ghHeader> {
  const stat = await source.stat({ signal });
  const file = { size: stat.size, version: version ?? stat.version, signal };
  const { bytes, layout } = await collectHeader(readFromStart(source, file));
  const { dataKeys, editList, byteLength } = openPackets(bytes, layout, keys);
  return { dataKeys, editList, byteLength };
}

/** Collects chunks until they hold a whole header. Throws `Crypt4ghError` TRUNCATED if they end before. */
export async function collectHeader(chunks: AsyncIterable<Uint8Array>): Promise<HeaderBytes> {
  const collected = new GrowingBytes();
  let neededBytes = 0;
  for await (const chunk of chunks) {
    collected.append(chunk);
    if (collected.byteLength < neededBytes) continue;
    const layout = locatePackets(collected.bytes);
    if (!('neededBytes' in layout)) return { bytes: collected.bytes, layout };
    neededBytes = layout.neededBytes;
  }
  throw new Crypt4ghError('TRUNCATED', 'the file ends within its header', { offset: collected.byteLength });
}
