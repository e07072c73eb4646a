/** Returns the value below which a share of the values lies, or NaN for no values. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? Number.NaN : (sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0]);
}

/** Returns the mean, or 0 for no values. */
export function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values) {
  return quantile(values, 0.5);
}
