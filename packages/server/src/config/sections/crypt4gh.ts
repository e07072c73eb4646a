import { resolve } from 'node:path';
import type { Decrypt } from '@htskit/catalogue';
import { parseSecretKey } from '@htskit/crypt4gh';
import { z } from 'zod';
import { describeError } from '../../errors.js';
import { decryptWith, readSecretKey } from '../../files/key-files.js';

const keySection = z
  .strictObject({
    file: z.string().min(1).optional().describe('A file with a secret key, as PEM or Base64.'),
    key: z
      .string()
      .min(1)
      .optional()
      .describe('The text of a secret key in place of a file, as PEM or Base64. Keep it in an environment variable.'),
    passphrase: z
      .string()
      .min(1)
      .optional()
      .describe('The passphrase of the key, if it has one. Keep it in an environment variable.'),
  })
  .superRefine(({ file, key }, context) => {
    if ((file === undefined) !== (key === undefined)) return;
    context.addIssue({ code: 'custom', message: 'expected either file or key' });
  });

/** The section `crypt4gh` of the configuration. */
export const crypt4ghSection = z.strictObject({
  keys: z
    .array(keySection)
    .min(1)
    .optional()
    .describe('The secret keys of this server, which are tried in turn. Default: encrypted files are not served.'),
  plainDelivery: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Whether encrypted objects are also answered plain, and encrypted sequences at all. Default: off, so that requests need the ' +
        'public key of the client.',
    ),
});

type Crypt4ghSection = z.infer<typeof crypt4ghSection>;

/**
 * Reads the keys, and returns the function that decrypts with them; undefined if there are none. Relative paths start at `folder`.
 * Throws Error with the place of a key that cannot be read. No message has a key or passphrase.
 */
export async function openDecrypt({ keys }: Crypt4ghSection = {}, folder: string): Promise<Decrypt | undefined> {
  if (keys === undefined) return undefined;
  const opened = keys.map(async ({ file, key = '', passphrase }, index) => {
    try {
      return await (file === undefined
        ? parseSecretKey(key, { passphrase })
        : readSecretKey(resolve(folder, file), passphrase));
    } catch (error) {
      throw new Error(`crypt4gh.keys[${index}]: ${describeError(error)}`, { cause: error });
    }
  });
  return decryptWith(await Promise.all(opened));
}
