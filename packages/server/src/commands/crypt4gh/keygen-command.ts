import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeControls } from '../../terminal/escape-controls.js';
import { UsageError } from '../../usage-error.js';
import type { KeygenFlags } from './write-keys.js';

const NOTES = `
Writes NAME.sec, which only its owner may read, and NAME.pub, which is for everyone
who encrypts for the owner, and prints both paths. The secret key is encrypted with
a passphrase, which is read from --passphrase-file, from C4GH_PASSPHRASE, or from
the terminal. Existing files are not overwritten without --force: what was
encrypted for a lost secret key is lost.

Examples:
  htskit keygen alice
  htskit keygen /etc/htskit/server --no-passphrase --comment 'archive, 2026'

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit keygen`. */
export function addKeygenCommand(program: Command): void {
  const command = program
    .command('keygen')
    .description('generate a key pair of Crypt4GH')
    .argument('<NAME>', 'path of the files without .sec and .pub', parseName)
    .option('--comment <text>', 'text that the secret key file holds, unencrypted')
    .option('--passphrase-file <file>', 'file with the passphrase of the secret key')
    .addOption(
      new Option('--no-passphrase', 'do not encrypt the secret key, for a server that starts without an operator'),
    )
    .option('-f, --force', 'overwrite existing keys', false)
    .addHelpText('after', NOTES);
  command.action(async (name: string, flags: KeygenFlags) => {
    try {
      const { writeKeys } = await import('./write-keys.js');
      for (const path of await writeKeys(name, flags)) process.stdout.write(`${path}\n`);
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

function parseName(name: string): string {
  if (name !== '' && name !== '-' && !name.endsWith('/')) return name;
  throw new InvalidArgumentError('expected a path without extension.');
}
