import { basename } from 'node:path';
import { ClientError, type HtsgetDownload, openHtsget, type ResumeOptions, type RetryEvent } from '@htskit/client';
import type { SecretKey } from '@htskit/crypt4gh';
import { toHex } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import { describeFailure, ofUrl, UsageError } from '../../errors.js';
import { STDOUT } from '../../files/standard-streams.js';
import { checkOutput, checkTerminal, isGarbledByProgress, isWholeFile, writeOutput } from '../../files/write-output.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { type DownloadProgress, startDownloadProgress } from '../../terminal/progress.js';
import { describeRestriction } from '../describe-restriction.js';
import { requestHeaders, toUrlQuery, type UrlQueryOptions } from '../url-request.js';
import type { GetOutcome } from './local-file.js';
import { forgetPartial, PartialFile } from './partial-file.js';

export interface GetUrlOptions extends UrlQueryOptions {
  /** A path, or `STDOUT`. */
  readonly output: string;
  /** Whether a partial download is kept on failure and resumed by the next run. */
  readonly resumes: boolean;
  /** Request headers, each as `Name: value`. */
  readonly headerLines: readonly string[];
  readonly tokenFile?: string;
  /** The key that the answer is encrypted for. It is decrypted unless the output is named `.c4gh`. Default: it is not encrypted. */
  readonly identity?: SecretKey;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether to show a progress bar if stderr is a terminal. */
  readonly showsProgress: boolean;
  readonly signal: AbortSignal;
}

/** Opens the download, optionally where an earlier one stopped. */
type Open = (resume?: ResumeOptions) => Promise<HtsgetDownload>;

/** The resume state is saved after this many bytes or this much time, whichever comes first. */
const SAVED_BYTES = 2 ** 23;
const SAVED_MILLISECONDS = 1000;

/**
 * Downloads a file from an htsget service. The output appears when the download is complete and verified. Until then its
 * bytes are beside it, and the same query resumes from them. Retries and kept bytes are reported on stderr. Throws UsageError
 * for an invalid query, HtsgetClientError if the download fails, and Error if the output cannot be written.
 */
export async function getUrl(url: string, { signal, ...options }: GetUrlOptions): Promise<GetOutcome> {
  const { output, headerLines: lines, tokenFile, environment, identity, showsProgress } = options;
  const recipient = isEncryptedPath(output) ? recipientOf(identity) : undefined;
  const encryption = recipient === undefined ? { identity } : { recipient };
  const { endpoint, query, credentials, digest } = toUrlQuery(url, options);
  const headers = await requestHeaders({ lines, tokenFile, credentials, environment });
  await checkOutput(output, tokenFile === undefined ? [] : [tokenFile]);
  const isVisible = showsProgress && !isGarbledByProgress(output);
  const name = output === STDOUT ? new URL(endpoint).hostname : basename(output);
  const progress = startDownloadProgress(escapeControls(name), isVisible);
  const open: Open = async (resume) => {
    const onProgress = progress.update.bind(progress);
    const onRetry = (event: RetryEvent): void => progress.say(describeRetry(event, endpoint));
    const download = await openHtsget(endpoint, query, { headers, signal, resume, onProgress, onRetry, ...encryption });
    const { format, restricted } = download.ticket.htsget;
    checkTerminal(format, output);
    if (restricted !== undefined)
      progress.say(`the service restricts the answer to ${describeRestriction(restricted)}`);
    return download;
  };
  try {
    // The state of a download counts the bytes that the service sends, and not those that they decrypt to.
    const isResumable = options.resumes && (identity === undefined || recipient !== undefined);
    const queryDigest = recipient === undefined ? digest : `${digest}-${toHex(recipient)}`;
    if (isResumable && (await isWholeFile(output))) return await getPartial(output, queryDigest, { open, progress });
    if (await isWholeFile(output)) await forgetPartial(output);
    const { ticket, stream } = await open();
    return { format: ticket.htsget.format, byteLength: await writeOutput(output, stream, { signal }) };
  } finally {
    progress.stop();
  }
}

/** Returns the public key that a kept answer is encrypted for. Throws UsageError without a key. */
function recipientOf(identity: SecretKey | undefined): Uint8Array {
  if (identity !== undefined) return identity.publicKey;
  throw new UsageError('an encrypted output needs a secret key: name it with --identity');
}

interface PartialTask {
  readonly open: Open;
  readonly progress: DownloadProgress;
}

async function getPartial(output: string, queryDigest: string, task: PartialTask): Promise<GetOutcome> {
  const partial = await PartialFile.open(output, queryDigest);
  try {
    const format = await downloadOrStartOver(partial, task);
    return { format, byteLength: partial.bytes };
  } catch (error) {
    // A wrong digest does not show which bytes are wrong, so none are kept.
    if (hasCode(error, ['DIGEST_MISMATCH', 'WRONG_FORMAT']) || partial.state === undefined) await partial.remove();
    else task.progress.say(describeKept(partial.path, partial.state.bytes));
    throw error;
  } finally {
    await partial.close();
  }
}

/** Starts over if the kept bytes are of a file that has changed, or were damaged on disk. */
async function downloadOrStartOver(partial: PartialFile, task: PartialTask): Promise<HtsgetFormat> {
  const { state } = partial;
  if (state === undefined) return download(partial, task);
  task.progress.say(`resuming ${partial.path} after ${formatCount(state.bytes)} bytes`);
  try {
    return await download(partial, task);
  } catch (error) {
    if (!hasCode(error, ['CHANGED', 'INVALID_QUERY', 'DIGEST_MISMATCH', 'WRONG_FORMAT'])) throw error;
    task.progress.say(`starting over: ${error.message}`);
    await partial.startOver();
    return download(partial, task);
  }
}

async function download(partial: PartialFile, { open }: PartialTask): Promise<HtsgetFormat> {
  const { state } = partial;
  const { ticket, stream, resumeState } = await open(state && { state, received: partial.received() });
  let saved = { bytes: partial.bytes, time: performance.now() };
  try {
    for await (const chunk of stream) {
      await partial.write(chunk);
      if (partial.bytes - saved.bytes < SAVED_BYTES && performance.now() - saved.time < SAVED_MILLISECONDS) continue;
      await partial.save(resumeState());
      saved = { bytes: partial.bytes, time: performance.now() };
    }
  } catch (error) {
    if (partial.bytes > saved.bytes) await partial.save(resumeState());
    throw error;
  }
  await partial.finish();
  return ticket.htsget.format;
}

function hasCode(error: unknown, codes: readonly ClientError['code'][]): error is ClientError {
  return error instanceof ClientError && codes.includes(error.code);
}

function describeRetry({ error, attempt, delayMilliseconds }: RetryEvent, url: string): string {
  return `${describeFailure(ofUrl(url, error))}; retrying in ${(delayMilliseconds / 1000).toFixed(1)} s (attempt ${attempt + 1})`;
}

function describeKept(path: string, bytes: number): string {
  return `kept ${formatCount(bytes)} bytes in ${path}; run the same command to resume`;
}
