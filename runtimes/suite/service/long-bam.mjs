import { deflateBlocks, EOF_MARKER, inflateBlocks } from '@htskit/bgzf';
import { parseBamHeader } from '@htskit/formats';
import { toByteStream } from '@htskit/io';
import { concat } from '../check.mjs';
import { files } from '../fixtures.mjs';

/** More bytes than a connection buffers if the client does not read. */
const LONG_BYTES = 200_000_000;

/** Returns a source of a long BAM file that is generated as it is read: the records of a fixture, repeated. */
export function longBam() {
  return repeatedSource('long.bam', (pieces) => pieces);
}

/** Returns the same source, whose streams stall after their first chunk until their signal is aborted. */
export function stallingBam() {
  return repeatedSource('stalling.bam', async function* (pieces, signal) {
    yield (await pieces.next()).value;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  });
}

function repeatedSource(key, deliver) {
  const data = inflateBlocks(files['straddle.bam']);
  const { byteLength } = parseBamHeader(data);
  const header = deflateBlocks(data.subarray(0, byteLength));
  const records = deflateBlocks(data.subarray(byteLength));
  const endStart = header.length + Math.ceil(LONG_BYTES / records.length) * records.length;
  const size = endStart + EOF_MARKER.length;

  /** Returns the bytes from an offset to the end of the piece that holds it. */
  const pieceAt = (at) => {
    if (at < header.length) return header.subarray(at);
    if (at >= endStart) return EOF_MARKER.subarray(at - endStart);
    return records.subarray((at - header.length) % records.length);
  };
  async function* pieces({ start, end }) {
    const last = Math.min(end, size);
    for (let at = start; at < last; ) {
      const piece = pieceAt(at).slice(0, last - at);
      at += piece.length;
      yield piece;
    }
  }
  return {
    key,
    stat: async () => ({ size, version: '1' }),
    read: async (range) => {
      const chunks = [];
      for await (const piece of pieces(range)) chunks.push(piece);
      return concat(chunks);
    },
    stream: (range, { signal }) => toByteStream(deliver(pieces(range), signal)),
  };
}
