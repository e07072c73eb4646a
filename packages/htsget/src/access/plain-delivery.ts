import { HtsgetError } from '@htskit/protocol';
import type { StoredFile } from '../file/stored-file.js';
import type { HtsgetOptions } from '../options.js';

type PlainDelivery = Pick<HtsgetOptions, 'plainDelivery' | 'extensions'>;

/** Returns whether a file may be answered plain, and what is derived of it, such as its header or its depth. */
export function isDeliveredPlain(
  { isEncrypted = false }: Pick<StoredFile, 'isEncrypted'>,
  { plainDelivery = false }: PlainDelivery,
): boolean {
  return !isEncrypted || plainDelivery;
}

/** Throws `HtsgetError` PermissionDenied unless a file may be answered plain. */
export function checkPlainDelivery(file: Pick<StoredFile, 'isEncrypted'>, options: PlainDelivery): void {
  if (isDeliveredPlain(file, options)) return;
  const { extensions = true } = options;
  const remedy =
    '; request it with encryptionScheme=crypt4gh and your public key in the header Htsget-Context-Public-Key';
  throw new HtsgetError(
    'PermissionDenied',
    `this object is stored encrypted and is not sent plain${extensions ? remedy : ''}`,
  );
}
