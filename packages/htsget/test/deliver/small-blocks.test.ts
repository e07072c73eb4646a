import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { StoredFile } from '../../src/index.js';
import { decodeFile } from '../decode-file.js';
import { bamNames, bcfNames, fixtureFile, fixtureHandler, fixturePathOf, vcfNames } from '../fixture-files.js';
import { fetchFile } from '../read-ticket.js';

/** A fixture in blocks of 500 bytes: its header and most records span several of them. */
function reblock(name: string): StoredFile {
  const data = bgunzip(readFixture(name));
  const blocks = Array.from({ length: Math.ceil(data.length / 500) }, (_, i) =>
    deflateBlocks(data.subarray(i * 500, (i + 1) * 500), { level: 1 }),
  );
  const bytes = Buffer.concat([...blocks, EOF_MARKER]);
  return {
    format: fixtureFile(name).format,
    data: memorySource(bytes, { key: `${name} in small blocks`, version: '1' }),
  };
}

describe.each([...bamNames, ...vcfNames, ...bcfNames])('%s in blocks of 500 bytes', (name) => {
  const { format } = fixtureFile(name);
  const path = fixturePathOf(name);
  const handler = fixtureHandler({ precision: 'exact' }, { [name]: [reblock(name)] });

  test.each([
    '',
    '&class=header',
    '&referenceName=chr1&start=1000&end=30000',
    '&tags=NM,DP',
    '&referenceName=chr1&tags=',
  ])('has the same answer to "%s"', async (query) => {
    const isKnown = !query.includes('chr1') || !['no-references.bam', 'longref.bam'].includes(name);
    const asked = isKnown ? query : '';
    const expected = decodeFile(format as 'BAM', await fetchFile(fixtureHandler({ precision: 'exact' }), path + asked));
    expect(decodeFile(format as 'BAM', await fetchFile(handler, path + asked))).toEqual(expected);
  });
});
