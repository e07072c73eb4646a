import { deflateBlocks, EOF_MARKER, gunzip } from '@htskit/bgzf';
import { indexVcf } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { expect, test } from 'vitest';
import { createHtsgetHandler } from '../../src/index.js';
import { fetchError, fetchFile, type Handler, PUBLIC_URL } from '../read-ticket.js';

const text = ['\xe9', '\xe8', '\xc3\xa9'].map((name, at) => `c${name}\t${at + 5}\t.\tC\tT\t.\t.\t.\n`);
const header = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
const data = new Uint8Array(Buffer.concat([deflateBlocks(Buffer.from(header + text.join(''), 'latin1')), EOF_MARKER]));

async function createHandler(regions: 'all' | { referenceName: string }[]): Promise<Handler> {
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    yield data;
  }
  const file = {
    format: 'VCF',
    data: memorySource(data, { version: '1' }),
    index: memorySource(await indexVcf(chunks()), { version: '1' }),
  } as const;
  return createHtsgetHandler({
    publicUrl: PUBLIC_URL,
    resolve: () => Promise.resolve([file]),
    authorize: () => Promise.resolve({ regions }),
  });
}

async function recordsOf(handler: Handler, query: string): Promise<string> {
  const vcf = Buffer.from(gunzip(await fetchFile(handler, `/variants/a${query}`))).toString('latin1');
  return vcf.slice(header.length);
}

test('a permission for a name that is not UTF-8 allows its records and no others', async () => {
  const handler = await createHandler([{ referenceName: 'c\udce9' }]);
  expect(await recordsOf(handler, '')).toBe(text[0]);
  expect(await recordsOf(handler, '?referenceName=c%E9')).toBe(text[0]);
  for (const name of ['c%E8', 'c%C3%A9']) {
    expect(await fetchError(handler, `/variants/a?referenceName=${name}`)).toEqual([403, 'PermissionDenied']);
  }
});

test.each([
  ['c%E9', text[0]],
  ['c%E8', text[1]],
  ['c%C3%A9', text[2]],
])('%s has its records', async (name, record) => {
  const handler = await createHandler('all');
  expect(await recordsOf(handler, `?referenceName=${name}`)).toBe(record);
});

test('escapes of the bytes of a character are another name', async () => {
  const [permitted, all] = [await createHandler([{ referenceName: 'cé' }]), await createHandler('all')];
  const ask = (referenceName: string): RequestInit => ({
    method: 'POST',
    body: JSON.stringify({ regions: [{ referenceName }] }),
  });
  expect(await fetchError(permitted, '/variants/a', ask('c\udcc3\udca9'))).toEqual([403, 'PermissionDenied']);
  expect(await fetchFile(all, '/variants/a', ask('cé'))).not.toHaveLength(0);
});
