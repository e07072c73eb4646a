import type { Decrypt } from '@htskit/catalogue';
import { objectKindOf } from '@htskit/catalogue/internal';
import type { CramReferenceSource } from '@htskit/formats';
import { indexPaths } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import { openRecords, type Region } from '@htskit/records';
import { fileSource } from '@htskit/storage/file';
import { httpSource } from '@htskit/storage/http';
import { parseServiceUrl } from '../../service-url.js';
import { detectFileKind } from '../../stored-file/file-kind.js';
import { NO_IDENTITY, type OpenIdentity, openInput } from '../../stored-file/input-file.js';
import { findIndex, toStoredFormat } from '../../stored-file/open-stored-file.js';
import { UsageError } from '../../usage-error.js';
import { requestHeaders, toUrlQuery } from '../url-request.js';
import type { ViewedFile } from './output-format.js';

/** How the target of `htskit view` is opened. */
export interface OpenRecordsOptions {
  /** Whether a URL leads to a service, whatever its extension. */
  readonly isService: boolean;
  /** The path or URL of the index. Default: beside the file. */
  readonly index?: string;
  /** Opens the keys for an encrypted file. */
  readonly openIdentity: OpenIdentity;
  readonly reference?: CramReferenceSource;
  /** The number of threads that read ahead. With 0, the main thread does everything. Default: that of `openRecords`. */
  readonly workers?: number;
  readonly headerLines: readonly string[];
  readonly tokenFile?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onWarning: (warning: Error) => void;
  readonly signal: AbortSignal;
}

/** An open target, and the regions that its URL selects. */
export interface OpenRecords {
  readonly file: ViewedFile;
  /** Undefined if the URL selects none. */
  readonly regions?: readonly Region[];
}

type Target = Parameters<typeof openRecords>[0];

const FILE_EXTENSION = /\.(?:bam|cram|bcf|vcf\.gz|vcf\.bgz)(?:\.c4gh)?$/i;

/** Opens a local file, which may be encrypted. Throws Error if there is no key for it, and what `openRecords` throws. */
export async function openLocalRecords(path: string, options: OpenRecordsOptions): Promise<OpenRecords> {
  const { openIdentity } = options;
  const input = await openInput(path, openIdentity);
  if (!input.isEncrypted) return { file: await openFile(path, options) };
  const index = options.index ?? (await findIndex(path, toStoredFormat(await detectFileKind(input))));
  return { file: await openFile(input.open(), { ...options, index: await openIndex(index, options) }) };
}

/**
 * Opens a URL: a file if its path has the extension of one, and otherwise a ticket of an htsget service. Throws UsageError for an
 * invalid URL, and what `openRecords` throws.
 */
export async function openUrlRecords(url: string, options: OpenRecordsOptions): Promise<OpenRecords> {
  const { endpoint, query, credentials } = toUrlQuery(url, { regions: [], isHeaderOnly: false });
  const { headerLines: lines, tokenFile, environment } = options;
  const headers = await requestHeaders({ lines, tokenFile, credentials, environment });
  const isService = options.isService || /^htsget:/i.test(url);
  if (!isService && FILE_EXTENSION.test(new URL(endpoint).pathname)) {
    const file = parseServiceUrl(url);
    // They are in the headers.
    Object.assign(file, { username: '', password: '' });
    const http = { headers };
    return {
      file: await (isEncryptedPath(file.pathname) ? openEncryptedUrl : openFile)(file, {
        ...options,
        http,
      }),
    };
  }
  const { referenceName, start, end, format } = query;
  if (format === 'SAM') throw new UsageError('a service answers format=SAM for a header only; use format=BAM');
  const file = await openFile({ htsget: endpoint, headers, format: format === 'VCFTEXT' ? 'VCF' : format }, options);
  return { file, regions: referenceName === undefined ? undefined : [{ referenceName, start, end }] };
}

/** Opens an encrypted file on a web server. Throws Error if there is no key, and what `openRecords` throws. */
async function openEncryptedUrl(url: URL, options: OpenFileOptions): Promise<ViewedFile> {
  const decrypt = await decryptOf(options);
  const index = options.index ?? (await findIndexUrl(url, options.http));
  const data = decrypt(httpSource(url, options.http));
  return openFile(data, { ...options, index: await openIndex(index, options) });
}

async function decryptOf({ openIdentity }: Pick<OpenFileOptions, 'openIdentity'>): Promise<Decrypt> {
  const decrypt = await openIdentity();
  if (decrypt === undefined) throw new Error(NO_IDENTITY);
  return decrypt;
}

/** Decrypts an index at a path or URL whose name says that it is encrypted. Returns another one as it is. */
async function openIndex(index: OpenFileOptions['index'], options: OpenFileOptions): Promise<OpenFileOptions['index']> {
  if (typeof index !== 'string' || !isEncryptedPath(index)) return index;
  const decrypt = await decryptOf(options);
  return decrypt(/^https?:/i.test(index) ? httpSource(index, options.http) : fileSource(index));
}

/** Returns the URL of the index of a file, or undefined if there is none beside it. */
async function findIndexUrl(url: URL, http: OpenFileOptions['http']): Promise<string | undefined> {
  const kind = objectKindOf(url.pathname);
  for (const path of kind === undefined ? [] : indexPaths(url.pathname, kind.format)) {
    const candidate = new URL(url);
    candidate.pathname = path;
    const isFound = await httpSource(candidate, http)
      .stat()
      .then(
        () => true,
        () => false,
      );
    if (isFound) return candidate.href;
  }
  return undefined;
}

interface OpenFileOptions extends Omit<OpenRecordsOptions, 'index'> {
  readonly index?: string | ByteSource | undefined;
  readonly http?: { readonly headers: Readonly<Record<string, string>> };
}

function openFile(target: Target, options: OpenFileOptions): Promise<ViewedFile> {
  const { index, reference, workers, onWarning, signal, http } = options;
  return openRecords(target, { index, reference, workers, onWarning, signal, http });
}
