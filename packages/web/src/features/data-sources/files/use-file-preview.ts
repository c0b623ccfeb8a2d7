import { type FilePreview as Preview, previewDataFile } from '@svc/contract';
import { useRef, useState } from 'react';
import { useChange } from '../../../lib/server-state.ts';
import type { FileValues } from './file-schema.ts';

/** Result of the last preview, with its settings. */
type Answer = { readonly of: FileValues } & ({ readonly preview: Preview } | { readonly reason: unknown });

const hasSameSettings = (one: FileValues, other: FileValues): boolean =>
  JSON.stringify({ ...one, name: '' }) === JSON.stringify({ ...other, name: '' });

/** Preview of a file. A result is visible only while the form has the settings of its request. */
export function useFilePreview(file: FileValues, onRefused: () => void) {
  const request = useChange(previewDataFile);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const latest = useRef(file);
  latest.current = file;
  const current = answer && hasSameSettings(answer.of, file) ? answer : null;
  return {
    preview: current && 'preview' in current ? current.preview : null,
    problem: current && 'reason' in current ? current.reason : null,
    isPending: request.isPending,
    /** Records changed settings before the next render, so that an older result does not replace a newer one. */
    noteChange: (changed: FileValues) => {
      latest.current = changed;
    },
    load: (settings: FileValues) => {
      request
        .mutateAsync({ body: { file: settings } })
        .then((preview) => hasSameSettings(latest.current, settings) && setAnswer({ preview, of: settings }))
        .catch((reason: unknown) => {
          if (!hasSameSettings(latest.current, settings)) return;
          setAnswer({ reason, of: settings });
          onRefused();
        });
    },
  };
}
