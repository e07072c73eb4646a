// MD5 and sha512t24u of a sequence in one pass over FASTA lines, on one thread.
import { createHash } from 'node:crypto';
import { SequenceDigester } from '@htskit/digest';
import { md5 } from '@noble/hashes/legacy.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { npmPeer, race, throughputRows } from '../harness.mjs';
import { createRandom } from '../random.mjs';

const BASES = 6_000_000;
const LINE_BASES = 60;
/** Bytes that are handed over at once, as a file is read. */
const CHUNK = 65536;

const openssl = `node:crypto ${process.versions.openssl.replace(/\+.*/, '')}, no normalisation`;
const noble = `${npmPeer('@noble/hashes')}, no normalisation`;

export async function measure() {
  const { lines, sequence } = makeFasta();
  const chunks = split(lines);
  const normalized = split(sequence);
  const contenders = [
    { name: 'ours', run: () => digestOurs(chunks) },
    { name: openssl, run: () => digest(normalized, createHash('md5'), createHash('sha512')) },
    { name: noble, run: () => digest(normalized, md5.create(), sha512.create()) },
  ];
  const budgets = [openssl, noble].map((peer) => ({ peers: [peer], budget: null }));
  const work = { name: 'MD5 + sha512t24u', unit: 'MB/s', amount: lines.length / 1e6, budgets };
  return throughputRows(work, await race(contenders, { rounds: 15 }));
}

function digestOurs(chunks) {
  const digester = new SequenceDigester();
  for (const chunk of chunks) digester.update(chunk);
  const { md5, sha512t24u } = digester.digest();
  return `${md5} ${sha512t24u}`;
}

function digest(chunks, md5Hash, sha512Hash) {
  for (const chunk of chunks) {
    md5Hash.update(chunk);
    sha512Hash.update(chunk);
  }
  const truncated = Buffer.from(sha512Hash.digest()).subarray(0, 24);
  return `${Buffer.from(md5Hash.digest()).toString('hex')} SQ.${truncated.toString('base64url')}`;
}

/** Lines of 60 bases, some of them in lower case, as in a soft-masked genome; and the sequence that they spell. */
function makeFasta() {
  const random = createRandom(3);
  const sequence = new Uint8Array(BASES);
  const lines = new Uint8Array(BASES + Math.ceil(BASES / LINE_BASES));
  let isMasked = false;
  for (let base = 0, at = 0; base < BASES; base += 1) {
    if (random() % 500 === 0) isMasked = !isMasked;
    const letter = 'ACGT'.charCodeAt(random() >>> 30);
    sequence[base] = letter;
    lines[at] = isMasked ? letter | 0x20 : letter;
    at += 1;
    if ((base + 1) % LINE_BASES === 0) {
      lines[at] = 0x0a;
      at += 1;
    }
  }
  return { lines, sequence };
}

function split(bytes) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}
