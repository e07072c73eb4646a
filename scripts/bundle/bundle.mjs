// Bundles programs of the server with the scripts of their worker threads.
import { dirname, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** The scripts of workers. */
export const WORKERS = {
  'codec-worker': 'bgzf/src/pool/codec-worker.ts',
  'checksum-worker': 'server/src/runtime/checksums/checksum-worker.ts',
  'coverage-worker': 'server/src/runtime/coverage/coverage-worker.ts',
  'delivery-worker': 'htsget/src/transform/delivery-worker.ts',
  'digest-worker': 'sequences/src/digest/digest-worker.ts',
  'hash-worker': 'client/src/refget/hash-worker.ts',
  'record-worker': 'records/src/ahead/record-worker.ts',
  'table-worker.node': 'catalogue/src/sequences/table/table-worker.node.ts',
};

/**
 * Writes the bundle of programs, `{ name: path }`, to `dir`, with the scripts of `workers` and all chunks in its folder `folder`.
 * `files` are other files that modules find beside themselves, by their paths there, relative to `dir`. Returns the folders of
 * the packages of others that the bundle contains. Throws if an import cannot be resolved.
 */
export async function writeBundle({ programs = {}, workers = {}, files, dir, folder, external, output }) {
  const scripts = Object.entries(workers).map(([name, path]) => [name, packages + path]);
  const build = await rolldown({
    input: { ...programs, ...Object.fromEntries(scripts) },
    platform: 'node',
    external,
    resolve: { conditionNames: ['@htskit/source', 'node', 'import', 'default'] },
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  const locate = (name) => {
    if (files[name] !== undefined) return files[name];
    if (WORKERS[name.replace(/\.js$/, '')] === undefined) throw new Error(`the bundle has no ${name}`);
    return `${folder}/${name}`;
  };
  const written = await build.write({
    ...output,
    dir,
    entryFileNames: ({ name }) => (name in programs ? '[name].js' : `${folder}/[name].js`),
    chunkFileNames: `${folder}/[name]-[hash].js`,
    plugins: [{ name: 'file-urls', renderChunk: (code, chunk) => relateUrls(code, chunk, locate) }],
  });
  await build.close();
  return bundledFolders(written.output);
}

/** Replaces the URLs of files beside a module with URLs that are relative to its chunk. */
function relateUrls(code, { fileName }, locate) {
  const replaced = code.replaceAll(
    /new URL\("[^"]*?([^"/]+\/?)", import\.meta\.url\)/g,
    (_, name) => `new URL("./${relative(dirname(fileName), locate(name))}", import.meta.url)`,
  );
  // No line moves.
  return { code: replaced, map: null };
}

/** Returns the folders of the packages of others that the bundle contains. */
function bundledFolders(output) {
  const folders = output.flatMap(({ moduleIds = [] }) =>
    moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]),
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}
