// Measures MD5 and sha512t24u of a sequence in one pass over FASTA lines, on one thread: with Node's engine, and with
// the hashes of browsers and workers.
import { createHash } from 'node:crypto';
import { SequenceDigester } from '@htskit/digest';
import { md5 } from '@noble/hashes/legacy.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { createMD5, createSHA512 } from 'hash-wasm';
import { LINE_BASES, LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { npmPeer, race, throughputRows } from '../harness.mjs';

// The module that `#hash` resolves to in browsers and workers. The package does not export it.
const portable = new URL('../../packages/digest/dist/hash.js', import.meta.url);
const { createMd5, createSha512 } = await import(portable);

const BASES = 3_000_000;
/** Bytes per call, as a file is read. */
const CHUNK = 65536;

const openssl = `node:crypto ${process.versions.openssl.replace(/\+.*/, '')}`;
const [noble, hashWasm] = ['@noble/hashes', 'hash-wasm'].map(npmPeer);
const withoutNormalisation = (name) => `${name}, no normalisation`;

/** Returns rows for the digester, and for each hash in WebAssembly. */
export async function measureOneThread() {
  const { lines, sequence } = makeFasta();
  const bases = split(sequence);
  const engines = await createEngines();
  return [
    ...(await measureDigester(split(lines), bases, { engines, amount: lines.length / 1e6 })),
    ...(await measureHash('MD5', bases, engines)),
    ...(await measureHash('SHA-512', bases, engines)),
  ];
}

/** Functions that begin a hash, by the names of the peer and of the algorithm. */
async function createEngines() {
  // hash-wasm has one instance per hash, which is reset.
  const [wasmMd5, wasmSha512] = [await createMD5(), await createSHA512()];
  return {
    [openssl]: { MD5: () => createHash('md5'), 'SHA-512': () => createHash('sha512') },
    [hashWasm]: { MD5: () => wasmMd5.init(), 'SHA-512': () => wasmSha512.init() },
    [noble]: { MD5: () => md5.create(), 'SHA-512': () => sha512.create() },
  };
}

async function measureDigester(chunks, bases, { engines, amount }) {
  const peers = Object.entries(engines).map(([name, engine]) => ({
    name: withoutNormalisation(name),
    run: () => digest(bases, engine.MD5(), engine['SHA-512']()),
  }));
  const budgets = peers.map(({ name }) => ({ peers: [name], budget: null }));
  const contenders = [{ name: 'ours', run: () => digestOurs(chunks) }, ...peers];
  const work = { name: 'MD5 + sha512t24u, one thread', unit: 'MB/s', amount, budgets };
  return throughputRows(work, await race(contenders, { rounds: 9 }));
}

async function measureHash(algorithm, bases, engines) {
  const begin = algorithm === 'MD5' ? createMd5 : createSha512;
  const peers = Object.entries(engines).map(([name, engine]) => ({
    name,
    run: () => hash(bases, engine[algorithm]()),
  }));
  const budgets = [hashWasm, noble].map((peer) => ({ peers: [peer], budget: null }));
  const contenders = [{ name: 'ours', run: () => hash(bases, begin()) }, ...peers];
  const work = { name: `${algorithm} in WebAssembly, one thread`, unit: 'MB/s', amount: BASES / 1e6, budgets };
  return throughputRows(work, await race(contenders, { rounds: 9 }));
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
  const truncated = finish(sha512Hash).subarray(0, 24);
  return `${finish(md5Hash).toString('hex')} SQ.${truncated.toString('base64url')}`;
}

function hash(chunks, hasher) {
  for (const chunk of chunks) hasher.update(chunk);
  return finish(hasher).toString('hex');
}

/** Returns the digest as bytes; by default hash-wasm returns text. */
function finish(hasher) {
  const bytes = hasher.digest('binary');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
}

/** Returns FASTA lines, and the sequence that they spell. */
function makeFasta() {
  const lines = makeFastaLike((BASES / LINE_BASES) * LINE_LENGTH, 3);
  return { lines, sequence: spell(lines) };
}

function split(bytes) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}
