/** The places of fields in a BAM record, which starts with block_size (SAMv1 §4.2). */
export const BAM_FIELD = {
  referenceId: 4,
  position: 8,
  nameLength: 12,
  cigarCount: 16,
  flags: 18,
  baseCount: 20,
  mateReferenceId: 24,
  matePosition: 28,
  templateLength: 32,
  name: 36,
} as const;

export const BAM_FLAG = { paired: 1, unmapped: 4, mateUnmapped: 8, reverse: 16, mateReverse: 32, first: 64 } as const;
