// Rows of one index: opening it, asking it, and what it keeps in memory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { throughputRows } from '../harness.mjs';
import { htslibWith } from './htslib.mjs';
import { LIBRARIES } from './libraries.mjs';
import { regionOnEachReference, regionsOnOneReference } from './regions.mjs';
import { smallerRows, takeTurns, timed } from './turns.mjs';

/**
 * `paths` are those of the index and, where htslib takes part, of the data; `agrees` says whether all give the same.
 * Budgets are by peer: of opening, and of each of `works` (`{ what, regions, askedOfGmod, budgets }`).
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

async function measureOpening({ format, bytes, ours, peers, equal }, openBudgets) {
  const regions = regionsOnOneReference(1, 10_000);
  const openAndAsk = (library) => () => timed(async () => library.count(await library.open(bytes), regions));
  const contenders = contendersOf({ ours, peers }, openAndAsk, async (htslib) => {
    const { load, first } = await htslib.measure(regions);
    return load + first;
  });
  const budgets = budgetsOf(peers, openBudgets);
  return millisecondRows(
    { name: `${format}: open, first region`, budgets, equal },
    await takeTurns(contenders, { rounds: 7 }),
  );
}

/** The same with the reading of the file, which htslib's times have. */
async function measureReading({ format, paths, ours, peers, equal }) {
  const regions = regionsOnOneReference(1, 10_000);
  const readAndAsk = (library) => () =>
    timed(async () => library.count(await library.open(new Uint8Array(readFileSync(paths.index))), regions));
  const contenders = contendersOf({ ours, peers }, readAndAsk, async (htslib) => {
    const { load, first } = await htslib.measure(regions);
    return load + first;
  });
  return millisecondRows(
    { name: `${format}: read the file, open, first region`, budgets: {}, equal },
    await takeTurns(contenders, { rounds: 3 }),
  );
}

async function measureTouching({ format, bytes, ours, peers, equal }) {
  const regions = regionOnEachReference(10_000);
  const openAndAsk = (library) => () => timed(async () => library.count(await library.open(bytes), regions));
  const contenders = contendersOf({ ours, peers }, openAndAsk, async (htslib) => {
    const { load, all } = await htslib.measure(regions);
    return load + all;
  });
  return millisecondRows(
    { name: `${format}: open, all 25 references`, budgets: {}, equal },
    await takeTurns(contenders, { rounds: 3 }),
  );
}

async function measureRate({ format, ours, peers, indexes, equal }, { what, regions, askedOfGmod, budgets }) {
  const perRegion = (library, index, asked) => async () =>
    (await timed(() => library.count(index, asked))) / asked.length;
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

function measureMemory({ format, paths, ours, peers, equal }, budget) {
  const row = { name: `${format}: kept by the open index`, unit: 'MB', budgets: { [peers.gmod.name]: budget }, equal };
  const megabytes = (library) => retainedBytes(format, library, paths.index) / 1e6;
  return smallerRows(row, [
    [ours.name, megabytes('ours')],
    [peers.gmod.name, megabytes('gmod')],
  ]);
}

function retainedBytes(format, library, path) {
  const script = fileURLToPath(new URL('retained.mjs', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', script, format, library, path], { encoding: 'utf8' }),
  );
}

function contendersOf({ ours, peers }, measureLibrary, measureHtslib) {
  const { gmod, htslib } = peers;
  return [
    { name: ours.name, measure: measureLibrary(ours) },
    { name: gmod.name, measure: measureLibrary(gmod) },
    ...(htslib === undefined ? [] : [{ name: htslib.name, measure: () => measureHtslib(htslib) }]),
  ];
}

function budgetsOf(peers, budgets) {
  return Object.fromEntries(Object.entries(peers).map(([key, { name }]) => [name, budgets[key] ?? null]));
}

function millisecondRows(row, { ours, peers }) {
  return smallerRows(
    { ...row, unit: 'ms' },
    [ours, ...peers].map(({ name, seconds }) => [name, seconds * 1000]),
  );
}
