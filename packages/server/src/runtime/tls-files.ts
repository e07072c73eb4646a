import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { describeError } from '../describe-error.js';
import type { TlsSection } from '../config/sections/listen.js';

export interface TlsFilesOptions {
  /** Told when files that have changed cannot be used, and when they are. */
  readonly log: (message: string) => void;
  /** Milliseconds between two looks at the files. Default 5000. */
  readonly pollMilliseconds?: number | undefined;
}

/** Links are followed each time, so that secrets which a cluster swaps by a link are noticed, too. */
const POLL_MILLISECONDS = 5000;

/**
 * A certificate and its key, read anew when their files change. TLS 1.2 is the least that is spoken; Node's ciphers hold none
 * that is known to be weak, and their order is the server's.
 */
export class TlsFiles {
  readonly #section: TlsSection;
  readonly #log: (message: string) => void;
  readonly #followers: ((options: SecureContextOptions) => void)[] = [];
  readonly #onChange = (): void => void this.reload();
  #options: SecureContextOptions;

  /** Throws Error where a file cannot be read, or the certificate and the key do not belong together. */
  static async open(section: TlsSection, options: TlsFilesOptions): Promise<TlsFiles> {
    return new TlsFiles(section, options, await readContext(section));
  }

  private constructor(section: TlsSection, options: TlsFilesOptions, context: SecureContextOptions) {
    const { log, pollMilliseconds: interval = POLL_MILLISECONDS } = options;
    this.#section = section;
    this.#log = log;
    this.#options = context;
    for (const file of [section.cert, section.key]) watchFile(file, { interval, persistent: false }, this.#onChange);
  }

  /** For `https.createServer`. */
  get options(): SecureContextOptions {
    return this.#options;
  }

  /** Calls back with the options of each certificate that takes the place of another. */
  follow(follower: (options: SecureContextOptions) => void): void {
    this.#followers.push(follower);
  }

  /** Reads the files again. What cannot be used changes nothing, and is told. */
  async reload(): Promise<void> {
    try {
      this.#options = await readContext(this.#section);
      for (const follower of this.#followers) follower(this.#options);
      this.#log('the TLS certificate was read again');
    } catch (error) {
      this.#log(`the TLS certificate stays as it was: ${describeError(error)}`);
    }
  }

  /** Looks at the files no longer. */
  close(): void {
    for (const file of [this.#section.cert, this.#section.key]) unwatchFile(file, this.#onChange);
  }
}

async function readContext({ cert, key }: TlsSection): Promise<SecureContextOptions> {
  const [certificate, privateKey] = await Promise.all([readFile(cert), readFile(key)]);
  const options = { cert: certificate, key: privateKey, minVersion: 'TLSv1.2', honorCipherOrder: true } as const;
  createSecureContext(options);
  return options;
}
