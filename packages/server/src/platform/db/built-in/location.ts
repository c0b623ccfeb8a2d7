import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isReachableByAnybody } from './binaries.ts';

/** User that PostgreSQL runs as. `undefined`: the user of this process. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

export type ClusterLocation = {
  /** Files of the cluster (PGDATA). */
  readonly data: string;
  /** Folder of the Unix socket. It is short, because the path of a socket has at most 107 bytes. */
  readonly socket: string;
  readonly logFile: string;
  /** Folder for copies of the programs, if the server's user cannot reach them where npm installed them. */
  readonly shared: string;
  readonly user: ServerUser;
  /** One line for the console if the cluster is not inside the data directory. */
  readonly notice: string | undefined;
};

const socketPathBytesMax = 107;
const socketNameBytes = '/.s.PGSQL.65535.lock'.length;
/** uid and gid of an unprivileged user: PostgreSQL refuses to run as root. */
const unprivileged = { uid: 65534, gid: 65534 };

/**
 * Determines the location of the cluster of a data directory. Usually it is inside. A service that runs as root in
 * a closed folder (`/root`, a `mktemp -d` folder) uses `/var/lib/svc` instead, because the server runs as an
 * unprivileged user. A pointer file in the data directory then names the location.
 *
 * @throws Error with the setting to change, for a folder that cannot be created or written
 */
export function placeCluster(dataDirectory: string): ClusterLocation {
  try {
    return preparedLocation(dataDirectory);
  } catch (error) {
    throw withRemedy(error, dataDirectory);
  }
}

function preparedLocation(dataDirectory: string): ClusterLocation {
  const user = process.getuid?.() === 0 ? unprivileged : undefined;
  const hash = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 16);
  const shared = '/var/lib/svc';
  mkdirSync(dataDirectory, { recursive: true, mode: user ? 0o711 : 0o700 });
  const inside = path.join(path.resolve(dataDirectory), 'postgres');
  const isInside = user === undefined || isReachableByAnybody(inside);
  const base = isInside ? inside : path.join(shared, hash);
  openParents(base, user);
  const location = {
    data: path.join(base, 'data'),
    socket: socketFolder(base, hash, user),
    logFile: path.join(base, 'server.log'),
    shared,
    user,
    notice: isInside ? undefined : leavePointer(dataDirectory, base),
  };
  return location;
}

/** Adds the setting to change to an error of the file system, such as a missing right or a read-only folder. */
function withRemedy(error: unknown, dataDirectory: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const remedy = 'Set Svc:DataDirectory to a folder that this user may write to.';
  return new Error(`The data directory ${dataDirectory} cannot be used: ${error.message}. ${remedy}`, {
    cause: error,
  });
}

function openParents(base: string, user: ServerUser): void {
  mkdirSync(base, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (user) {
    chmodSync(path.dirname(base), statSync(path.dirname(base)).mode | 0o011);
    chownSync(base, user.uid, user.gid);
  }
  chmodSync(base, 0o700);
}

function socketFolder(base: string, hash: string, user: ServerUser): string {
  const inside = path.join(base, 'run');
  const fits = Buffer.byteLength(inside) + socketNameBytes <= socketPathBytesMax;
  const folder = fits ? inside : path.join(os.tmpdir(), `svc-${process.getuid?.() ?? 0}-${hash}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = statSync(folder).uid;
  const expected = user?.uid ?? process.getuid?.();
  if (!fits && expected !== undefined && owner !== expected && owner !== process.getuid?.()) {
    throw new Error(
      `The folder ${folder} for the database's socket belongs to another user. Remove it and start again.`,
    );
  }
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
}

function leavePointer(dataDirectory: string, base: string): string {
  const pointer = path.join(dataDirectory, 'postgres-location.txt');
  if (!existsSync(pointer) || readFileSync(pointer, 'utf8').trim() !== base)
    writeFileSync(pointer, `${base}\n`);
  return `Built-in PostgreSQL: kept in ${base}, because ${path.resolve(dataDirectory)} is closed to the user that it runs as.`;
}
