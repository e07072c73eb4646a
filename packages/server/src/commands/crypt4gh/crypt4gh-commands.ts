import { type Command, Option } from 'commander';
import { escapeControls } from '../../terminal/escape-controls.js';
import { UsageError } from '../../usage-error.js';
import { addQuiet, addValue, withInterrupt } from '../command-line.js';
import { parseKeptBytes } from './kept-bytes.js';
import type { Crypt4ghFlags, Crypt4ghTask } from './run-crypt4gh.js';

const PASSPHRASES = `
The passphrase of an encrypted secret key is read from --passphrase-file, from
C4GH_PASSPHRASE, or from the terminal.`;

const EXIT_CODES = 'Exit codes: 0, 1 (failed), 2 (usage).';

const ENCRYPT_NOTES = `
Writes FILE.c4gh, or stdout for stdin. Only the recipients can read it: to read
it yourself, name your own public key as well. With --identity, recipients see
the public key of the writer. Indexes describe the data and are encrypted alike.
${PASSPHRASES}

Examples:
  htskit encrypt reads.bam -r alice.pub -r bob.pub
  samtools view -b reads.cram chr1 | htskit encrypt - -r bob.pub > chr1.bam.c4gh

${EXIT_CODES}`;

const DECRYPT_NOTES = `
Writes FILE without its .c4gh, or stdout for other names and for stdin. Every byte
that is written was verified: an output file does not appear if a part of the input
was altered. The format cannot show that whole segments (64 KiB) were removed at the
end, repeated or exchanged.
${PASSPHRASES}

Examples:
  htskit decrypt reads.bam.c4gh --identity alice.sec
  htskit decrypt reads.bam.c4gh --identity alice.sec --edit 0-65535 -o - | xxd | less

${EXIT_CODES}`;

const REENCRYPT_NOTES = `
Encrypts the header for other readers and copies the data as it is, which is as fast
as copying. Those who could read the file cannot read the copy, unless they are
named or --keep-readers is given; they can still read the original.

With --edit, only the segments (64 KiB) of these bytes are copied, and an edit list
hides the rest of them from programs. It is not secret: the recipients can decrypt
the whole segments.
${PASSPHRASES}

Examples:
  htskit reencrypt reads.bam.c4gh --identity alice.sec -r bob.pub -o bob.bam.c4gh
  htskit reencrypt a.cram.c4gh --identity alice.sec -r bob.pub --edit 0-999 -o b.c4gh

${EXIT_CODES}`;

/** Adds `htskit encrypt`. */
export function addEncryptCommand(program: Command): void {
  const command = program.command('encrypt').description('encrypt a file with Crypt4GH');
  addRecipients(addShared(command, 'file to encrypt; - is stdin'))
    .addOption(identityOption('secret key of the writer (default: a new one, which is then discarded)'))
    .addHelpText('after', ENCRYPT_NOTES);
  addAction(command, async (task) => (await import('./run-crypt4gh.js')).encryptFile(task));
}

/** Adds `htskit decrypt`. */
export function addDecryptCommand(program: Command): void {
  const command = program.command('decrypt').description('decrypt a Crypt4GH file');
  addShared(command, 'file to decrypt; - is stdin')
    .addOption(identityOption('secret key of a recipient; repeatable (default: the file that C4GH_SECRET_KEY names)'))
    .addHelpText('after', DECRYPT_NOTES);
  addAction(command, async (task) => (await import('./run-crypt4gh.js')).decryptFile(task));
}

/** Adds `htskit reencrypt`. */
export function addReencryptCommand(program: Command): void {
  const command = program.command('reencrypt').description('encrypt a Crypt4GH file for other recipients');
  addRecipients(addShared(command, 'Crypt4GH file; - is stdin'))
    .addOption(identityOption('secret key of a recipient; repeatable (default: the file that C4GH_SECRET_KEY names)'))
    .addOption(
      new Option('--keep-readers', 'keep those who could read the file before').default(false).conflicts(['edit']),
    )
    .addHelpText('after', REENCRYPT_NOTES);
  addAction(command, async (task) => (await import('./run-crypt4gh.js')).reencryptFile(task));
}

function addShared(command: Command, description: string): Command {
  return addQuiet(command.argument('<FILE>', description))
    .option('-o, --output <file>', 'output file; - is stdout')
    .option('--edit <ranges>', 'only these bytes of the plaintext, such as 0-99,500-', parseKeptBytes)
    .option('--passphrase-file <file>', 'file with the passphrase of the secret key');
}

function addRecipients(command: Command): Command {
  return command.addOption(
    new Option('-r, --recipient <file>', 'public key of a recipient; repeatable').argParser(addValue).default([]),
  );
}

function identityOption(description: string): Option {
  return new Option('--identity <file>', description).argParser(addValue).default([]);
}

function addAction(command: Command, run: (task: Crypt4ghTask) => Promise<void>): void {
  command.action(async (path: string, flags: Crypt4ghFlags) => {
    if (flags.recipient?.length === 0) command.error('error: no recipient; use -r FILE');
    try {
      await withInterrupt((signal) => run({ path, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}
