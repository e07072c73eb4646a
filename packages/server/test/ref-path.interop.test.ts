import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeTwoBit, fixturePath, readFixture } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../src/runtime/serve.js';
import { lines, runTool } from './interop-tools.js';

let scratch = '';
/** Records of these references, as CRAM; 2bit cannot hold all that the others are of. */
const selections: readonly (readonly string[])[] = [[], ['chr1']];
/** The records that samtools reads with a local reference, by the selection. */
const expected = new Map<readonly string[], string>();

const cramOf = (selection: readonly string[]): string => join(scratch, `${selection.join()}.cram`);

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  mkdirSync(join(scratch, 'local'));
  const reference = join(scratch, 'local', 'genome.fa');
  cpSync(fixturePath('genome.fa'), reference);
  for (const selection of selections) {
    const cram = cramOf(selection);
    await runTool(['samtools', 'view', '-C', '-T', reference, '-o', cram, fixturePath('reads.bam'), ...selection]);
    expected.set(selection, await runTool(['samtools', 'view', '-T', reference, cram]));
  }
  // The CRAM names its path, where samtools would find it.
  rmSync(join(scratch, 'local'), { recursive: true });
});

afterAll(() => rmSync(scratch, { recursive: true }));

/** Decodes a CRAM with references from there alone: no cache is asked, and none is written. */
function decode(refPath: string, cram: string): Promise<string> {
  const environment = [`REF_PATH=${refPath}`, 'REF_CACHE=', `HOME=${scratch}`, `XDG_CACHE_HOME=${scratch}`];
  return runTool(['env', ...environment, 'samtools', 'view', cram]);
}

test('without a reference no CRAM can be decoded', async () => {
  for (const selection of selections) {
    await expect(decode('/nowhere/%s', cramOf(selection))).rejects.toThrow(/ended with 1/);
  }
});

/** 2bit has N where the FASTA has another code: that of chr1 has none. */
function twoBitOf(fasta: string): Uint8Array {
  const records = fasta.split('>').slice(1);
  return encodeTwoBit(
    records.map((record) => {
      const [name = '', ...sequence] = record.split('\n');
      return { name: name.split(' ')[0] ?? '', bases: sequence.join('').replace(/[^ACGTN]/gi, 'N') };
    }),
  );
}

describe.each([
  ['genome.fa', () => readFixture('genome.fa'), selections],
  ['genome.fa.gz', () => readFixture('genome.fa.gz'), selections],
  ['genome.2bit', () => twoBitOf(new TextDecoder().decode(readFixture('genome.fa'))), selections.slice(1)],
] as const)('REF_PATH of a server of %s', (name, read, decodable) => {
  let server: RunningServer;
  beforeAll(async () => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    writeFileSync(join(folder, name), read());
    const logged = (message: string): never => {
      throw new Error(message);
    };
    server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: logged });
    await server.sequences.settled();
  });
  afterAll(() => server.close());

  test('decodes a CRAM as the local file does', async () => {
    for (const selection of decodable) {
      const decoded = lines(await decode(`${server.url}/sequence/%s`, cramOf(selection)));
      expect(decoded.length).toBeGreaterThan(1000);
      expect(decoded).toEqual(lines(expected.get(selection) ?? ''));
    }
  });
});
