// Measures tickets and blocks over HTTP through each framework, against constant answers of that framework; memory; CPU time.
import { measureBesideHtsgetRs } from '../server/beside-htsget-rs.mjs';
import { measureBlocks } from '../server/blocks.mjs';
import { measureCpu } from '../server/cpu.mjs';
import { measureDownloadCpu } from '../server/download-cpu.mjs';
import { writeFiles } from '../server/files.mjs';
import { withServer } from '../server/server.mjs';
import { measureTickets } from '../server/tickets.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const paths = writeFiles(folder);
    const rows = await withServer(paths, async (server) => [
      ...(await measureTickets(server)),
      ...(await measureBlocks({ ...server, paths })),
    ]);
    return [
      ...rows,
      ...(await measureBesideHtsgetRs(folder)),
      ...(await measureCpu(folder, paths)),
      ...(await measureDownloadCpu(folder)),
    ];
  });
}
