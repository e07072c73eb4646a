// Measures the function of deploy/lambda: its zip, and the CPU time of tickets, cold and warm.
import { measureTickets } from '../lambda/tickets.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { writeFiles } from '../server/files.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  if (process.platform !== 'linux') {
    noteNotMeasured('CPU time of functions', 'Linux');
    return [];
  }
  return withTemporaryFolder((folder) => measureTickets(folder, writeFiles(folder)));
}
