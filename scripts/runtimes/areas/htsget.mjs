import { inflateBlocks } from '@htskit/bgzf';
import { parseBamHeader } from '@htskit/formats';
import { createHtsgetHandler } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { concat, equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, countRecords } from './formats.mjs';

const { header, recordCount, regions } = expected['straddle.bam'];
const stored = {
  format: 'BAM',
  data: memorySource(files['straddle.bam'], { version: '1' }),
  index: memorySource(files['straddle.bam.bai'], { version: '1' }),
};

/** Made as late as a request comes: some runtimes have no random numbers before. */
function createHandler() {
  return createHtsgetHandler({
    publicUrl: 'https://data.example.org',
    precision: 'exact',
    resolve: async (id) => (id === 'straddle' ? [stored] : undefined),
    onError: (error) => {
      throw error;
    },
  });
}

/** The BAM that a ticket describes, uncompressed. */
async function download(handler, path) {
  const response = await handler(new Request(`https://data.example.org${path}`));
  equal(response.status, 200);
  const blocks = [];
  for (const { url } of (await response.json()).htsget.urls) {
    const [, base64] = /^data:;base64,(.*)$/.exec(url) ?? [];
    const block = base64 === undefined ? await handler(new Request(url)) : toResponse(base64);
    equal(block.status, 200);
    blocks.push(new Uint8Array(await block.arrayBuffer()));
  }
  return inflateBlocks(concat(blocks));
}

function toResponse(base64) {
  return new Response(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

export const checks = {
  'answers a whole file, whose blocks can be fetched': async () => {
    const data = await download(createHandler(), '/reads/straddle');
    const { text, byteLength } = parseBamHeader(data);
    equal(text, header);
    equal(countRecords(data.subarray(byteLength)), recordCount);
  },
  'answers regions, exactly': async () => {
    const handler = createHandler();
    for (const region of regions.filter(({ end }) => typeof end === 'number').slice(0, 20)) {
      const { referenceName, start, end } = region;
      const query = new URLSearchParams({ referenceName, start, end });
      const data = await download(handler, `/reads/straddle?${query}`);
      equal(countRecords(data.subarray(parseBamHeader(data).byteLength)), countExpected(region));
    }
  },
  'answers what it does not have with an error': async () => {
    const response = await createHandler()(new Request('https://data.example.org/reads/other'));
    equal([response.status, (await response.json()).htsget.error], [404, 'NotFound']);
  },
};
