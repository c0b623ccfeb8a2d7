import { statfsSync } from 'node:fs';
import os from 'node:os';

const inMemory = '/dev/shm';
/** Free bytes in memory from which databases of tests lie there. */
const freeBytesMin = 8 * 1024 ** 3;

/**
 * The folder for databases that end with the tests: in memory where there is room, since a clone of a database makes a
 * thousand files. Otherwise the temporary folder.
 */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= freeBytesMin && os.freemem() >= freeBytesMin ? inMemory : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}
