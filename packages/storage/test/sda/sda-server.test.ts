import { Ajv } from 'ajv';
import { expect, onTestFinished, test } from 'vitest';
import { archivedFile, startArchive, TOKEN } from './archive.js';

// The answers as the description of the API has them: SDA Data Out API 2.0.0, components.schemas.
const PAGE_TOKEN = { type: ['string', 'null'] };
const CHECKSUM = {
  type: 'object',
  required: ['type', 'checksum'],
  additionalProperties: false,
  properties: { type: { type: 'string' }, checksum: { type: 'string', pattern: '^[0-9a-f]+$' } },
};
const FILE = {
  type: 'object',
  required: ['fileId', 'filePath', 'size', 'decryptedSize', 'checksums', 'downloadUrl'],
  properties: {
    fileId: { type: 'string' },
    filePath: { type: 'string' },
    size: { type: 'integer' },
    decryptedSize: { type: 'integer' },
    checksums: { type: 'array', items: CHECKSUM },
    downloadUrl: { type: 'string' },
  },
};
const SCHEMAS = {
  datasets: {
    type: 'object',
    required: ['datasets'],
    properties: { datasets: { type: 'array', items: { type: 'string', minLength: 1 } }, nextPageToken: PAGE_TOKEN },
  },
  files: {
    type: 'object',
    required: ['files'],
    properties: { files: { type: 'array', items: FILE }, nextPageToken: PAGE_TOKEN },
  },
  problem: {
    type: 'object',
    required: ['title', 'status'],
    properties: {
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      errorCode: { type: 'string' },
    },
  },
};

type Case = readonly [path: string, headers: Record<string, string>, status: number, shape: Shape, detail?: string];

type Shape = keyof typeof SCHEMAS | 'bytes';

const CONTENT = Buffer.from('0123456789');
const FILE_PATH = '/files/EGAF-a.bam';
/** The header as the reader with this key gets it. */
const HEADER = `header of ${'\0'.repeat(32)}`;
const KEY = Buffer.alloc(32).toString('base64');
const [MAIN, OTHER] = ['X-C4GH-Public-Key', 'Htsget-Context-Public-Key'] as const;

/** The answers of the archive's handlers to requests: the status, the form, and the text or the code of the error. */
const CASES: readonly Case[] = [
  ['/datasets', {}, 401, 'problem'],
  ['/datasets', { authorization: 'Bearer other' }, 401, 'problem'],
  ['/datasets', TOKEN, 200, 'datasets'],
  ['/datasets?pageSize=0', TOKEN, 400, 'problem'],
  ['/datasets?pageSize=1001', TOKEN, 400, 'problem'],
  ['/datasets?pageToken=x', TOKEN, 400, 'problem'],
  ['/datasets/EGAD1/files', TOKEN, 200, 'files'],
  ['/datasets/EGAD1/files?filePath=absent', TOKEN, 200, 'files'],
  ['/datasets/EGAD1/files?filePath=a&pathPrefix=a', TOKEN, 400, 'problem', 'FILTER_CONFLICT'],
  ['/datasets/EGAD2/files', TOKEN, 403, 'problem'],
  [`${FILE_PATH}/header`, { ...TOKEN }, 400, 'problem', 'KEY_MISSING'],
  [`${FILE_PATH}/header`, { ...TOKEN, [MAIN]: KEY, [OTHER]: KEY }, 400, 'problem', 'KEY_CONFLICT'],
  [`${FILE_PATH}/header`, { ...TOKEN, [MAIN]: KEY }, 200, 'bytes', HEADER],
  [`${FILE_PATH}/header`, { ...TOKEN, [OTHER]: KEY }, 200, 'bytes', HEADER],
  [`${FILE_PATH}/header`, { [MAIN]: KEY }, 401, 'problem'],
  ['/files/absent/header', { ...TOKEN, [MAIN]: KEY }, 403, 'problem'],
  ['/files/absent/content', TOKEN, 403, 'problem'],
  [`${FILE_PATH}/content`, TOKEN, 200, 'bytes', '0123456789'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=2-4' }, 206, 'bytes', '234'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=-3' }, 206, 'bytes', '789'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=8-' }, 206, 'bytes', '89'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=2-4', 'if-range': '"other"' }, 200, 'bytes', '0123456789'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=2-4', 'if-match': '"other"' }, 206, 'bytes', '234'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=0-1,3-4' }, 400, 'problem', 'RANGE_INVALID'],
  [`${FILE_PATH}/content`, { ...TOKEN, range: 'bytes=10-' }, 416, 'problem'],
];

const requests = CASES.map(([path, headers, status, shape, detail]) => ({ path, headers, status, shape, detail }));

/** Returns the text of bytes, or the code of an error; undefined for an answer of another form than expected. */
async function detailOf(response: Response, shape: Shape): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (shape === 'bytes') {
    const isTagged = response.headers.has(response.url.endsWith('/header') ? 'sda-content-etag' : 'etag');
    return isTagged && type === 'application/octet-stream' ? response.text() : undefined;
  }
  const body = (await response.json()) as { readonly errorCode?: string };
  const isTyped = shape !== 'problem' || type === 'application/problem+json';
  return isTyped && new Ajv({ allowUnionTypes: true }).validate(SCHEMAS[shape], body)
    ? (body.errorCode ?? '')
    : undefined;
}

test.each(requests)('the double answers $path with $headers as the archive does: $status', async (request) => {
  const { path, headers, status, shape, detail = '' } = request;
  const server = await startArchive();
  onTestFinished(() => server.close());
  server.files.push(archivedFile('a.bam', CONTENT));
  const response = await fetch(server.url + path, { headers });
  expect(response.status).toBe(status);
  expect(await detailOf(response, shape)).toEqual(detail);
});
