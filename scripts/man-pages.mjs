// Writes a manual page for each command into packages/server/man, from the same descriptions as `--help`. The server's package
// runs this when it is packed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the manual pages of a program of commander, by their file names. */
export function createManPages(program) {
  const pages = walkCommands(program).map(({ command, path }) => [`${path.join('-')}.1`, toPage(command, path)]);
  return new Map(pages);
}

/** Returns a command and all below it, each with the words that it is called by. */
export function walkCommands(command, parents = []) {
  const path = [...parents, command.name()];
  return [{ command, path }, ...command.commands.flatMap((child) => walkCommands(child, path))];
}

/** Returns the parts of what `--help` prints. */
export function describeCommand(command) {
  const help = command.createHelp();
  const options = help.visibleOptions(command).map((option) => [option.flags, help.optionDescription(option)]);
  const operands = command.registeredArguments
    .filter(({ description }) => description)
    .map((argument) => [argument.name(), help.argumentDescription(argument)]);
  return { ...readNotes(command), options, operands };
}

function toPage(command, path) {
  const name = path.join('-');
  const { prose, examples, exitCodes, options, operands } = describeCommand(command);
  const commands = command.commands.map((child) => [
    [...path, child.name()].join(' '),
    `${child.description()}; see ${[...path, child.name()].join('-')}(1)`,
  ]);
  return [
    `.TH "${name.toUpperCase()}" "1" "" "htskit ${rootOf(command).version()}" "htskit"`,
    section('NAME', [`${escapeRoff(name)} \\- ${escapeRoff(command.description())}`]),
    section('SYNOPSIS', [`\\fB${escapeRoff(path.join(' '))}\\fR ${escapeRoff(command.usage())}`]),
    section(
      'DESCRIPTION',
      prose.split('\n\n').map((text) => `.PP\n${escapeRoff(text)}`),
    ),
    section('COMMANDS', list(commands)),
    section('ARGUMENTS', list(operands)),
    section('OPTIONS', list(options)),
    section('EXAMPLES', examples === '' ? [] : [`.nf\n${escapeRoff(examples)}\n.fi`]),
    section('EXIT STATUS', [escapeRoff(exitCodes)]),
    section('SEE ALSO', [
      escapeRoff(path.length > 1 ? `${path.slice(0, -1).join('-')}(1)` : 'samtools(1), bcftools(1)'),
    ]),
  ]
    .filter((text) => text !== '')
    .join('\n')
    .concat('\n');
}

function rootOf(command) {
  return command.parent === null ? command : rootOf(command.parent);
}

/** Splits the text after the options of a help into its paragraphs, its examples and its exit codes. */
function readNotes(command) {
  let text = '';
  command.emit('afterHelp', { error: false, command, write: (part) => (text += part) });
  const [, prose = '', examples = '', exitCodes = ''] =
    /^([\s\S]*?)(?:Examples?:\n([\s\S]*?))?(?:Exit codes: ([\s\S]*))?$/.exec(text.trim()) ?? [];
  return { prose: prose.trim() || command.description(), examples: examples.trimEnd(), exitCodes: exitCodes.trim() };
}

function section(title, lines) {
  const texts = lines.filter((line) => line !== '');
  return texts.length === 0 ? '' : `.SH ${title}\n${texts.join('\n')}`;
}

function list(items) {
  return items.map(([term, description]) => `.TP\n\\fB${escapeRoff(term)}\\fR\n${escapeRoff(description)}`);
}

/** Escapes what roff reads as a command: backslashes, hyphens, and dots and apostrophes at the start of a line. */
function escapeRoff(text) {
  return text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  const { createProgram } = await import('../packages/server/dist/program.js');
  const folder = fileURLToPath(new URL('../packages/server/man/', import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, page] of createManPages(await createProgram())) writeFileSync(folder + name, page);
}
