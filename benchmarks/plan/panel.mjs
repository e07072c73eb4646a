// Measures a POST of many small regions with precision auto: the bytes that a client fetches, and the CPU time of the ticket.
import { gunzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { recordsOf } from './region-files.mjs';

const REGIONS = 1000;
const REGION_LENGTH = 1000;
const READ_LENGTH = 150;
/** The most bytes, relative to the smallest file with the same records. */
const BYTES_BUDGET = 1.1;
/** The most milliseconds of CPU time for a ticket whose index is cached. */
const TICKET_BUDGET = 50;
const TICKETS = 15;
const SMALLEST = 're-encoded slice, level 6';
const TARGET = 'target of 50 ms';

/** Returns the rows of a file of one reference. `fetchTicket` posts regions; `fetchAnswer` fetches the blocks of a ticket. */
export async function measurePanel(set, { file, fetchTicket, fetchAnswer }) {
  const { regions, ordinals } = panelOf(file);
  const header = file.data.subarray(0, file.headerLength);
  const records = recordsOf(file, ordinals);
  const smallest = deflateBlocks(header).length + deflateBlocks(records).length + EOF_MARKER.length;
  const answer = await fetchAnswer(await fetchTicket(regions));
  const equal = gunzipSync(answer).equals(Buffer.concat([header, records]));
  const milliseconds = await ticketTime(() => fetchTicket(regions));
  const name = `${set}, auto: POST of ${REGIONS.toLocaleString('en-US')} regions of ${REGION_LENGTH / 1000} kb`;
  return [
    row({
      name,
      unit: 'x minimal bytes',
      ours: answer.length / smallest,
      peer: SMALLEST,
      peerValue: 1,
      equal,
      budget: 1 / BYTES_BUDGET,
    }),
    row({
      name: `${name}, its ticket`,
      unit: 'ms CPU',
      ours: milliseconds,
      peer: TARGET,
      peerValue: TICKET_BUDGET,
      equal,
      budget: 1,
    }),
  ];
}

/** Returns regions spread evenly over the file, and the records that overlap them. */
function panelOf({ data, starts }) {
  const positions = Float64Array.from(starts.slice(0, -1), (at) => data.readInt32LE(at + 8));
  const last = positions.at(-1);
  const regions = Array.from({ length: REGIONS }, (_, index) => {
    const start = Math.floor((index * last) / REGIONS);
    return { referenceName: 'chr1', start, end: start + REGION_LENGTH };
  });
  const ordinals = [];
  let first = 0;
  for (const [ordinal, position] of positions.entries()) {
    while (first < REGIONS && regions[first].end <= position) first += 1;
    if (first < REGIONS && regions[first].start < position + READ_LENGTH) ordinals.push(ordinal);
  }
  return { regions, ordinals };
}

/** Returns the median CPU time of a ticket in milliseconds, after some that fill the caches. */
async function ticketTime(ticket) {
  const times = [];
  for (let run = 0; run < TICKETS; run += 1) {
    const before = process.cpuUsage();
    await ticket();
    const { user, system } = process.cpuUsage(before);
    if (run >= TICKETS / 3) times.push((user + system) / 1000);
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}

function row({ name, unit, ours, peer, peerValue, equal, budget }) {
  const round = (value) => Number(value.toPrecision(3));
  const ratio = round(peerValue / ours);
  return { name, unit, ours: round(ours), peers: { [peer]: peerValue }, peer, ratio, budget: round(budget), equal };
}
