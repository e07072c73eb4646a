import { readBgzfFile } from '@htskit/htsget';
import { parseBinningIndex, readIndex } from '@htskit/indexes';
import type { Sequence } from '@htskit/refget';
import type { RunningServer } from './serve.js';

/** Writes commands that work against this server, for each object and for one sequence. */
export async function writeExamples(
  server: RunningServer,
  { baseUrl, write }: { readonly baseUrl: string; readonly write: (line: string) => void },
): Promise<void> {
  const reads: string[] = [];
  for (const { id } of await server.objects.list()) {
    const url = `${baseUrl}/reads/${id.split('/').map(encodeForShell).join('/')}`;
    reads.push(`samtools view '${url}${await exampleRegion(server, id)}'`);
  }
  const sequence = await exampleSequence(server.sequences.all());
  write('');
  if (reads.length > 0) write(`Reads of a region (htsget), with samtools 1.6 or newer:\n\n${indent(reads)}\n`);
  const ticket = reads[0]?.replace('samtools view', 'curl -s');
  if (ticket !== undefined) write(`The ticket behind the first one:\n\n${indent([ticket])}\n`);
  if (sequence !== undefined) {
    const url = `${baseUrl}/sequence/${sequence.metadata.md5}`;
    const slices = [`curl -s '${url}?start=10&end=20'`, `curl -s '${url}/metadata'`];
    write(`Ten bases of a reference sequence (refget), and what is known of it:\n\n${indent(slices)}\n`);
  }
}

/** Also the apostrophe, which would end the quotes that the command has around its URL. */
function encodeForShell(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** A query for a region of a reference with reads, or none where the object has no references or cannot be read. */
async function exampleRegion(server: RunningServer, id: string): Promise<string> {
  try {
    const [file] = (await server.objects.resolve(id, 'reads')) ?? [];
    if (file === undefined) return '';
    if (file.format === 'CRAM') return '';
    const { header } = await readBgzfFile(file.data, {
      ...(await file.data.stat()),
      format: file.format,
      maxHeaderBytes: 1 << 27,
    });
    const index = file.index && (await readIndex(file.index, parseBinningIndex));
    // Without an index any reference will do.
    const [name] = [...header.referenceIds].find(([_, id]) => index?.referenceStatistics(id)?.mapped !== 0) ?? [];
    return name === undefined ? '' : `?referenceName=${encodeForShell(name)}&start=1000&end=2000`;
  } catch {
    // Who asks for the object is told why it cannot be read.
    return '';
  }
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
