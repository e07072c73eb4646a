// Opening indexes of a whole genome, asking them for regions, and what they keep in memory.
import { compileHtslib } from '../compile-htslib.mjs';
import { agreesOnChunks, agreesOnContainers } from '../indexes/agreement.mjs';
import { writeIndexes } from '../indexes/files.mjs';
import { measureIndex } from '../indexes/measure-index.mjs';
import { regionsOnOneReference, regionsOnRandomReferences } from '../indexes/regions.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

/** By peer. Of the formats that must be inflated first, which takes as long for all, nothing is asked. */
const OPEN_BUDGETS = { BAI: { gmod: 20, htslib: 5 } };
/** What @gmod's indexes keep, by what ours keep. */
const MEMORY_BUDGET = 2;

const REGIONS = 10_000;
/** @gmod builds the chunks of a reference anew where more than five take turns: it is asked less. */
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
    budgets: { gmod: 100, htslib: 0.5 },
  },
];
/** @gmod/cram looks at every slice of a reference; nothing is asked of that. */
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
