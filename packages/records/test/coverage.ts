import { decodeBam, readFixture } from '@htskit/testing';

/** The region that the README draws. */
export const REGION = { start: 1000, end: 2000 };

/** Returns the coverage of the region that the README draws, by an independent decoder: the height of each column. */
export function expectedCoverage(): number[] {
  const depth = new Array<number>(REGION.end - REGION.start).fill(0);
  for (const record of decodeBam(readFixture('reads.bam')).records) {
    if (record.referenceId !== 0) continue;
    let base = record.position;
    for (const [, length = '', operation = ''] of record.cigar.matchAll(/(\d+)([A-Z=])/g)) {
      for (let i = 0; i < Number(length) && 'MDN=X'.includes(operation); i++, base++) {
        const column = base - REGION.start;
        if (operation !== 'D' && operation !== 'N' && column in depth) depth[column] = (depth[column] ?? 0) + 1;
      }
    }
  }
  return depth;
}
