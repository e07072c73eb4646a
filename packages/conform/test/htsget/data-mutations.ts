import { EOF_MARKER, gunzip } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import type { Fault, Handler } from '../service/faithful-service.js';
import { changeRequest, onRequests, type RequestFilter } from '../service/faults.js';
import { GUARDED } from '../service/guarded-service.js';
import { LARGE, type Mutation } from '../service/mutation-table.js';
import {
  changeFile,
  changeRecords,
  changeTicket,
  isFormat,
  isTicketPath,
  setEach,
  toBgzf,
} from '../service/ticket-faults.js';

const always = (): boolean => true;
const isHeader: RequestFilter = ({ searchParams }, _, body) => searchParams.has('class') || body.includes('"class"');
const isWhole: RequestFilter = (url, request, body) =>
  isTicketPath(url) &&
  !isHeader(url, request, body) &&
  !url.searchParams.has('referenceName') &&
  !body.includes('referenceName');

function and(...filters: readonly RequestFilter[]): RequestFilter {
  return (url, request, body) => filters.every((filter) => filter(url, request, body));
}

/** Answers VCF with the blocks of VCFTEXT, or the other way round. */
function swapCompression(requested: string, answered: string): Fault {
  const rename = changeTicket(isFormat(requested), (htsget) => Object.assign(htsget, { format: requested }));
  const swap = changeRequest(isFormat(requested), ({ searchParams }) => searchParams.set('format', answered));
  return (request, serve) => rename(request, (renamed) => swap(renamed, serve));
}

/** Changes the text of a compressed VCF file. */
function editText(bytes: Uint8Array, edit: (text: string) => string): Uint8Array {
  return toBgzf(new TextEncoder().encode(edit(new TextDecoder().decode(gunzip(bytes)))));
}

/** Leaves out the second line of a VCF header. */
function withoutLine(bytes: Uint8Array): Uint8Array {
  return editText(bytes, (text) => text.replace(/\n##[^\n]*/, ''));
}

const FILE_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.data.decodes',
    fault: 'loses bytes of a file',
    break: changeFile(isWhole, (bytes) => bytes.subarray(0, bytes.length - 100)),
  },
  {
    rule: 'htsget.data.eof',
    fault: 'leaves out the EOF marker',
    break: changeFile(and(isFormat('BAM'), isWhole), (bytes) => bytes.subarray(0, bytes.length - EOF_MARKER.length)),
  },
  {
    rule: 'htsget.data.header-once',
    fault: 'repeats the header of VCF',
    break: changeFile(and(isFormat('VCF'), isWhole), (bytes) => editText(bytes, (text) => `${text}${text}`)),
  },
  {
    rule: 'htsget.data.header-once',
    fault: 'repeats a BAM file',
    break: changeFile(and(isFormat('BAM'), isWhole), (bytes) => concatBytes([bytes, bytes])),
  },
  { rule: 'htsget.data.compressed-vcf', fault: 'sends plain VCF', break: swapCompression('VCF', 'VCFTEXT') },
  { rule: 'htsget.data.plain-vcftext', fault: 'compresses VCFTEXT', break: swapCompression('VCFTEXT', 'VCF') },
  {
    rule: 'htsget.data.truth',
    fault: 'loses a record',
    service: GUARDED,
    break: changeRecords(isWhole, (records) => records.slice(1)),
  },
  {
    rule: 'htsget.data.judge',
    fault: 'sends what other programs do not read',
    service: GUARDED,
    break: changeFile(and(isFormat('BAM'), isWhole), (bytes) => bytes.subarray(0, bytes.length - 100)),
  },
];

/** Answers `class=header` with the whole file. */
function ignoreClass(serve: Handler, request: Request): Promise<Response> {
  const url = new URL(request.url);
  url.searchParams.delete('class');
  return serve(new Request(url, request));
}

