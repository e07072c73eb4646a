import type { ServerLimits } from '../server-limits.js';

/** The limits of connections that are in force. */
export type ConnectionLimits = Pick<ServerLimits, 'connections' | 'connectionsPerClient'>;

/** The limit that is assumed where the system has one and does not report it: the default of Linux. */
const ASSUMED_DESCRIPTORS = 1024;

/**
 * The maximum number of descriptors that are kept for files, worker threads and connections to stores, unless that is more than
 * half of them.
 */
const RESERVED_DESCRIPTORS = 1024;

let knownDescriptors: number | undefined;

/** Returns how many descriptors the process may have open. The report of Node takes 5 ms, and reads no file. */
export function descriptorLimit(): number {
  knownDescriptors ??= readDescriptorLimit();
  return knownDescriptors;
}

/** The part of Node's diagnostic report that is read, and a setting that the types of Node 20 lack. */
interface LimitReport {
  excludeNetwork?: boolean;
  getReport(): object;
}

function readDescriptorLimit(): number {
  // Windows has no such limit.
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY;
  try {
    const report = process.report as unknown as LimitReport;
    const { excludeNetwork } = report;
    // Otherwise the report looks up the names of open connections.
    report.excludeNetwork = true;
    const { userLimits } = report.getReport() as { readonly userLimits?: { open_files?: { soft?: unknown } } };
    report.excludeNetwork = excludeNetwork ?? false;
    const soft = userLimits?.open_files?.soft;
    if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
    return typeof soft === 'number' ? soft : ASSUMED_DESCRIPTORS;
  } catch {
    return ASSUMED_DESCRIPTORS;
  }
}

/**
 * Returns the limits of connections for a process with this number of descriptors. If there are fewer than the limits need,
 * connections get what is not reserved, and a single client at most half of that.
 */
export function fitConnections(
  { connections, connectionsPerClient }: ConnectionLimits,
  descriptors: number,
): ConnectionLimits {
  const most = Math.max(2, descriptors - Math.min(RESERVED_DESCRIPTORS, Math.ceil(descriptors / 2)));
  if (connections <= most) return { connections, connectionsPerClient };
  return { connections: most, connectionsPerClient: Math.min(connectionsPerClient, Math.floor(most / 2)) };
}
