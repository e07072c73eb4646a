import { toOwned } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { GrowingAlignments } from '../../../src/bam/columns/growing-alignments.js';
import { GrowingTag } from '../../../src/bam/columns/growing-tag.js';
import type { TagColumn } from '../../../src/bam/columns/tag-column.js';
import { openRecordData } from '../../../src/bam/record-fields.js';
import { ByteWriter } from '../../../src/bytes/byte-writer.js';
import { writeSamTags } from '../../../src/convert/alignments/sam-tags.js';

const writer = new ByteWriter();

/** Returns the column of a tag whose values are SAM texts such as `i:1`; undefined for a record without it. */
function columnOf(...values: readonly (string | undefined)[]): TagColumn | undefined {
  const column = new GrowingTag('XX');
  for (const value of values) {
    if (value === undefined) column.pushMissing();
    else {
      const text = new TextEncoder().encode(`XX:${value}`);
      writeSamTags(writer, text, 0, text.length);
      const data = openRecordData(toOwned(writer.take()));
      column.push(data.bytes[2] ?? 0, data, 3, data.bytes.length);
    }
  }
  return column.take();
}

describe('GrowingTag', () => {
  test('holds integers of all types as 32-bit integers, or as doubles if one is longer', () => {
    expect(columnOf('i:-1', undefined, 'i:200', 'i:-300', 'i:60000', 'i:-70000', 'i:7')).toEqual({
      type: 'number',
      values: Int32Array.of(-1, 0, 200, -300, 60000, -70000, 7),
      validity: Uint8Array.of(0b1111101),
    });
    expect(columnOf('i:-1', `i:${2 ** 31}`)).toEqual({ type: 'number', values: Float64Array.of(-1, 2 ** 31) });
  });

  test('holds floats as they are stored, and as doubles beside integers', () => {
    expect(columnOf('f:0.5')).toEqual({ type: 'number', values: Float32Array.of(0.5) });
    expect(columnOf('d:0.1')).toEqual({ type: 'number', values: Float64Array.of(0.1) });
    expect(columnOf('f:0.5', 'i:3')).toEqual({ type: 'number', values: Float64Array.of(0.5, 3) });
  });

  test('holds characters, texts and hexadecimal texts as UTF-8', () => {
    expect(columnOf(undefined, 'A:x', 'Z:', 'Z:héh', 'H:1AE3')).toEqual({
      type: 'text',
      offsets: Int32Array.of(0, 0, 1, 1, 5, 9),
      values: new TextEncoder().encode('xhéh1AE3'),
      validity: Uint8Array.of(0b11110),
    });
  });

  test('holds arrays in the type of their elements, or in one that holds those of all records', () => {
    expect(columnOf('B:C,1,2', undefined, 'B:C', 'B:C,255')).toEqual({
      type: 'array',
      offsets: Int32Array.of(0, 2, 2, 2, 3),
      values: Uint8Array.of(1, 2, 255),
      validity: Uint8Array.of(0b1101),
    });
    expect(columnOf('B:C,1', 'B:s,-2')).toMatchObject({ values: Int32Array.of(1, -2) });
    expect(columnOf('B:c,-1', 'B:f,0.5')).toMatchObject({ values: Float64Array.of(-1, 0.5) });
  });

  test('is undefined if no record has the tag, and starts again after a batch', () => {
    expect(columnOf(undefined, undefined)).toBeUndefined();
    const column = new GrowingTag('XX');
    column.push(0x41, openRecordData(Uint8Array.of(0x61)), 0, 1);
    column.take();
    column.pushMissing();
    expect(column.take()).toBeUndefined();
  });

  test('rejects a tag that is a number in one record and a text in another', () => {
    expect(() => columnOf('i:1', 'Z:one')).toThrow(
      expect.objectContaining({ name: 'FormatError', code: 'UNSUPPORTED' }),
    );
  });
});

describe('GrowingAlignments', () => {
  test('has the columns of the requested fields and tags alone', () => {
    const growing = new GrowingAlignments({ fields: ['start', 'mismatches'], tags: ['NM'] });
    const { start, mismatches } = growing.fields;
    start?.reserve(1);
    mismatches?.push(1, 20, 2, 5, 0, 0);
    mismatches?.end();
    growing.tags.get('NM')?.pushMissing();
    growing.length++;
    expect(growing.take()).toEqual({
      length: 1,
      start: Int32Array.of(0),
      mismatches: {
        offsets: Int32Array.of(0, 1),
        kind: Uint8Array.of(1),
        position: Int32Array.of(20),
        length: Uint32Array.of(2),
        readPosition: Int32Array.of(5),
        base: Uint8Array.of(0),
        reference: Uint8Array.of(0),
      },
      tags: { NM: undefined },
    });
    expect(growing.take()).toMatchObject({
      length: 0,
      start: new Int32Array(0),
      mismatches: { offsets: Int32Array.of(0) },
    });
  });

  test('rejects an unknown field', () => {
    const fields = ['begin'] as unknown as ['start'];
    expect(() => new GrowingAlignments({ fields })).toThrow('unknown field "begin"; expected referenceId, ');
  });
});
