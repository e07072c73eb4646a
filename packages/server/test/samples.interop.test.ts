import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler, type StoredFile } from '@htskit/htsget';
import type { Datatype, HtsgetFormat } from '@htskit/protocol';
import { fileSource } from '@htskit/storage/file';
import { createRandom, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../src/runtime/serve.js';
import { fetchAnswer, type Handler, PUBLIC_URL } from './interop-client.js';
import { type AnswerCase, cases, decodingWithoutReference, referencesOf } from './interop-files.js';
import { lines, runTool } from './interop-tools.js';
import { runBinaryCommand } from './run-command.js';

const variants = cases.filter(({ datatype, format }) => datatype === 'variants' && format !== 'VCFTEXT');
const reads = cases.filter(({ datatype }) => datatype === 'reads');
const FORMATS = ['VCF', 'BCF', 'VCFTEXT'] as const satisfies HtsgetFormat[];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function handlerOf(file: StoredFile): Handler {
  return createHtsgetHandler({
    resolve: async (id) => (id === 'file' ? [file] : undefined),
    publicUrl: PUBLIC_URL,
    precision: 'exact',
    onWarning: () => undefined,
  });
}

async function download(handler: Handler, path: string, name: string, init?: RequestInit): Promise<string> {
  const output = join(folder, name);
  writeFileSync(output, await fetchAnswer(handler, path, init));
  return output;
}

/** Returns the records of a file without AF and NS, which bcftools does not count again. */
async function printVariants(...args: string[]): Promise<string[]> {
  const records = lines(await runTool(['bcftools', 'view', '--no-version', '-H', ...args]));
  return records.map((line) => {
    const columns = line.split('\t');
    const info = columns[7]?.split(';').filter((entry) => !/^(?:AF|NS)=/.test(entry)) ?? [];
    return columns.with(7, info.length === 0 ? '.' : info.join(';')).join('\t');
  });
}
/**
 * Writes a file that declares AC and AN, which bcftools adds to all files, while htskit counts what is declared. Returns its path and
 * its samples.
 */
async function prepare({ path }: AnswerCase, extension: string): Promise<{ prepared: string; samples: string[] }> {
  const prepared = join(folder, `in${extension}`);
  const samples = lines(await runTool(['bcftools', 'query', '-l', path]));
  const type = extension === '.bcf' ? 'b' : 'z';
  const all = samples.length === 0 ? [] : ['-s', samples.join()];
  await runTool(['bcftools', 'view', '--no-version', ...all, '-O', type, '-o', prepared, path]);
  await runTool(['bcftools', 'index', '-f', prepared]);
  return { prepared, samples };
}

/** Returns some lists of samples in the order of the file. */
function someLists(samples: readonly string[]): string[][] {
  const random = createRandom(9);
  const lists = [samples.slice(0, 1), samples.slice(-1), samples.filter(() => random() < 0.5), [...samples]];
  return lists.filter((list) => list.length > 0);
}

describe.each(variants.map((file) => [file.name, file] as const))('%s', (_, file) => {
  const extension = file.format === 'BCF' ? '.bcf' : '.vcf.gz';

  test('has the samples that bcftools view -s keeps', { timeout: 120_000 }, async () => {
    const { prepared, samples } = await prepare(file, extension);
    const handler = handlerOf({
      format: file.format === 'BCF' ? 'BCF' : 'VCF',
      data: fileSource(prepared),
      index: fileSource(`${prepared}.csi`),
    });
    const [reference] = await referencesOf(file);
    const region = reference && `${reference.name}:1-${Math.ceil(reference.length / 3)}`;
    for (const list of someLists(samples)) {
      const expected = await printVariants('-s', list.join(), prepared);
      const stored = await printVariants('-I', '-s', list.join(), prepared);
      const names = encodeURIComponent(list.join());
      for (const format of FORMATS) {
        const path = `/variants/file?format=${format}&samples=${names}`;
        const output = `out.${format}`;
        expect(await printVariants(await download(handler, path, output)), path).toEqual(expected);
        expect(await printVariants(await download(handler, `${path}&samplesUpdate=off`, output))).toEqual(stored);
        const body = JSON.stringify({ format, samples: list });
        const post = { method: 'POST', body };
        expect(await printVariants(await download(handler, '/variants/file', output, post))).toEqual(expected);
        if (region === undefined || reference === undefined || reference.name.includes(':')) continue;
        const query = `${path}&referenceName=${encodeURIComponent(reference.name)}&start=0&end=${Math.ceil(reference.length / 3)}`;
        expect(await printVariants(await download(handler, query, output)), query).toEqual(
          await printVariants('-s', list.join(), prepared, region),
        );
      }
    }
    expect(await printVariants(await download(handler, '/variants/file?samples=', 'sites.vcf.gz'))).toEqual(
      await printVariants('-G', '-I', prepared),
    );
  });

  test('is printed by htskit view -s as by bcftools', { timeout: 60_000 }, async () => {
    const { prepared, samples } = await prepare(file, extension);
    if (samples.length === 0) return;
    const output = join(folder, 'view.bcf');
    const reversed = samples.toReversed();
    writeFileSync(join(folder, 'names'), `${samples[0]}\n`);
    for (const options of [
      ['-s', reversed.join()],
      ['-S', join(folder, 'names')],
      ['-I', '-s', samples.slice(-1).join()],
      ...(samples.length > 1 ? [['-s', `^${samples[0]}`]] : []),
    ]) {
      const { code, stderr } = await runBinaryCommand(['view', ...options, prepared, '-o', output]);
      expect(code, stderr).toBe(0);
      expect(await printVariants(output), options.join(' ')).toEqual(await printVariants(...options, prepared));
    }
  });
});

const FILTERS: readonly (readonly [query: string, options: readonly string[]])[] = [
  ['requireFlags=2', ['-f', '2']],
  ['excludeFlags=0x904', ['-F', '0x904']],
  ['minMappingQuality=20', ['-q', '20']],
  ['requireFlags=0x10&excludeFlags=1024&minMappingQuality=1', ['-f', '16', '-F', '1024', '-q', '1']],
];

const catalogues = new Map<string, Awaited<ReturnType<typeof folderObjects>>>();
afterAll(async () => {
  await Promise.all([...catalogues.values()].map((catalogue) => catalogue.close()));
});

describe.each(reads.map((file) => [file.name, file] as const))('%s', (_, file) => {
  test('as BAM has the reads that samtools view -f -F -q keeps, and those of samples', {
    timeout: 120_000,
  }, async () => {
    const catalogue = catalogues.get(file.folder) ?? (await folderObjects(file.folder));
    catalogues.set(file.folder, catalogue);
    const stored = (await catalogue.resolve(file.id, 'reads' satisfies Datatype))?.find(
      ({ format }) => format === file.format,
    );
    if (stored === undefined) throw new Error(`${file.id} is missing`);
    const references = await referencesOf(file);
    const handler = handlerOf(stored);
    const decoding = decodingWithoutReference(references, join(folder, `${file.id}.fa`));
    // CRAM of others needs references that are not here.
    if (file.format === 'CRAM' && file.isExternal) return;
    const print = (...args: string[]): Promise<string> => runTool(['samtools', 'view', ...args]);
    const local = file.format === 'CRAM' ? [...decoding, file.path] : [file.path];
    const groups = lines(await print('-H', file.path)).filter((line) => line.startsWith('@RG'));
    const [sample] = groups.flatMap((line) => /\tSM:([^\t]+)/.exec(line)?.[1] ?? []);
    const ids = groups
      .filter((line) => line.includes(`\tSM:${sample}`))
      .flatMap((line) => /\tID:([^\t]+)/.exec(line)?.[1] ?? []);
    const bySample = ids.map((id) => `[RG]=="${id}"`).join(' || ');
    const filters = [
      ...FILTERS,
      ...(sample === undefined ? [] : [[`samples=${encodeURIComponent(sample)}`, ['-e', bySample]] as const]),
    ];
    const columns = (text: string): string[] => lines(text).map((line) => line.split('\t').slice(0, 9).join('\t'));
    // Decoders of CRAM differ in what they compute anew: MD and NM.
    const compared = file.format === 'CRAM' ? columns : lines;
    for (const [query, options] of filters) {
      for (const [name, region] of [
        [undefined, undefined],
        [references[0]?.name, references[0]?.name],
      ] as const) {
        if (name?.includes(':') === true) continue;
        const path = `/reads/file?format=BAM&${query}${name === undefined ? '' : `&referenceName=${encodeURIComponent(name)}`}`;
        const received = await print(await download(handler, path, 'out.bam'));
        const expected = await print(...options, ...local, ...(region === undefined ? [] : [region]));
        expect(compared(received), path).toEqual(compared(expected));
      }
    }
  });
});

describe('URLs of a server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const options = { paths: [fixturePath('.')], host: '127.0.0.1', port: 0, authority: 'ga4gh' } as const;
    server = await serve({ ...options, log: () => undefined });
  });
  afterAll(() => server.close());

  test('that select samples are read by bcftools', async () => {
    const file = fixturePath('variants.bcf');
    for (const format of FORMATS) {
      const url = `${server.url}/variants/variants?format=${format}&samplesUpdate=off&samples=dave,bob&referenceName=chr2`;
      expect(await printVariants(url), url).toEqual(await printVariants('-I', '-s', 'bob,dave', file, 'chr2'));
    }
  });

  test('that select reads are read by samtools', async () => {
    const url = `${server.url}/reads/reads?excludeFlags=0x904&minMappingQuality=20&referenceName=chr1`;
    const local = ['samtools', 'view', '-F', '0x904', '-q', '20', fixturePath('reads.bam'), 'chr1'];
    expect(await runTool(['samtools', 'view', url])).toBe(await runTool(local));
  });
});
