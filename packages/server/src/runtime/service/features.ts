/** The parts of a server beyond htsget and refget. Each can be switched off. */
export interface Features {
  readonly coverage: boolean;
  /** DRS and whole files. */
  readonly drs: boolean;
  readonly seqrepo: boolean;
  /** The parameters that htskit adds to htsget. */
  readonly extensions: boolean;
}

export const ALL_FEATURES: Features = { coverage: true, drs: true, seqrepo: true, extensions: true };

/** The options that switch features off. */
interface FeatureOptions {
  readonly coverage?: 'off' | 'estimate' | 'on';
  readonly drs?: { readonly enabled?: boolean } | undefined;
  readonly seqrepo?: boolean;
  readonly htsget?: { readonly extensions?: boolean };
}

/** Returns what a server with these options answers. */
export function featuresOf({ coverage, drs, seqrepo = true, htsget }: FeatureOptions): Features {
  return {
    coverage: coverage !== 'off',
    drs: drs?.enabled !== false,
    seqrepo,
    extensions: htsget?.extensions !== false,
  };
}
