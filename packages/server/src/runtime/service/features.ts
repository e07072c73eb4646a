import type { ProtocolOptions } from './handlers.js';

/** What a server answers beyond htsget and refget. Each can be switched off. */
export interface Features {
  readonly coverage: boolean;
  /** DRS and whole files. */
  readonly drs: boolean;
  readonly seqrepo: boolean;
  /** The parameters that htskit adds to htsget. */
  readonly extensions: boolean;
}

export const ALL_FEATURES: Features = { coverage: true, drs: true, seqrepo: true, extensions: true };

/** Returns what a server with these options answers. */
export function featuresOf({
  coverage,
  drs,
  seqrepo = true,
  htsget,
}: Pick<ProtocolOptions, 'coverage' | 'drs' | 'seqrepo' | 'htsget'>): Features {
  return {
    coverage: coverage !== 'off',
    drs: drs?.enabled !== false,
    seqrepo,
    extensions: htsget?.extensions !== false,
  };
}
