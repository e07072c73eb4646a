import { wordBytes } from './build-bai.js';

/** Writes the header of a TBI from `format` on. The defaults are those of `tabix -p vcf`. */
export function tabixHeader(names: string, fields: Partial<Record<keyof typeof VCF_FIELDS, number>> = {}): Uint8Array {
  const text = new TextEncoder().encode(names);
  return new Uint8Array(
    Buffer.concat([wordBytes([...Object.values({ ...VCF_FIELDS, ...fields }), text.length]), text]),
  );
}

const VCF_FIELDS = { format: 2, sequence: 1, start: 2, end: 0, meta: 0x23, skip: 0 };

/** Writes an uncompressed TBI from a header and the part of a BAI index after n_ref. */
export function buildTbi(header: Uint8Array, bai: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.from('TBI\x01'), bai.subarray(4, 8), header, bai.subarray(8)]));
}
