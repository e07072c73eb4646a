import type { ObjectEntry } from '@htskit/catalogue';
import { encodePercents } from '@htskit/io/internal';
import { type Datatype, FORMATS } from '@htskit/protocol';
import type { Sequence } from '@htskit/sequences';
import { BROWSER_CONFIGS } from '../../runtime/browsers/browser-paths.js';
import { openLinks } from '../../runtime/browsers/open-links.js';
import type { RunningServer } from '../../runtime/serve.js';
import { findExampleRegion } from '../../stored-file/example-region.js';

/** The command that reads records of each datatype from a URL. */
const CLIENTS: Readonly<Record<Datatype, string>> = { reads: 'samtools view', variants: 'bcftools view' };
/** The maximum number of objects that are looked at for each datatype. */
const EXAMINED_OBJECTS = 50;
/** The maximum number of sequences that are looked at. */
const EXAMINED_SEQUENCES = 100;
const DATATYPES: readonly Datatype[] = ['reads', 'variants'];

export interface ExampleOptions {
  /** The URL at which clients reach the server, without a slash at the end. */
  readonly baseUrl: string;
  readonly write: (line: string) => void;
}

/** Writes one command for each datatype and for a sequence. They work against this server. */
export async function writeExamples(server: RunningServer, { baseUrl, write }: ExampleOptions): Promise<void> {
  // The commands need a key for what is stored encrypted.
  const entries = (await server.objects.list().catch(() => [])).filter(({ encrypted }) => encrypted === undefined);
  const commands: string[] = [];
  for (const datatype of DATATYPES) {
    const path = await findExample(
      server,
      entries.filter((entry) => entry.datatype === datatype),
    );
    if (path !== undefined) commands.push(`${CLIENTS[datatype]} '${baseUrl}${path}'`);
  }
  await server.sequences.settled();
  const sequence = await exampleSequence(server.sequences.longest(EXAMINED_SEQUENCES));
  if (sequence !== undefined) {
    commands.push(`curl -s '${baseUrl}/sequence/${sequence.metadata.md5}?start=10&end=20'`);
  }
  if (commands.length === 0) return;
  write(['', 'Try in another terminal:', '', ...commands.map((command) => `  ${command}`), ''].join('\n'));
  write(`All that is served: ${baseUrl}/ in a browser, or curl -s ${baseUrl}/`);
  const { igv, jbrowse } = BROWSER_CONFIGS;
  write(`For genome browsers: ${baseUrl}${igv} (igv.js), ${baseUrl}${jbrowse} (JBrowse)`);
  for (const { browser, url } of openLinks(baseUrl)) write(`  open in ${browser}: ${url}`);
  write('');
}

/**
 * Returns the path of an example, of the object in the most formats if there are several. An object that cannot be read, or
 * that has no placed records, is skipped. One in the default format is preferred: clients may lack the reference of CRAM.
 */
async function findExample(server: RunningServer, entries: readonly ObjectEntry[]): Promise<string | undefined> {
  const ordered = [...entries].sort((a, b) => b.formats.length - a.formats.length);
  let other: string | undefined;
  for (const entry of ordered.slice(0, EXAMINED_OBJECTS)) {
    const example = await examplePath(server, entry).catch(() => undefined);
    if (example?.isDefault === true) return example.path;
    other ??= example?.path;
  }
  return other;
}

interface ExamplePath {
  readonly path: string;
  /** Whether the object is stored in the default format of its datatype. */
  readonly isDefault: boolean;
}

/**
 * Returns the path and query of a region of an object, in the default format of its datatype if it is stored in that, and in
 * its own otherwise. Returns undefined for an object without placed records. Throws the same errors as `findExampleRegion`.
 */
async function examplePath(server: RunningServer, { id, datatype }: ObjectEntry): Promise<ExamplePath | undefined> {
  const [file] = (await server.objects.resolve(id, datatype)) ?? [];
  const region = file && (await findExampleRegion(file));
  if (file === undefined || region === undefined) return undefined;
  const { referenceName, start, end } = region;
  const isDefault = file.format === FORMATS[datatype][0];
  const query = `referenceName=${encodePercents(referenceName)}&start=${start}&end=${end}`;
  const path = `/${datatype}/${id.split('/').map(encodePercents).join('/')}?${query}`;
  return { path: isDefault ? path : `${path}&format=${file.format}`, isDefault };
}

/** Returns the first sequence whose first bases are not N: most chromosomes begin with a run of N. */
async function exampleSequence(longest: readonly Sequence[]): Promise<Sequence | undefined> {
  for (const sequence of longest) {
    if (sequence.metadata.length < 20) return undefined;
    const bases = await sequence.read({ start: 10, end: 20 }).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );
    if (bases !== undefined && !bases.includes('N')) return sequence;
  }
  return undefined;
}