const HEADER_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.data.header-decodes',
    fault: 'leaves out a line of the header for class=header',
    break: changeFile(and(isFormat('VCF'), isHeader), withoutLine),
  },
  {
    rule: 'htsget.data.header-only',
    fault: 'ignores class=header',
    break: onRequests(isHeader, (request, serve) => ignoreClass(serve, request)),
  },
  {
    rule: 'htsget.data.header-blocks',
    fault: 'marks all blocks as header',
    break: changeTicket(always, (htsget) => setEach(htsget, { class: 'header' })),
  },
  {
    rule: 'htsget.data.reused-header',
    fault: 'marks the header of a file as body',
    break: changeTicket(isWhole, (htsget) => setEach(htsget, { class: 'body' })),
  },
];

/** A request that selects by the parameter, and the fault of its answer. */
const fewer = (matches: RequestFilter): Fault => changeRecords(matches, (records) => records.slice(1));
const moreOften = (matches: RequestFilter): Fault =>
  changeRecords(matches, (records) => records.concat(records.slice(-1)));
const swapped = (matches: RequestFilter): Fault => changeRecords(matches, (records) => records.toReversed());
const altered = (matches: RequestFilter): Fault =>
  changeRecords(matches, (records) =>
    records.map((record) => {
      const copy = record.slice();
      copy[MAPPING_QUALITY] = 77;
      return copy;
    }),
  );
/** Offset of MAPQ in a BAM record (SAMv1 §4.2). */
const MAPPING_QUALITY = 13;

const isRegion: RequestFilter = ({ searchParams }) => /^(?!\*)/.test(searchParams.get('referenceName') ?? '*');
const isUnplaced: RequestFilter = ({ searchParams }) => searchParams.get('referenceName') === '*';
const refused = (matches: RequestFilter): Fault =>
  onRequests(matches, async () => Response.json({ htsget: { error: 'InvalidRange', message: '' } }, { status: 400 }));

const REGION_FAULTS: readonly (readonly [rule: string, fault: string, fault: Fault])[] = [
  [
    'file',
    'leaves out the EOF marker of regions',
    changeFile(and(isFormat('BAM'), isRegion), (bytes) => bytes.subarray(0, bytes.length - EOF_MARKER.length)),
  ],
  ['complete', 'loses the first record of regions', fewer(isRegion)],
  ['unaltered', 'alters the records of regions', altered(isRegion)],
  ['once', 'repeats a record of regions', moreOften(isRegion)],
  ['order', 'reverses the records of regions', swapped(isRegion)],
  ['reference', 'loses the first record of regions', fewer(isRegion)],
  ['last-reference', 'repeats a record of regions', moreOften(isRegion)],
  ['base', 'loses the first record of regions', fewer(isRegion)],
  ['start', 'loses the first record after a start', fewer(({ searchParams }) => searchParams.has('start'))],
  ['end', 'loses the first record before an end', fewer(({ searchParams }) => searchParams.has('end'))],
  ['last-base', 'excludes the base before the end', fewer(isRegion)],
  ['empty-reference', 'refuses regions without records', refused(isRegion)],
  ['no-records', 'refuses regions without records', refused(isRegion)],
  ['unplaced', 'loses a read without a position', fewer(isUnplaced)],
  [
    'over-fetch',
    'ignores regions',
    changeRequest(isRegion, ({ searchParams }) => {
      for (const name of ['referenceName', 'start', 'end']) searchParams.delete(name);
    }),
  ],
];

const isPost: RequestFilter = (_, { method }) => method === 'POST';
const isList = and(isPost, (_, __, body) => body.includes('"regions":[{'));

/** Answers a list of regions as if the answers to each were a file in a row. */
const joined: Fault = changeFile(and(isFormat('BAM'), isList), (bytes) => concatBytes([bytes, bytes]));

