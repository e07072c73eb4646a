// Writes what docs/commands.md repeats of `--help`, and what docs/configuration.md repeats of htskit.schema.json, between markers:
// `<!-- htskit get -->` … `<!-- /htskit get -->`. `--check` fails if that is outdated.
//
// Usage: node scripts/reference.mjs [--check], after a build
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeCell, formatMarkdownTable } from '../benchmarks/report/markdown-table.mjs';
import { createProgram } from '../packages/server/dist/program.js';
import { describeCommand, walkCommands } from './man-pages.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const schema = JSON.parse(readFileSync(`${root}packages/server/htskit.schema.json`, 'utf8'));

/** Returns the part of docs/commands.md about a command. */
function toReference({ command, path }) {
  const { prose, examples, exitCodes, options, operands } = describeCommand(command);
  const summary = command.description();
  const rows = [...operands, ...options.filter(([flags]) => flags !== '-h, --help')];
  return [
    `\`\`\`sh\n${path.join(' ')} ${command.usage()}\n\`\`\``,
    `${summary[0].toUpperCase()}${summary.slice(1)}.`,
    prose !== summary && toProse(prose),
    rows.length > 0 && toTable(['argument, option', 'description'], rows),
    `\`\`\`sh\n${examples.replaceAll(/^ {2}/gm, '')}\n\`\`\``,
    `Exit codes: ${exitCodes}`,
  ];
}

/** Returns the text of a help as Markdown. Its lines that are indented by two spaces are items of a list. */
function toProse(text) {
  return text
    .replaceAll(/\n {3,}/g, ' ')
    .replaceAll(/^ {2}(?:(\w+) {2,})?/gm, (_, term) => (term === undefined ? '- ' : `- ${term}: `))
    .replaceAll(/^(?!- )(.+)\n(?=- )|^(- .+)\n(?!- )/gm, '$1$2\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .split('\n')
    .map(toMarkdown)
    .join('\n');
}

/** Returns text as Markdown, in which options, variables, names of files and URLs are code. */
function toMarkdown(text) {
  return text
    .split(/(--[a-z-]+|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|\*\.[\w.]*\w|\w+:\/\/[^\s,]*[\w/])/)
    .map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapeCell(part)))
    .join('');
}

/** Returns the rows of the keys in a section of the configuration. */
function keysBelow(path, node) {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const at = `${path}.${key}`;
    const alternatives = alternativesOf(child);
    const section = alternatives.find(({ properties }) => properties !== undefined);
    if (section !== undefined) return keysBelow(at, section);
    const description = [child.description, child.items?.description].filter(Boolean).join(' ');
    const elements = alternatives.flatMap(({ items = {}, additionalProperties }) => [
      ...keysBelow(`${at}[]`, items),
      ...keysBelow(`${at}.NAME`, Object(additionalProperties)),
    ]);
    return [[at, alternatives.flatMap(valuesOf).join(', '), description], ...elements];
  });
}

/** Returns the alternatives of a schema, except for the one of a variable. */
function alternativesOf({ anyOf, ...schema }) {
  return (anyOf ?? [schema]).filter(({ pattern }) => pattern !== '\\$\\{');
}

function valuesOf(node) {
  if (node.anyOf !== undefined) return alternativesOf(node).flatMap(valuesOf);
  if (node.enum !== undefined || node.const !== undefined) return (node.enum ?? [node.const]).map(String);
  return node.type === 'array' ? ['list'] : [node.type];
}

function toTable(header, rows) {
  const lines = rows.map(([name, ...others]) => [`\`${name.replaceAll('|', '\\|')}\``, ...others.map(toMarkdown)]);
  return formatMarkdownTable(header, lines, new Set());
}

/** Replaces the parts of a document. Throws if it has no place for one, or a place for another. */
function updateDocument(file, parts) {
  const before = readFileSync(root + file, 'utf8');
  let text = before;
  for (const [name, paragraphs] of parts) {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`${file} has no place for ${name}`);
    const part = paragraphs.filter((paragraph) => paragraph !== false).join('\n\n');
    text = text.replace(place, (_, start, end) => `${start}\n${part}\n\n${end}`);
  }
  const places = before.match(/^<!-- \//gm)?.length ?? 0;
  if (places !== parts.length) throw new Error(`${file} has ${places} places for ${parts.length} parts`);
  if (text === before) return;
  if (!process.argv.includes('--check')) return writeFileSync(root + file, text);
  console.error(`${file} is outdated; run node scripts/reference.mjs`);
  process.exitCode = 1;
}

const commands = walkCommands(await createProgram()).filter(({ command }) => command.commands.length === 0);
updateDocument(
  'docs/commands.md',
  commands.map((each) => [each.path.join(' '), toReference(each)]),
);
const sections = Object.entries(schema.properties);
const summaries = sections.map(([name, { description }]) => [name, description]);
const tables = sections.flatMap(([name, section]) => {
  const rows = alternativesOf(section).flatMap((alternative) => keysBelow(name, alternative));
  return rows.length === 0 ? [] : [[`keys of ${name}`, [toTable(['key', 'values', 'description'], rows)]]];
});
updateDocument('docs/configuration.md', [['keys', [toTable(['key', 'description'], summaries)]], ...tables]);
