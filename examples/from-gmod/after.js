// node after.js FILE REFERENCE START END
import { openAlignments, openVariants } from '@htskit/records';

const [path = '', referenceName = '', start, end] = process.argv.slice(2);
const region = { referenceName, start: Number(start), end: Number(end) };
if (path.endsWith('.bam')) {
  const file = await openAlignments(path);
  for await (const read of file.records(region)) console.log(read.name, read.start, read.cigarText, read.tag('NM'));
} else {
  const file = await openVariants(path);
  for await (const variant of file.records(region))
    console.log(variant.start, variant.ref, variant.alt.join(), variant.info('DP'));
}
