/** How far the one pass over a file is, in bytes as they are stored. */
export interface DigestProgress {
  readonly bytesRead: number;
  readonly size: number;
}
