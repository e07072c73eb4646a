// Measures indexes of a whole genome: opening, region queries, and memory.
import { compileHtslib } from '../compile-htslib.mjs';
import { agreesOnChunks, agreesOnContainers } from '../indexes/agreement.mjs';
import { writeIndexes } from '../indexes/files.mjs';
import { measureIndex } from '../indexes/measure-index.mjs';
import { regionsOnOneReference, regionsOnRandomReferences } from '../indexes/regions.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

/** Budgets by peer. Formats that must be inflated first have none, since inflating takes as long for all. */
const OPEN_BUDGETS = { BAI: { gmod: 10, htslib: 4 } };
/** Budget for the memory that @gmod's indexes keep, relative to ours. */
const MEMORY_BUDGET = 2.5;

const REGIONS = 10_000;
/** Fewer queries for @gmod, which rebuilds the chunks of a reference if more than five references take turns. */
const WORKS = [
  {
    what: '10 kb, one reference',
    regions: regionsOnOneReference(REGIONS, 10_000),
    askedOfGmod: 2000,
    budgets: { gmod: 2.5 },
  },
  {
    what: '1 Mb, one reference',
    regions: regionsOnOneReference(REGIONS, 1_000_000),
    askedOfGmod: 2000,
    budgets: { gmod: 2.5 },
  },
  {
    what: '10 kb, random references',
    regions: regionsOnRandomReferences(REGIONS, 10_000),
    askedOfGmod: 12,
    budgets: { gmod: 1000, htslib: 0.5 },
  },
];
/** No budget for @gmod/cram, which scans every slice of a reference. */
const CRAM_WORKS = WORKS.map((work) => ({ ...work, askedOfGmod: 500, budgets: {} }));

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const htslib = compileHtslib(folder, new URL('../indexes/htslib-queries.c', import.meta.url));
    const { CRAI, ...binning } = writeIndexes(folder);
    const rows = [];
    for (const [format, { paths, file }] of Object.entries(binning)) {
      const agrees = (libraries) => agreesOnChunks({ ...libraries, file });
      const budgets = { openBudgets: OPEN_BUDGETS[format] ?? {}, memoryBudget: MEMORY_BUDGET };
      rows.push(await measureIndex({ format, paths, agrees, htslib, works: WORKS, ...budgets }));
    }
    const agrees = (libraries) => agreesOnContainers({ ...libraries, slices: CRAI.slices });
    const budgets = { openBudgets: {}, memoryBudget: MEMORY_BUDGET };
    rows.push(await measureIndex({ format: 'CRAI', paths: CRAI.paths, agrees, works: CRAM_WORKS, ...budgets }));
    return rows.flat();
  });
}
