import { encodeText } from '@htskit/io';
import { samHeaderLines } from './sam-header.js';

/** A line `@RG` of a SAM header (SAMv1 §1.3). */
export interface ReadGroup {
  readonly id: string;
  /** The value of SM; undefined if the line has none. */
  readonly sample: string | undefined;
}

/** Parses the read groups of the text of a SAM header, in the order of their lines. Lines without an ID are left out. */
export function parseReadGroups(text: string): readonly ReadGroup[] {
  return Array.from(samHeaderLines(text, '@RG')).flatMap(({ line }) => {
    const id = fieldOf(line, 'ID');
    return id === undefined ? [] : [{ id, sample: fieldOf(line, 'SM') }];
  });
}

function fieldOf(line: string, name: string): string | undefined {
  return line
    .split('\t')
    .find((field) => field.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}

/** Which read groups a header keeps. */
export interface ReadGroupSelection {
  /** The IDs of the read groups to keep. */
  readonly readGroups: readonly string[];
  /** Whether comments, and the command lines of programs, are left out, because they may name other samples. Default false. */
  readonly hidesOthers?: boolean;
}

/** Returns the text of a SAM header with some of its read groups. */
export function selectHeaderReadGroups(text: string, { readGroups, hidesOthers = false }: ReadGroupSelection): string {
  const kept = new Set(readGroups);
  const selected = text.replaceAll(/(?<![^\n])@RG\t[^\n]*(?:\n|$)/g, (line) => {
    const id = fieldOf(line.trimEnd(), 'ID');
    return id !== undefined && kept.has(id) ? line : '';
  });
  if (!hidesOthers) return selected;
  return selected
    .replaceAll(/(?<![^\n])@CO\t[^\n]*(?:\n|$)/g, '')
    .replaceAll(/(?<![^\n])@PG\t[^\n]*/g, (line) => line.replaceAll(/\t(?:CL|DS):[^\t\r\n]*/g, ''));
}

const TEXT_LENGTH_OFFSET = 4;
const TEXT_OFFSET = 8;

/** Returns a whole uncompressed BAM header with another text (SAMv1 §4.2). */
export function replaceBamHeaderText(header: Uint8Array, text: string): Uint8Array {
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const rest = header.subarray(TEXT_OFFSET + view.getUint32(TEXT_LENGTH_OFFSET, true));
  const textBytes = encodeText(text);
  const bytes = new Uint8Array(TEXT_OFFSET + textBytes.length + rest.length);
  bytes.set(header.subarray(0, TEXT_LENGTH_OFFSET));
  new DataView(bytes.buffer).setUint32(TEXT_LENGTH_OFFSET, textBytes.length, true);
  bytes.set(textBytes, TEXT_OFFSET);
  bytes.set(rest, TEXT_OFFSET + textBytes.length);
  return bytes;
}
