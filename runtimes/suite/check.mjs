/** Throws unless both values have the same JSON. */
export function equal(actual, expected) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

/** Throws unless both have the same bytes. */
export function equalBytes(actual, expected) {
  if (actual.length !== expected.length) throw new Error(`expected ${expected.length} bytes, found ${actual.length}`);
  const at = expected.findIndex((byte, index) => byte !== actual[index]);
  if (at >= 0) throw new Error(`byte ${at}: expected ${expected[at]}, found ${actual[at]}`);
}

/** Throws unless the call fails with an error that has this code. */
export async function failsWith(code, call) {
  let found = 'no failure';
  try {
    await call();
  } catch (error) {
    if (error.code === code) return;
    found = error;
  }
  throw new Error(`expected a failure with ${code}, found ${found}`);
}

/** Returns all chunks of an iterable, concatenated. Each is copied before the next one is requested. */
export async function collect(chunks) {
  const bytes = [];
  for await (const chunk of chunks) bytes.push(chunk.slice());
  return concat(bytes);
}

export function concat(chunks) {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Returns the bytes in hexadecimal. */
export async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns all bytes of a stream. Throws the error that ends it. Not all runtimes can iterate streams. */
export async function readAll(stream) {
  const reader = stream.getReader();
  const chunks = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return concat(chunks);
}

/** Calls a function until it returns a value, and returns that. Throws after thirty seconds. */
export async function until(what, call) {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; ) {
    const found = await call();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing came of ${what} within 30 s`);
}
