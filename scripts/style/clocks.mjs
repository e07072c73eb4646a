const CLOCK = String.raw`(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?)\(\)`;

/**
 * Assertions on elapsed time in tests: they fail on a busy machine and pass on a fast one, whatever the code does.
 * Finds a clock in the argument of `expect`, and a variable that a clock was subtracted into.
 */
export function checkClocks(path, source) {
  if (!/^(?:packages\/[^/]+\/test|benchmarks\/test)\//.test(path)) return [];
  const differences = source.matchAll(new RegExp(String.raw`\b(?:const|let)\s+(\w+)\s*=\s*${CLOCK}\s*-`, 'g'));
  const elapsed = Array.from(differences, ([, name]) => name);
  const measured = new RegExp([CLOCK, ...elapsed.map((name) => `\\b${name}\\b`)].join('|'));
  const comparison = /\bexpect\(([^;]*?)\)\s*\.(?:not\.)?to(?:BeLessThan|BeGreaterThan|BeCloseTo)\w*\(/g;
  return Array.from(source.matchAll(comparison))
    .filter(([, actual]) => measured.test(actual))
    .map(({ index }) => ({
      line: source.slice(0, index).split('\n').length,
      message: 'an assertion on elapsed time; count operations or compare growth (excessGrowth of @htskit/testing)',
    }));
}
