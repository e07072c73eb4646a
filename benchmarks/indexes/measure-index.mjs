// Measures one index: opening, queries, and memory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decompressIndex } from '@htskit/indexes/internal';
import { throughputRows } from '../harness.mjs';
import { smallerRows, takeTurns, timed } from '../turns.mjs';
import { htslibWith } from './htslib.mjs';
import { LIBRARIES } from './libraries.mjs';
import { regionOnEachReference, regionsOnOneReference } from './regions.mjs';

/** Bases of the regions for which an index is opened. */
const REGION_WIDTH = 10_000;

/**
 * Returns the rows of an index. `paths` are those of the index and, if htslib takes part, of the data. `agrees` returns
 * whether all answers are equal. Budgets are by peer: of opening, and of each of `works` (`{ what, regions,
 * askedOfGmod, budgets }`).
 */
export async function measureIndex({ format, paths, agrees, htslib, openBudgets, works, memoryBudget }) {
  const { ours, gmod } = LIBRARIES[format];
  const bytes = new Uint8Array(readFileSync(paths.index));
  const peers = { gmod, ...(htslib && { htslib: htslibWith(htslib, paths) }) };
  const indexes = { ours: await ours.open(bytes), gmod: await gmod.open(bytes) };
  const equal = await agrees({ ours, ...peers, indexes });
  const context = { format, bytes, paths, ours, peers, indexes, equal };
  const rows = [
    await measureOpening(context, openBudgets),
    ...(htslib === undefined ? [] : [await measureReading(context)]),
    await measureTouching(context),
  ];
  for (const work of works) rows.push(await measureRate(context, work));
  rows.push(measureMemory(context, memoryBudget));
  return rows.flat();
}

/** Measures opening from bytes in memory; htslib reads a file. */
function measureOpening({ bytes, ...context }, openBudgets) {
  const regions = regionsOnOneReference(1, REGION_WIDTH);
  const work = { what: 'open, first region', regions, budgets: openBudgets, rounds: 7 };
  return raceToAnswers(context, { ...work, read: () => bytes });
}

function measureReading({ paths, ...context }) {
  const regions = regionsOnOneReference(1, REGION_WIDTH);
  const work = { what: 'read the file, open, first region', regions, budgets: {}, rounds: 3 };
  return raceToAnswers(context, { ...work, read: () => new Uint8Array(readFileSync(paths.index)) });
}

function measureTouching({ bytes, ...context }) {
  const work = {
    what: 'open, all 25 references',
    regions: regionOnEachReference(REGION_WIDTH),
    budgets: {},
    rounds: 3,
  };
  return raceToAnswers(context, { ...work, read: () => bytes });
}

/** Measures from the result of `read` to the answers for the regions. */
async function raceToAnswers({ format, ours, peers, equal }, { what, regions, read, budgets, rounds }) {
  const measureLibrary = (library) => () => timed(async () => library.count(await library.open(read()), regions));
  const contenders = contendersOf({ ours, peers }, measureLibrary, async (htslib) => {
    const { load, all } = await htslib.measure(regions);
    return load + all;
  });
  const raced = await takeTurns(contenders, { rounds });
  const amounts = [raced.ours, ...raced.peers].map(({ name, seconds }) => [name, seconds * 1000]);
  const byPeer = Object.fromEntries(Object.entries(peers).map(([key, { name }]) => [name, budgets[key] ?? null]));
  return smallerRows({ name: `${format}: ${what}`, unit: 'ms', budgets: byPeer, equal }, amounts);
}

async function measureRate({ format, ours, peers, indexes, equal }, { what, regions, askedOfGmod, budgets }) {
  // Once unmeasured, to fill the processor's caches again: htslib has just read its index.
  const perRegion = (library, index, asked) => async () => {
    await library.count(index, asked);
    return (await timed(() => library.count(index, asked))) / asked.length;
  };
  const contenders = [
    { name: ours.name, measure: perRegion(ours, indexes.ours, regions) },
    { name: peers.gmod.name, measure: perRegion(peers.gmod, indexes.gmod, regions.slice(0, askedOfGmod)) },
  ];
  const { htslib } = peers;
  if (htslib !== undefined) {
    contenders.push({ name: htslib.name, measure: async () => (await htslib.measure(regions)).all / regions.length });
  }
  const raced = await takeTurns(contenders, { rounds: 5 });
  return throughputRows(
    {
      name: `${format}: ${what}`,
      unit: 'regions/s',
      amount: 1,
      budgets: Object.entries(peers).map(([key, { name }]) => ({ peers: [name], budget: budgets[key] ?? null })),
    },
    { ...raced, equal },
  );
}

/** The budget counts what is kept beyond the bytes of the index, uncompressed, if all contenders keep these. */
function measureMemory({ format, paths, bytes, ours, peers, equal }, budget) {
  const row = { name: `${format}: kept by the open index`, unit: 'MB', budgets: {}, equal };
  const kept = [
    [ours.name, retainedBytes(format, 'ours', paths.index) / 1e6],
    [peers.gmod.name, retainedBytes(format, 'gmod', paths.index) / 1e6],
  ];
  const budgets = { [peers.gmod.name]: budget };
  if (format === 'CRAI') return smallerRows({ ...row, budgets }, kept);
  const megabytes = decompressIndex(bytes).length / 1e6;
  const beyond = kept.map(([name, amount]) => [name, amount - megabytes]);
  return [
    ...smallerRows(row, kept),
    ...smallerRows({ ...row, name: `${format}: kept beyond the bytes of the index`, budgets }, beyond),
  ];
}

function retainedBytes(format, library, path) {
  const script = fileURLToPath(new URL('retained.mjs', import.meta.url));
  return Number(execFileSync(process.execPath, ['--expose-gc', script, format, library, path], { encoding: 'utf8' }));
}

function contendersOf({ ours, peers }, measureLibrary, measureHtslib) {
  const { gmod, htslib } = peers;
  return [
    { name: ours.name, measure: measureLibrary(ours) },
    { name: gmod.name, measure: measureLibrary(gmod) },
    ...(htslib === undefined ? [] : [{ name: htslib.name, measure: () => measureHtslib(htslib) }]),
  ];
}
