import type { Command } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { countOf, formatCount } from '../../terminal/format-count.js';
import { formatJson, formatTable } from '../../terminal/format-table.js';
import { note } from '../../terminal/messages.js';
import { addIdentity, addQuiet, addValue, isUrlTarget, type TargetOptions, withInterrupt } from '../command-line.js';
import type { FolderListing, ListedFile } from './list-folder.js';
import type { ServiceListing } from './list-service.js';

interface LsFlags {
  readonly json: boolean;
  readonly cache?: string;
  readonly identity: readonly string[];
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

const TARGET_OPTIONS: TargetOptions = {
  file: { cache: '--cache', identity: '--identity' },
  url: { httpHeader: '--http-header', tokenFile: '--token-file' },
};

const NOTES = `
For a folder it prints what htskit serve would serve: the objects with their files,
the formats that each can be answered in, and the sequences with their digests, which
are computed if they are not cached. Buckets are reached as the AWS tools do: by
AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID or AWS_PROFILE. It warns of files without an index, with one that
is older or of another file, and of truncated files. For a URL it prints what
service-info says, and the objects if the service is an htskit server.

Examples:
  htskit ls /data
  htskit ls --json /data > served.json
  htskit ls s3://cohort/reads
  htskit ls --identity server.sec /archive
  htskit ls https://data.example.org/ --token-file ~/.token

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit ls`. */
export function addLsCommand(program: Command): void {
  const ls = program
    .command('ls')
    .description('list what is served of a folder, or by a service')
    .argument(
      '<FOLDER|URL>',
      'a folder or file that htskit serve takes, s3://BUCKET/PREFIX, or the URL of an htsget or refget service',
    );
  const command = addIdentity(addQuiet(ls))
    .option('--cache <dir>', 'folder for the digests of sequences (default: beside each file)')
    .option('-H, --http-header <header>', "request header 'Name: value' for a URL; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for a URL')
    .option('--json', 'print JSON', false)
    .addHelpText('after', NOTES);
  command.action(async (target: string, flags: LsFlags) => {
    const isBucket = /^s3:\/\//i.test(target);
    const isUrl = !isBucket && isUrlTarget(target, command, TARGET_OPTIONS);
    try {
      const listing = isUrl ? await listUrl(target, flags) : await listPath(target, flags);
      process.stdout.write(flags.json ? formatJson(listing) : formatListing(listing));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

async function listPath(target: string, { cache, identity }: LsFlags): Promise<FolderListing> {
  const { listFolder } = await import('./list-folder.js');
  const { Identity } = await import('../../stored-file/identity.js');
  const decrypt = await new Identity(identity).openDecrypt();
  return listFolder(target, { cache, decrypt, log: note }).catch((error: unknown) => {
    throw ofFile(target, error);
  });
}

async function listUrl(target: string, { httpHeader: headerLines, tokenFile }: LsFlags): Promise<ServiceListing> {
  const { listService } = await import('./list-service.js');
  const access = { headerLines, tokenFile, environment: process.env };
  return withInterrupt((signal) => listService(target, { ...access, signal })).catch((error: unknown) => {
    throw ofUrl(target, error);
  });
}

function formatListing(listing: FolderListing | ServiceListing): string {
  const lines = 'protocols' in listing ? describeService(listing) : describeFolder(listing);
  return `${lines.map(escapeControls).join('\n')}\n`;
}

const FILE_TITLES = ['object', 'formats', 'stored', 'bytes', 'index', 'references'];
const NUMERIC = ['bytes', 'references', 'length'];

function describeFolder({ source, objects, sequences }: FolderListing): string[] {
  const rows = objects.flatMap(({ datatype, id, formats, files }) =>
    files.map((file, index) => [
      ...(index === 0 ? [`${datatype}/${id}`, formats.join(' ')] : ['', '']),
      ...fileCells(file),
    ]),
  );
  const warnings = objects.flatMap(({ files }) =>
    files.flatMap(({ path, warnings: texts }) => texts.map((text) => `warning: ${path}: ${text}`)),
  );
  const sequenceRows = sequences.map(({ name, length, md5, sha512t24u }) => [
    name,
    formatCount(length),
    md5,
    sha512t24u,
  ]);
  return [
    `${source}: ${countOf(objects.length, 'object')}, ${countOf(sequences.length, 'sequence')}`,
    ...(rows.length > 0 ? ['', ...formatTable([FILE_TITLES, ...rows], NUMERIC)] : []),
    ...(sequenceRows.length > 0
      ? ['', ...formatTable([['sequence', 'length', 'md5', 'sha512t24u'], ...sequenceRows], NUMERIC)]
      : []),
    ...(warnings.length > 0 ? ['', ...warnings] : []),
  ];
}

function fileCells({ format, isEncrypted, bytes, index, references }: ListedFile): string[] {
  const count = (value: number | undefined): string => (value === undefined ? '' : formatCount(value));
  return [isEncrypted ? `${format}, encrypted` : format, count(bytes), index?.type ?? '', count(references)];
}

function describeService({ source, protocols, objects, isComplete }: ServiceListing): string[] {
  const rows = protocols.map(({ path, type, name, supported }) => [path, type, name, supported.join(' ')]);
  const objectRows = (objects ?? []).map(({ datatype, id, formats }) => [`${datatype}/${id}`, formats.join(' ')]);
  return [
    source,
    '',
    ...formatTable([['path', 'protocol', 'name', 'formats or algorithms'], ...rows], []),
    ...(objectRows.length > 0 ? ['', ...formatTable([['object', 'formats'], ...objectRows], [])] : []),
    ...(objects !== undefined && isComplete === false ? ['and more'] : []),
  ];
}
