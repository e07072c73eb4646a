import type { Logger } from '../../runtime/logger.js';
import type { RunningServer, ServeOptions } from '../../runtime/serve.js';
import { countOf } from '../../terminal/format-count.js';
import type { ServeArguments } from './load-options.js';

interface StartReportInput {
  readonly command: ServeArguments;
  readonly options: Pick<ServeOptions, 'htsget' | 'objectLocations'>;
  readonly logger: Pick<Logger, 'info'>;
  /** Aborted when the server closes: nothing is logged then. */
  readonly signal: AbortSignal;
}

/**
 * Logs what a server serves, once the files that it found at its start are digested. A folder is listed as it is for the first
 * visitor, and one page of each bucket; no file is read.
 */
export async function logStart(
  server: Pick<RunningServer, 'objects' | 'sequences' | 'unservedFiles'>,
  { command, options, logger, signal }: StartReportInput,
): Promise<void> {
  const objects = await server.objects.list().then(
    ({ length }) => length,
    // Such as a bucket that may be read and not listed.
    () => undefined,
  );
  await server.sequences.settled();
  if (signal.aborted) return;
  const { sequences, stores, failedFiles } = server.sequences.counts;
  const { unservedFiles } = server;
  const isPublic = options.htsget?.authorize === undefined;
  const isPartial = options.objectLocations?.some(({ location }) => location.kind === 's3') === true;
  const served = [
    objects === undefined ? 'objects that cannot be listed' : countOf(objects, 'object', isPartial ? ' or more' : ''),
    countOf(sequences, 'sequence'),
    ...(stores > 0 ? [countOf(stores, 'sequence store')] : []),
  ];
  const faults = [
    ...(unservedFiles > 0 ? [`${countOf(unservedFiles, 'file')} ignored`] : []),
    ...(failedFiles > 0 ? [`${countOf(failedFiles, 'file')} of sequences damaged or unreadable`] : []),
  ];
  const parts = [
    `serving ${served.slice(0, -1).join(', ')} and ${served.at(-1)}`,
    ...(faults.length > 0 ? [`${faults.join(', ')}: see ${moreCommand(command)}`] : []),
    isPublic ? 'everything is public' : 'access needs a token, except to what auth.public names',
  ];
  logger.info(parts.join('; '), { objects, sequences, stores, unservedFiles, failedFiles, isPublic });
}

/** Returns the command that names the files that are not served. */
function moreCommand({ flags, paths: given }: ServeArguments): string {
  if (flags.config !== undefined && given.length === 0) return `htskit config check ${flags.config}`;
  return `htskit ls ${given.length > 1 ? 'PATH' : (given[0] ?? '.')}`;
}
