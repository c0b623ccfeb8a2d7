/** Runs `work` while no other process holds the lock of this file; it ends with its holder, however that ends. */
export function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T>;
