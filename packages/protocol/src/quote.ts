const MAX_LENGTH = 40;

/** The text in double quotes with control characters escaped, shortened to 40 characters: for error messages. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}
