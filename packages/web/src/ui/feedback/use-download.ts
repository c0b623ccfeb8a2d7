import { useEffect, useRef, useState } from 'react';
import { toastProblem } from './toast.tsx';

type Work<Wanted> = (wanted: Wanted, signal: AbortSignal, onBytes: (bytes: number) => void) => Promise<void>;

/** Download in progress. */
export type Download<Wanted> = {
  readonly start: (wanted: Wanted) => void;
  /** Aborts the request. The service then stops its work. */
  readonly stop: () => void;
  /** Number of received bytes. Undefined without a download. */
  readonly bytes: number | undefined;
};

/** Runs one download at a time. Leaving the page aborts it. */
export function useDownload<Wanted>(work: Work<Wanted>): Download<Wanted> {
  const [bytes, setBytes] = useState<number | undefined>(undefined);
  const present = useRef<AbortController | null>(null);
  useEffect(() => () => present.current?.abort(), []);

  const start = (wanted: Wanted) => {
    present.current?.abort();
    const controller = new AbortController();
    present.current = controller;
    setBytes(0);
    const isPresent = () => present.current === controller;
    work(wanted, controller.signal, (count) => isPresent() && setBytes(count))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toastProblem(error);
      })
      .finally(() => {
        if (isPresent()) setBytes(undefined);
      });
  };
  return { start, stop: () => present.current?.abort(), bytes };
}
