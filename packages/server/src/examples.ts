import type { StoredFile } from '@htskit/htsget';
import { type Datatype, FORMATS } from '@htskit/protocol';
import type { Sequence } from '@htskit/refget';
import { findExampleRegion } from './example-region.js';
import type { ObjectEntry } from './objects.js';
import type { RunningServer } from './serve.js';

/** What reads the records of a datatype from a URL. */
const CLIENTS: Readonly<Record<Datatype, { readonly command: string; readonly title: string }>> = {
  reads: { command: 'samtools view', title: 'Reads of a region (htsget), with samtools 1.6 or newer' },
  variants: { command: 'bcftools view', title: 'Variants of a region (htsget), with bcftools 1.6 or newer' },
};
const DATATYPES: readonly Datatype[] = ['reads', 'variants'];

export interface ExampleOptions {
  /** Where clients reach the server, without a slash at the end. */
  readonly baseUrl: string;
  readonly write: (line: string) => void;
}

/** Writes commands that work against this server, for each object and for one sequence. */
export async function writeExamples(server: RunningServer, { baseUrl, write }: ExampleOptions): Promise<void> {
  const examples: { readonly datatype: Datatype; readonly url: string }[] = [];
  for (const entry of await server.objects.list()) {
    examples.push({ datatype: entry.datatype, url: baseUrl + (await examplePath(server, entry)) });
  }
  const sequence = await exampleSequence(server.sequences.all());
  write('');
  for (const datatype of DATATYPES) {
    const { command, title } = CLIENTS[datatype];
    const commands = examples.filter((each) => each.datatype === datatype).map(({ url }) => `${command} '${url}'`);
    if (commands.length > 0) write(`${title}:\n\n${indent(commands)}\n`);
  }
  const { url: ticketUrl } = examples.find(({ url }) => url.includes('?')) ?? examples[0] ?? {};
  if (ticketUrl !== undefined) write(`The ticket behind one of them:\n\n${indent([`curl -s '${ticketUrl}'`])}\n`);
  if (sequence !== undefined) {
    const url = `${baseUrl}/sequence/${sequence.metadata.md5}`;
    const slices = [`curl -s '${url}?start=10&end=20'`, `curl -s '${url}/metadata'`];
    write(`Ten bases of a reference sequence (refget), and what is known of it:\n\n${indent(slices)}\n`);
  }
}

/** Path and query of a region of an object: in its default format if it has that, in its own otherwise. */
async function examplePath(server: RunningServer, { id, datatype }: ObjectEntry): Promise<string> {
  const [file] = (await server.objects.resolve(id, datatype)) ?? [];
  const format = file === undefined || file.format === FORMATS[datatype][0] ? [] : [`format=${file.format}`];
  const query = [...(await exampleRegion(file)), ...format].join('&');
  const path = `/${datatype}/${id.split('/').map(encodeForShell).join('/')}`;
  return query === '' ? path : `${path}?${query}`;
}

async function exampleRegion(file: StoredFile | undefined): Promise<string[]> {
  // Who asks for an object that cannot be read is told why.
  const region = file && (await findExampleRegion(file).catch(() => undefined));
  if (region === undefined) return [];
  return [`referenceName=${encodeForShell(region.referenceName)}`, `start=${region.start}`, `end=${region.end}`];
}

/** Also the apostrophe, which would end the quotes that the command has around its URL. */
function encodeForShell(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** The longest sequence whose first bases are known: chromosomes mostly begin with a run of N. */
async function exampleSequence(sequences: readonly Sequence[]): Promise<Sequence | undefined> {
  for (const sequence of [...sequences].sort((a, b) => b.metadata.length - a.metadata.length)) {
    if (sequence.metadata.length < 20) return undefined;
    const bases = new TextDecoder().decode(await sequence.read({ start: 10, end: 20 }));
    if (!bases.includes('N')) return sequence;
  }
  return undefined;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
