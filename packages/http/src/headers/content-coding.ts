/**
 * Returns the content coding that a client prefers (RFC 9110 §12.5.3), or undefined for none. Of equal preferences, the first
 * of `supported` wins. Malformed preferences count as refusals.
 */
export function negotiateCoding<Coding extends string>(
  acceptEncoding: string | null,
  supported: readonly Coding[],
): Coding | undefined {
  if (acceptEncoding === null) return undefined;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.split(',')) {
    const [, name = '', weight] = /^\s*([^\s;]+)\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(item) ?? [];
    const coding = name.toLowerCase();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : parseWeight(weight));
  }
  const weightOf = (coding: string): number | undefined => weights.get(coding) ?? weights.get('*');
  let best: Coding | undefined;
  // Without a weight, no coding is acceptable, but less so than any coding that is listed.
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of supported) {
    const weight = weightOf(coding) ?? 0;
    if (weight === 0 || weight < bestWeight || (best !== undefined && weight === bestWeight)) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

function parseWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
