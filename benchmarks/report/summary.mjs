// The results of a run without repetition, one line per piece of work: the only results that are committed.

/** Returns `results` as JSON text. Rows of the same work differ in peer, ratio and budget only, so these are a list. */
export function formatSummary({ machine, date, seconds, versions, rows }) {
  const works = new Map();
  for (const { peer, ratio, budget, ...work } of rows) {
    const key = JSON.stringify([work.area, work.name]);
    if (!works.has(key)) works.set(key, { ...work, comparisons: [] });
    works.get(key).comparisons.push({ peer, ratio, budget });
  }
  const lines = [...works.values()].map((work) => `    ${JSON.stringify(work)}`);
  const head = Object.entries({ machine, date, ...(seconds !== undefined && { seconds }), versions }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  return `{\n${head.join('')}  "works": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Parses a summary, or the results.json of a run, into `{ machine, date, versions, rows }`. */
export function parseResults(text) {
  const { works, ...results } = JSON.parse(text);
  if (works === undefined) return results;
  const rows = works.flatMap(({ comparisons, equal, ...work }) =>
    comparisons.map((comparison) => ({ ...work, ...comparison, equal })),
  );
  return { ...results, rows };
}
