import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toResponse } from '@htskit/http';
import { BlockCache } from '@htskit/storage/cache';
import { JsonServer } from '@htskit/testing';
import { PassportIssuer } from '@htskit/testing/passport-issuer';
import { createKey, type IssuerKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { authSection, createAuthorization } from '../../../src/auth/auth-section.js';
import { routeOf } from '../../../src/runtime/request-route.js';
import { createHandler } from '../../../src/runtime/service/handlers.js';
import { openFiles, type ServedFiles } from '../../../src/runtime/service/served-files.js';
import type { FetchHandler } from '../../dispatch.js';
import { type RandomAccess, type Requester, toSection } from './random-access.js';
import { writeSecretFiles } from './secret-files.js';

export const PUBLIC_URL = 'http://localhost';

interface Issuers {
  readonly key: IssuerKey;
  readonly keys: JsonServer;
  readonly passports: PassportIssuer;
}

/** A server, without its port, of the secret files under a configuration. */
export class SecretServer {
  readonly #folder: string;
  readonly #files: ServedFiles;
  readonly #issuers: Issuers;

  private constructor(folder: string, files: ServedFiles, issuers: Issuers) {
    this.#folder = folder;
    this.#files = files;
    this.#issuers = issuers;
  }

  static async start(): Promise<SecretServer> {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-leaks-'));
    await writeSecretFiles(folder);
    const log = (message: string): never => {
      throw new Error(message);
    };
    const files = await openFiles({ paths: [folder], log }, new BlockCache());
    await files.sequences.settled();
    const key = await createKey('one');
    const keys = await JsonServer.start(keySetOf(key));
    const passports = await PassportIssuer.start('https://broker.example');
    return new SecretServer(folder, files, { key, keys, passports });
  }

  /** Returns the bytes of a stored file. */
  read(file: string): Buffer {
    return readFileSync(join(this.#folder, file));
  }

  /** Creates the handler of all paths. Without rules, everything is public. */
  async createApp(access?: RandomAccess): Promise<FetchHandler> {
    const section = authSection.parse(access === undefined ? {} : this.#toSection(access));
    const { access: authorizer } = await createAuthorization(section);
    const handler = createHandler(
      {
        publicUrl: PUBLIC_URL,
        signingKeys: [crypto.getRandomValues(new Uint8Array(32))],
        authority: 'ga4gh',
        htsget: { ...(authorizer && { authorize: authorizer.htsget }), limits: { inlineBytes: 300 } },
        ...(authorizer && { refget: { authorize: authorizer.refget } }),
        report: (error) => {
          throw error;
        },
      },
      this.#files,
    );
    return async (request) => toResponse(await handler(request, routeOf(request.url.slice(PUBLIC_URL.length))));
  }

  #toSection({ rules, publicGlobs }: RandomAccess): object {
    const { keys, passports } = this.#issuers;
    const granted = rules.filter(({ dataset }) => dataset !== undefined);
    const forTokens = rules.filter(({ dataset }) => dataset === undefined);
    const datasets = Object.fromEntries(granted.map((rule) => [rule.dataset ?? '', toSection(rule)] as const));
    return {
      jwt: jwtOf(keys),
      public: publicGlobs,
      rules: forTokens.map(({ group, ...rule }) => ({
        ...toSection({ ...rule, group }),
        ...(group !== undefined && { claims: { groups: [group] } }),
      })),
      ...(granted.length > 0 && { passports: { trusted: [passports.trusted], datasets } }),
    };
  }

  /** Returns the token that a requester sends, if any. */
  async tokenOf({ kind, groups, datatypes, datasets }: Requester): Promise<string | undefined> {
    const { key, passports } = this.#issuers;
    const scope = datatypes.map((datatype) => `read:genomic_${datatype}`).join(' ');
    if (kind === 'stranger') return undefined;
    if (kind === 'forger') return signToken(await createKey('one'), { scope, groups });
    if (kind === 'token') return signToken(key, { scope, groups });
    const visas = datasets.map((name) =>
      passports.signVisa({ visa: { value: `https://data.example/datasets/${name}` } }),
    );
    return passports.signPassport(await Promise.all(visas));
  }

  async stop(): Promise<void> {
    const { keys, passports } = this.#issuers;
    await Promise.all([this.#files.close(), keys.stop(), passports.stop()]);
    rmSync(this.#folder, { recursive: true });
  }
}
