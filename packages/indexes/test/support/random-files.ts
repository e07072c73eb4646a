/** The parameters of a file of random records. */
export interface RandomFile {
  readonly references: readonly (readonly [name: string, length: number])[];
  /** Records per reference. If there are many references, every third has none. */
  readonly recordsPerReference: number;
}

/** Returns an integer in [0, limit). */
export type Draw = (limit: number) => number;

/** Generates sorted starts and lengths of records, up to the length of the reference. */
function placements(draw: Draw, length: number, count: number): { start: number; span: number }[] {
  const starts = Array.from({ length: count }, () => {
    const start = draw(length);
    // Many records are near the edges of bins.
    return draw(4) === 0 ? Math.min(length - 1, Math.max(0, Math.round(start / 16_384) * 16_384 + draw(3) - 1)) : start;
  });
  return starts
    .sort((a, b) => a - b)
    .map((start) => ({ start, span: Math.min(length - start, draw(5) === 0 ? 2 ** draw(29) + 1 : 1 + draw(200)) }));
}

/** Generates sorted SAM text. */
export function randomSam(draw: Draw, { references, recordsPerReference }: RandomFile): string {
  const lines = ['@HD\tVN:1.6\tSO:coordinate', ...references.map(([name, length]) => `@SQ\tSN:${name}\tLN:${length}`)];
  for (const [referenceId, [name, length]] of references.entries()) {
    if (references.length > 5 && referenceId % 3 === 1) continue;
    for (const { start, span } of placements(draw, length, recordsPerReference)) {
      const place = `${name}\t${start + 1}\t${draw(60)}`;
      const isUnmapped = draw(20) === 0;
      const filler = `X${draw(2 ** 30)
        .toString(36)
        .repeat(1 + draw(12))}`;
      const cigar = isUnmapped ? '*' : span < 3 ? `${span}M` : `1M${span - 2}N1M`;
      const bases = isUnmapped || span >= 3 ? 'AC' : 'A'.repeat(span);
      lines.push(`${filler}\t${isUnmapped ? 4 : 0}\t${place}\t${cigar}\t*\t0\t0\t${bases}\t*`);
    }
  }
  for (let i = 0; i < draw(50); i++) lines.push(`u${i}\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*`);
  return `${lines.join('\n')}\n`;
}

/** Generates sorted VCF text with positions up to 2^31 − 1, the limit of BCF. */
export function randomVcf(draw: Draw, { references, recordsPerReference }: RandomFile): string {
  const contigs = references.map(([name, length]) => `##contig=<ID=${name},length=${length}>`);
  const end = '##INFO=<ID=END,Number=1,Type=Integer,Description="End">';
  const info = '##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">';
  const lines = ['##fileformat=VCFv4.3', ...contigs, end, info, '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO'];
  for (const [referenceId, [name, length]] of references.entries()) {
    if (references.length > 5 && referenceId % 3 === 1) continue;
    for (const [ordinal, { start, span }] of placements(draw, length, recordsPerReference).entries()) {
      // HTSlib accepts one record at a telomere, not two.
      const position = ordinal === 0 ? 0 : start + 1;
      const isLong = span > 100;
      const id = draw(2 ** 30)
        .toString(36)
        .repeat(1 + draw(12));
      const depth = `DP=${draw(1000)}`;
      const column = isLong ? `${depth};END=${start + span}` : depth;
      lines.push(`${name}\t${position}\t${id}\t${'N'.repeat(isLong ? 1 : span)}\t<DEL>\t.\t.\t${column}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Generates sorted GFF text with comments and blank lines. */
export function randomGff(draw: Draw, { references, recordsPerReference }: RandomFile): string {
  const lines = ['##gff-version 3'];
  for (const [name, length] of references) {
    for (const { start, span } of placements(draw, length, recordsPerReference)) {
      if (draw(50) === 0) lines.push('# a comment');
      lines.push(`${name}\tx\tgene\t${start + 1}\t${start + span}\t.\t+\t.\tID=${draw(2 ** 30).toString(36)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
