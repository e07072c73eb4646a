import { StorageError } from '@htskit/io';
import { createRandom, mutations } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { openRgstore } from '../../src/rgstore/open-rgstore.js';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { readBases } from '../fasta/read-bases.js';
import { buildRgstore, digestsOf, encode, MANIFEST, packCodes, packText, type StoredText } from './build-rgstore.js';

const random = createRandom(6);
const letters = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');

function stored(name: string, text: string, alphabet: string, bytes: Uint8Array): StoredText {
  return { name, text, alphabet, bytes };
}

function packed(alphabet: string, [bits, codes]: readonly [number, string], length: number, used = codes): StoredText {
  const text = letters(length, used);
  return stored(alphabet, text, alphabet, packText(text, bits, codes));
}

const PROTEIN = 'ACDEFGHIKLMNPQRSTVWY*X-.UBZOJ';
const sequences = [
  packed('dna2bit', [2, 'TCAG'], 300_001),
  packed('dna3bit', [3, 'ACGTNRYX'], 300_003),
  packed('dnaio', [4, 'NACMGRSKTWYUBDHV'], 1001),
  packed('protein', [5, PROTEIN], 1003, 'ACDEFGHIKLMNPQRSTVWYXUBZOJ'),
  stored('text', 'HELLOWORLD', 'ASCII', encode('HELLOWORLD')),
  stored('empty', '', 'dna2bit', new Uint8Array(0)),
];

test('decodes each alphabet, whole and in parts', async () => {
  const opened = await openRgstore({ store: await buildRgstore(sequences) });
  expect(opened.map(({ name }) => name)).toEqual(sequences.map(({ name }) => name));
  for (const [rank, sequence] of opened.entries()) {
    const text = sequences[rank]?.text ?? '';
    expect((await readBases(sequence)) === text).toBe(true);
    for (const start of [0, 1, 2, 3, 5, 7, 8, 9, 262_143, 262_144].filter((at) => at < text.length)) {
      for (const end of [start, start + 1, start + 3, start + 8, text.length].filter((at) => at <= text.length)) {
        const part = new TextDecoder().decode(await sequence.read({ start, end }));
        expect([sequence.name, start, end, part === text.slice(start, end)]).toEqual([sequence.name, start, end, true]);
        expect((await readBases(sequence, { start, end })) === text.slice(start, end)).toBe(true);
      }
    }
  }
});

test('packs eight letters of three bits into three bytes', async () => {
  const bytes = Uint8Array.of(0b00000101, 0b00111001, 0b01110111);
  const [sequence] = await openRgstore({ store: await buildRgstore([stored('s', 'ACGTNRYX', 'dna3bit', bytes)]) });
  expect(sequence && (await readBases(sequence))).toBe('ACGTNRYX');
});

test('reads characters other than letters, raw and encoded', async () => {
  const text = 'MKV*U-ACGT.';
  const encoded = stored('encoded', text, 'protein', packText(text, 5, PROTEIN));
  const aligned = stored('raw', 'ACGU--*', 'ASCII', encode('ACGU--*'));
  const opened = await openRgstore({ store: await buildRgstore([encoded, aligned]) });
  expect(await Promise.all(opened.map(async (sequence) => readBases(sequence)))).toEqual([text, 'ACGU--*']);
  expect(await Promise.all(opened.map(async (sequence) => readBases(sequence, { start: 3, end: 6 })))).toEqual([
    '*U-',
    'U--',
  ]);
});

test('takes metadata from the tables, with aliases by namespace', async () => {
  const store = await buildRgstore(sequences.slice(4));
  const [text] = await openRgstore({ store, namingAuthority: 'here', circular: new Set(['text']) });
  expect(text?.metadata).toEqual({
    ...digestsOf('HELLOWORLD'),
    aliases: [
      { alias: 'text', namingAuthority: 'here' },
      { alias: 'NC_text.1', namingAuthority: 'refseq' },
    ],
    circular: true,
  });
});

test('reads text from a raw store, whatever the alphabets', async () => {
  const store = await buildRgstore([stored('s', 'GATTACA', 'dna2bit', encode('gattaca'))], {
    ...MANIFEST,
    mode: 'Raw',
  });
  const [sequence] = await openRgstore({ store });
  expect(sequence && (await readBases(sequence))).toBe('GATTACA');
});

test('reads no sequence before its bases are requested', async () => {
  const store = await buildRgstore(sequences.slice(4));
  const asked: string[] = [];
  const source: typeof store.source = (key) => {
    const object = store.source(key);
    return {
      ...object,
      stat: (options) => object.stat(options),
      stream: (...of) => object.stream(...of),
      read: (...of) => {
        asked.push(key);
        return object.read(...of);
      },
    };
  };
  const [text] = await openRgstore({ store: { source } });
  expect(asked.some((key) => key.endsWith('.seq'))).toBe(false);
  await text?.read({ start: 0, end: 1 });
  expect(asked.filter((key) => key.endsWith('.seq'))).toHaveLength(2);
  await text?.read({ start: 3, end: 5 });
  expect(asked.filter((key) => key.endsWith('.seq'))).toHaveLength(3);
});

