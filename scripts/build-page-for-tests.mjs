// The global setup of the interop tests, after that of all tests: the tests in a browser load the built page.
export default async function setup() {
  await import('./build-page.mjs');
}
