import type { Decrypt } from '@htskit/catalogue';
import type { SecretKey } from '@htskit/crypt4gh';
import { concatBytes } from '@htskit/io';

type Environment = Readonly<Record<string, string | undefined>>;

/** The secret keys that a command is given, which are read when they are first needed. */
export class Identity {
  readonly #paths: readonly string[];
  readonly #environment: Environment;
  #keys: Promise<readonly SecretKey[]> | undefined;

  /** Takes the values of `--identity`. Without any, C4GH_SECRET_KEY names the key. */
  constructor(paths: readonly string[], environment: Environment = process.env) {
    this.#paths = paths;
    this.#environment = environment;
  }

  /** Returns the function that decrypts with the keys, or undefined if there are none. Throws what `readIdentities` throws. */
  readonly openDecrypt = async (): Promise<Decrypt | undefined> => {
    if (this.#paths.length === 0 && !this.#environment['C4GH_SECRET_KEY']) return undefined;
    const { decryptWith } = await import('../files/key-files.js');
    return decryptWith(await this.read());
  };

  /** Encrypts bytes for the owners of the keys. Throws what `readIdentities` throws. */
  async encrypt(bytes: Uint8Array): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.encryptStream(once(bytes))) chunks.push(chunk);
    return concatBytes(chunks);
  }

  /** Encrypts a stream for the owners of the keys. Throws what `readIdentities` throws. */
  async *encryptStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const { encryptStream } = await import('@htskit/crypt4gh');
    const recipients = (await this.read()).map(({ publicKey }) => publicKey);
    yield* encryptStream(chunks, { recipients });
  }

  /** Returns the keys. Throws what `readIdentities` throws. */
  read(): Promise<readonly SecretKey[]> {
    this.#keys ??= this.#readAll();
    return this.#keys;
  }

  async #readAll(): Promise<readonly SecretKey[]> {
    const { readIdentities } = await import('../files/key-files.js');
    return readIdentities(this.#paths, { environment: this.#environment });
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
