import { useState } from 'react';
import { paths } from '../../../../lib/paths.ts';
import { toastDone, toastProblem } from '../../../../ui/feedback/toast.tsx';
import { useGo } from '../../../../ui/frame/go.ts';
import type { useSave } from './use-save.ts';

/** Saves the draft as a new query and opens that query in the editor. */
export function useCopy(save: ReturnType<typeof useSave>) {
  const go = useGo();
  const [isCopying, setCopying] = useState(false);
  const copy = async () => {
    setCopying(true);
    try {
      const query = await save.saveCopy();
      toastDone(`“${query.name}” was saved.`);
      go(paths.editQuery(query.id), { isSaved: true });
    } catch (reason) {
      toastProblem(reason);
    } finally {
      setCopying(false);
    }
  };
  return { isCopying, onCopy: () => void copy() };
}
