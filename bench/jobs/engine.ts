import type pg from 'pg';

/** A measured job engine. Every engine has a separate database on the same server. */
export type BenchEngine = {
  readonly name: string;
  /** Enqueues one job and waits until it is stored. */
  enqueueOne(): Promise<void>;
  /** Enqueues jobs with one call. */
  enqueueBulk(count: number): Promise<void>;
  /** Starts workers that run no-op handlers; `onRun` is called by each. */
  work(concurrency: number, onRun: () => void): Promise<{ stop(): Promise<void> }>;
  /** Removes all jobs, so that every measurement starts with the same state. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

/** Opens an engine on a fresh, empty database. */
export type OpenEngine = (connection: pg.ClientConfig) => Promise<BenchEngine>;

export const payload = { orderId: 12_345, action: 'confirm' };
