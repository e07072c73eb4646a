import { encodeText } from '@htskit/io';
import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BinningIndex, type IndexTabixOptions, indexTabix, indexVcf, parseBinningIndex } from '../../src/index.js';
import { bgzipped, chunked, uncompressed } from '../support/index-bytes.js';

async function index(settings: IndexTabixOptions['settings'], ...pieces: readonly string[]): Promise<BinningIndex> {
  return parseBinningIndex(await indexTabix(chunked(bgzipped(...pieces)), { settings }));
}

/** Whether a region has chunks. */
function has(index: BinningIndex, referenceId: number, start: number, end: number): boolean {
  return index.chunks({ referenceId, start, end }).length > 0;
}

const spans = (index: BinningIndex) => index.chunks({ referenceId: 0, start: 0, end: 2 ** 29 });

/** Far apart, so that a region has chunks only if it has a record. */
const FAR = 100_000_001;

describe('indexTabix', () => {
  test('reads columns 1, 4 and 5 of GFF as 1-based with an inclusive end', async () => {
    const line = (start: number, end: number) => `chr1\tx\tgene\t${start}\t${end}\t.\t+\t.\tID=1\n`;
    const built = await index('gff', `##gff-version 3\n${line(1, 5)}`, line(FAR, FAR + 9));
    expect(built.tabix?.names).toEqual(['chr1']);
    expect(built.referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
    expect([has(built, 0, FAR + 8, FAR + 9), has(built, 0, FAR + 100_000, FAR + 100_001)]).toEqual([true, false]);
  });

  test('a missing end of GFF means one base, and positions may have a sign', async () => {
    const built = await index('gff', `chr1\tx\tgene\t5\t.\n`, `chr1\tx\tgene\t+${FAR}\t.\n`);
    expect(built.referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
    expect([has(built, 0, FAR - 1, FAR), has(built, 0, FAR + 100_000, FAR + 100_001)]).toEqual([true, false]);
    await expect(index('gff', 'chr1\tx\tgene\t5\t..\n')).rejects.toThrow('column 5 is not a number');
    await expect(index('gff', 'chr1\tx\tgene\t+-5\t7\n')).rejects.toThrow('column 4 is not a number');
  });

  test.each([
    ['##FASTA\n>chr1\nACGT\n'],
    ['##FASTA\r\n>chr1\r\nACGT\r\n'],
    ['>chr1 of 12 bases\nACGT\n'],
    ['##FASTA\n'],
  ])('reads the features of GFF3 up to its sequences: %j', async (sequences) => {
    const line = 'chr1\t.\tgene\t100\t200\t.\t+\t.\tID=a\n';
    const pieces = [`##gff-version 3\n${line}${sequences}`, 'ACGT\nAC', 'GT\n'];
    const built = await index('gff', ...pieces);
    expect(built.tabix?.names).toEqual(['chr1']);
    expect(built.referenceStatistics(0)).toEqual({ mapped: 1, unmapped: 0 });
    // The last chunk extends to the end of the file, as in tabix.
    expect(spans(built)[0]?.end).toEqual({ coffset: bgzipped(...pieces).length - 28, uoffset: 0 });
  });

  test.each(['4.1', '4.3', '4.4', '4.5'])('the lengths of the symbolic alleles of VCF %s count', async (version) => {
    const rows = ['<DEL>\t.\t.\tSVLEN=100000000', '<*>\t.\t.\t.\tLEN\t200000000'];
    const text = rows.map((columns, i) => `chr1\t${i + 1}\t.\tA\t${columns}\n`).join('');
    const built = parseBinningIndex(await indexVcf(chunked(bgzipped(`##fileformat=VCFv${version}\n${text}`))));
    expect(built.referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
    for (const base of [90_000_000, 190_000_000]) expect(has(built, 0, base, base + 1)).toBe(true);
  });

  test('reads columns 1, 2 and 3 of BED as 0-based and skips browser lines', async () => {
    const text = 'browser position chr1\ntrack name="a b"\nchr1\t0\t5\nchr2\t7\t7\n\nchr2\t8\ntracker\t1\t2\n';
    const built = await index('bed', text);
    expect(built.tabix).toEqual({
      preset: 'generic',
      isZeroBased: true,
      sequenceColumn: 1,
      startColumn: 2,
      endColumn: 3,
      metaCharacter: 0x23,
      skippedLines: 0,
      names: ['chr1', 'chr2', 'tracker'],
    });
    expect(built.referenceStatistics(1)).toEqual({ mapped: 2, unmapped: 0 });
  });

  test('reads columns 3 and 4 of SAM and the length of the CIGAR', async () => {
    const line = (position: number, cigar: string) => `r\t0\tc\t${position}\t60\t${cigar}\t*\t0\t0\t*\t*\n`;
    const built = await index('sam', `@SQ\tSN:c\tLN:9\n${line(1, '*')}${line(5, '3S2M90000N1=1X4I')}`);
    expect(has(built, 0, 90_007, 90_008)).toBe(true);
    expect(built.tabix?.metaCharacter).toBe(0x40);
  });

  test('applies custom columns, skipped lines and a meta character', async () => {
    const settings = {
      preset: 'generic',
      isZeroBased: false,
      sequenceColumn: 3,
      startColumn: 1,
      endColumn: 0,
      metaCharacter: 0x25,
      skippedLines: 2,
    } as const;
    const built = await index(settings, 'pos\tx\tname\n1\t2\n%\n5\t.\tc\r\n7\t#\tc\n');
    expect(built.tabix).toEqual({ ...settings, names: ['c'] });
    expect(built.referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
  });

  test('keeps names byte for byte', async () => {
    const line = (...name: readonly number[]) => [...name, ...new TextEncoder().encode('\t1\t2\n')];
    const text = Uint8Array.from([
      ...line(0xe9),
      ...line(0xe8),
      ...line(0xc3, 0xa9),
      ...line(0xc3, 0xa9),
      ...line(0xef, 0xbb, 0xbf),
    ]);
    const written = uncompressed(await indexTabix(chunked(bgzipped(text)), { settings: 'bed' }));
    // l_nm and names (tabix specification).
    expect(written.slice(32, 48)).toEqual(
      Uint8Array.of(11, 0, 0, 0, 0xe9, 0, 0xe8, 0, 0xc3, 0xa9, 0, 0xef, 0xbb, 0xbf, 0, 2),
    );
  });

  test('accepts a missing last line feed and lines that span blocks', async () => {
    const built = await index('bed', 'chr', '1\t0\t', '', '5\nchr1\t', '70000\t70001');
    expect(built.referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
    const [whole] = spans(built);
    expect(whole?.start).toEqual({ coffset: 0, uoffset: 0 });
    expect(whole?.end).toEqual({
      coffset: bgzipped('chr', '1\t0\t', '', '5\nchr1\t', '70000\t70001').length - 28,
      uoffset: 0,
    });
  });

  test('chunks begin after the header', async () => {
    const [chunk] = spans(await index('bed', '# a\n# b\n', '# c\nchr1\t0\t5\n'));
    expect(chunk?.start).toEqual({ coffset: bgzipped('# a\n# b\n').length - 28, uoffset: 4 });
  });

  test('a text without records has an index without references', async () => {
    for (const text of ['', '#\n', '\n']) {
      const built = await index('gff', text);
      expect([built.referenceCount, built.tabix?.names]).toEqual([0, []]);
    }
  });

  test.each([
    ['a line without a column', 'chr1\t1\t2\nchr1\n', 'line 2: missing column 2 (at byte 9)'],
    ['a position that is not a number', 'chr1\t1\t2\n\nchr1\tx\t2\n', 'line 3: column 2 is not a number (at byte 15)'],
    ['an end that is not a number', 'chr1\t1\t?\n', 'line 1: column 3 is not a number (at byte 7)'],
    ['a hexadecimal position', 'chr1\t0x10\t20\n', 'line 1: column 2 is not a number (at byte 5)'],
    ['an empty name', '\t1\t2\n', 'line 1: a sequence name is empty or contains a NUL (at byte 0)'],
    ['lines out of order', 'a\t5\t6\na\t4\t5\n', 'line 2: not sorted: position 5 of a follows position 6 (at byte 6)'],
    [
      'sequences out of order',
      'a\t5\t6\nb\t4\t5\na\t9\t9\n',
      'line 3: not sorted: the records of a are not consecutive (at byte 12)',
    ],
    [
      'an end before the start',
      'a\t5\t4\n',
      'line 1: the record at position 6 of a ends before its start, at 4 (at byte 0)',
    ],
  ])('rejects %s', async (_, text, message) => {
    await expect(index('bed', text)).rejects.toThrow(message);
  });

  test('rejects names over the limit', async () => {
    const text = Array.from({ length: 100 }, (_, i) => `sequence-${i}\t0\t1\n`).join('');
    const limited = indexTabix(chunked(bgzipped(text)), { settings: 'bed', maxHeaderBytes: 1000 });
    await expect(limited).rejects.toThrow('or more than 1000 bytes of them');
  });

  test('rejects files that are not BGZF', async () => {
    const error = expect.objectContaining({ name: 'IndexError', code: 'INVALID_MAGIC', offset: 0 }) as Error;
    const text = new TextEncoder().encode('chr1\t0\t5\n'.repeat(50));
    const gzip = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
    for (const bytes of [text, new Uint8Array(await gzip.arrayBuffer()), new Uint8Array(0)]) {
      await expect(indexTabix(chunked(bytes), { settings: 'bed' })).rejects.toThrow(error);
    }
  });
});

describe('CSI of text', () => {
  const vcf = (length: string) => `##contig=<ID=1${length}>\n#CHROM\n1\t1\t.\tA\n`;
  async function scheme(text: string, minShift: number): Promise<[minShift: number, depth: number]> {
    const built = parseBinningIndex(await indexVcf(chunked(bgzipped(text)), { minShift }));
    return [built.minShift, built.depth];
  }

  test('covers 2^31 bases, or more if a contig is longer', async () => {
    expect(await scheme(vcf(''), 14)).toEqual([14, 6]);
    expect(await scheme(vcf(',length=4294967040'), 14)).toEqual([14, 6]);
    expect(await scheme(vcf(',length=4294967041'), 14)).toEqual([14, 7]);
    expect(await scheme(vcf(''), 30)).toEqual([30, 1]);
    expect(await scheme(vcf(''), 5)).toEqual([5, 9]);
  });

  test('covers the bases of 9 levels if the smallest bins allow no more', async () => {
    expect([await scheme(vcf(''), 1), await scheme(vcf(''), 3)]).toEqual([
      [1, 9],
      [3, 9],
    ]);
    const beyond = indexVcf(chunked(bgzipped('1\t268435457\t.\tA\n')), { minShift: 1 });
    await expect(beyond).rejects.toThrow('beyond the 268435456 bases of this CSI index');
  });

  test('rejects a minShift that needs too many levels or is invalid', async () => {
    const error = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error;
    await expect(scheme(vcf(',length=268435456'), 1)).rejects.toThrow(error);
    await expect(scheme(vcf(',length=99999999999999'), 14)).rejects.toThrow(error);
    for (const minShift of [0, -1, 31, 1.5, Number.NaN])
      await expect(scheme(vcf(''), minShift)).rejects.toThrow(RangeError);
  });

  test('accepts positions beyond those of TBI', async () => {
    const text = bgzipped('1\t4000000000\t.\tA\n');
    await expect(indexVcf(chunked(text))).rejects.toThrow('use a CSI index');
    const built = parseBinningIndex(await indexVcf(chunked(text), { format: 'CSI' }));
    expect(has(built, 0, 3_999_999_999, 4_000_000_000)).toBe(true);
  });
});

test('names of any bytes are those of the text, and their records are found', async () => {
  const byte = fc.oneof(fc.integer({ min: 0x80, max: 0xff }), fc.constantFrom(0x41, 0xc3, 0xa9));
  const name = fc.array(byte, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 5, selector: (bytes) => bytes.join() }), async (names) => {
      const lines = names.map((bytes) => Buffer.concat([Buffer.from(bytes), Buffer.from('\t4\t5\n')]));
      const built = parseBinningIndex(await indexTabix(chunked(bgzipped(...lines)), { settings: 'bed' }));
      const texts = built.tabix?.names ?? [];
      expect(texts.map((text) => [...encodeText(text)])).toEqual(names);
      expect(texts.map((text) => built.referenceId(text))).toEqual([...names.keys()]);
    }),
    { numRuns: volume(500) },
  );
});
