import { deflateBlocks } from '@htskit/bgzf';
import { fixtureNames, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { IndexError, parseBai, parseBinningIndex, parseCsi, parseTbi } from '../../src/index.js';

const PARSERS = { BAI: parseBai, CSI: parseCsi, TBI: parseTbi };

describe('parseBinningIndex', () => {
  test.each([...fixtureNames('.bai'), ...fixtureNames('.csi'), ...fixtureNames('.tbi')])(
    'recognises the format of %s',
    (name) => {
      const bytes = readFixture(name);
      const index = parseBinningIndex(bytes);
      expect(name.endsWith(`.${index.format.toLowerCase()}`)).toBe(true);
      const expected = PARSERS[index.format](bytes);
      const region = { referenceId: 0, start: 0, end: 1e6 };
      expect(index.chunks(region)).toEqual(expected.chunks(region));
      expect(index.unplacedCount).toBe(expected.unplacedCount);
    },
  );

  test('parses a compressed BAI', () => {
    expect(parseBinningIndex(deflateBlocks(readFixture('reads.bam.bai'))).format).toBe('BAI');
  });

  test('rejects any other format', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(100), deflateBlocks(new Uint8Array(9))]) {
      const message = 'not a BAI, CSI or TBI index';
      expect(() => parseBinningIndex(bytes)).toThrow(new IndexError('INVALID_MAGIC', message, { offset: 0 }));
    }
  });

  test('rejects more bytes than maxBytes', () => {
    const error = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error;
    expect(() => parseBinningIndex(readFixture('variants.vcf.gz.tbi'), { maxBytes: 100 })).toThrow(error);
  });
});
