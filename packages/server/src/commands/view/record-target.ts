import type { CramReferenceSource } from '@htskit/formats';
import type { Command } from 'commander';
import { Identity } from '../../stored-file/identity.js';
import { warn } from '../../terminal/messages.js';
import { addIdentity, addValue, type TargetOptions } from '../command-line.js';
import type { OpenRecords } from './open-records.js';

/** Options of a command that reads the records of a file or of a service. */
export interface RecordTargetFlags {
  readonly reference?: string;
  readonly index?: string;
  readonly service: boolean;
  /** The files with the secret keys that decrypt the file. */
  readonly identity: readonly string[];
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

/** The options that apply only to a URL. */
export const RECORD_TARGET: TargetOptions = {
  file: {},
  url: { httpHeader: '--http-header', tokenFile: '--token-file', service: '--service' },
};

/** Adds the options. */
export function addRecordTarget(command: Command): Command {
  return addIdentity(command)
    .option('-T, --reference <location>', 'bases of CRAM: FASTA, 2bit, sequence store, or URL of a refget server')
    .option('--index <location>', 'path or URL of the index (default: beside the file)')
    .option('--service', 'the URL is one of an htsget service, whatever its extension', false)
    .option('--http-header <header>', "request header 'Name: value' for a URL; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for a URL');
}

/** A file or a service, and how it is read. */
export interface RecordTarget {
  readonly target: string;
  readonly isUrl: boolean;
  readonly flags: RecordTargetFlags;
  readonly reference: CramReferenceSource;
  /** The number of threads that read ahead. Default: that of `openRecords`. */
  readonly workers?: number;
  readonly signal: AbortSignal;
}

/** Opens a target. Warnings are printed. Throws what `openLocalRecords` and `openUrlRecords` throw. */
export async function openRecordTarget({ target, isUrl, flags, ...options }: RecordTarget): Promise<OpenRecords> {
  const { index, service: isService, httpHeader: headerLines, tokenFile, identity } = flags;
  const { openLocalRecords, openUrlRecords } = await import('./open-records.js');
  return (isUrl ? openUrlRecords : openLocalRecords)(target, {
    ...options,
    isService,
    index,
    openIdentity: new Identity(identity).openDecrypt,
    headerLines,
    tokenFile,
    environment: process.env,
    onWarning: ({ message }) => warn(message),
  });
}

/** Reference bases for CRAM. What looks for them is loaded when it is needed: only CRAM files need it. */
export interface SearchedReferences {
  /** Opens the location. Throws what `openReferenceSearch` throws. */
  readonly open: () => Promise<CramReferenceSource>;
  readonly read: CramReferenceSource;
}

/** Returns the bases at a location, or where samtools finds those of a target. */
export function searchReferences(location: string | undefined, isUrl: boolean): SearchedReferences {
  let opening: Promise<CramReferenceSource> | undefined;
  const search = async (): Promise<CramReferenceSource> => {
    const { openReferenceSearch } = await import('../../stored-file/reference-search.js');
    return openReferenceSearch({ location, isLocal: !isUrl });
  };
  const open = (): Promise<CramReferenceSource> => (opening ??= search());
  return { open, read: async (request) => (await open())(request) };
}
