import type { CramReferenceSource } from '@htskit/formats';
import { openRecords, type Region } from '@htskit/records';
import { parseServiceUrl } from '../../service-url.js';
import { UsageError } from '../../usage-error.js';
import { requestHeaders, toUrlQuery } from '../url-request.js';
import type { ViewedFile } from './output-format.js';

/** How the target of `htskit view` is opened. */
export interface OpenRecordsOptions {
  /** Whether a URL leads to a service, whatever its extension. */
  readonly isService: boolean;
  /** The path or URL of the index. Default: beside the file. */
  readonly index?: string;
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

const FILE_EXTENSION = /\.(?:bam|cram|bcf|vcf\.gz|vcf\.bgz)$/i;

/** Opens a local file. Throws what `openRecords` throws. */
export async function openLocalRecords(path: string, options: OpenRecordsOptions): Promise<OpenRecords> {
  return { file: await openFile(path, options) };
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
    return { file: await openFile(file, { ...options, http: { headers } }) };
  }
  const { referenceName, start, end, format } = query;
  if (format === 'SAM') throw new UsageError('a service answers format=SAM for a header only; use format=BAM');
  const file = await openFile({ htsget: endpoint, headers, format: format === 'VCFTEXT' ? 'VCF' : format }, options);
  return { file, regions: referenceName === undefined ? undefined : [{ referenceName, start, end }] };
}

function openFile(
  target: Target,
  options: OpenRecordsOptions & { readonly http?: { readonly headers: Readonly<Record<string, string>> } },
): Promise<ViewedFile> {
  const { index, reference, workers, onWarning, signal, http } = options;
  return openRecords(target, { index, reference, workers, onWarning, signal, http });
}
