// Runs the steps of the Dockerfile without docker: each stage in a folder that stands for its root.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folders of the images that the Dockerfile names. */
const PATHS = /(^|[\s"'=:])\/(?=(?:src|app|data|var\/cache)\b)/g;

/** Returns the instructions of a Dockerfile as `{ name, text }`. */
function parseDockerfile(text) {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return Array.from(lines.matchAll(/^([A-Z]+) (.+)$/gm), ([, name, rest]) => ({ name, text: rest }));
}

/** Returns whether a path is part of the context, by the patterns of .dockerignore: the last one that matches counts. */
function contextFilter(patterns) {
  const rules = patterns.map((pattern) => {
    const glob = pattern.replace(/^!/, '').replaceAll('.', '\\.');
    const source = glob.replaceAll(/\*\*\/|\*/g, (wildcard) => (wildcard === '*' ? '[^/]*' : '(?:.*/)?'));
    return { isIncluded: pattern.startsWith('!'), pattern: new RegExp(`^${source}(?:/|$)`) };
  });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isIncluded ?? true;
}

function copyContext(root, target) {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isIncluded = contextFilter(patterns);
  const visit = (folder) => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) {
        // Excluded folders too, since a later pattern may include what is below them.
        if (name !== 'node_modules' && name !== '.git') visit(path);
      } else if (isIncluded(path)) {
        mkdirSync(dirname(join(target, path)), { recursive: true });
        cpSync(join(root, path), join(target, path));
      }
    }
  };
  visit('');
}

/**
 * Runs all stages below `folder`, and returns the last one: `root`, the folder of its files, `environment`, and the
 * commands `entrypoint`, `command` and `healthcheck`, whose paths are those of the image. Throws if a command fails.
 */
export function runDockerfile(root, folder) {
  const stages = new Map();
  let stage;
  const inStage = (text) => text.replaceAll(PATHS, (_, before) => `${before}${stage.root}/`);
  const run = {
    FROM: (text) => {
      const name = / AS (\S+)$/.exec(text)?.[1] ?? 'image';
      stage = { root: join(folder, name), workdir: '', environment: { ...process.env, CI: 'true' } };
      mkdirSync(stage.root);
      stages.set(name, stage);
    },
    WORKDIR: (text) => {
      stage.workdir = inStage(text);
      mkdirSync(stage.workdir, { recursive: true });
    },
    ENV: (text) => {
      for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) {
        stage.environment[name] = inStage(value).replaceAll('$PATH', process.env.PATH);
      }
    },
    COPY: (text) => {
      const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text);
      if (from === undefined) return copyContext(root, stage.workdir);
      runShell(`cp -a ${join(stages.get(from).root, source)} ${inStage(target)}`, stage);
    },
    RUN: (text) => runShell(inStage(text), stage),
    USER: (text) => {
      stage.user = text;
    },
    EXPOSE: () => undefined,
    HEALTHCHECK: (text) => {
      stage.healthcheck = JSON.parse(text.slice(text.indexOf('CMD ') + 4));
    },
    ENTRYPOINT: (text) => {
      stage.entrypoint = JSON.parse(text);
    },
    CMD: (text) => {
      stage.command = JSON.parse(text);
    },
  };
  for (const { name, text } of parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    if (run[name] === undefined) throw new Error(`the Dockerfile has an instruction that is not known here: ${name}`);
    run[name](text);
  }
  return stage;
}

function runShell(command, { workdir, root, environment }) {
  const options = { cwd: workdir || root, env: environment, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', command], options);
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}\n${`${stdout}${stderr}`.slice(-4000)}`);
}
