import { cramEofContainer } from '@htskit/formats/internal';
import { createHtsgetHandler, planFile, streamPlan } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { concat, equal, equalBytes, sha256 } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, readRecords } from '../records.mjs';

const ORIGIN = 'https://data.example.org';

function stored(format, name, index) {
  const [data, indexSource] = [name, `${name}.${index}`].map((file) => memorySource(files[file], { version: '1' }));
  return { format, data, index: indexSource };
}

const bam = stored('BAM', 'straddle.bam', 'bai');
const OBJECTS = {
  straddle: [bam],
  multiref: [stored('CRAM', 'multiref.cram', 'crai')],
  variants: [stored('VCF', 'variants.vcf.gz', 'tbi'), stored('BCF', 'variants.bcf', 'csi')],
  located: [
    { ...bam, locate: async () => ({ url: 'https://store.example.org/straddle.bam', headers: { 'If-Match': '"1"' } }) },
  ],
};
const FILES = [
  { path: '/reads/straddle', format: 'BAM', name: 'straddle.bam' },
  { path: '/variants/variants', format: 'VCF', name: 'variants.vcf.gz' },
  { path: '/variants/variants', format: 'BCF', name: 'variants.bcf' },
];

/** Created with the first request, because some runtimes have no random numbers before. */
function createHandler(options = {}) {
  return createHtsgetHandler({
    publicUrl: ORIGIN,
    precision: 'exact',
    resolve: async (id) => OBJECTS[id],
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

async function ticketOf(handler, path, init) {
  const response = await handler(new Request(ORIGIN + path, init));
  equal(response.status, 200);
  return (await response.json()).htsget.urls;
}

/** Returns the file that a ticket describes. */
async function download(handler, path, init) {
  const blocks = [];
  for (const { url } of await ticketOf(handler, path, init)) {
    const [, base64] = /^data:;base64,(.*)$/.exec(url) ?? [];
    const block = base64 === undefined ? await handler(new Request(url)) : toResponse(base64);
    equal(block.status, 200);
    blocks.push(new Uint8Array(await block.arrayBuffer()));
  }
  return concat(blocks);
}

function toResponse(base64) {
  return new Response(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

async function failureOf(handler, path, init) {
  const response = await handler(new Request(ORIGIN + path, init));
  return [response.status, (await response.json()).htsget.error];
}

function post(body) {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

export const checks = {
  'answers whole files of BAM, VCF and BCF, whose blocks can be fetched': async () => {
    const handler = createHandler();
    for (const { path, format, name } of FILES) {
      const { count, body } = readRecords(format, await download(handler, `${path}?format=${format}`));
      equal([count, await sha256(body)], [expected[name].recordCount, expected[name].bodySha256]);
    }
    equalBytes(await download(handler, '/reads/multiref?format=CRAM'), files['multiref.cram']);
  },
  'answers VCF as text': async () => {
    const text = new TextDecoder().decode(await download(createHandler(), '/variants/variants?format=VCFTEXT'));
    const { header, recordCount } = expected['variants.vcf.gz'];
    equal([text.startsWith(header), text.slice(header.length).split('\n').length - 1], [true, recordCount]);
  },
  'answers regions, exactly': async () => {
    const handler = createHandler();
    for (const { path, format, name } of FILES) {
      for (const region of expected[name].regions.filter(({ end }) => typeof end === 'number').slice(0, 20)) {
        const { referenceName, start, end } = region;
        const query = new URLSearchParams({ format, referenceName, start, end });
        equal(readRecords(format, await download(handler, `${path}?${query}`)).count, countExpected(region));
      }
    }
  },
  'answers several regions of a POST in one file': async () => {
    const regions = ['chr1', 'chr2'].map((referenceName) => ({ referenceName }));
    const handler = createHandler();
    const counts = [];
    for (const body of [{ regions }, ...regions.map((region) => ({ regions: [region] }))]) {
      counts.push(readRecords('BAM', await download(handler, '/reads/straddle', post(body))).count);
    }
    equal(counts[0], counts[1] + counts[2]);
  },
  'answers the containers of a region of CRAM, and its header alone': async () => {
    const handler = createHandler();
    const part = await download(handler, '/reads/multiref?format=CRAM&referenceName=chr2&start=0&end=1000');
    equal([part.length < files['multiref.cram'].length, part.length > 1_000], [true, true]);
    const header = await download(handler, '/reads/multiref?format=CRAM&class=header');
    const headerLength = header.length - cramEofContainer({ major: 3, minor: 0 }).length;
    equalBytes(header.subarray(0, headerLength), files['multiref.cram'].subarray(0, headerLength));
  },
  'leaves out the fields and tags that the query does not select': async () => {
    const handler = createHandler();
    for (const { path, format, name } of FILES) {
      const query = format === 'BAM' ? 'fields=QNAME,POS&tags=NM' : 'tags=DP';
      const { count, body } = readRecords(format, await download(handler, `${path}?format=${format}&${query}`));
      const whole = readRecords(format, files[name]);
      equal([count, body.length < whole.body.length], [whole.count, true]);
    }
  },
  'lets the store deliver ranges': async () => {
    const blocks = await ticketOf(createHandler(), '/reads/located');
    const { url, headers } = blocks.find((block) => block.url.startsWith('https:'));
    equal([url, headers['If-Match']], ['https://store.example.org/straddle.bam', '"1"']);
    equal(/^bytes=\d+-\d+$/.test(headers.Range), true);
  },
  'sends only permitted records': async () => {
    const [region] = expected['straddle.bam'].regions;
    const { referenceName, start, end } = region;
    const handler = createHandler({ authorize: async () => ({ regions: [{ referenceName, start, end }] }) });
    equal(readRecords('BAM', await download(handler, '/reads/straddle')).count, countExpected(region));
    equal(await failureOf(handler, '/reads/multiref?format=CRAM'), [403, 'PermissionDenied']);
    equal(await failureOf(createHandler({ authorize: () => 'unauthenticated' }), '/reads/straddle'), [
      401,
      'InvalidAuthentication',
    ]);
  },
  'refuses a block whose URL or file was changed': async () => {
    const versions = ['1', '2'].map((version) => [
      { ...bam, data: memorySource(files['straddle.bam'], { key: 'same', version }) },
    ]);
    let current = versions[0];
    const handler = createHandler({ resolve: async () => current, limits: { inlineBytes: 0 } });
    const [{ url }] = await ticketOf(handler, '/reads/straddle');
    equal(await failureOf(handler, url.slice(ORIGIN.length, -1)), [403, 'PermissionDenied']);
    current = versions[1];
    equal((await handler(new Request(url))).status, 409);
  },
  'emits events for tickets and blocks': async () => {
    const events = [];
    await download(
      createHandler({ onEvent: ({ type, isComplete }) => events.push([type, isComplete]) }),
      '/reads/straddle',
    );
    equal(events.filter(([type]) => type === 'ticket').length, 1);
    equal(
      events.find(([type]) => type === 'block'),
      ['block', true],
    );
  },
  'answers an unknown object with an error': async () => {
    equal(await failureOf(createHandler(), '/reads/other'), [404, 'NotFound']);
    equal(await failureOf(createHandler(), '/reads/straddle?start=5'), [400, 'InvalidInput']);
    equal(await failureOf(createHandler(), '/reads/straddle', { method: 'PUT' }), [405, 'InvalidInput']);
  },
  'cuts a file without HTTP': async () => {
    const [region] = expected['straddle.bam'].regions;
    const { referenceName, start, end } = region;
    const { data } = bam;
    const plan = await planFile(bam, { regions: [{ referenceName, start, end }] }, { precision: 'exact' });
    const chunks = [];
    for await (const chunk of streamPlan(plan, data)) chunks.push(chunk.slice());
    equal(readRecords('BAM', concat(chunks)).count, countExpected(region));
  },
};
