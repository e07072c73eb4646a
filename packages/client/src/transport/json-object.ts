export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON text; undefined for one that is malformed or holds something else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
