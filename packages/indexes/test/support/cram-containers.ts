import { type CramContainerHeader, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';

/** A container of a CRAM file, with the ordinals of its records in the file. */
export interface CramContainer {
  /** Byte range in the file. */
  readonly start: number;
  readonly end: number;
  readonly header: CramContainerHeader;
  readonly firstRecord: number;
  /** Half-open range of ordinals. */
  readonly endRecord: number;
}

/** Lists the containers after that of the SAM header, according to their headers. */
export function readContainers(bytes: Uint8Array): CramContainer[] {
  const { version, byteLength } = parseCramHeader(bytes);
  const containers: CramContainer[] = [];
  let firstRecord = 0;
  for (let start = byteLength; start < bytes.length; ) {
    const header = parseCramContainerHeader(bytes.subarray(start), { version, offset: start });
    if (header === undefined) throw new Error('the file ends inside a container');
    const end = start + header.headerLength + header.length;
    const endRecord = firstRecord + header.recordCount;
    containers.push({ start, end, header, firstRecord, endRecord });
    firstRecord = endRecord;
    start = end;
  }
  return containers;
}
