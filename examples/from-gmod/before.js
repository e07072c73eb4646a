// node before.js FILE REFERENCE START END
import { BamFile } from '@gmod/bam';
import { TabixIndexedFile } from '@gmod/tabix';
import VCF from '@gmod/vcf';

const [path = '', referenceName = '', start, end] = process.argv.slice(2);
if (path.endsWith('.bam')) {
  const file = new BamFile({ bamPath: path });
  await file.getHeader();
  for (const read of await file.getRecordsForRange(referenceName, Number(start), Number(end))) {
    console.log(read.name, read.start, read.CIGAR || '*', read.getTag('NM'));
  }
} else {
  const file = new TabixIndexedFile({ path });
  const parser = new VCF({ header: await file.getHeader() });
  await file.getLines(referenceName, Number(start), Number(end), (line) => {
    const { POS, REF, ALT, INFO } = parser.parseLine(line);
    console.log(POS - 1, REF, ALT?.join(), INFO.DP?.[0]);
  });
}
