import { parseLocation } from '@htskit/catalogue/internal';
import { InvalidArgumentError } from 'commander';

/** Checks the location of a store: a folder or s3://BUCKET/PREFIX. Throws InvalidArgumentError. */
export function parseStore(text: string): string {
  if (isStoreLocation(text)) return text;
  throw new InvalidArgumentError('expected a folder or s3://BUCKET/PREFIX.');
}

function isStoreLocation(text: string): boolean {
  try {
    return parseLocation(text, '.').kind !== 'http';
  } catch {
    return false;
  }
}
