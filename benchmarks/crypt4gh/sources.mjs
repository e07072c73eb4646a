// Measures a decrypting source against the file that it decrypts, stored plain.
import { BgzfReader, deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { decryptingSource } from '@htskit/crypt4gh';
import { peek } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { makeBamLike } from '../bam-like.mjs';
import { race, throughputRows } from '../harness.mjs';
import { writeFiles } from './encrypted-file.mjs';

const DATA_BYTES = 64_000_000;
const PLAIN = 'the same file stored plain';

export async function measureSources(folder) {
  const data = Buffer.concat([deflateBlocks(makeBamLike(DATA_BYTES), { level: 1 }), EOF_MARKER]);
  const { plain, encrypted, keys } = await writeFiles(folder, data);
  const sources = [
    { name: 'ours', open: () => decryptingSource(fileSource(encrypted), { keys }) },
    { name: PLAIN, open: () => fileSource(plain) },
  ];
  const streams = sources.map(({ name, open }) => ({ name, run: () => streamOf(open(), data.length) }));
  const blocks = sources.map(({ name, open }) => ({ name, run: () => inflate(open(), DATA_BYTES) }));
  const work = (name, amount) => ({
    name,
    unit: 'MB/s',
    amount: amount / 1e6,
    budgets: [{ peers: [PLAIN], budget: 0.5 }],
  });
  return [
    ...throughputRows(work('stream a decrypted file', data.length), await race(streams)),
    ...throughputRows(work('inflate a decrypted BAM', DATA_BYTES), await race(blocks)),
  ];
}

function streamOf(source, size) {
  return source.stream({ start: 0, end: size });
}

async function* inflate(source, size) {
  const reader = new BgzfReader(source);
  for await (const data of reader.inflate({ start: 0, end: size })) yield peek(data);
}
