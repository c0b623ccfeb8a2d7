/** True when the process has not ended. */
export function isAlive(pid: number): boolean;
