import { closeSync, openSync, writeSync } from 'node:fs';
import type { AuditDestination, AuditSettings } from './audit-log.js';
import { OtlpLogs } from './otlp-logs.js';
import { openSyslog } from './syslog.js';

const STDOUT = 1;

/** The file shows who reads which data, so only its owner and group may read it. */
const MODE = 0o640;

/**
 * Opens the destination of audit records. A file is created if it is missing. Throws the error of the file system, and RangeError for a
 * receiver of syslog that is not one. A receiver need not be there yet.
 */
export function openAuditDestination({ file = 'stdout', syslog, otlp }: AuditSettings): AuditDestination {
  if (syslog !== undefined) return openSyslog(syslog);
  return otlp === undefined ? openFile(file) : new OtlpLogs(otlp);
}

function openFile(file: string): AuditDestination {
  const isStdout = file === 'stdout';
  const fd = isStdout ? STDOUT : openSync(file, 'a', MODE);
  return {
    write: (bytes) => writeSync(fd, bytes),
    close: () => {
      if (!isStdout) closeSync(fd);
    },
  };
}
