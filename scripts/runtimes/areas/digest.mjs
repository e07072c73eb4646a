import { inflateBlocks } from '@htskit/bgzf';
import { parseSequenceIdentifier, SequenceDigester, sha512t24u, toTrunc512 } from '@htskit/digest';
import { baseOffset, parseFai } from '@htskit/indexes';
import { equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

export const checks = {
  'digests sequences as the field does': () => {
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
  'reads identifiers': () => {
    const identifier = parseSequenceIdentifier('MD5:6681AC2F62509CFC220D78751B8DC524', { authorities: ['ga4gh'] });
    equal(identifier, { kind: 'md5', digest: '6681ac2f62509cfc220d78751b8dc524' });
  },
};
