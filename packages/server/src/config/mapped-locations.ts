import { resolve } from 'node:path';
import type { ArchiveReader, MappedLocation } from '@htskit/catalogue/internal';
import { generateKeyPair } from '@htskit/crypt4gh';
import { decryptWith } from '../files/key-files.js';
import { isArchive, type ObjectSection } from './sections/locations.js';

/** Converts a section whose ids are not paths. Returns undefined for a folder, a bucket and a file. */
export function toMappedLocation(section: ObjectSection, folder: string): MappedLocation | undefined {
  const { location = '', match, ids, resolver, data = '', id, index, size, ...common } = section;
  const { delivery: _, ...access } = common;
  if (match !== undefined) return { ...access, kind: 'rule', match, location, index, folder };
  if (ids !== undefined) return { ...access, kind: 'table', path: resolve(folder, ids) };
  if (resolver !== undefined) return { ...access, kind: 'resolver', url: resolver, data, index, size };
  if (location.toLowerCase().startsWith('drs:')) return { ...access, kind: 'drs', id: id ?? '', location, index };
  if (!isArchive(section)) return undefined;
  return { kind: 'sda', url: location.slice('sda+'.length), prefix: access.prefix, reader: archiveReader() };
}

let reader: ArchiveReader | undefined;

/** Returns the key that archives encrypt headers for. It lives as long as the process, since nothing is stored that it encrypts. */
function archiveReader(): ArchiveReader {
  if (reader !== undefined) return reader;
  const { publicKey, secretKey } = generateKeyPair();
  reader = { publicKey, decrypt: decryptWith([secretKey]) };
  return reader;
}
