import type { ExportFormat } from '@svc/contract';
import { useEffect, useRef, useState } from 'react';
import { toastProblem } from '../../../ui/toast.tsx';

type Work = (format: ExportFormat, signal: AbortSignal, onBytes: (bytes: number) => void) => Promise<void>;

/** A file on its way. */
export type Download = {
  readonly start: (format: ExportFormat) => void;
  /** Closes the request; the service then stops the statement at the data source. */
  readonly stop: () => void;
  /** Bytes that have come; undefined while nothing is on its way. */
  readonly bytes: number | undefined;
};

/** One download at a time. Leaving the page stops it. */
export function useDownload(work: Work): Download {
  const [bytes, setBytes] = useState<number | undefined>(undefined);
  const present = useRef<AbortController | null>(null);
  useEffect(() => () => present.current?.abort(), []);

  const start = (format: ExportFormat) => {
    present.current?.abort();
    const controller = new AbortController();
    present.current = controller;
    setBytes(0);
    const isPresent = () => present.current === controller;
    work(format, controller.signal, (count) => isPresent() && setBytes(count))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toastProblem(error);
      })
      .finally(() => {
        if (isPresent()) setBytes(undefined);
      });
  };
  return { start, stop: () => present.current?.abort(), bytes };
}