describe('a sequence that does not match its digests is not returned:', () => {
  test.each([
    ['U that was stored as T', stored('s', 'ACGU', 'dna2bit', packText('ACGT', 2, 'TCAG'))],
    ['a length that is another', stored('s', 'ACGTACGT', 'dna2bit', packText('ACGT', 2, 'TCAG'))],
    ['a code without a letter', stored('s', 'ACA', 'protein', packCodes([0, 31, 0], 5))],
    ['a symbol that is not a letter', stored('s', 'MK', 'protein', packText('M*', 5, PROTEIN))],
  ])('%s', async (_, sequence) => {
    const [opened] = await openRgstore({ store: await buildRgstore([sequence]) });
    for (const range of [{ start: 0, end: 1 }]) {
      await expect(opened?.read(range)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
      await expect(opened && readBases(opened, range)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    }
  });
});

test('digests a sequence again after it was written again', async () => {
  const sequence = stored('s', 'ACGT', 'dna2bit', packText('ACGT', 2, 'TCAG'));
  const store = await buildRgstore([sequence]);
  const digest = digestsOf('ACGT').sha512t24u.slice(3);
  const key = `sequences/${digest.slice(0, 2)}/${digest}.seq`;
  const [opened] = await openRgstore({ store });
  const range = { start: 1, end: 3 };
  const right = [packText('ACGT', 2, 'TCAG'), 'CG'] as const;
  const wrong = [packText('ACGA', 2, 'TCAG'), 'DIGEST_MISMATCH'] as const;
  for (const [bytes, expected] of [right, right, wrong, [new Uint8Array(0), 'DIGEST_MISMATCH'] as const, right]) {
    await store.put(key, bytes);
    const read = opened?.read(range).then(
      (bases) => new TextDecoder().decode(bases),
      (error: SequenceSourceError) => error.code,
    );
    expect(await read).toBe(expected);
  }
});

test('finds a sequence that was missing before', async () => {
  const [sequence] = sequences.slice(4);
  const digest = digestsOf('HELLOWORLD').sha512t24u.slice(3);
  const store = await buildRgstore(sequences.slice(4, 5));
  const key = `sequences/${digest.slice(0, 2)}/${digest}.seq`;
  await store.delete(key);
  const [opened] = await openRgstore({ store });
  await expect(opened?.read({ start: 0, end: 5 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await store.put(key, sequence?.bytes ?? new Uint8Array(0));
  expect(new TextDecoder().decode(await opened?.read({ start: 0, end: 5 }))).toBe('HELLO');
  expect(() => opened?.stream({ start: 0, end: 11 })).toThrow(RangeError);
});

test.each([
  ['no JSON', '{'],
  ['a list', 'null'],
  ['another version', JSON.stringify({ ...MANIFEST, version: 2 })],
  ['another mode', JSON.stringify({ ...MANIFEST, mode: 'Packed' })],
  ['no template', JSON.stringify({ ...MANIFEST, seqdata_path_template: 'sequences' })],
])('rejects rgstore.json with %s', async (_, text) => {
  const store = await buildRgstore([]);
  await store.put('rgstore.json', encode(text));
  await expect(openRgstore({ store })).rejects.toMatchObject({ code: 'INVALID_STORE', offset: 0 });
});

test('rejects a template that leads out of the store', async () => {
  const manifest = { ...MANIFEST, seqdata_path_template: '../%s.seq' };
  const store = await buildRgstore(sequences.slice(4), manifest);
  const error = await openRgstore({ store })
    .then(([sequence]) => sequence?.read({ start: 0, end: 1 }))
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'INVALID_KEY' });
});

test('rejects a table beyond the limit', async () => {
  const store = await buildRgstore(sequences);
  await expect(openRgstore({ store, limits: { tableBytes: 100 } })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

/** Opens a store. Throws for an error of another type and for bases that do not match the digests. */
async function outcomeOf(key: string, bytes: Uint8Array): Promise<'rejected' | 'opened'> {
  const store = await buildRgstore(sequences.slice(2));
  await store.put(key, bytes);
  try {
    for (const sequence of await openRgstore({ store })) {
      const { md5 } = digestsOf(await readBases(sequence));
      if (md5 !== sequence.metadata.md5) throw new Error('other bases');
    }
    return 'opened';
  } catch (error) {
    const isTyped = [SequenceSourceError, StorageError, RangeError].some((type) => error instanceof type);
    if (!isTyped) throw error;
    return 'rejected';
  }
}

test.each(['rgstore.json', 'sequences.rgsi', 'aliases/sequences/refseq.tsv'])(
  'rejects a damaged %s or returns bases that match their digests',
  async (key) => {
    const original = await buildRgstore(sequences.slice(2));
    const bytes = await original.source(key).read({ start: 0, end: 100_000 });
    const outcomes: string[] = [];
    for (const mutation of mutations(bytes, { seed: 12, count: 150 }))
      outcomes.push(await outcomeOf(key, mutation.bytes));
    for (const outcome of ['rejected', 'opened']) {
      expect(outcomes.filter((other) => other === outcome).length).toBeGreaterThan(5);
    }
  },
);
