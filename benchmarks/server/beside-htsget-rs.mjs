// Measures `htskit serve` against htsget-rs: tickets, and downloads by the same client.
import { gunzipSync } from 'node:zlib';
import { openHtsget } from '@htskit/client';
import { openConnections } from '../connections.mjs';
import { throughputRows } from '../harness.mjs';
import { withHtsgetRs } from '../htsget-rs.mjs';
import { withHtskit } from '../htskit-serve.mjs';
import { recordsOf } from '../plan/region-files.mjs';
import { collect } from '../tickets.mjs';
import { takeTurns, timed } from '../turns.mjs';
import { writeBam } from '../write-bam.mjs';
import { randomRegions, toTicketPath } from './regions.mjs';

const CONNECTIONS = 8;
/** htsget-rs reads the index for each ticket. */
const TICKETS = { ours: 500, peer: 8 };
const ROUNDS = 3;
const BUDGETS = { tickets: 100, regions: 2, whole: 0.9 };
/** Uncompressed bytes, 15 MB as BAM. */
const SLICED = { length: 64_000_000, count: 20, longest: 100_000 };
/** Uncompressed bytes, 48 MB as BAM. The time of a shorter file is that in which either server begins. */
const WHOLE = { length: 200_000_000, count: 1, longest: 1000 };

/** Returns rows for the genome that `writeFiles` wrote into the folder, and for a BAM; no rows without htsget-rs. */
export function measureBesideHtsgetRs(folder) {
  return withHtsgetRs(folder, async (peer) => {
    const bam = await writeBam(folder, 'sliced', SLICED);
    const whole = await writeBam(folder, 'whole', WHOLE);
    return withHtskit(folder, async (url) => {
      const services = { ours: url, peer: peer.url };
      const equal = (await Promise.all(Object.values(services).map((each) => isRight(each, { bam, whole })))).every(
        Boolean,
      );
      const toRows = ({ name, unit, amount, budget }, raced) =>
        throughputRows(
          { name: `htskit serve: ${name}`, unit, amount, budgets: [{ budget }] },
          { ...raced, peers: raced.peers.map((each) => ({ ...each, name: peer.name })), equal },
        );
      const megabytes = whole.bytes.length / 1e6;
      return [
        ...toRows(
          { name: 'tickets, BAI of 9 MB', unit: 'tickets/s', amount: 1, budget: BUDGETS.tickets },
          await raceTickets(services),
        ),
        ...toRows(
          { name: 'regions downloaded', unit: 'regions/s', amount: 1, budget: BUDGETS.regions },
          await raceRegions(services, bam),
        ),
        ...toRows(
          { name: 'a BAM downloaded', unit: 'MB/s', amount: megabytes, budget: BUDGETS.whole },
          await raceWhole(services),
        ),
      ];
    });
  });
}

async function raceTickets(services) {
  const regions = randomRegions(TICKETS.ours);
  const contenders = await Promise.all(
    Object.entries(services).map(async ([name, url]) => {
      const connections = await openConnections(Number(new URL(url).port), CONNECTIONS);
      const paths = regions.slice(0, TICKETS[name]).map(toTicketPath);
      const measure = async () => (await timed(() => connections.get(paths))) / paths.length;
      return { name, measure, connections };
    }),
  );
  const raced = await takeTurns(contenders, { rounds: ROUNDS });
  for (const { connections } of contenders) connections.close();
  return raced;
}

function raceRegions(services, { regions }) {
  return raceServices(services, async (url) => {
    const seconds = await timed(async () => {
      for (const { region } of regions) await download(url, 'sliced', region);
    });
    return seconds / regions.length;
  });
}

function raceWhole(services) {
  return raceServices(services, (url) => timed(() => download(url, 'whole')));
}

function raceServices(services, measure) {
  const contenders = Object.entries(services).map(([name, url]) => ({ name, measure: () => measure(url) }));
  return takeTurns(contenders, { rounds: ROUNDS });
}

async function download(url, id, region) {
  return collect((await openHtsget({ baseUrl: url, datatype: 'reads', id }, region)).stream);
}

/**
 * Returns whether the whole file arrives unchanged, and whether each region has its records; htsget-rs sends others with
 * them.
 */
async function isRight(url, { bam, whole }) {
  if (!(await download(url, 'whole')).equals(whole.bytes)) return false;
  for (const { region, ordinals } of bam.regions)
    if (!gunzipSync(await download(url, 'sliced', region)).includes(recordsOf(bam, ordinals))) return false;
  return true;
}
