// Counts the bytes that a client fetches for a region, against the smallest file with the same records.
import { gunzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createHtsgetHandler } from '@htskit/htsget';
import { indexBam } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { measureBesideHtsgetRs } from '../plan/beside-htsget-rs.mjs';
import { measurePanel } from '../plan/panel.mjs';
import { makeBamFile, readFixtures, recordsOf } from '../plan/region-files.mjs';
import { inlineBytes } from '../tickets.mjs';

/** The budget of `exact`: the smallest file as a share of the fetched bytes, in the median. */
const EXACT_BUDGET = 1 / 1.05;
const PEER = 're-encoded slice, level 6';
const PRECISIONS = ['exact', 'auto', 'chunks'];
const PUBLIC_URL = 'http://localhost';

/** Uncompressed bytes, 60 MB as BAM. */
const GENERATED = { length: 240_000_000, count: 60, longest: 1_000_000 };

export async function measure() {
  const bam = makeBamFile(GENERATED);
  const generated = { ...bam, index: await indexBam([bam.bytes]) };
  const megabytes = Math.round(generated.bytes.length / 1e6);
  const sets = [
    ['BAM fixtures', readFixtures('BAM')],
    ['VCF fixtures', readFixtures('VCF')],
    ['BCF fixtures', readFixtures('BCF')],
    [`BAM of ${megabytes} MB`, [generated]],
  ];
  const rows = [];
  for (const [name, files] of sets) rows.push(...(await measureSet(name, files)));
  rows.push(...(await measurePanel(`BAM of ${megabytes} MB`, { file: generated, ...panelClient(generated) })));
  const handler = createHandler(generated, 'exact');
  const answerOf = (region) => fetchAnswer(handler, region, 'BAM');
  rows.push(...(await measureBesideHtsgetRs(`BAM of ${megabytes} MB, exact`, { file: generated, answerOf })));
  return rows;
}

/** Returns the median and the 90th percentile of the regions with records, for each precision. */
async function measureSet(set, files) {
  const ratios = new Map(PRECISIONS.map((precision) => [precision, []]));
  let equal = true;
  for (const file of files) {
    const handlers = PRECISIONS.map((precision) => [precision, createHandler(file, precision)]);
    for (const { region, ordinals } of file.regions.filter((each) => each.ordinals.length > 0)) {
      const records = recordsOf(file, ordinals);
      const header = file.data.subarray(0, file.headerLength);
      const minimal = deflateBlocks(header).length + deflateBlocks(records).length + EOF_MARKER.length;
      for (const [precision, handler] of handlers) {
        const answer = await fetchAnswer(handler, region, file.format);
        ratios.get(precision).push(answer.length / minimal);
        if (precision === 'exact') equal &&= gunzipSync(answer).equals(Buffer.concat([header, records]));
      }
    }
  }
  return Array.from(ratios, ([precision, values]) => toRows({ set, precision, values, equal })).flat();
}

function createHandler({ format, bytes, index }, precision) {
  const file = {
    format,
    data: memorySource(bytes, { key: 'data', version: '1' }),
    index: memorySource(index, { key: 'index', version: '1' }),
  };
  return createHtsgetHandler({ resolve: async () => [file], publicUrl: PUBLIC_URL, precision });
}

/** Returns the blocks of a ticket, concatenated. */
async function fetchAnswer(handler, region, format) {
  const datatype = format === 'BAM' ? 'reads' : 'variants';
  const ticket = await handler(
    new Request(`${PUBLIC_URL}/${datatype}/file?${new URLSearchParams({ format, ...region })}`),
  );
  return fetchBlocks(handler, await ticket.json());
}

async function fetchBlocks(handler, { htsget }) {
  const blocks = [];
  for (const block of htsget.urls)
    blocks.push(inlineBytes(block) ?? Buffer.from(await (await handler(new Request(block.url))).arrayBuffer()));
  return Buffer.concat(blocks);
}

function panelClient(file) {
  const handler = createHandler(file, 'auto');
  const headers = { 'content-type': 'application/json' };
  return {
    async fetchTicket(regions) {
      const body = JSON.stringify({ format: 'BAM', regions });
      const answer = await handler(new Request(`${PUBLIC_URL}/reads/file`, { method: 'POST', headers, body }));
      return answer.json();
    },
    fetchAnswer: (ticket) => fetchBlocks(handler, ticket),
  };
}

function toRows({ set, precision, values, equal }) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return [
    { name: `${set}, ${precision}: median of ${sorted.length} regions`, value: at(0.5), isMedian: true },
    { name: `${set}, ${precision}: 90th percentile`, value: at(0.9), isMedian: false },
  ].map(({ name, value, isMedian }) => ({
    name,
    unit: 'x minimal bytes',
    ours: Number(value.toPrecision(3)),
    peers: { [PEER]: 1 },
    peer: PEER,
    ratio: Number((1 / value).toPrecision(3)),
    budget: precision === 'exact' && isMedian ? Number(EXACT_BUDGET.toPrecision(3)) : null,
    equal,
  }));
}
