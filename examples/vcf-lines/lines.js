// node lines.js URL [REFERENCE START END]
import { openVariants } from '@htskit/records';

const [url = '', referenceName, start, end] = process.argv.slice(2);
const region = referenceName === undefined ? undefined : { referenceName, start: Number(start), end: Number(end) };
// A file on any server with range requests, its index beside it; otherwise the URL of an htsget service.
const isFile = /\.(?:vcf\.gz|vcf\.bgz|bcf)$/.test(url);
const variants = await openVariants(isFile ? url : { htsget: url });
for await (const variant of variants.records(region)) console.log(variant.toVcf());