const POST_FAULTS: readonly (readonly [rule: string, fault: string, fault: Fault])[] = [
  ['one-region', 'loses a record', fewer(isList)],
  ['distant-regions', 'joins the files of regions', joined],
  ['several-references', 'loses a record', fewer(isList)],
  ['reversed-regions', 'answers in the order of the list', swapped(isList)],
  ['overlapping-regions', 'repeats a record of both regions', moreOften(isList)],
  ['repeated-regions', 'repeats a record', moreOften(isList)],
  ['adjacent-regions', 'repeats a record of both regions', moreOften(isList)],
  ['nested-regions', 'loses a record', fewer(isList)],
  ['many-regions', 'loses a record', fewer(isList)],
  ['empty-among-regions', 'alters a record', altered(isList)],
  ['no-regions', 'loses a record', fewer(and(isPost, isWhole))],
  ['union', 'loses a record', fewer(isList)],
  [
    'eof-once',
    'has an EOF marker between regions',
    changeFile(and(isFormat('BAM'), isList), (bytes) => concatBytes([EOF_MARKER, bytes])),
  ],
  ['header', 'answers another header', changeFile(and(isFormat('VCF'), isPost), withoutLine)],
  [
    'too-large',
    'fails for a long body',
    onRequests(
      (_, __, body) => body.length > 1_000_000,
      async () => new Response('', { status: 500 }),
    ),
  ],
];

const FIELD_FAULTS: readonly (readonly [rule: string, fault: string, fault: Fault])[] = [
  ['kept', 'alters flags', changeRecords(({ searchParams }) => searchParams.has('fields'), alterFlags)],
  ['quality-needs-bases', 'leaves out bases', replaceParameter('fields', 'QUAL', 'QNAME')],
  ['tags-kept', 'leaves out all tags', changeParameter('tags', '')],
  ['notags-kept', 'leaves out all tags', onParameter('notags', ({ searchParams }) => searchParams.set('tags', ''))],
  ['effective', 'ignores fields', onParameter('fields', ({ searchParams }) => searchParams.delete('fields'))],
  ['tags-effective', 'ignores tags', onParameter('tags', ({ searchParams }) => searchParams.delete('tags'))],
  ['no-tags', 'ignores tags', onParameter('tags', ({ searchParams }) => searchParams.delete('tags'))],
  ['notags-effective', 'ignores notags', onParameter('notags', ({ searchParams }) => searchParams.delete('notags'))],
];

/** Offset of the low byte of FLAG in a BAM record. */
const FLAG = 18;

function alterFlags(records: Uint8Array[]): Uint8Array[] {
  return records.map((record) => {
    const copy = record.slice();
    copy[FLAG] = (copy[FLAG] ?? 0) ^ 0x10;
    return copy;
  });
}

function onParameter(name: string, change: (url: URL) => void): Fault {
  return changeRequest(({ searchParams }) => searchParams.has(name), change);
}

function changeParameter(name: string, value: string): Fault {
  return onParameter(name, ({ searchParams }) => searchParams.set(name, value));
}

function replaceParameter(name: string, from: string, to: string): Fault {
  return changeRequest(
    ({ searchParams }) => searchParams.get(name) === from,
    ({ searchParams }) => searchParams.set(name, to),
  );
}

function toMutations(topic: string, faults: typeof REGION_FAULTS): readonly Mutation[] {
  return faults.map(([name, fault, breakService]) => ({ rule: `htsget.${topic}.${name}`, fault, break: breakService }));
}

/** Faults that a run finds although it cannot fetch the file as a whole. */
const LARGE_MUTATIONS: readonly Mutation[] = (
  [
    ['regions.complete', 'loses the first record of regions', fewer(isRegion)],
    ['regions.order', 'reverses the records of regions', swapped(isRegion)],
    ['regions.base', 'loses the first record of regions', fewer(isRegion)],
    ['post.reversed-regions', 'loses a record', fewer(isList)],
  ] as const
).map(([rule, fault, breakService]) => ({
  rule: `htsget.${rule}`,
  fault: `${fault} of a large file`,
  service: LARGE,
  break: breakService,
}));

export const DATA_MUTATIONS: readonly Mutation[] = [
  ...LARGE_MUTATIONS,
  ...FILE_MUTATIONS,
  ...HEADER_MUTATIONS,
  ...toMutations('regions', REGION_FAULTS),
  ...toMutations('post', POST_FAULTS),
  ...toMutations('fields', FIELD_FAULTS),
];
