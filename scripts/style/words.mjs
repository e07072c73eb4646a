import { NAMES, PHRASES } from './phrases.mjs';
import { identifiers, splitMarkdown, splitScript, wordsOf } from './prose.mjs';

/** INFO keys of variant callers, such as BaseQRankSum, are names of the field. */
const RANK_SUM = /rankSum/gi;

/** The phrases of `PHRASES` and `NAMES` in a file: `{ line, message }`. */
export function checkWords(path, source) {
  if (path.endsWith('.md')) return splitMarkdown(source).flatMap(findPhrases);
  const { segments, code, lines } = splitScript(source);
  if (/^packages\/[^/]+\/test\//.test(path))
    return segments.filter((segment) => segment.kind !== 'string' || isTestName(segment)).flatMap(findPhrases);
  const prose = segments.filter(({ kind, text }) => kind !== 'string' || text.includes(' '));
  const findings = prose.flatMap(findPhrases);
  for (const { name, line } of identifiers(code, lines)) findings.push(...findNames(name, line));
  for (const { kind, text, lineAt } of segments) {
    if (kind === 'string' && !text.includes(' ')) findings.push(...findNames(text, lineAt(0)));
  }
  return findings;
}

function findPhrases({ kind, text, lineAt }) {
  const found = [];
  for (const { pattern, instead, only } of PHRASES) {
    if (only !== undefined && only !== kind) continue;
    for (const match of text.matchAll(pattern)) {
      found.push({ line: lineAt(match.index), message: `"${shorten(match[0])}"; write ${quote(instead)}` });
    }
  }
  return found;
}

function findNames(name, line) {
  const words = wordsOf(name.replaceAll(RANK_SUM, ''));
  return NAMES.filter((rule) => rule.words.some((word) => words.includes(word))).map(({ instead }) => {
    return { line, message: `name "${name}"; write ${quote(instead)}` };
  });
}

/** Whether a string is the name of a test or of a group of tests. */
function isTestName({ kind, before }) {
  return kind === 'string' && /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\($/.test(before.trimEnd());
}

function quote(instead) {
  return instead.includes('"') ? instead : `"${instead.replaceAll(', ', '", "')}"`;
}

function shorten(text) {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text.trim();
}
