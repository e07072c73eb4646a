interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** What the system refuses by a name alone, with what to do about it; undefined for every other error. */
export function describeSystemError(error: Error): string | undefined {
  const { code, syscall, path, address, port, hostname }: SystemError = error;
  if ((code === 'ENOENT' || code === 'ENOTDIR') && path !== undefined)
    return `${path}: there is no such file or folder`;
  if (code === 'EACCES' && path !== undefined) return `${path}: this user may not read or write it`;
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `port ${port} of ${address} is taken by another program: give another --port, or 0 for a free one (${code})`;
  }
  if (syscall === 'listen' && code === 'EACCES')
    return `this user may not listen on port ${port}: give one from 1024 on`;
  if ((syscall === 'listen' && code === 'EADDRNOTAVAIL') || syscall === 'getaddrinfo') {
    return `${address ?? hostname} is no address of this machine: --host 0.0.0.0 is all that it has (${code})`;
  }
  return undefined;
}
