import { readFileSync } from 'node:fs';

/** Comments, strings, templates and regular expressions of a script. Consecutive lines of comment are one. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|\$\{[^}]*\}|[^`\\])*`|(?<=(?:[([{,;=:?!&|]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;
/** Spaces between two words, or the end of a line and the margin of the next line of a comment. */
const GAP = String.raw`(?: +| *\n[ \t]*(?:\*|//)? *)`;
const SIX_WORDS = String.raw`(?:${GAP}[^\s.,;:!?()|]+){0,6}`;

const [PROSE, NAMES] = readFileSync(new URL('../../docs/words.md', import.meta.url), 'utf8')
  .split(/^## (?=Prose|Names)/m)
  .slice(1)
  .map((section, index) =>
    Array.from(section.matchAll(/^\| (?!not |-)(.+?) +\| (.+?) +\| (.*?) *\|$/gm), ([, not, instead, fine]) => {
      const toPatterns = (list) => list.split(', ').map(index === 0 ? toPhrase : toName);
      return {
        found: toPatterns(not),
        instead: instead.includes('"') ? instead : `"${instead.replaceAll(', ', '", "')}"`,
        allowed: fine === '' ? [] : toPatterns(fine),
      };
    }),
  );

/** Returns the pattern of a phrase in prose. */
function toPhrase(phrase) {
  const words = phrase.split(' ').map((word) => {
    if (word.startsWith('…')) return SIX_WORDS + escapePattern(word.slice(1));
    return `${GAP}(?:${word === '/**' ? escapePattern(word) : word.split('/').map(escapePattern).join('|')})`;
  });
  return new RegExp(`(?<!\\w)${words.join('').slice(GAP.length)}(?!\\w)`, /^[a-z]/.test(phrase) ? 'gi' : 'g');
}

/** Returns the pattern of a word of identifiers, which may be in camel case or in capitals. */
function toName(word) {
  const [capital, capitals] = [word[0].toUpperCase() + word.slice(1), word.toUpperCase()];
  return new RegExp(`(?:(?<![a-z])${word}|${capital})(?![a-z])|(?<![A-Z])${capitals}(?![A-Z])`, 'g');
}

function escapePattern(text) {
  return text.replaceAll(/[^\w-]/g, String.raw`\$&`);
}

/** Returns the words in a file that docs/words.md lists: `{ line, message }`. */
export function checkWords(path, source) {
  const parts = path.endsWith('.md') ? [{ rules: PROSE, from: 0, text: source }] : splitScript(path, source);
  return parts.flatMap(({ rules, from, text }) =>
    rules.flatMap(({ found, instead, allowed }) => {
      const matches = matchesOf(found, text);
      const fine = matches.length === 0 ? [] : matchesOf(allowed, text);
      return matches
        .filter(({ start, end }) => !fine.some((other) => other.start <= start && end <= other.end))
        .map(({ start, end }) => ({
          line: source.slice(0, from + start).split('\n').length,
          message: `"${text.slice(start, end).replaceAll(/\s[\s*/]*/g, ' ')}"; write ${instead}`,
        }));
    }),
  );
}

/** Splits a script into its comments, messages and code. A string without a space belongs to the code. */
function splitScript(path, source) {
  const isTest = /^packages\/[^/]+\/test\//.test(path);
  const parts = [];
  const code = source.replaceAll(TOKEN, (token, at) => {
    const isString = /^['"`]/.test(token);
    if (isString && !token.includes(' ')) return token;
    const isProse = isString ? !isTest || namesTest(source.slice(Math.max(0, at - 200), at)) : /^\/[/*]/.test(token);
    if (isProse) parts.push({ rules: PROSE, from: at, text: token });
    return token.replaceAll(/\S/g, ' ');
  });
  return isTest ? parts : [...parts, { rules: NAMES, from: 0, text: code }];
}

/** Whether the string after `code` is the name of a test or of a group of tests. Other strings of tests are data. */
function namesTest(code) {
  return /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\($/.test(code.trimEnd());
}

function matchesOf(patterns, text) {
  return patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({ start: index, end: index + length })),
  );
}
