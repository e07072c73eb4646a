import { inflateBlocks } from '@htskit/bgzf';
import {
  decryptingSource,
  decryptStream,
  encryptStream,
  formatPublicKey,
  formatSecretKey,
  generateKeyPair,
  openHeader,
  parsePublicKey,
  parseSecretKey,
  reencryptHeader,
} from '@htskit/crypt4gh';
import { memorySource } from '@htskit/storage/memory';
import { collect, concat, equalBytes, failsWith } from '../check.mjs';
import { files } from '../fixtures.mjs';

const fasta = inflateBlocks(files['genome.fa.gz']);
// workerd generates no random numbers before the first request.
let keys;
const keysOf = () => (keys ??= { alice: generateKeyPair(), bob: generateKeyPair() });

/** Pieces of an odd length, so that segments are cut anywhere. */
async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 12_347) yield bytes.subarray(at, at + 12_347);
}

const encrypt = (recipients) => collect(encryptStream(pieces(fasta), { recipients }));
const decrypt = (file, keys) => collect(decryptStream(pieces(file), { keys }));

export const checks = {
  'encrypts a file, and decrypts it': async () => {
    const { alice, bob } = keysOf();
    const file = await encrypt([alice.publicKey, bob.publicKey]);
    for (const { secretKey } of [alice, bob]) equalBytes(await decrypt(file, [secretKey]), fasta);
  },
  'reads ranges of an encrypted file': async () => {
    const { alice } = keysOf();
    const source = decryptingSource(memorySource(await encrypt([alice.publicKey])), { keys: [alice.secretKey] });
    const { size } = await source.stat();
    for (const [start, end] of [
      [0, 10],
      [65_530, 131_090],
      [size - 5, size],
    ]) {
      equalBytes((await source.read({ start, end })).slice(), fasta.subarray(start, end));
    }
  },
  'encrypts a header for another reader': async () => {
    const { alice, bob } = keysOf();
    const file = await encrypt([alice.publicKey]);
    const { byteLength } = await openHeader(memorySource(file), { keys: [alice.secretKey] });
    const header = reencryptHeader(file, { keys: [alice.secretKey], recipients: [bob.publicKey] });
    await failsWith('NO_KEY_FITS', () => decrypt(file, [bob.secretKey]));
    equalBytes(await decrypt(concat([header, file.subarray(byteLength)]), [bob.secretKey]), fasta);
  },
  'writes key files, with a passphrase or without one, and reads them': async () => {
    const { alice } = keysOf();
    equalBytes(parsePublicKey(formatPublicKey(alice.publicKey)), alice.publicKey);
    for (const passphrase of [undefined, 'correct horse']) {
      const secretKey = await parseSecretKey(await formatSecretKey(alice.secretKey, { passphrase }), { passphrase });
      equalBytes(secretKey.publicKey, alice.publicKey);
    }
  },
  'refuses a file that was altered': async () => {
    const { alice } = keysOf();
    const file = (await encrypt([alice.publicKey])).slice();
    file[file.length - 1] ^= 1;
    await failsWith('AUTHENTICATION_FAILED', () => decrypt(file, [alice.secretKey]));
  },
};
