import { useEffect, useRef, useState } from 'react';
import { toastProblem } from './toast.tsx';

type Work<Wanted> = (wanted: Wanted, signal: AbortSignal, onBytes: (bytes: number) => void) => Promise<void>;

/** A file on its way. */
export type Download<Wanted> = {
  readonly start: (wanted: Wanted) => void;
  /** Closes the request; the service then stops what it does for it. */
  readonly stop: () => void;
  /** Bytes that have come; undefined while nothing is on its way. */
  readonly bytes: number | undefined;
};

/** One download at a time. Leaving the page stops it. */
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
