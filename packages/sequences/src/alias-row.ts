/** A name that an authority gave to a sequence. */
export interface AliasRow {
  /** Name of the sequence in its file, or one of its digests, bare or with its namespace. */
  readonly sequence: string;
  /** All names of that sequence in its table, where it has several; this row is one of those of them. */
  readonly names?: readonly string[] | undefined;
  readonly alias: string;
  readonly namingAuthority: string;
  /** Bases that the sequence must have: one of that name and another length is another sequence. */
  readonly length?: number | undefined;
}
