import { statfsSync } from 'node:fs';
import { type Finding, fault, warning, well } from '@svc/server/operations';

const megabyte = 1_000_000;
const gigabyte = 1_000 * megabyte;
const freeShareMin = 0.1;
/** Minimum of free bytes. Below it the next checkpoint, sort or log may run out of space. */
const freeMin = 200 * megabyte;

/** Checks the free space of the data directory's file system. */
export function lookAtDisk(directory: string): Finding {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return ofDisk(directory, { free: bavail * bsize, all: blocks * bsize });
  } catch {
    return well('Disk', `${directory} is not there yet.`);
  }
}

/** @param room  in bytes */
export function ofDisk(
  directory: string,
  { free, all }: { readonly free: number; readonly all: number },
): Finding {
  const amount = free < gigabyte ? `${Math.floor(free / megabyte)} MB` : `${(free / gigabyte).toFixed(1)} GB`;
  const text = `${amount} are free where ${directory} lies.`;
  const remedy = 'Free some, or move Svc:DataDirectory: a full disk stops every write.';
  if (free < freeMin) return fault('Disk', text, remedy);
  return free < all * freeShareMin ? warning('Disk', text, remedy) : well('Disk', text);
}
