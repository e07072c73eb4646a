import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { TlsSection } from '../config/sections/operation.js';
import { describeError } from '../errors.js';

export interface TlsFilesOptions {
  /** Receives a message for each change, and for changed files that cannot be used. */
  readonly log: (message: string) => void;
  /** Milliseconds between two checks of the files. Default 5000. */
  readonly pollMilliseconds?: number;
}

/** Polling follows links each time, so that secrets which a cluster replaces by a link are noticed too. */
const POLL_MILLISECONDS = 5000;

/**
 * A certificate and its key, which are read again when their files change. TLS 1.2 is the minimum version. The ciphers are
 * those of Node, in the server's order.
 */
export class TlsFiles {
  readonly #section: TlsSection;
  readonly #log: (message: string) => void;
  readonly #followers: ((options: SecureContextOptions) => void)[] = [];
  readonly #onChange = (): void => void this.reload();
  #options: SecureContextOptions;

  /** Throws Error if a file cannot be read, or if the key does not belong to the certificate. */
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

  /** The current options for `https.createServer`. */
  get options(): SecureContextOptions {
    return this.#options;
  }

  /** Adds a callback for the options of each new certificate. */
  follow(follower: (options: SecureContextOptions) => void): void {
    this.#followers.push(follower);
  }

  /** Reads the files again. Files that cannot be used are logged and change nothing. */
  async reload(): Promise<void> {
    try {
      this.#options = await readContext(this.#section);
      for (const follower of this.#followers) follower(this.#options);
      this.#log('reloaded the TLS certificate');
    } catch (error) {
      this.#log(`cannot reload the TLS certificate, keeping the current one: ${describeError(error)}`);
    }
  }

  /** Stops watching the files. */
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
