import { type CramReferenceSource, createBamToSam, createCramDecoder } from '@htskit/formats';
import { toOwned } from '@htskit/io';
import { type Ask, serveJobs } from '@htskit/io/workers';
import type { CramContainer } from '../stored/cram-containers.js';
import type { BaseRequest, RecordJob, TaskInput, TaskSetting } from './record-job.js';

type AskForBases = Ask<BaseRequest, Uint8Array | undefined>;

/** Does the jobs of one task. */
type TaskHandler = (input: TaskInput) => Promise<readonly Uint8Array[]> | readonly Uint8Array[];

function openTask(task: TaskSetting, ask: AskForBases): TaskHandler {
  if (task.kind === 'text') {
    const sam = createBamToSam(task.header);
    return (records) => sam.push(records as Uint8Array).map(toOwned);
  }
  const reference: CramReferenceSource = ({ name, length, md5, uri, start, end }) =>
    ask({ name, length, md5, ...(uri !== undefined && { uri }), start, end });
  const decoder = createCramDecoder({ ...task.setting, reference });
  return async (input) => {
    const { header, blocks, offset } = input as CramContainer;
    const pieces: Uint8Array[] = [];
    for await (const piece of decoder.decode(blocks, { header, offset })) pieces.push(piece);
    return pieces;
  };
}

const tasks = new Map<number, TaskHandler>();

serveJobs<RecordJob, readonly Uint8Array[], BaseRequest, Uint8Array | undefined>(
  async ({ task, setting, input }, ask) => {
    if (setting !== undefined) tasks.set(task, openTask(setting, ask));
    if (input === undefined) tasks.delete(task);
    const result = (input && (await tasks.get(task)?.(input))) ?? [];
    return { result, transfer: [...new Set(result.map(({ buffer }) => buffer as ArrayBuffer))] };
  },
);
