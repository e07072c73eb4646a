import { inflateBlocks } from '@htskit/bgzf';
import {
  createMd5,
  formatSequenceIdentifier,
  fromTrunc512,
  normalizeSequence,
  parseSequenceIdentifier,
  SequenceDigester,
  Sha512t24uDigester,
  sha512t24u,
  toTrunc512,
} from '@htskit/digest';
import { baseOffset, parseFai } from '@htskit/indexes';
import { toHex } from '@htskit/io';
import { DigestPool, digestFasta } from '@htskit/sequences';
import { concat, equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

/** Pieces of an odd length, so that lines are cut anywhere. */
async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 12_347) yield bytes.subarray(at, at + 12_347);
}

async function identifiersOf(digested) {
  const identifiers = [];
  for await (const { sha512t24u: identifier } of digested) identifiers.push(identifier);
  return identifiers;
}

const identifiers = expected['genome.fa.gz'].sequences.map((sequence) => sequence.sha512t24u);

export const checks = {
  'digests a FASTA file that is plain, compressed by bgzip or by gzip': async () => {
    const fasta = inflateBlocks(files['genome.fa.gz']);
    const gzip = new Response(fasta).body.pipeThrough(new CompressionStream('gzip'));
    const compressed = new Uint8Array(await new Response(gzip).arrayBuffer());
    for (const file of [fasta, files['genome.fa.gz'], compressed]) {
      equal(await identifiersOf(digestFasta(pieces(file), { threads: 2 })), identifiers);
    }
  },
  'reads gzip that was concatenated, or refuses it': async () => {
    const compress = async (bytes) => {
      const gzip = new Response(bytes).body.pipeThrough(new CompressionStream('gzip'));
      return new Uint8Array(await new Response(gzip).arrayBuffer());
    };
    const text = new TextEncoder();
    const file = concat([await compress(text.encode('>a\nACGT\n')), await compress(text.encode('>b\nACGT\n'))]);
    const digest = 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2';
    const found = await identifiersOf(digestFasta(pieces(file))).catch((error) => error.code ?? error.stack);
    equal(found, Array.isArray(found) ? [digest, digest] : 'INVALID_DATA');
  },
  'digests a long FASTA file on all processors, or on this thread if workers are missing': async () => {
    const copies = Array.from({ length: 20 }, () => inflateBlocks(files['genome.fa.gz']));
    const pool = new DigestPool({ threads: 2 });
    try {
      const wanted = copies.flatMap(() => identifiers);
      equal(await identifiersOf(pool.digestFasta(pieces(concat(copies)))), wanted);
    } finally {
      await pool.close();
    }
  },
  'computes the digests of known sequences': () => {
    const fasta = inflateBlocks(files['genome.fa.gz']);
    const records = parseFai(files['genome.fa.gz.fai']);
    const { sequences } = expected['genome.fa.gz'];
    equal(records.length, sequences.length);
    for (const [index, record] of records.entries()) {
      const digester = new SequenceDigester();
      const end = baseOffset(record, record.length - 1) + 1;
      for (let at = record.offset; at < end; at += 999) digester.update(fasta.subarray(at, Math.min(at + 999, end)));
      const { md5, sha512t24u: identifier, trunc512, length: letters } = digester.digest();
      const wanted = sequences[index];
      equal([letters, md5, identifier, trunc512], [wanted.length, wanted.md5, wanted.sha512t24u, wanted.trunc512]);
    }
  },
  'digests the example of refget 2.0.0': () => {
    equal(sha512t24u(new TextEncoder().encode('ACGT')), 'aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2');
    equal(toTrunc512('SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2'), '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36');
  },
  'keeps the letters of a sequence, in upper case': () => {
    const text = new TextEncoder().encode('ac gt\n*N-');
    equal(new TextDecoder().decode(normalizeSequence(text)), 'ACGTN');
  },
  'computes the same digests in pieces': () => {
    const text = new TextEncoder().encode('ACGT');
    const digester = new Sha512t24uDigester();
    for (const byte of text) digester.update(Uint8Array.of(byte));
    equal(digester.digest(), sha512t24u(text));
    const md5 = createMd5();
    md5.update(text);
    equal(toHex(md5.digest()), 'f1f8f4bf413b16ad135722aa4591043e');
  },
  'reads and writes identifiers': () => {
    const identifier = parseSequenceIdentifier('MD5:6681AC2F62509CFC220D78751B8DC524', { authorities: ['ga4gh'] });
    equal(identifier, { kind: 'md5', digest: '6681ac2f62509cfc220d78751b8dc524' });
    equal(formatSequenceIdentifier(identifier, { authority: 'ga4gh' }), 'md5:6681ac2f62509cfc220d78751b8dc524');
    equal(fromTrunc512('68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36'), 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2');
  },
};
