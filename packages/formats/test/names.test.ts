import { decodeText, encodeText, peek } from '@htskit/io';
import { volume } from '@htskit/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AlignmentRecord,
  createBamToSam,
  createBcfToVcf,
  createSamToBam,
  createVcfFilter,
  createVcfToBcf,
  FastaParser,
  parseBamHeader,
  parseBcfHeader,
  parseSamHeader,
  parseVcfHeader,
  VariantHeader,
  VcfVariantRecord,
} from '../src/index.js';
import { BamHeaderReader, BcfHeaderReader, samHeaderLines, VcfHeaderReader } from '../src/internal.js';
import { differentNames, joinBytes, nameBytes } from './name-bytes.js';

const RUNS = { numRuns: volume(2000) };
type Converter = ReturnType<typeof createBamToSam>;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function convert(converter: Converter, data: Uint8Array): Buffer {
  const pieces = [...converter.push(data), ...converter.finish()];
  return Buffer.concat([converter.header, ...pieces.map((piece) => Buffer.from(peek(piece)))]);
}

test('names of SAM pass through BAM and back, and stay different', () => {
  fc.assert(
    fc.property(differentNames(2), differentNames(2), nameBytes, nameBytes, ([a, b], [r, s], read, tag) => {
      if (a === undefined || b === undefined || r === undefined || s === undefined) return;
      const header = joinBytes`@HD\tVN:1.6\n@SQ\tSN:${a}\tLN:9\n@SQ\tSN:${b}\tLN:8\n@RG\tID:${r}\tSM:${b}\n@RG\tID:${s}\n`;
      const lines = joinBytes`${read}\t0\t${b}\t1\t9\t1M\t${a}\t2\t0\tA\tI\tRG:Z:${s}\tXZ:Z:${tag}\n`;
      const sam = Buffer.concat([header, lines]);
      const parsed = parseSamHeader(sam);
      expect(parsed.references).toEqual([
        { name: decodeText(a), length: 9 },
        { name: decodeText(b), length: 8 },
      ]);
      const bam = convert(createSamToBam(parsed), sam.subarray(parsed.byteLength));
      const stored = parseBamHeader(bam);
      const records = bam.subarray(stored.byteLength);
      expect(hex(convert(createBamToSam(stored), records))).toBe(hex(sam));
      const record = new AlignmentRecord(records);
      expect(hex(encodeText(`${record.toSam(stored)}\n`))).toBe(hex(lines));
      expect([record.name, record.tag('RG'), record.tag('XZ')].map((text) => hex(encodeText(String(text))))).toEqual(
        [read, s, tag].map(hex),
      );
      const reader = new BamHeaderReader();
      reader.read(bam);
      expect([...reader.referenceIds]).toEqual([a, b].map((name, id) => [decodeText(name), id]));
      expect(reader.referenceIds.get(decodeText(b))).toBe(1);
      expect(Array.from(samHeaderLines(stored.text, '@RG'), ({ line }) => line.split('\t')[1])).toEqual(
        [r, s].map((id) => `ID:${decodeText(id)}`),
      );
    }),
    RUNS,
  );
});

test('names of VCF pass through BCF and back, and stay different', () => {
  fc.assert(
    fc.property(differentNames(4), differentNames(2), nameBytes, ([a, b, filter, key], [one, two], value) => {
      if (a === undefined || b === undefined || filter === undefined || key === undefined) return;
      if (one === undefined || two === undefined) return;
      const header = joinBytes`##fileformat=VCFv4.3\n##FILTER=<ID=PASS,Description="All filters passed">\n##FILTER=<ID=${filter},Description="${value}">\n##INFO=<ID=K${key},Number=1,Type=String,Description="x">\n##contig=<ID=${a}>\n##contig=<ID=${b}>\n##source=${value}\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts${one}\ts${two}\n`;
      const [first, second] = [a, b].map(
        (contig) => joinBytes`${contig}\t5\t${value}\tA\tC\t.\t${filter}\tK${key}=${value}\t.\t.\t.\n`,
      );
      if (first === undefined || second === undefined) return;
      const vcf = Buffer.concat([header, first, second]);
      const parsed = parseVcfHeader(vcf);
      expect(hex(encodeText(parsed.text))).toBe(hex(header));
      expect(parsed.contigs.map(({ name }) => name)).toEqual([a, b].map((name) => decodeText(name)));
      const bcf = convert(createVcfToBcf(parsed), vcf.subarray(parsed.byteLength));
      const stored = parseBcfHeader(bcf);
      expect(hex(convert(createBcfToVcf(stored), bcf.subarray(stored.byteLength)))).toBe(hex(vcf));
      const variants = new VariantHeader(parsed);
      expect(variants.samples).toEqual([one, two].map((name) => `s${decodeText(name)}`));
      const record = new VcfVariantRecord(variants).at(vcf, parsed.byteLength);
      expect(hex(encodeText(`${record.toVcf()}\n`))).toBe(hex(first));
      for (const reader of [new VcfHeaderReader(), new BcfHeaderReader()]) {
        reader.read(reader instanceof VcfHeaderReader ? vcf : bcf);
        expect([...reader.referenceIds]).toEqual([a, b].map((name, id) => [decodeText(name), id]));
      }
      const kept = createVcfFilter([{ referenceName: decodeText(b), start: 0, end: 10 }]);
      const lines = [...kept.push(vcf.subarray(parsed.byteLength)), ...kept.finish()].map((piece) =>
        Buffer.from(peek(piece)),
      );
      expect(hex(Buffer.concat(lines))).toBe(hex(second));
    }),
    RUNS,
  );
});

test('names of FASTA have their bytes, wherever the text is cut', () => {
  fc.assert(
    fc.property(nameBytes, nameBytes, fc.integer({ min: 1, max: 4 }), (name, description, size) => {
      const text = joinBytes`>x${name} x${description}x\nACGT\n`;
      const found: string[] = [];
      const parser = new FastaParser({
        onRecord: (...words) => found.push(...words.slice(0, 2).map(String)),
        onSequence: () => undefined,
      });
      for (let at = 0; at < text.length; at += size) parser.push(text.subarray(at, at + size));
      parser.finish();
      expect(found).toEqual([`x${decodeText(name)}`, `x${decodeText(description)}x`]);
    }),
    RUNS,
  );
});
