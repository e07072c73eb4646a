import type { Decrypt } from '@htskit/catalogue';
import type { SecretKey } from '@htskit/crypt4gh';
import { concatBytes } from '@htskit/io';

/** The environment variables of the Python program crypt4gh: the path of the secret key, and its passphrase. */
export interface IdentityVariables {
  readonly C4GH_SECRET_KEY?: string;
  readonly C4GH_PASSPHRASE?: string;
}

/** The secret keys that a command is given, which are read when they are first needed. */
export class Identity {
  readonly #paths: readonly string[];
  readonly #passphrase: string | undefined;
  #keys: Promise<readonly SecretKey[]> | undefined;

  /** Takes the values of `--identity`. Without any, the environment names the key. */
  constructor(paths: readonly string[], { C4GH_SECRET_KEY, C4GH_PASSPHRASE }: IdentityVariables = process.env) {
    this.#paths = paths.length > 0 || !C4GH_SECRET_KEY ? paths : [C4GH_SECRET_KEY];
    this.#passphrase = C4GH_PASSPHRASE;
  }

  /** Returns the function that decrypts with the keys, or undefined if there are none. Throws Error with the path of an invalid one. */
  readonly openDecrypt = async (): Promise<Decrypt | undefined> => {
    if (this.#paths.length === 0) return undefined;
    const { decryptWith } = await import('../files/secret-keys.js');
    return decryptWith(await this.#read());
  };

  /** Encrypts bytes for the owners of the keys. Throws Error if there are no keys. */
  async encrypt(bytes: Uint8Array): Promise<Uint8Array> {
    const { encryptStream } = await import('@htskit/crypt4gh');
    const recipients = (await this.#read()).map(({ publicKey }) => publicKey);
    if (recipients.length === 0) throw new Error('an encrypted output needs a secret key: name it with --identity');
    const chunks: Uint8Array[] = [];
    for await (const chunk of encryptStream(once(bytes), { recipients })) chunks.push(chunk);
    return concatBytes(chunks);
  }

  #read(): Promise<readonly SecretKey[]> {
    this.#keys ??= this.#readAll();
    return this.#keys;
  }

  async #readAll(): Promise<readonly SecretKey[]> {
    const { readKeyFile } = await import('../files/secret-keys.js');
    return Promise.all(this.#paths.map((path) => readKeyFile(path, { passphrase: this.#passphrase })));
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
