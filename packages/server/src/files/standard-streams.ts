/** The path that stands for stdin. */
export const STDIN = '-';

/** The path that stands for stdout. */
export const STDOUT = '-';
