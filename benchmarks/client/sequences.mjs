// Measures sequences, whole and in slices, against plain requests for the same bytes.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RefgetClient } from '@htskit/client';
import { LINE_BASES, LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { race, throughputRows } from '../harness.mjs';
import { createRandom } from '../random.mjs';
import { budgetsBeside, FETCH, PLAIN_FETCH } from './plain-fetch.mjs';

const LINES = 400_000;
const LENGTH = LINES * LINE_BASES;
const SLICE = 1000;
const SLICES = 400;
const ROUNDS = 9;

/** Writes a FASTA of one sequence with its index. Returns the MD5 of the sequence. */
export function writeSequence(folder) {
  const heading = '>chromosome\n';
  const lines = makeFastaLike(LINES * LINE_LENGTH, 7);
  const path = join(folder, 'genome.fa');
  writeFileSync(path, Buffer.concat([Buffer.from(heading), lines]));
  writeFileSync(`${path}.fai`, `chromosome\t${LENGTH}\t${heading.length}\t${LINE_BASES}\t${LINE_LENGTH}\n`);
  return { md5: createHash('md5').update(spell(lines)).digest('hex') };
}

export async function measureSequences({ url, sequence: { md5 } }) {
  const client = new RefgetClient({ servers: [url] });
  const address = `${url}/sequence/${md5}`;
  const whole = await race(
    [
      { name: 'ours', run: () => client.sequence(md5) },
      { name: `${FETCH}, then MD5 by node:crypto ${process.versions.openssl}`, run: () => fetchVerified(address, md5) },
      { name: PLAIN_FETCH, run: () => fetchBytes(address) },
    ],
    { rounds: ROUNDS },
  );
  const starts = randomStarts();
  const slices = await race(
    [
      { name: 'ours', run: () => readAll(starts, (start) => client.sequence(md5, { start, end: start + SLICE })) },
      {
        name: PLAIN_FETCH,
        run: () => readAll(starts, (start) => fetchBytes(`${address}?start=${start}&end=${start + SLICE}`)),
      },
    ],
    { rounds: ROUNDS },
  );
  const megabases = LENGTH / 1e6;
  return [
    ...throughputRows(
      {
        name: `sequence of ${megabases} Mb, whole`,
        unit: 'MB/s',
        amount: megabases,
        budgets: budgetsBeside(whole.peers),
      },
      whole,
    ),
    ...throughputRows(
      {
        name: '1 kb slices of a sequence, one after another',
        unit: 'slices/s',
        amount: SLICES,
        budgets: [{ budget: null }],
      },
      slices,
    ),
  ];
}

function randomStarts() {
  const random = createRandom(23);
  return Array.from({ length: SLICES }, () => random() % (LENGTH - SLICE));
}

async function fetchVerified(address, md5) {
  const bases = await fetchBytes(address);
  if (createHash('md5').update(bases).digest('hex') !== md5) throw new Error('the server sent other bases');
  return bases;
}

async function fetchBytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`expected bases, found status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function* readAll(starts, read) {
  for (const start of starts) yield await read(start);
}
