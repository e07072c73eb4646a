import { lineOf, splitScript } from './prose.mjs';

/**
 * Assertions on elapsed time in tests: they fail on a busy machine and pass on a fast one, whatever the code does.
 * Finds a clock in the argument of `expect`, and a variable that a clock was subtracted into.
 */
export function checkClocks(path, source) {
  if (!/^(?:packages\/[^/]+\/test|benchmarks\/test)\//.test(path)) return [];
  const { code, lines } = splitScript(source);
  const clock = String.raw`(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?)\(\)`;
  const elapsed = new Set(
    [...code.matchAll(new RegExp(String.raw`\b(?:const|let)\s+(\w+)\s*=\s*${clock}\s*-`, 'g'))].map(
      (match) => match[1],
    ),
  );
  const findings = [];
  for (const match of code.matchAll(
    /\bexpect\(([^;]*?)\)\s*\.(?:not\.)?to(?:BeLessThan|BeGreaterThan|BeCloseTo)\w*\(/g,
  )) {
    const words = match[1].match(/\w+/g) ?? [];
    if (!new RegExp(clock).test(match[1]) && !words.some((word) => elapsed.has(word))) continue;
    findings.push({
      line: lineOf(lines, match.index),
      message: 'an assertion on elapsed time; count operations or compare growth (excessGrowth of @htskit/testing)',
    });
  }
  return findings;
}
