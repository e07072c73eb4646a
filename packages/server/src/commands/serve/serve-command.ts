import { SERVED_FILES } from '@htskit/catalogue/internal';
import { AUTHORITIES } from '@htskit/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProcessesSetting } from '../../config/sections/operation.js';
import { describeError } from '../../errors.js';
import { parsePublicUrl } from '../../runtime/public-url.js';
import { addValue, charactersOption, parseNamingAuthority, parsePort } from '../command-line.js';
import type { ServeCommandFlags } from './load-options.js';

const NOTES = `
Files are recognised by their names: ${SERVED_FILES.replaceAll('; ', ';\n  ')}.

Examples:
  htskit serve /data --examples
  htskit serve genome.fa.gz --naming-authority insdc --circular chrM
  htskit serve --config htskit.yaml
  htskit serve --identity server.sec /archive

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit serve`. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve BAM, CRAM, VCF and BCF files over htsget, FASTA and 2bit files over refget')
    .argument('[PATH...]', 'files and folders to serve (default: the locations of the configuration, or .)')
    .option('--config <file>', 'configuration file; options on the command line take precedence')
    .option('--host <host>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <port>', 'port to listen on; 0 takes a free one (default: 8080)', parsePort)
    .option('--public-url <url>', 'URL at which clients reach the server (default: its address)', parseUrl)
    .addOption(
      new Option('--authority <token>', 'name of the standards body in media types (default: ga4gh)').choices(
        AUTHORITIES,
      ),
    )
    .option(
      '--naming-authority <name>',
      'naming authority of the sequences: makes NAME:chr1 an id',
      parseNamingAuthority,
    )
    .option('--circular <name>', 'name of a circular sequence; repeatable', addValue, [])
    .option('--aliases <file>', 'table of name or digest, alias, naming authority; repeatable', addValue, [])
    .option(
      '--cache <dir>',
      'folder for the digests of sequences (default: beside each file), and for FASTA that cannot be read in place',
    )
    .addOption(charactersOption())
    .option(
      '--identity <file>',
      'secret key that decrypts files of Crypt4GH; repeatable (default: the keys of the configuration)',
      addValue,
      [],
    )
    .option('--processes <n>', 'processes that serve; auto: one per processor (default: 1)', parseProcesses)
    .option('--examples', 'print example commands when the server is ready', false)
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], flags: ServeCommandFlags) => {
    const { namingAuthority, circular, aliases } = flags;
    const isNaming = namingAuthority !== undefined || circular.length > 0 || aliases.length > 0;
    if (flags.config !== undefined && paths.length === 0 && isNaming) {
      command.error(
        'error: with --config, --naming-authority, --circular and --aliases require a PATH; set them in the configuration',
      );
    }
    // Loaded on demand: the server takes longer to load than most commands take to run.
    const { runServe } = await import('./run-serve.js');
    await runServe({ paths, flags });
  });
}

function parseProcesses(text: string): ProcessesSetting {
  if (text === 'auto') return text;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 1024) {
    throw new InvalidArgumentError('expected a whole number from 1 to 1024, or auto.');
  }
  return count;
}

function parseUrl(text: string): string {
  try {
    return parsePublicUrl(text);
  } catch (error) {
    throw new InvalidArgumentError(`${describeError(error)}.`);
  }
}
