import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in microseconds of the PostgreSQL processes below this one; NaN without `/proc`. */
export type ServerCpu = {
  /** Returns the time since the last call, without processes that have ended meanwhile. */
  readonly take: () => number;
};

const nanosPerMicro = 1_000;

export function watchServerCpu(): ServerCpu {
  let last = new Map<number, number>();
  return {
    take: () => {
      const now = new Map(serverProcesses().map((pid) => [pid, nanosOf(pid)]));
      let used = 0;
      for (const [pid, nanos] of now) used += nanos - (last.get(pid) ?? 0);
      last = now;
      return now.size === 0 ? Number.NaN : used / nanosPerMicro;
    },
  };
}

type Process = { readonly parent: number; readonly name: string };

function serverProcesses(): number[] {
  const all = new Map<number, Process>();
  for (const entry of listOf('/proc')) {
    const stat = /^\d+$/.test(entry) ? textOf(`/proc/${entry}/stat`) : undefined;
    // The name is in parentheses and may contain any character.
    const [, name, parent] = /\((.*)\) \S+ (\d+)/s.exec(stat ?? '') ?? [];
    if (name !== undefined) all.set(Number(entry), { name, parent: Number(parent) });
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isBelow(all.get(pid)?.parent));
  return [...all].flatMap(([pid, { name }]) => (name.startsWith('postgres') && isBelow(pid) ? [pid] : []));
}

const nanosOf = (pid: number): number => Number(textOf(`/proc/${pid}/schedstat`)?.split(' ')[0] ?? 0);

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the content of a file, or undefined: a process may end between the listing and the read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
