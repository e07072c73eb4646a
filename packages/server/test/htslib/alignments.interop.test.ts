import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createRandom, volume } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type Call, installPysam, judge, PYSAM_VERSION } from '../agreement/judge.js';
import { lines, runTool } from '../interop-tools.js';
import { runCommand } from '../run-command.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const python = await installPysam(scratch);
afterAll(() => rmSync(scratch, { recursive: true }));

/** Returns the outputs of commands of the samtools that pysam bundles. */
async function pysam(...commands: readonly (readonly [string, ...string[]])[]): Promise<string[]> {
  const calls = commands.map((command): Call => ['samtools', ...command]);
  const [outputs = []] = await judge(python ?? '', scratch, [calls]);
  return outputs.map((output, index) => {
    if (output === null) throw new Error(`samtools ${commands[index]?.join(' ')} failed`);
    return output;
  });
}

async function view(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['view', '--quiet', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Draws random numbers below a limit, and items of a list. */
function chooser(seed: number): {
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
} {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { below, pick: (items) => items[below(items.length)] as never };
}

/** Returns SAM of templates of two and three records, many of which start together, with the lengths that some rule gives. */
function templates(seed: number): string {
  const { below, pick } = chooser(seed);
  const records: { readonly start: number; readonly line: string }[] = [];
  for (let template = 0; template < volume(2000); template++) {
    const start = 1 + below(1500);
    const segments = Array.from({ length: pick([2, 2, 2, 3]) }, () => ({
      start: start + pick([0, 0, 0, 0, 1, 5]),
      bases: pick([10, 10, 11, 14]),
      flags: 1 | pick([64, 128, 64, 128, 0, 192]) | pick([0, 16]),
    }));
    const leftmost = Math.min(...segments.map((segment) => segment.start));
    const length = Math.max(...segments.map((segment) => segment.start + segment.bases)) - leftmost;
    const rule = pick(['first record', 'first segment', 'first end', 'none', 'any']);
    for (const [index, { start: own, bases, flags }] of segments.entries()) {
      const mate = segments[(index + 1) % segments.length] ?? { start: own, flags };
      const isPositive: Readonly<Record<string, boolean>> = {
        'first record': index === 0,
        'first segment': own === leftmost && (flags & 64) !== 0,
        'first end': own === leftmost && own + bases < leftmost + length,
        any: below(2) === 0,
      };
      const templateLength = rule === 'none' ? 0 : isPositive[rule] === true ? length : -length;
      const columns = [flags | ((mate.flags & 16) << 1), 'ref', own, 30, `${bases}M`, '=', mate.start, templateLength];
      records.push({ start: own, line: [`t${template}`, ...columns, 'A'.repeat(bases), 'I'.repeat(bases)].join('\t') });
    }
  }
  records.sort((a, b) => a.start - b.start);
  return `@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:ref\tLN:2000\n${records.map(({ line }) => `${line}\n`).join('')}`;
}

/** Returns QNAME and TLEN of each record of SAM. */
function lengthsOf(sam: string): string[] {
  const records = lines(sam).filter((line) => !line.startsWith('@'));
  return records.map((line) => line.replace(/^([^\t]+\t)(?:[^\t]+\t){7}([^\t]+)\t.*/, '$1$2'));
}

describe.skipIf(python === undefined)(`the samtools of pysam ${PYSAM_VERSION}`, () => {
  test.each(['2.1', '3.0', '3.1'])(
    'CRAM %s of both releases of samtools has the TLEN that was written',
    async (cram) => {
      const sam = join(scratch, `${cram}.sam`);
      writeFileSync(sam, templates(1));
      const written = lengthsOf(readFileSync(sam, 'utf8'));
      const output = (name: string): string => join(scratch, `${name}-${cram}.cram`);
      const args = (name: string): [string, ...string[]] => [
        'view',
        '-O',
        `cram,version=${cram},no_ref=1`,
        '-o',
        output(name),
        sam,
      ];
      await runTool(['samtools', ...args('old')]);
      const [, read = ''] = await pysam(args('new'), ['view', output('new')]);
      for (const name of ['old', 'new']) expect(lengthsOf(await view(output(name))), name).toEqual(written);
      // The reason for another rule than that of its decoder. If it reads what was written, its rule can be taken.
      const differing = lengthsOf(read).filter((line, index) => line !== written[index]);
      expect(differing.length).toBeGreaterThan(written.length / 100);
    },
  );

  test('a tag CG is the CIGAR under the same conditions, in lines and in regions', async () => {
    const path = join(scratch, 'cigars.bam');
    writeFileSync(path, cigarBam(2));
    const regions = Array.from({ length: volume(200) }, (_, index) => `ref:${10 * index + 1}-${10 * index + 3}`);
    const inRegions = regions.map((region) => ['view', path, region] as const);
    const [, all = '', ...expected] = await pysam(['index', path], ['view', path], ...inRegions);
    expect(all.match(/\tCG:B/g)?.length).toBeGreaterThan(10);
    expect(await view(path)).toBe(all);
    for (const [index, region] of regions.entries()) expect(await view(path, region), region).toBe(expected[index]);
    rmSync(`${path}.bai`);
    await runCommand(['index', '-q', path]);
    expect(await pysam(...inRegions)).toEqual(expected);
  });
});

function int32(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

const [MATCH, DELETION, SKIP, SOFT_CLIP, HARD_CLIP, PADDING] = [0, 2, 3, 4, 5, 6];

/** Returns BAM whose records have placeholders and tags CG of any kind, with CIGARs that match their bases. */
function cigarBam(seed: number): Uint8Array {
  const { below, pick } = chooser(seed);
  const text = '@SQ\tSN:ref\tLN:3000\n';
  const header = [
    Buffer.from('BAM\x01'),
    int32(text.length),
    Buffer.from(text),
    int32(1, 4),
    Buffer.from('ref\0'),
    int32(3000),
  ];
  const records = Array.from({ length: volume(2000) }, (_, number) => {
    const bases = pick([0, 3, 7]);
    const operation = (length: number, code: number): number => 16 * length + code;
    const others = [operation(5, SKIP), operation(2, DELETION), operation(1, PADDING), operation(3, HARD_CLIP)];
    const clip = pick([[operation(bases, SOFT_CLIP)], [operation(bases, SOFT_CLIP)], [operation(bases, MATCH)], []]);
    const placeholder = [...clip, ...Array.from({ length: clip.length && below(4) }, () => pick(others))];
    const real = [operation(bases, MATCH), ...Array.from({ length: below(5) }, () => pick(others.slice(0, 2)))];
    const elements = pick([real, real, []]);
    const array = (type: string): Buffer =>
      Buffer.concat([Buffer.from(`CGB${type}`), int32(elements.length), int32(...elements)]);
    const kinds = [array('I'), array('i'), array('f'), Buffer.from('CGZtext\0'), Buffer.alloc(0)];
    const tag = pick([
      ...kinds,
      array('I'),
      Buffer.concat([Buffer.from('XXAx'), array('I'), Buffer.from('YYi\x01\0\0\0')]),
    ]);
    const name = Buffer.from(`r${number}\0`);
    const flags = pick([0, 0, 0, 4]);
    const body = [
      int32(0, number),
      Buffer.from([name.length, 20, 0, 0, placeholder.length, 0, flags, 0]),
      int32(bases, -1, -1, 0),
      name,
      int32(...placeholder),
      Buffer.alloc((bases + 1) >> 1, 0x11),
      Buffer.alloc(bases, 30),
      tag,
    ];
    const length = body.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat([int32(length), ...body]);
  });
  return Buffer.concat([deflateBlocks(Buffer.concat([...header, ...records])), EOF_MARKER]);
}
