// Measures regions of a BAM one after another, against other clients.
import { gunzipSync } from 'node:zlib';
import { openHtsget } from '@htskit/client';
import { gmodPeer, importGmod } from '../gmod.mjs';
import { throughputRows } from '../harness.mjs';
import { recordsOf } from '../plan/region-files.mjs';
import { collect, fetchPlainly } from '../tickets.mjs';
import { takeTurns, timed } from '../turns.mjs';
import { budgetsBeside, PLAIN_FETCH } from './plain-fetch.mjs';
import { findPythonClient, findSamtools } from './programs.mjs';

const { HtsgetFile } = await importGmod('@gmod/bam');

const ROUNDS = 3;
/** Regions for a client that starts Python for each. */
const ASKED_OF_PYTHON = 3;

export async function measureRegions({ url, bam, folder }) {
  const regions = bam.regions.map(({ region, ordinals }) => ({
    ...region,
    ordinals,
    url: `${url}/reads/reads?${new URLSearchParams({ format: 'BAM', ...region })}`,
  }));
  const clients = listClients({ url, bam, folder });
  let equal = true;
  for (const { agrees, asked = regions.length } of clients)
    for (const region of regions.slice(0, asked)) equal = (await agrees(region)) && equal;
  const contenders = clients.map(({ name, read, asked = regions.length }) => ({
    name,
    measure: async () => {
      const seconds = await timed(async () => {
        for (const region of regions.slice(0, asked)) await read(region);
      });
      return seconds / asked;
    },
  }));
  const work = { name: `${regions.length} regions of a BAM, one after another`, unit: 'regions/s', amount: 1 };
  const raced = await takeTurns(contenders, { rounds: ROUNDS });
  return throughputRows({ ...work, budgets: budgetsBeside(raced.peers) }, { ...raced, equal });
}

/** A contender: `read` does the work; `agrees` does it and returns whether the records are those of the region. */
function listClients({ url, bam, folder }) {
  const header = bam.data.subarray(0, bam.headerLength);
  const isSlice = (bytes, { ordinals }) => gunzipSync(bytes).equals(Buffer.concat([header, recordsOf(bam, ordinals)]));
  const clientOf = (name, read) => ({ name, read, agrees: async (region) => isSlice(await read(region), region) });
  const python = findPythonClient(folder);
  return [
    clientOf('ours', async (region) => collect((await openHtsget(region.url)).stream)),
    clientOf(PLAIN_FETCH, (region) => collect(fetchPlainly(region.url))),
    gmodClient(`${url}/reads`, bam),
    ...samtoolsClients(),
    ...(python === undefined
      ? []
      : [{ ...clientOf(python.name, (region) => python.read(region.url)), asked: ASKED_OF_PYTHON }]),
  ];
}

function gmodClient(baseUrl, bam) {
  const file = new HtsgetFile({ baseUrl, trackId: 'reads' });
  const read = ({ referenceName, start, end }) => file.getRecordsForRange(referenceName, start, end);
  const agrees = async (region) => isSame(await read(region), { bam, ...region });
  return { name: `${gmodPeer('@gmod/bam')} HtsgetFile, decodes`, read, agrees };
}

function samtoolsClients() {
  const samtools = findSamtools();
  if (samtools === undefined) return [];
  const { name, run, countRecords } = samtools;
  return [{ name, read: ({ url }) => run(url), agrees: ({ url, ordinals }) => countRecords(url) === ordinals.length }];
}

/** Returns whether the positions of the decoded records are those of the region's records. */
function isSame(records, { bam, ordinals }) {
  return (
    records.length === ordinals.length &&
    ordinals.every((ordinal, index) => bam.data.readInt32LE(bam.starts[ordinal] + 8) === records[index].start)
  );
}
